"""Sharing room fairly among those who can use more or less of it."""

from collections.abc import Sequence


def fair_shares(needs: Sequence[int], budget: int) -> tuple[int, ...]:
    """What each gets of the budget, so that whoever has the least could not have had more.

    Nobody gets more than the need. Whoever needs no more than an even share gets it all, and what
    is spared that way is shared evenly by the others. What cannot be divided goes to the first of
    them, one each: nothing is left while a need is unmet, and a larger budget lowers no share.
    """
    left, waiting = budget, len(needs)
    for need in sorted(needs):
        if need * waiting > left:
            break
        left -= need
        waiting -= 1
    else:
        return tuple(needs)
    level, odd = divmod(left, waiting)
    shares: list[int] = []
    for need in needs:
        extra = need > level and odd > 0
        odd -= extra
        shares.append(level + 1 if extra else min(need, level))
    return tuple(shares)

"""Sharing room fairly among those who could use more or less of it."""

from collections.abc import Sequence

from native_web_search.domain.claims import Claim
from native_web_search.domain.measure import Measure

FIRST_REACH = 64  # characters beyond what a claim has, at least


def fair_shares(needs: Sequence[int], budget: int) -> tuple[int, ...]:
    """What each gets of the budget, so that whoever has the least could not have more.

    Nobody gets more than the need, which is below zero if there is room to give back. Whoever
    needs no more than an even share gets all of it, and what is spared in this way is shared
    evenly by the others. What cannot be divided goes to the first of them, one each: nothing is
    left while a need is unmet, and a larger budget lowers no share.
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
        share = min(need, level + (odd > 0))
        odd -= share > level
        shares.append(share)
    return tuple(shares)


def grant(claims: Sequence[Claim], left: int, measure: Measure) -> int:
    """Share what is left among the claims of one container; returns what none of them can use.

    A need is known only after measuring, which costs as much as the need. So nothing is measured
    much farther than its share: first as far as an even share, which everybody gets who needs it;
    while several claims are known to be longer than `reach` only, and might get more, they are
    measured again, twice as far. An only claim, as most results have, takes everything at once;
    that saves a tenth of the time that a result takes.
    """
    if left == 0 or not claims:
        return left
    if len(claims) == 1:
        claims[0].room += left
        return 0
    reach, shares = 0, (left,) * len(claims)
    while _might_get_more(claims, shares, reach):
        reach = max(2 * reach, FIRST_REACH, left // len(claims) + 1)
        for claim in claims:
            if claim.text is None:
                claim.text = measure.text(claim.value, claim.room + reach)
        shares = _shares(claims, left)
    for claim, share in zip(claims, shares, strict=True):
        claim.room += share
    return left - sum(shares)


def _shares(claims: Sequence[Claim], left: int) -> tuple[int, ...]:
    """By what is known so far: a claim that was not measured to its end could use everything, and
    one that turned out to be shorter than its room gives back the rest, as a share below zero.
    """
    needs = [left if claim.text is None else len(claim.text) - claim.room for claim in claims]
    return fair_shares(needs, left)


def _might_get_more(claims: Sequence[Claim], shares: Sequence[int], reach: int) -> bool:
    """Whoever was not measured to the end could use everything, so nobody's share is larger."""
    unknown = [claim.text for claim in claims].count(None)
    return unknown > 1 and max(shares) > reach

"""Sharing room fairly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.domain.claims import Claim
from native_web_search.domain.measure import Measure
from native_web_search.domain.shares import fair_shares, grant

NEEDS = st.lists(st.integers(0, 60), max_size=9)
BUDGETS = st.integers(0, 300)


@pytest.mark.rule("guard.19")
class TestFairShares:
    """Max-min fairness, to the last character."""

    @given(NEEDS, BUDGETS)
    def test_sum_is_within_the_budget(self, needs: list[int], budget: int) -> None:
        """No more is given out than there is."""
        assert sum(fair_shares(needs, budget)) <= budget

    @given(NEEDS, BUDGETS)
    def test_no_share_is_above_its_need(self, needs: list[int], budget: int) -> None:
        """What nobody can use is not given to anybody."""
        shares = fair_shares(needs, budget)
        assert all(0 <= share <= need for share, need in zip(shares, needs, strict=True))

    @given(NEEDS, BUDGETS)
    def test_nothing_is_left_while_a_need_is_unmet(self, needs: list[int], budget: int) -> None:
        """Either all needs are met or the budget is used up."""
        shares = fair_shares(needs, budget)
        assert shares == tuple(needs) or sum(shares) == budget

    def test_the_odd_characters_go_to_the_first_who_need_them(self) -> None:
        """Whoever has all that is needed takes none of them."""
        assert fair_shares((2, 9, 9), 7) == (2, 3, 2)

    @given(NEEDS, BUDGETS)
    def test_a_larger_budget_lowers_no_share(self, needs: list[int], budget: int) -> None:
        """One character more is one character more for somebody, and less for nobody."""
        shares, more = fair_shares(needs, budget), fair_shares(needs, budget + 1)
        assert all(before <= after for before, after in zip(shares, more, strict=True))

    @given(NEEDS, BUDGETS)
    def test_whoever_got_less_than_needed_got_as_much_as_anybody(
        self, needs: list[int], budget: int
    ) -> None:
        """An unmet need means a share that is at most one below the largest."""
        shares = fair_shares(needs, budget)
        unmet = [share for share, need in zip(shares, needs, strict=True) if share < need]
        assert all(share >= max(shares) - 1 for share in unmet)


@pytest.mark.rule("guard.19")
@pytest.mark.parametrize(
    ("needs", "budget", "shares"),
    [
        ((), 5, ()),
        ((10, 10, 10), 11, (4, 4, 3)),
        ((1, 10, 10), 11, (1, 5, 5)),
        ((1, 2, 3), 99, (1, 2, 3)),
        ((5, 0, 5), 0, (0, 0, 0)),
    ],
)
def test_what_is_spared_is_shared(
    needs: tuple[int, ...], budget: int, shares: tuple[int, ...]
) -> None:
    """Small needs are met, the others share the rest, the first ones get the odd characters."""
    assert fair_shares(needs, budget) == shares


def claims_on(*lengths: int, room: int = 10) -> list[Claim]:
    """Claims on strings of these lengths as JSON, with some room already."""
    return [Claim("", "x" * (length - 2), room, links=False, identity={}) for length in lengths]


@pytest.mark.rule("guard.18")
@pytest.mark.parametrize(
    ("lengths", "left", "rooms", "unused"),
    [
        ((500, 500), 100, (60, 60), 0),
        ((20, 500, 5_000), 1_010, (20, 500, 520), 0),
        ((20, 30), 100, (20, 30), 70),
        ((5, 500, 500), 100, (5, 63, 62), 0),
        ((500, 500, 500), 0, (10, 10, 10), 0),
        ((5_000,), 100, (110,), 0),
        ((), 7, (), 7),
    ],
)
def test_claims_share_what_is_left(
    lengths: tuple[int, ...], left: int, rooms: tuple[int, ...], unused: int
) -> None:
    """Short ones are filled, long ones share evenly; what none of them can use is returned."""
    claims = claims_on(*lengths)
    assert grant(claims, left, Measure()) == unused
    assert tuple(claim.room for claim in claims) == rooms


@pytest.mark.rule("guard.24")
def test_the_last_open_claim_is_not_measured() -> None:
    """It takes the rest, however long it is."""
    claims = claims_on(20, 10**6)
    assert grant(claims, 10**5, Measure()) == 0
    assert [claim.text is None for claim in claims] == [False, True]

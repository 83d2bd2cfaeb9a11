"""Cooldowns, told with a clock in hand."""

from collections.abc import MutableMapping

import pytest

from native_web_search.domain.cooldown import (
    BASE_SECONDS,
    CAP_SECONDS,
    MAX_LEVEL,
    Cooldown,
    Failed,
    Key,
    Ledger,
    Succeeded,
)
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    ProviderRefused,
    QueryTooLong,
    RequestRefused,
    TimedOut,
)
from native_web_search.domain.family import Operation

SEARCH, FETCH = Operation.SEARCH, Operation.FETCH
OUTAGE = TimedOut("60 s")
GONE = ModelRefused("no such model", 404)


def _failed(
    failure: AttemptFailure, model: str = "a", operation: Operation = SEARCH, provider: str = "p"
) -> Failed:
    return Failed(operation, provider, model, failure)


def _ledger(*events: tuple[float, Failed | Succeeded], base: float = BASE_SECONDS) -> Ledger:
    ledger = Ledger()
    for now, event in events:
        ledger = ledger.after(event, now, base)
    return ledger


@pytest.mark.rule("cooldown.1")
def test_nobody_cools_at_first() -> None:
    """A candidate that never failed is healthy."""
    assert Ledger().remaining(SEARCH, "p", "a", 0.0) == 0.0


@pytest.mark.rule("cooldown.1")
def test_a_failure_cools_for_a_minute() -> None:
    """The first failure cools for the base, and the time left runs down with the clock."""
    ledger = _ledger((5.0, _failed(OUTAGE)))

    left = [ledger.remaining(SEARCH, "p", "a", now) for now in (5.0, 25.0, 64.0, 65.0, 1e9)]

    assert left == [60.0, 40.0, 1.0, 0.0, 0.0]


@pytest.mark.rule("cooldown.2")
def test_a_provider_failure_cools_all_its_models() -> None:
    """A failure of the provider cools every model of that provider id, and no other provider."""
    ledger = _ledger((0.0, _failed(OUTAGE)))

    assert ledger.remaining(SEARCH, "p", "never tried", 0.0) == 60.0
    assert ledger.remaining(SEARCH, "q", "a", 0.0) == 0.0


@pytest.mark.rule("cooldown.2")
def test_a_model_failure_leaves_its_siblings_healthy() -> None:
    """A failure of a model cools that model of that provider id alone."""
    ledger = _ledger((0.0, _failed(GONE)))

    assert ledger.remaining(SEARCH, "p", "a", 0.0) == 60.0
    assert ledger.remaining(SEARCH, "p", "b", 0.0) == 0.0
    assert ledger.remaining(SEARCH, "q", "a", 0.0) == 0.0


@pytest.mark.rule("cooldown.3")
@pytest.mark.parametrize("failure", [RequestRefused("blocked"), QueryTooLong("129")])
def test_a_failure_of_the_request_cools_nothing(failure: AttemptFailure) -> None:
    """What was wrong with this request or this call says nothing about anyone's health."""
    assert _ledger((0.0, _failed(failure))) == Ledger()


@pytest.mark.rule("cooldown.4")
def test_search_and_fetch_are_told_apart() -> None:
    """A failed fetch cools nothing for searches, and a successful search clears no fetch."""
    ledger = _ledger((0.0, _failed(OUTAGE, operation=FETCH)), (1.0, Succeeded(SEARCH, "p", "a")))

    assert ledger.remaining(SEARCH, "p", "a", 1.0) == 0.0
    assert ledger.remaining(FETCH, "p", "a", 1.0) == 59.0


@pytest.mark.rule("cooldown.5")
def test_a_failure_while_cooling_changes_nothing() -> None:
    """All failures until the cooldown ends are one outage."""
    once = _ledger((0.0, _failed(OUTAGE)))

    assert once.after(_failed(OUTAGE, model="b"), 59.9, BASE_SECONDS) == once


@pytest.mark.case("F06")
@pytest.mark.rule("cooldown.5")
def test_a_herd_of_probes_counts_once() -> None:
    """Ten calls that fail together after the cooldown take one step, not ten."""
    herd = [(61.0, _failed(OUTAGE))] * 10

    assert _ledger((0.0, _failed(OUTAGE)), *herd).remaining(SEARCH, "p", "a", 61.0) == 120.0


@pytest.mark.case("F05")
@pytest.mark.rule("cooldown.6")
@pytest.mark.rule("cooldown.9")
def test_the_ladder_doubles_to_the_cap_and_starts_anew_after_a_success() -> None:
    """Outage after outage waits 60, 120, 240, 480 and then 600 s, and 60 s after a success."""
    now, ledger, waits = 0.0, Ledger(), []
    for _ in range(7):
        ledger = ledger.after(_failed(OUTAGE), now, BASE_SECONDS)
        waits.append(ledger.remaining(SEARCH, "p", "a", now))
        now += waits[-1]
    ledger = ledger.after(Succeeded(SEARCH, "p", "a"), now, BASE_SECONDS)
    ledger = ledger.after(_failed(OUTAGE), now, BASE_SECONDS)

    assert waits == [60.0, 120.0, 240.0, 480.0, 600.0, 600.0, 600.0]
    assert ledger.remaining(SEARCH, "p", "a", now) == 60.0


@pytest.mark.rule("cooldown.6")
def test_the_very_end_of_a_cooldown_is_no_longer_cooling() -> None:
    """A failure at the moment of expiry is a failed probe."""
    ledger = _ledger((0.0, _failed(OUTAGE)), (60.0, _failed(OUTAGE)))

    assert ledger.remaining(SEARCH, "p", "a", 60.0) == 120.0


@pytest.mark.rule("cooldown.7")
@pytest.mark.parametrize("base", [600.0, 601.0, 1e12, float("inf")])
def test_a_large_base_means_the_cap(base: float) -> None:
    """No base makes anyone cool longer than ten minutes."""
    ledger = _ledger((0.0, _failed(OUTAGE)), base=base)

    assert ledger.remaining(SEARCH, "p", "a", 0.0) == CAP_SECONDS == 600.0


@pytest.mark.rule("cooldown.7")
def test_the_smallest_base_reaches_the_cap_as_well() -> None:
    """Even a base of a millisecond climbs to ten minutes, and the ladder then stands still."""
    now, ledger = 0.0, Ledger()
    for _ in range(MAX_LEVEL + 5):
        ledger = ledger.after(_failed(OUTAGE), now, 0.001)
        now += CAP_SECONDS

    assert ledger.remaining(SEARCH, "p", "a", now - CAP_SECONDS) == CAP_SECONDS


@pytest.mark.rule("cooldown.7")
def test_nobody_cools_longer_by_a_clock_that_went_back() -> None:
    """Read with an earlier `now`, or with one that rounds, the time left is within the cap."""
    ledger = _ledger((0.1, _failed(OUTAGE)), base=600.0)

    assert ledger.remaining(SEARCH, "p", "a", 0.1) <= CAP_SECONDS
    assert ledger.remaining(SEARCH, "p", "a", -7_200.0) == CAP_SECONDS


@pytest.mark.rule("cooldown.8")
@pytest.mark.parametrize(
    ("asked", "wait"),
    [(90.0, 90.0), (30.0, 60.0), (1e9, 600.0), (float("inf"), 600.0)]
    + [(odd, 60.0) for odd in (0.0, -5.0, float("nan"), float("-inf"))],
)
def test_a_provider_may_ask_for_more_time(asked: float, wait: float) -> None:
    """`Retry-After` lengthens a wait within the cap, never shortens it; odd values do nothing."""
    ledger = _ledger((0.0, _failed(ProviderRefused("busy", 429, retry_after=asked))))

    assert ledger.remaining(SEARCH, "p", "a", 0.0) == wait
    assert ledger.remaining(SEARCH, "p", "a", wait) == 0.0


@pytest.mark.rule("cooldown.8")
def test_a_wait_asked_for_does_not_move_the_ladder() -> None:
    """The outage after one that was lengthened takes the next rung, as if it had not been."""
    ledger = _ledger(
        (0.0, _failed(ModelRefused("busy", 429, retry_after=500.0))), (500.0, _failed(GONE))
    )

    assert ledger.remaining(SEARCH, "p", "a", 500.0) == 120.0


@pytest.mark.rule("cooldown.8")
def test_a_wait_asked_for_while_cooling_comes_too_late() -> None:
    """Only the failure that starts an outage sets its length."""
    ledger = _ledger(
        (0.0, _failed(OUTAGE)), (1.0, _failed(ProviderRefused("busy", 429, retry_after=500.0)))
    )

    assert ledger.remaining(SEARCH, "p", "a", 1.0) == 59.0


@pytest.mark.rule("cooldown.9")
def test_a_success_clears_the_provider_and_that_model_only() -> None:
    """A sibling that failed on its own account stays where it is."""
    ledger = _ledger(
        (0.0, _failed(GONE, model="a")),
        (0.0, _failed(GONE, model="b")),
        (0.0, _failed(OUTAGE, model="c")),
        (1.0, Succeeded(SEARCH, "p", "a")),
    )

    left = {model: ledger.remaining(SEARCH, "p", model, 1.0) for model in "abc"}

    assert left == {"a": 0.0, "b": 59.0, "c": 0.0}


@pytest.mark.rule("cooldown.9")
def test_a_success_of_somebody_healthy_changes_nothing() -> None:
    """The ledger stays the very same, whoever else is cooling."""
    ledger = _ledger((0.0, _failed(OUTAGE)))
    assert ledger.after(Succeeded(SEARCH, "other", "a"), 1.0, BASE_SECONDS) is ledger


@pytest.mark.rule("cooldown.10")
def test_time_alone_does_not_lead_off_the_ladder() -> None:
    """An outage years after the last one still takes the next rung; only a success resets."""
    ledger = _ledger((0.0, _failed(OUTAGE)), (1e8, _failed(OUTAGE)))

    assert ledger.remaining(SEARCH, "p", "a", 1e8) == 120.0


@pytest.mark.rule("cooldown.11")
@pytest.mark.parametrize("base", [0.0, -1.0, float("nan")])
def test_a_base_of_zero_switches_cooling_off(base: float) -> None:
    """Without a base nobody cools, not even when a provider asks for time."""
    ledger = _ledger((0.0, _failed(ProviderRefused("busy", 429, retry_after=90.0))), base=base)

    assert ledger == Ledger()


@pytest.mark.rule("cooldown.12")
def test_the_longer_of_both_cooldowns_counts() -> None:
    """A model that failed, at a provider that failed, waits for both."""
    ledger = _ledger((0.0, _failed(GONE)), (30.0, _failed(OUTAGE)))

    assert ledger.remaining(SEARCH, "p", "a", 30.0) == 60.0
    assert ledger.remaining(SEARCH, "p", "a", 0.0) == 90.0


@pytest.mark.rule("cooldown.13")
def test_the_plain_form_is_dated_by_its_reader() -> None:
    """What is left is stored, and the ladder too; the clocks of two processes need not agree."""
    ledger = _ledger((1_000.0, _failed(OUTAGE)), (1_060.0, _failed(OUTAGE)))

    plain = ledger.to_plain(1_100.0)
    read = Ledger.from_plain(plain, 5.0)

    assert plain == {
        "cooldowns": [
            {"operation": "search", "provider": "p", "model": None, "remaining": 80.0, "level": 1}
        ]
    }
    assert read.remaining(SEARCH, "p", "a", 5.0) == 80.0


@pytest.mark.rule("cooldown.13")
def test_the_level_of_an_expired_cooldown_is_stored() -> None:
    """A failure after expiry doubles, also for a process that only read about the first."""
    ledger = _ledger((0.0, _failed(GONE)))

    read = Ledger.from_plain(ledger.to_plain(61.0), 0.0)

    assert read.remaining(SEARCH, "p", "a", 0.0) == 0.0
    again = read.after(_failed(GONE), 0.0, BASE_SECONDS)
    assert again.remaining(SEARCH, "p", "a", 0.0) == 120.0


_ENTRY = {"operation": "search", "provider": "p", "model": None, "remaining": 10.0, "level": 0}


@pytest.mark.rule("cooldown.14")
@pytest.mark.parametrize(
    "odd",
    [
        *[{"operation": "paint"}, {"operation": ["search"]}, {"provider": 5}, {"model": 5}],
        *[{"remaining": "10"}, {"remaining": None}, {"level": 1.5}, {"level": None}],
    ],
)
def test_an_entry_that_makes_no_sense_is_left_out(odd: dict[str, object]) -> None:
    """One bad entry in the plain form costs itself and no other."""
    good = {**_ENTRY, "provider": "q"}

    read = Ledger.from_plain({"cooldowns": [{**_ENTRY, **odd}, good]}, 0.0)

    assert read == Ledger.from_plain({"cooldowns": [good]}, 0.0)
    assert read.remaining(SEARCH, "q", "a", 0.0) == 10.0


@pytest.mark.rule("cooldown.14")
@pytest.mark.parametrize("plain", [None, 5, [], {}, {"cooldowns": {}}, {"cooldowns": [5, None]}])
def test_a_plain_form_that_makes_no_sense_is_empty(plain: object) -> None:
    """Whatever a shared store holds, reading it gives a ledger."""
    assert Ledger.from_plain(plain, 0.0) == Ledger()


@pytest.mark.rule("cooldown.7")
@pytest.mark.rule("cooldown.14")
@pytest.mark.parametrize(
    ("remaining", "left"),
    [(1e9, 600.0), (10**400, 600.0), (float("inf"), 600.0), (-5, 0.0), (float("nan"), 0.0)],
)
def test_numbers_out_of_range_are_brought_back(remaining: float, left: float) -> None:
    """A stored wait beyond the cap is the cap, a negative one is over."""
    read = Ledger.from_plain({"cooldowns": [{**_ENTRY, "remaining": remaining}]}, 0.0)

    assert read.remaining(SEARCH, "p", "a", 0.0) == left


@pytest.mark.rule("cooldown.14")
@pytest.mark.parametrize(("level", "wait"), [(10**400, 600.0), (-3, 120.0)])
def test_a_level_out_of_range_is_brought_back(level: int, wait: float) -> None:
    """A stored level beyond the ladder is its top, a negative one its foot."""
    read = Ledger.from_plain({"cooldowns": [{**_ENTRY, "level": level, "remaining": 0}]}, 0.0)
    again = read.after(_failed(OUTAGE), 0.0, BASE_SECONDS)

    assert again.remaining(SEARCH, "p", "a", 0.0) == wait


@pytest.mark.rule("cooldown.15")
def test_a_ledger_never_changes() -> None:
    """What happens makes another ledger; the old one stays as it was."""
    ledger = _ledger((0.0, _failed(OUTAGE)))

    ledger.after(Succeeded(SEARCH, "p", "a"), 1.0, BASE_SECONDS)

    assert ledger.remaining(SEARCH, "p", "a", 1.0) == 59.0
    assert not isinstance(ledger.cooldowns, MutableMapping)


@pytest.mark.rule("cooldown.15")
def test_a_ledger_keeps_no_hold_on_what_it_was_made_of() -> None:
    """Whoever made a ledger out of a dictionary may go on using the dictionary."""
    given: dict[Key, Cooldown] = {(SEARCH, "p", None): Cooldown(until=60.0, level=0)}
    ledger = Ledger(given)

    given.clear()

    assert ledger.remaining(SEARCH, "p", "a", 0.0) == 60.0

"""Numbers, constants, keys, and many of them at once."""

import json
from enum import IntEnum, StrEnum

import pytest

from native_web_search.domain.json_scalars import RUN, derived_text, key_text, run_text, runs


class Level(IntEnum):
    """A number with a name."""

    HIGH = 3


class Word(StrEnum):
    """A string with a name."""

    YES = "yes"


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (1, "1"),
        (-(10**30), "-1" + "0" * 30),
        (1.0, "1.0"),
        (1e22, "1e+22"),
        (float("inf"), "null"),
        (float("nan"), "null"),
        (Level.HIGH, "3"),
    ],
)
def test_scalars_are_written_exactly(value: object, text: str) -> None:
    """To the last digit, floats as floats; what JSON cannot say or nobody can read is `null`."""
    assert derived_text(value) == text


@pytest.mark.rule("guard.3")
def test_integers_that_nobody_can_read_are_null() -> None:
    """Python neither prints nor parses more than 4 300 digits."""
    assert derived_text(10**5_000) == "null"
    assert run_text([*range(8), 10**5_000], ",") is None


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize("value", [{1}, object(), b"x", 1j])
def test_other_types_are_refused(value: object) -> None:
    """What the standard encoder refuses is refused by name."""
    with pytest.raises(TypeError, match=type(value).__name__):
        _ = derived_text(value)


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize("key", ["x", Word.YES, 1, -1.5, True, None, float("nan"), float("-inf")])
def test_keys_become_what_the_standard_encoder_makes_of_them(key: object) -> None:
    """Numbers and constants may be keys in Python."""
    assert [key_text(key)] == list(json.loads(json.dumps({key: 0})))


@pytest.mark.rule("guard.24")
def test_runs_are_no_longer_than_what_is_wanted() -> None:
    """Few characters wanted, few entries taken; in the end all entries come, in order."""
    array = list(range(2_000))
    assert len(next(runs(array, 20))) == 11
    assert len(next(runs(array, 10**6))) == RUN
    assert [entry for run in runs(array, 10**6) for entry in run] == array
    assert list(runs([1, 2], 10**6)) == [[1, 2]]


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize(
    "run",
    [
        [1] * 7,
        [*range(8), []],
        ["x" * 41] * 8,
        [*range(8), float("nan")],
        [Level.HIGH] * 8,
    ],
)
def test_what_is_not_short_and_plain_is_no_run(run: list[object]) -> None:
    """Such entries are looked at one by one."""
    assert run_text(run, ",") is None


@pytest.mark.rule("guard.7")
def test_a_run_is_written_as_its_entries_would_be() -> None:
    """Between the given separators, surrogates escaped."""
    run = [1, 1.0, None, True, "ä", "\ud83d", '"', 2]
    assert run_text(run, ", ") == '1, 1.0, null, true, "ä", "\\ud83d", "\\"", 2'

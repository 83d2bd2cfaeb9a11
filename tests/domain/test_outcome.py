"""The two ways a step can end."""

from native_web_search.domain.outcome import Failure, Outcome, Success


def _described(outcome: Outcome[int, str]) -> str:
    match outcome:
        case Success(value):
            return f"value {value}"
        case Failure(error):
            return f"error {error}"


def test_a_match_opens_both_sides() -> None:
    """An outcome is read by a match on its two sides."""
    assert _described(Success(1)) == "value 1"
    assert _described(Failure("no")) == "error no"

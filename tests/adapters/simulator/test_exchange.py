"""How bodies are cut, written and recorded."""

import json

import pytest

from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.exchange import (
    TAIL,
    SeenRequest,
    compact,
    in_pieces,
)


def _seen(**headers: str) -> SeenRequest:
    return SeenRequest("openai", "POST", "/openai/v1/responses", {}, headers)


@pytest.mark.rule("simulator.10")
def test_pieces_cut_characters_in_two() -> None:
    """Some piece of a long Chinese body ends in the middle of a character."""
    text = next(page.text for page in bundled().pages if page.lang == "zh")
    pieces = in_pieces(text.encode())
    assert b"".join(pieces) == text.encode()
    assert len(pieces) > 10
    with pytest.raises(UnicodeDecodeError):
        [piece.decode() for piece in pieces]


@pytest.mark.rule("simulator.10")
@pytest.mark.parametrize("size", [0, 1, TAIL, TAIL + 1, 700, 1_000, 1_100, 1_101, 5_000, 100_000])
def test_the_last_piece_is_long_enough(size: int) -> None:
    """The end of a body is never cut off from what precedes it, whatever its size."""
    pieces = in_pieces(bytes(size))
    assert sum(map(len, pieces)) == size
    assert len(pieces[-1]) >= min(size, TAIL)


@pytest.mark.rule("simulator.13")
def test_json_can_hold_half_a_character() -> None:
    """A lone surrogate is written as its escape, so that the body is valid UTF-8 and JSON."""
    assert json.loads(compact({"a": "\ud800é"})) == {"a": "\ud800é"}


@pytest.mark.rule("simulator.9")
def test_a_recorded_request_does_not_show_its_keys() -> None:
    """The repr of a recorded request holds no header."""
    assert "sk-secret" not in repr(_seen(authorization="Bearer sk-secret"))


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer a", "a"), ("bearer  a ", "a"), ("Basic a", None), ("", None)],
)
def test_a_bearer_token_is_read_whatever_the_case_of_its_scheme(
    header: str, token: str | None
) -> None:
    """Only the scheme `Bearer` brings a token, in any case."""
    assert _seen(authorization=header).bearer == token


def test_the_route_is_the_path_below_the_prefix() -> None:
    """The provider's own prefix is the first segment, the route is the rest."""
    assert _seen().route == "/v1/responses"

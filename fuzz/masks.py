"""Masking: no piece of a secret is shown, in whatever spelling the provider echoes it."""

import html
import json
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

from fuzz.chance import chance
from native_web_search.adapters.masking import MASK, MAX_MESSAGE, PIECE, masked

Spelling = Callable[[str], str]

SPELLINGS: tuple[Spelling, ...] = (
    str,
    lambda text: quote(text, safe="", errors="replace"),
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
    html.escape,
)


def no_piece_of_a_secret_is_shown(data: bytes) -> None:
    """The first line is the secret, the rest a message; the echo may stand anywhere in it."""
    secret, _, message = data.decode("utf-8", "surrogateescape").partition("\n")
    if set(secret) & set(MASK) or len(secret) < PIECE:
        return  # with an asterisk in it, a mask and what stands beside it could read like it
    draws = chance(data)
    at = draws.randint(0, len(message))
    for spelling in SPELLINGS:
        said = masked(f"{message[:at]} {spelling(secret)} {message[at:]}", (secret,))
        assert len(said) <= MAX_MESSAGE
        for shown in (said, unquote(said), html.unescape(said), _from_json(said)):
            assert not any(piece in shown for piece in _pieces(secret))


def _pieces(secret: str) -> Iterator[str]:
    return (secret[start : start + PIECE] for start in range(len(secret) - PIECE + 1))


def _from_json(text: str) -> str:
    try:
        value: object = json.loads(f'"{text}"')
    except ValueError:
        return text
    return str(value)

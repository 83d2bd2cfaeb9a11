"""Strings inside JSON text: how they are written, and how much of one fits."""

from collections.abc import Callable
from json.encoder import encode_basestring

LONGEST_ESCAPE = len("\\ud800")


def quoted(text: str) -> str:
    """A string as JSON; what need not be escaped is not."""
    quote = encode_basestring(text)
    return quote if quote.isascii() else encodable(quote)


def quoted_within(text: str, cap: int) -> str | None:
    """A string as JSON, or None if that is longer than `cap`; then no more than that is read."""
    if len(text) > cap:
        return None
    quote = quoted(text)
    return quote if len(quote) <= cap else None


def body(text: str) -> str:
    """What stands between the quotes of a string as JSON."""
    return quoted(text)[1:-1]


def encodable(text: str) -> str:
    """The text with the escape of every lone surrogate in its place: always valid UTF-8."""
    if text.isascii():
        return text
    try:
        _ = text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="backslashreplace").decode()
    return text


def fitting(text: str, room: int, escaped: Callable[[str], str]) -> tuple[int, str]:
    """How many characters of a text take at most `room` once they are escaped, and these, escaped.

    `escaped` works one character at a time. No more than the room's worth of text is read, however
    long it is: an escaped character takes no less room than a raw one, so text that is too long by
    `n` is short enough without its last `n` characters. What that cut off too much, if escapes
    were among it, is left to the next round, which has far less room to fill.
    """
    count, pieces = 0, [""]
    while room > 0 and count < len(text):
        step = text[count : count + room]
        piece = escaped(step)
        if len(piece) > room:
            kept = max(len(step) + room - len(piece), room // LONGEST_ESCAPE, 1)
            piece = piece[: len(piece) - len(escaped(step[kept:]))]
            step = step[:kept]
        if len(piece) > room:
            break
        count += len(step)
        room -= len(piece)
        pieces.append(piece)
    return count, "".join(pieces)

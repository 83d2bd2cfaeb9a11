"""Bodies that are one JSON document, on the way out and on the way in."""

import json
from collections.abc import Callable
from typing import Generic, NoReturn, TypeVar

from attrs import define, field

from native_web_search.domain.failure import Unreadable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, ResponseHead

A = TypeVar("A")

COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def json_body(document: object) -> bytes:
    """A request body: compact, every character as itself. UTF-8 cannot say a lone surrogate, so
    that one is written as its JSON escape.
    """
    return COMPACT.encode(document).encode("utf-8", "backslashreplace")


@define
class WholeBody(Generic[A]):
    """Collects a body and hands it to `decode` with the head, once, at the end."""

    decode: Callable[[ResponseHead, bytes], A]
    _head: ResponseHead = field(init=False, default=ResponseHead(0))
    _pieces: list[bytes] = field(init=False, factory=list)

    def begin(self, head: ResponseHead) -> Appetite:
        self._head = head
        return Appetite.ALL

    def feed(self, piece: bytes) -> Appetite:
        self._pieces.append(piece)
        return Appetite.ALL

    def end(self) -> A:
        body = b"".join(self._pieces)
        self._pieces.clear()  # makes room for the text: new memory costs more than copying
        return self.decode(self._head, body)


def parse_json(body: bytes | str) -> Outcome[object, Unreadable]:
    """Parse strictly: what JSON cannot say (bare NaN, an endless number, a bottomless nesting,
    broken UTF-8) is an unreadable answer, never an exception. Blank lines before the document,
    and a byte order mark, are no part of it.
    """
    value = json_value(body)
    return Failure(value) if isinstance(value, Unreadable) else Success(value)


def json_value(body: bytes | str) -> object:
    """The same without the wrapping: the value or, which no JSON is, an `Unreadable`. For events,
    that come by the thousand.
    """
    try:
        return _value(body if isinstance(body, str) else body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Unreadable(f"the answer is {_kind(body)}")


def _value(text: str) -> object:
    """An object that is all there is, as events are, is read without looking for blanks around it:
    that saves a quarter of the time that a small one takes.
    """
    if text.startswith("{"):
        value, end = STRICT.raw_decode(text)
        if end == len(text):
            return value
    return STRICT.decode(text)


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is no JSON"
    raise ValueError(message)


STRICT = json.JSONDecoder(parse_constant=_no_constant)  # one for all: making it costs most


def _kind(body: bytes | str) -> str:
    """What a body is that JSON cannot read."""
    text = body if isinstance(body, str) else body.decode("utf-8-sig", "replace")
    start = text.lstrip()[:1]
    if not start:
        return "empty"
    return "an HTML page instead of JSON" if start == "<" else "not readable as JSON"

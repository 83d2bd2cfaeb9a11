"""Decoding a response that is one JSON document."""

import json
from collections.abc import Callable
from typing import Generic, NoReturn, TypeVar

from attrs import define, field

from native_web_search.domain.failure import Unreadable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, ResponseHead

A = TypeVar("A")


@define
class WholeBody(Generic[A]):
    """Collects a body and hands it to `decode` with the head, once, at the end."""

    decode: Callable[[ResponseHead, bytes], A]
    _head: ResponseHead = field(init=False, default=ResponseHead(0))
    _pieces: list[bytes] = field(init=False, factory=list)

    def begin(self, head: ResponseHead) -> None:
        self._head = head

    def feed(self, piece: bytes) -> Appetite:
        self._pieces.append(piece)
        return Appetite.MORE

    def end(self) -> A:
        return self.decode(self._head, b"".join(self._pieces))


def parse_json(body: bytes | str) -> Outcome[object, Unreadable]:
    """Parse strictly: what JSON cannot say (bare NaN, an endless number, a bottomless nesting,
    broken UTF-8) is an unreadable answer, never an exception.
    """
    try:
        value: object = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        what = "empty" if not body.strip() else "not readable as JSON"
        return Failure(Unreadable(f"the answer is {what}"))
    return Success(value)


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is no JSON"
    raise ValueError(message)

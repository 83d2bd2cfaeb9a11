"""Decoding a response that should be a stream of events, and saying so when it is none.

What all dialects share is here, so that a dialect only reads its own events:

- a status other than 2xx is a refusal, whatever its body;
- the first byte that is no blank tells an event stream from a JSON document or a page, because
  gateways label each as the other. A document is read as if it were the one event;
- an object that has an `error`, or is one (`"type": "error"`), ends the attempt, even after text
  was seen: half an answer is not an answer;
- `[DONE]` means nothing, and data that is JSON but no object is skipped;
- data that is no JSON, and an end before the dialect's terminal event, are failures.
"""

from collections.abc import Iterator, Mapping
from typing import Generic, Protocol, TypeVar

from attrs import define, field

from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers.body import json_value, parse_json
from native_web_search.adapters.providers.classify import (
    Rule,
    failure_of,
    refusal_of_error,
    refusal_of_response,
)
from native_web_search.adapters.providers.json_values import list_in, object_in
from native_web_search.domain.failure import AttemptFailure, Unreachable, Unreadable
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.http import Appetite, ResponseHead

A_co = TypeVar("A_co", covariant=True)
A = TypeVar("A")

SUCCEEDED = range(200, 300)
STATUSES = range(100, 600)
BLANK = b" \t\r\n\xef\xbb\xbf"  # what may precede the first telling byte
DOCUMENT_OPENINGS = (b"{", b"[")
PAGE_OPENING = b"<"
END_MARK = "[DONE]"


class Reading(Protocol[A_co]):
    """One dialect's view of one stream. Nothing in it raises, whatever the events hold."""

    def read(self, event: Mapping[str, object]) -> Appetite:
        """Take the next event. `DONE` at the terminal event; `LINGER` if an `error` event that
        explains it may follow. Not called again after either, nor with an `error` event.
        """
        ...

    def answer(self) -> A_co:
        """What the stream amounts to; called once, only after the terminal event."""
        ...

    def failed(self, failure: AttemptFailure) -> A_co:
        """The answer of an attempt that failed on the way; called once, instead of `answer`."""
        ...


@define
class Streamed(Generic[A]):
    """A `ResponseDecoder` that lets `reading` see the events and `rules` judge the errors."""

    reading: Reading[A]
    rules: tuple[Rule, ...]
    _head: ResponseHead = field(init=False, default=ResponseHead(0))
    _first: bytes = field(init=False, default=b"")
    _body: bytearray = field(init=False, factory=bytearray)
    _stream: EventStream | None = field(init=False, default=None)
    _appetite: Appetite = field(init=False, default=Appetite.MORE)
    _failure: AttemptFailure | None = field(init=False, default=None)

    def begin(self, head: ResponseHead) -> Appetite:
        self._head = head
        return self._appetite

    def feed(self, piece: bytes) -> Appetite:
        self._first = self._first or piece.lstrip(BLANK)[:1]
        if self._stream is None and self._is_stream():
            self._stream, piece = EventStream(), bytes(self._body) + piece
        if self._stream is None:
            self._body += piece
        else:
            self._take_all(iter(self._stream.feed(piece)))
        return self._appetite

    def end(self) -> A:
        if self._appetite is not Appetite.DONE:
            self._take_rest()
        if self._appetite is Appetite.MORE:
            self._fail(Unreachable("the stream ended before its last event"))
        return (
            self.reading.answer() if self._failure is None else self.reading.failed(self._failure)
        )

    def _is_stream(self) -> bool:
        opening = self._first
        return (
            self._head.status in SUCCEEDED
            and opening not in (b"", PAGE_OPENING)
            and opening not in DOCUMENT_OPENINGS
        )

    def _take_rest(self) -> None:
        """What only the end of the body can show."""
        if self._head.status not in SUCCEEDED:
            refusal = refusal_of_response(self._head, bytes(self._body))
            self._fail(failure_of(refusal, self.rules))
        elif self._stream is not None:
            self._take_all(iter(self._stream.end()))
        elif self._first == PAGE_OPENING:
            self._fail(Unreadable("an HTML page instead of an event stream"))
        elif self._first:
            self._take_document(bytes(self._body))
        else:
            self._fail(Unreachable("the answer is empty"))

    def _take_document(self, body: bytes) -> None:
        match parse_json(body):
            case Success(value):
                for event in list_in(value) or [value]:
                    self._take(event)
            case Failure(unreadable):
                self._fail(unreadable)
        if self._appetite is Appetite.MORE:
            self._fail(Unreadable("a JSON document instead of an event stream"))

    def _take_all(self, events: Iterator[str]) -> None:
        for data in events:
            if self._appetite is Appetite.DONE:
                return
            if data == END_MARK or data.isspace():
                continue
            value = json_value(data)
            if not isinstance(value, Unreadable):
                self._take(value)
            elif self._appetite is Appetite.MORE:  # else only an `error` event could still say more
                self._fail(value)

    def _take(self, value: object) -> None:
        event = object_in(value)
        if self._appetite is Appetite.DONE or not event:
            return
        if event.get("error") or event.get("type") == "error":
            refusal = refusal_of_error(event, status=_status(event))
            self._fail(failure_of(refusal, self.rules))
        elif self._appetite is Appetite.MORE:
            self._appetite = self.reading.read(event)

    def _fail(self, failure: AttemptFailure) -> None:
        self._failure, self._appetite = failure, Appetite.DONE


def _status(event: Mapping[str, object]) -> int | None:
    """The HTTP status that an error event speaks of, for what should have been one."""
    inner = object_in(event.get("error"))
    said = (event.get("status"), event.get("status_code"), inner.get("code"), inner.get("status"))
    return next((each for each in said if isinstance(each, int) and each in STATUSES), None)

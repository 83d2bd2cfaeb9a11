"""Event streams: what is read of them, and what each dialect makes of it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import TypeVar, cast

from attrs import frozen

from fuzz.chance import chance, pieces, single_bytes
from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.output_guard import fit
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome
from native_web_search.ports.http import ResponseDecoder, ResponseHead

A = TypeVar("A")

ENOUGH = 10_000_000  # characters, for everything that an input can say
A_PAGE = 1_000  # characters, which many answers exceed
PAGES = ("https://a.example/x", "https://b.example/y")
STATUSES = (200, 200, 200, 204, 302, 400, 401, 403, 404, 413, 429, 500, 529)
SUCCEEDED = range(200, 300)
HEADERS = {"content-type": "text/event-stream", "retry-after": "7"}


def no_cut_changes_the_events(data: bytes) -> None:
    """Whole, in pieces and byte by byte, a stream says the same."""
    whole = _said(data)
    assert _said(*pieces(data, chance(data))) == whole
    assert _said(*single_bytes(data)) == whole
    assert all(event.encode() for event in whole)


@frozen
class AnswersOf:
    """Any bytes are an answer to a search, and to a fetch if there is one, whatever the status.

    `is_last` tells a terminal event by the provider's documentation, knowing nothing of how ours
    is read: without one there is no success.
    """

    codec: Codec
    is_last: Callable[[Mapping[str, object]], bool]

    def __call__(self, data: bytes) -> None:
        draws = chance(data)
        if self._succeeds(data, draws):
            self._succeeds(data[: draws.randint(0, len(data))], draws)

    def _succeeds(self, body: bytes, draws: Random) -> bool:
        head = ResponseHead(draws.choice(STATUSES), HEADERS)
        cut = pieces(body, draws)
        outcome = _same(self.codec.search.decoder, body, cut, head)
        _judge_search(outcome)
        succeeds = isinstance(outcome, Success)
        if self.codec.fetch is not None:
            decoder = self.codec.fetch.decoder
            answer = _same(lambda: decoder(PAGES), body, cut, head)
            assert set(answer.entries) <= set(range(len(PAGES)))
            succeeds = succeeds or bool(answer.entries)
        assert not succeeds or (self._has_ended(body) and head.status in SUCCEEDED)
        return succeeds

    def _has_ended(self, body: bytes) -> bool:
        return any(map(self.is_last, _objects([*_said(body), body])))


def _said(*cut: bytes) -> tuple[str, ...]:
    stream = EventStream()
    return tuple([data for piece in cut for data in stream.feed(piece)] + stream.end())


def _same(
    decoder: Callable[[], ResponseDecoder[A]], body: bytes, cut: list[bytes], head: ResponseHead
) -> A:
    """The answer, which has to be the same however the body is cut."""
    answer = decoded(decoder(), body, head=head)
    assert _written(decoded(decoder(), *cut, head=head)) == _written(answer)
    return answer


def _written(answer: object) -> str:
    """Comparable, however deeply nested."""
    match answer:
        case Success(payload):
            return _json(payload)
        case FetchAnswer(entries, failure):
            told = [each.data if isinstance(each, Fetched) else each for each in entries.values()]
            return f"{list(entries)} {_json(told)} {failure}"
        case _:
            return repr(answer)


def _json(value: object) -> str:
    """By the fastest writer that can."""
    try:
        return json.dumps(value, default=repr)
    except RecursionError:
        return fit(value, ENOUGH).text


def _judge_search(outcome: SearchOutcome) -> None:
    match outcome:
        case Success(payload):
            assert payload
            assert fit(payload, A_PAGE).text
        case Failure(failure):
            assert str(failure)


def _objects(texts: Iterable[str | bytes]) -> Iterator[Mapping[str, object]]:
    """Every object that one of the texts is, or lists."""
    for text in texts:
        try:
            value: object = json.loads(text)
        except (ValueError, RecursionError):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield cast("dict[str, object]", each)

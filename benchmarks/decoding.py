"""What it costs to find events in bytes and to parse them, beside parsing them alone."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks.measure import Measure
from benchmarks.sides import Pair, digest, side
from benchmarks.streams import Event, gemini, messages, of_size, responses
from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers.body import json_value
from native_web_search.adapters.reading import WINDOW


def _decoded(pieces: list[bytes]) -> list[object]:
    """What the transport and a provider's decoder do with a stream, the reading apart."""
    stream = EventStream()
    return [json_value(data) for piece in pieces for data in stream.feed(piece)]


def _parsed(payloads: list[str]) -> list[object]:
    return [json.loads(payload) for payload in payloads]


def _opened(family: Callable[[int], Iterator[Event]]) -> Measure:
    @contextmanager
    def opened(size: int) -> Iterator[Pair]:
        body = of_size(family, size)
        pieces = [body[at : at + WINDOW] for at in range(0, len(body), WINDOW)]
        payloads = EventStream().feed(body)
        yield Pair(side(lambda: _decoded(pieces), digest), side(lambda: _parsed(payloads), digest))

    return Measure(
        f"decoding-{family.__name__}",
        f"event stream of 2 MB to JSON, {family.__name__}",
        "json.loads of the same payloads",
        opened,
        (200_000, 600_000, 2_000_000),
        "bytes",
        target=1.6,
    )


MEASURES = tuple(_opened(family) for family in (responses, messages, gemini))

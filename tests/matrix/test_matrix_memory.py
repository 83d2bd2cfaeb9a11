"""Answers that are enormous do not fill the memory."""

import gzip
import ssl
import tracemalloc
from collections.abc import Callable
from functools import cache

import pytest

from native_web_search.domain.family import Operation
from tests.matrix.faults import Delivery, End, Fault, head, response, says
from tests.matrix.network import chunk
from tests.matrix.places import PLACES, Place
from tests.matrix.sizes import endless
from tests.matrix.stage import CAP, staged
from tests.matrix.verdict import complaints

UNPACKED = 512 * CAP  # 64 MiB
ALLOWED = 24 * CAP  # 3 MiB: what one call may hold at once, buffers of both sides included

ONE_OF_EACH = tuple({place.wire: place for place in PLACES}.values())


@cache
def packed() -> bytes:
    return gzip.compress(b" " * UNPACKED)


def bomb(place: Place) -> Delivery:
    return says(response(200, packed(), place.kind, [("Content-Encoding", "gzip")]))


def flood(place: Place) -> Delivery:
    start = head(200, [("Content-Type", place.kind), ("Transfer-Encoding", "chunked")])
    return endless(start, chunk(b"x" * 8_192))


def flood_of_headers(_place: Place) -> Delivery:
    return endless(b"HTTP/1.1 200 OK\r\n", b"X-Policy: " + b"p" * 8_192 + b"\r\n")


@pytest.mark.rule("transport.12", "transport.23")
@pytest.mark.parametrize("place", ONE_OF_EACH, ids=lambda place: place.name)
@pytest.mark.parametrize("made", [bomb, flood, flood_of_headers])
async def test_a_flood_is_cut_off_at_the_cap(
    made: Callable[[Place], Delivery], place: Place, stranger: ssl.SSLContext
) -> None:
    """The peak of the whole call stays within a small multiple of the cap."""
    fault = Fault("flood", End.PROVIDER, made(place))
    async with staged(place, Operation.SEARCH, stranger) as stage:
        tracemalloc.start()
        try:
            played = await stage.play(fault)
            _now, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert complaints(played) == []
    assert peak < ALLOWED

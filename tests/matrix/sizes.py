"""Too much of everything, and what is packed."""

import gzip
import zlib
from collections.abc import Iterator
from functools import cache

from native_web_search.adapters.testing.raw_server import RawConnection
from native_web_search.domain.family import Operation
from tests.matrix.faults import Delivery, End, Fault, head, response, says
from tests.matrix.network import chunk
from tests.matrix.places import Place
from tests.matrix.stage import CAP
from tests.matrix.statuses import end_of

FIELD = 65_536  # bytes of one header that are taken
BOMB = 64  # times the cap

GZIP = 16 + zlib.MAX_WBITS
ZSTD = bytes.fromhex("28b52ffd2000010000")  # an empty frame
BROTLI = bytes.fromhex("3b")  # an empty stream


def large(place: Place, operation: Operation) -> Iterator[Fault]:
    """Bodies, lines and headers beyond what is taken."""
    good = place.good[operation]
    line = b"data: " + b"x" * CAP
    filler = (
        b" " * (CAP + 1)
        if not place.is_streamed
        else (b": " + b"x" * 1_000 + b"\n\n") * (CAP // 1_000)
    )
    chunked = head(200, [("Content-Type", place.kind), ("Transfer-Encoding", "chunked")])
    yield Fault("a body over the cap", End.PROVIDER, says(response(200, filler + good, place.kind)))
    yield Fault("a line over the cap", End.PROVIDER, says(response(200, line, place.kind)))
    yield Fault("an error over the cap", End.PROVIDER, says(response(500, line, place.kind)))
    yield Fault("a redirect over the cap", End.PROVIDER, says(response(302, line, place.kind)))
    yield Fault("a body without an end", End.PROVIDER, endless(chunked, chunk(b"x" * 8_192)))
    yield Fault("small pieces without an end", End.PROVIDER, endless(chunked, chunk(b" " * 1_000)))
    for name, headers in (
        ("a header over its limit", [("X-Policy", "p" * (FIELD + 1))]),
        ("a name over its limit", [("X" * (FIELD + 1), "p")]),
        ("a status line over its limit", []),
        ("headers without a colon", []),
    ):
        start = head(200, headers, "y" * (FIELD + 1) if "status" in name else "OK")
        start = start.replace(b"\r\n\r\n", b"\r\nno colon\r\n\r\n") if "colon" in name else start
        yield Fault(name, End.PROVIDER, says(start, good))
    taken = [("X-Policy", "p" * 60_000)]
    yield Fault("a large header", End.SERVED, says(response(200, good, place.kind, taken)))


def endless(start: bytes, piece: bytes) -> Delivery:
    """The piece again and again, until the client leaves."""

    async def deliver(connection: RawConnection) -> None:
        await connection.send(start)
        while True:
            await connection.send(piece)

    return deliver


@cache
def _bomb(wbits: int) -> bytes:
    engine = zlib.compressobj(wbits=wbits)
    return engine.compress(bytes(BOMB * CAP)) + engine.flush()


def packed(place: Place, operation: Operation) -> Iterator[Fault]:
    """Compressions: offered and not, sound and damaged, and small bodies that are enormous."""
    good = place.good[operation]
    zipped, deflated = gzip.compress(good), zlib.compress(good)
    damaged = bytearray(zipped)
    damaged[len(damaged) // 2] ^= 0xFF

    def fault(name: str, coding: str, body: bytes, end: End = End.PROVIDER) -> Fault:
        headers = [("Content-Encoding", coding)]
        return Fault(name, end, says(response(200, body, place.kind, headers)))

    yield fault("gzip", "gzip", zipped, End.SERVED)
    yield fault("gzip in two members", "gzip", _two_members(good), End.SERVED)
    yield fault("deflate", "deflate", deflated, End.SERVED)
    yield fault("bare deflate", "deflate", deflated[2:-4], End.SERVED)
    yield fault("a coding that is none", "identity", good, End.SERVED)
    yield fault("damaged gzip", "gzip", bytes(damaged))
    yield fault("half of gzip", "gzip", zipped[: len(zipped) // 2])
    yield fault("gzip that is none", "gzip", good)
    yield fault("an empty body called gzip", "gzip", b"")
    yield fault("half of deflate", "deflate", deflated[: len(deflated) // 2])
    yield fault("deflate that is none", "deflate", good)
    yield fault("a gzip bomb", "gzip", _bomb(GZIP))
    yield fault("a deflate bomb", "deflate", _bomb(zlib.MAX_WBITS))
    yield fault("gzip in gzip", "gzip, gzip", gzip.compress(zipped))
    yield fault("brotli", "br", BROTLI)
    yield fault("zstd", "zstd", ZSTD)
    yield fault("compress", "compress", good)
    yield fault("an unknown coding", "x-unheard-of", good)


def packed_errors(place: Place, operation: Operation) -> Iterator[Fault]:
    """Errors in a coding: readable ones count by their status, others are unreadable."""
    body = gzip.compress(b'{"error":{"message":"Something went wrong."}}')
    for status in (401, 404, 500):
        for coding in ("gzip", "br"):
            end = end_of(place, operation, status) if coding == "gzip" else End.PROVIDER
            answer = says(response(status, body, place.kind, [("Content-Encoding", coding)]))
            yield Fault(f"status {status} in {coding}", end, answer)


def _two_members(good: bytes) -> bytes:
    return gzip.compress(good[:20]) + gzip.compress(good[20:])

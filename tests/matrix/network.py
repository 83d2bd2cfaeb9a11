"""Faults of the network, of TLS and of time."""

import asyncio
import socket
import struct
from collections.abc import Iterator

from native_web_search.adapters.testing.raw_server import RawConnection
from native_web_search.domain.family import Operation
from tests.matrix.faults import (
    Delivery,
    Door,
    End,
    Fault,
    head,
    says,
)
from tests.matrix.places import Place

BEAT_SECONDS = 0.02
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset


def reset_after(*pieces: bytes) -> Delivery:
    """Send this much, then reset the connection."""

    async def deliver(connection: RawConnection) -> None:
        await connection.send(*pieces)
        raw: socket.socket = connection.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        connection.writer.transport.abort()

    return deliver


def hangs_after(*pieces: bytes) -> Delivery:
    """Send this much, then nothing, until the client leaves."""

    async def deliver(connection: RawConnection) -> None:
        await connection.send(*pieces)
        await connection.client_closed()

    return deliver


def trickles(start: bytes, body: bytes) -> Delivery:
    """The body a byte at a time, with a pause after each."""

    async def deliver(connection: RawConnection) -> None:
        await connection.send(start)
        for byte in body:
            await connection.send(bytes([byte]))
            await asyncio.sleep(BEAT_SECONDS)
        await connection.client_closed()

    return deliver


def beats(start: bytes, beat: bytes) -> Delivery:
    """Signs of life, for ever."""

    async def deliver(connection: RawConnection) -> None:
        await connection.send(start)
        while True:
            await connection.send(beat)
            await asyncio.sleep(BEAT_SECONDS)

    return deliver


def chunk(piece: bytes) -> bytes:
    """One chunk of a chunked body."""
    return f"{len(piece):x}\r\n".encode() + piece + b"\r\n"


def network(place: Place, operation: Operation) -> Iterator[Fault]:
    """Connections that are refused, closed or reset, at every point of an exchange."""
    good = place.good[operation]
    half = good[: len(good) // 2]
    known = head(200, [("Content-Type", place.kind), ("Content-Length", str(len(good)))])
    chunked = head(200, [("Content-Type", place.kind), ("Transfer-Encoding", "chunked")])
    until_close = head(200, [("Content-Type", place.kind)])
    yield Fault("connection refused", End.PROVIDER, door=Door.REFUSED)
    for how, end in (("reset", reset_after), ("closed", says)):
        yield Fault(f"{how} before the headers", End.PROVIDER, end())
        yield Fault(f"{how} inside the status line", End.PROVIDER, end(b"HTTP/1.1 20"))
        yield Fault(f"{how} inside the headers", End.PROVIDER, end(known[:-20]))
        yield Fault(f"{how} after the headers", End.PROVIDER, end(known))
        yield Fault(f"{how} in the middle of the body", End.PROVIDER, end(known, half))
        yield Fault(f"{how} between two chunks", End.PROVIDER, end(chunked, chunk(half)))
        yield Fault(f"{how} inside a chunk", End.PROVIDER, end(chunked, chunk(good)[:-20]))
        yield Fault(f"{how} in a body without a length", End.PROVIDER, end(until_close, half))
    yield Fault("half the body, orderly", End.PROVIDER, says(chunked, chunk(half), b"0\r\n\r\n"))
    yield Fault("a chunk that is none", End.PROVIDER, says(chunked, b"zz\r\nno\r\n"))
    yield Fault("no HTTP", End.PROVIDER, says(b"220 mail.example ESMTP\r\n"))
    yield Fault("nothing but line ends", End.PROVIDER, says(b"\r\n\r\n\r\n"))
    yield Fault("HTTP/2", End.PROVIDER, says(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00"))
    yield Fault("an impossible length", End.PROVIDER, says(head(200, [("Content-Length", "-5")])))


def tls(_place: Place, _operation: Operation) -> Iterator[Fault]:
    """TLS that cannot be trusted, and TLS on one side alone."""
    yield Fault("an untrusted certificate", End.PROVIDER, door=Door.TLS)
    yield Fault("https to a server that speaks HTTP", End.PROVIDER, door=Door.PLAIN_AS_TLS)
    yield Fault("http to a server that speaks TLS", End.PROVIDER, door=Door.TLS_AS_PLAIN)


def hanging(place: Place, operation: Operation) -> Iterator[Fault]:
    """What only the clock of an attempt ends."""
    good = place.good[operation]
    start = head(200, [("Content-Type", place.kind), ("Transfer-Encoding", "chunked")])
    known = head(200, [("Content-Type", place.kind), ("Content-Length", str(len(good)))])
    refused = head(500, [("Content-Type", place.kind), ("Content-Length", "100")])
    half = good[: len(good) // 2]
    life = b": alive\n\n" if place.is_streamed else b"\n"
    yield Fault("a hang before the headers", End.PROVIDER, hangs_after())
    yield Fault("a hang inside the headers", End.PROVIDER, hangs_after(known[:-20]))
    yield Fault("a hang after the headers", End.PROVIDER, hangs_after(known))
    yield Fault("a hang in the middle of the body", End.PROVIDER, hangs_after(known, half))
    yield Fault("a hang in an error", End.PROVIDER, hangs_after(refused))
    yield Fault("a trickle", End.PROVIDER, trickles(known, good))
    yield Fault("a trickle of headers", End.PROVIDER, trickles(b"", known))
    yield Fault("heartbeats for ever", End.PROVIDER, beats(start, chunk(life)))
    yield Fault("interim answers for ever", End.PROVIDER, beats(b"", head(102, [])))
    yield Fault("empty pieces for ever", End.PROVIDER, beats(head(200, []), b" "))

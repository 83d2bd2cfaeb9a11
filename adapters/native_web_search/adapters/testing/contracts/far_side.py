"""What the server at the far side of a transport does with one request."""

import asyncio

from native_web_search.adapters.testing.raw_server import RawConnection, Script

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
SHORT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"

BEAT_SECONDS = 0.01


def saying(*pieces: bytes) -> Script:
    """Answer one request with these bytes, a moment between two pieces, and close."""

    async def script(connection: RawConnection) -> None:
        await connection.request()
        for piece in pieces:
            await connection.send(piece)
            await asyncio.sleep(BEAT_SECONDS)

    return script


def saying_late(seconds: float) -> Script:
    """Answer one request after so long, and close."""

    async def script(connection: RawConnection) -> None:
        await connection.request()
        await asyncio.sleep(seconds)
        await connection.send(SHORT)

    return script


def beating(*pieces: bytes) -> Script:
    """Say this, and then a little more, over and over, for as long as the client listens."""

    async def script(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(*pieces)
        gone = asyncio.create_task(connection.client_closed())
        while not gone.done():
            await connection.send(b": beat\n\n")
            await asyncio.wait({gone}, timeout=BEAT_SECONDS)

    return script


async def silent(connection: RawConnection) -> None:
    """Take the request and say nothing until the client has gone."""
    await connection.request()
    await connection.client_closed()

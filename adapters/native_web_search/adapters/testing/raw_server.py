"""A server on loopback that sends exactly the bytes it is told to, for testing a transport."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Self, TypeAlias

from attrs import define, field, frozen

HEAD_END = b"\r\n\r\n"
LARGEST_REQUEST = 67_108_864
IDLE_SECONDS = 2.0  # a client that goes away is noticed in milliseconds


@frozen
class ReceivedRequest:
    """A request as its bytes came in."""

    head: bytes
    body: bytes

    @property
    def line(self) -> bytes:
        return self.head.split(b"\r\n", 1)[0]

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """In the order and the spelling of the wire."""
        lines = self.head.removesuffix(HEAD_END).split(b"\r\n")[1:]
        return [(name, value.strip()) for name, _, value in (x.partition(b":") for x in lines)]

    def header(self, name: bytes) -> bytes | None:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@define(eq=False)
class RawConnection:
    """One accepted connection; `number` counts from 1."""

    number: int
    server: "RawServer"
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def request(self) -> ReceivedRequest:
        """The next request; it is also kept in the server's `requests`."""
        head = await self.reader.readuntil(HEAD_END)
        length = int(ReceivedRequest(head, b"").header(b"content-length") or 0)
        received = ReceivedRequest(head, await self.reader.readexactly(length))
        self.server.requests.append(received)
        return received

    async def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def client_closed(self) -> None:
        """Return when the client has hung up."""
        with suppress(ConnectionError):
            while await self.reader.read(65_536):
                pass


Script: TypeAlias = Callable[[RawConnection], Awaitable[None]]


@define(eq=False)
class RawServer:
    """Runs `script` for each connection, and closes the connection after it.

    Used as `async with RawServer(script) as server`. A script ends quietly when its client goes.
    """

    script: Script
    tls: ssl.SSLContext | None = None
    requests: list[ReceivedRequest] = field(init=False, factory=list)
    connections: int = field(init=False, default=0)
    port: int = field(init=False, default=0)
    _server: asyncio.Server | None = field(init=False, default=None)
    _running: set[asyncio.Task[None]] = field(init=False, factory=set)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, ssl=self.tls, limit=LARGEST_REQUEST
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def idle(self, within: float = IDLE_SECONDS) -> bool:
        """Wait until every connection has ended; whether that was so in time."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=within)
        return not self._running

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = RawConnection(self.connections, self, reader, writer)
        task = asyncio.get_running_loop().create_task(self._serve(connection))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _serve(self, connection: RawConnection) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self.script(connection)
        finally:
            connection.writer.close()

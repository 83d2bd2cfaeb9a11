"""The only part of the simulator that touches a socket: it records requests and sends answers."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from aiohttp import web
from attrs import define, field, frozen

from native_web_search.adapters.simulator.exchange import EVENT_STREAM, Answer, SeenRequest
from native_web_search.adapters.simulator.faults import (
    Broken,
    Cut,
    Delay,
    Hang,
    Heartbeats,
    Reset,
    Slow,
    Stall,
    Trickle,
)

HOST = "127.0.0.1"
MAX_REQUEST = 64 * 1024 * 1024  # bytes; the most generous provider takes 32 MB
SHUTDOWN_SECONDS = 1.0  # for handlers that were cancelled to leave


@frozen
class Plan:
    """What to send, and what is to happen to it on the way."""

    answer: Answer
    spoiling: Slow | Broken | None = None


@define
class Server:
    """A loopback server. `provider_of` reads a path, `plan` is asked once for each request."""

    provider_of: Callable[[str], str]
    plan: Callable[[SeenRequest], Plan]
    _runner: web.AppRunner | None = field(init=False, default=None)
    _open: set[asyncio.Task[object]] = field(init=False, factory=set)
    _closing: bool = field(init=False, default=False)

    async def start(self, port: int) -> int:
        """Listen, and return the port: the given one, or a free one for 0."""
        app = web.Application(client_max_size=MAX_REQUEST)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=SHUTDOWN_SECONDS
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, port)
        await site.start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Close every connection, answered or not."""
        self._closing = True
        for task in self._open:
            task.cancel()
        if self._runner is not None:
            await self._runner.cleanup()

    async def idle(self, within: float) -> bool:
        """Wait until no request is open any more; whether that was so in time."""
        if self._open:
            await asyncio.wait(set(self._open), timeout=within)
        return not self._open

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        seen = await self._seen(request)
        plan = self.plan(seen)
        self._watch(asyncio.current_task())
        try:
            return await _send(request, seen, plan)
        except asyncio.CancelledError:
            seen.aborted = not self._closing
            raise
        except ConnectionError:
            seen.aborted = True
            return web.Response()

    def _watch(self, task: asyncio.Task[object] | None) -> None:
        if task is not None:
            self._open.add(task)
            task.add_done_callback(self._open.discard)

    async def _seen(self, request: web.Request) -> SeenRequest:
        raw = await request.read()
        return SeenRequest(
            provider=self.provider_of(request.path),
            method=request.method,
            path=request.path,
            query=dict(request.query),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=_parsed(raw),
            raw=raw,
        )


def _parsed(raw: bytes) -> object:
    try:
        value: object = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value


async def _send(request: web.Request, seen: SeenRequest, plan: Plan) -> web.StreamResponse:
    """Carry out a plan. What it returns is finished by aiohttp, unless the connection is gone."""
    sending = _Sending(request, seen, plan.answer)
    match plan.spoiling:
        case None:
            await sending.pieces(plan.answer.pieces)
        case Delay() | Trickle() | Heartbeats() as slow:
            await _send_slowly(sending, slow)
        case Hang() | Stall() | Cut() | Reset() as broken:
            await _break_off(sending, broken)
        case _:
            assert_never(plan.spoiling)
    return sending.response


async def _send_slowly(sending: "_Sending", slow: Slow) -> None:
    match slow:
        case Delay(seconds):
            await asyncio.sleep(seconds)
            await sending.pieces(sending.answer.pieces)
        case Trickle(bytes_per_piece, interval):
            await sending.pieces(_sliced(sending.answer.body, bytes_per_piece), interval)
        case Heartbeats(interval, count):
            await sending.heartbeats(interval, count)
            await sending.pieces(sending.answer.pieces)
        case _:
            assert_never(slow)


async def _break_off(sending: "_Sending", broken: Broken) -> None:
    match broken:
        case Hang():
            await _forever()
        case Stall(after_bytes):
            await sending.pieces([sending.answer.body[:after_bytes]])
            await _forever()
        case Cut(after_bytes, orderly=orderly):
            await sending.pieces([sending.answer.body[:after_bytes]])
            if not orderly:
                sending.hang_up()
        case Reset():
            sending.reset()
        case _:
            assert_never(broken)


@define
class _Sending:
    """One response on its way."""

    request: web.Request
    seen: SeenRequest
    answer: Answer
    response: web.StreamResponse = field(init=False)

    def __attrs_post_init__(self) -> None:
        given = {name.lower() for name, _ in self.answer.headers}
        usual = [] if "content-type" in given else [("content-type", self.answer.content_type)]
        headers = (*usual, *self.answer.headers)
        self.response = web.StreamResponse(status=self.answer.status, headers=headers)
        if "content-length" not in given:
            self.response.enable_chunked_encoding()

    async def pieces(self, pieces: Iterable[bytes], interval: float = 0.0) -> None:
        """Send all of it. Nothing is waited for after the last piece: by then the client may
        rightly go away.
        """
        await self._headers()
        for number, piece in enumerate(pieces):
            if number:
                await asyncio.sleep(interval)
            if piece:
                await self.response.write(piece)

    async def heartbeats(self, interval: float, count: int | None) -> None:
        await self._headers()
        beat = b": keep-alive\n\n" if self.answer.content_type == EVENT_STREAM else b"\n"
        sent = 0
        while count is None or sent < count:
            await self.response.write(beat)
            await asyncio.sleep(interval)
            sent += 1

    def hang_up(self) -> None:
        """Close the connection after what was written, without the end of the body."""
        if self.request.transport is not None:
            self.request.transport.close()

    def reset(self) -> None:
        """Close the connection at once, so that the client's kernel reports a reset."""
        transport = self.request.transport
        if transport is not None:
            linger = struct.pack("ii", 1, 0)
            transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )
            transport.abort()

    async def _headers(self) -> None:
        if not self.response.prepared:
            self.seen.status = self.answer.status
            await self.response.prepare(self.request)


def _sliced(body: bytes, size: int) -> Iterator[bytes]:
    return (body[start : start + size] for start in range(0, len(body), size))


async def _forever() -> None:
    await asyncio.Event().wait()

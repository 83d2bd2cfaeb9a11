"""One request through a transport under test, and what came of it."""

import asyncio

from attrs import define, field

from native_web_search.adapters.testing.contracts.far_side import silent
from native_web_search.adapters.testing.contracts.promise import (
    BrokenPromise,
    never_raising,
    promised,
    promised_kind,
    until,
)
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, HttpRequest, HttpTransport, ResponseHead

SECRET = "CANARY-0123456789"  # noqa: S105 - a pretended one, to be looked for in messages
TARGET = f"/v1/models/a%7eb:ask?key={SECRET}&q=%2F+1"
HEADERS = (("Authorization", f"Bearer {SECRET}"), ("X-Given", "1"))
BODY = '{"q": "é"}'.encode()

LANE = "lane"


@define(eq=False)
class Recorded:
    """A decoder that remembers how it was used, and is its own answer.

    Once the word `last` has come it wants `then`.
    """

    last: bytes | None = None
    then: Appetite = Appetite.DONE
    head: ResponseHead | None = None
    body: bytes = b""
    calls: list[str] = field(factory=list[str])

    def begin(self, head: ResponseHead) -> Appetite:
        self.calls.append("begin")
        self.head = head
        return self._wants()

    def feed(self, piece: bytes) -> Appetite:
        self.calls.append("feed" if self._wants() is not Appetite.DONE else "feed after DONE")
        self.body += piece
        return self._wants()

    def end(self) -> "Recorded":
        self.calls.append("end")
        return self

    def _wants(self) -> Appetite:
        return self.then if self.last is not None and self.last in self.body else Appetite.MORE


async def answered(
    transport: HttpTransport, server: RawServer, decoder: Recorded | None = None
) -> Recorded:
    """What the decoder made of the server's answer."""
    match await sent(transport, server, decoder):
        case Success(recorded):
            promised_kind(recorded, Recorded, "the decoder's answer is returned")
            return recorded
        case Failure(failed):
            message = f"what the server has answered is a success; found {failed!r}"
            raise BrokenPromise(message)


def head_of(recorded: Recorded) -> ResponseHead:
    """Status and headers as the decoder was given them."""
    if recorded.head is None:
        message = "a decoder is begun; found none that was"
        raise BrokenPromise(message)
    return recorded.head


async def unanswered(transport: HttpTransport, server: RawServer) -> AttemptFailure:
    """Why there was no answer."""
    return failure_of(await sent(transport, server))


def failure_of(came: Outcome[Recorded, AttemptFailure]) -> AttemptFailure:
    """The failure that this must be."""
    match came:
        case Failure(failed):
            return failed
        case Success(recorded):
            message = f"without an answer there is no success; found {recorded!r}"
            raise BrokenPromise(message)


async def in_flight(
    transport: HttpTransport, server: RawServer, lane: str = LANE
) -> "asyncio.Task[Outcome[Recorded, AttemptFailure]]":
    """A request that has arrived at a server that says nothing."""
    before = len(server.requests)
    task = asyncio.create_task(sent(transport, server, lane=lane))
    arrived = await until(lambda: len(server.requests) > before or task.done())
    promised(arrived and not task.done(), "a request arrives, and its answer is awaited", task)
    return task


async def sent(
    transport: HttpTransport, server: RawServer, decoder: Recorded | None = None, lane: str = LANE
) -> Outcome[Recorded, AttemptFailure]:
    """What came of a usual request to this server."""
    request = HttpRequest(server.url + TARGET, HEADERS, BODY)
    return await outcome(transport, request, decoder or Recorded(), lane)


async def outcome(
    transport: HttpTransport, request: HttpRequest, decoder: Recorded, lane: str = LANE
) -> Outcome[Recorded, AttemptFailure]:
    """What came of a request; nothing may be raised."""
    with never_raising("what goes wrong is returned, not raised"):
        return await transport.send(request, decoder, lane=lane)


async def closed_server() -> RawServer:
    """A server that has listened and does no longer."""
    async with RawServer(silent) as server:
        return server

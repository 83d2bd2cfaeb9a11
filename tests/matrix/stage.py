"""Where a case is played: real servers, and the whole tool between them.

One server has every fault, another every good answer; the first segment of a path says which case
a request belongs to.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from attrs import define, field, frozen

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.compose import MonotonicClock
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import MemoryPreferences
from native_web_search.adapters.testing.raw_server import (
    RawConnection,
    RawServer,
    ReceivedRequest,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.cooldown import Ledger
from native_web_search.domain.family import Operation
from native_web_search.domain.fingerprint import fingerprint
from native_web_search.domain.preference import Preference, Preferences
from tests.matrix.answers import PAGE_URL
from tests.matrix.faults import Door, Fault, response
from tests.matrix.places import PLACES, Place
from tests.matrix.two_speeds import TwoSpeeds

A = TypeVar("A")

PATIENCE = 30.0  # seconds for an attempt that is meant to end by itself
CALL_SECONDS = 60.0  # far above what any case takes, even on a busy machine
CAP = 131_072  # bytes of a response
NO_CASE = "elsewhere"  # where redirects lead, and no request may arrive
AT_ONCE = 24  # cases side by side

ARGUMENTS = {
    Operation.SEARCH: {"query": "cooldown"},
    Operation.FETCH: {"urls": [PAGE_URL]},
}


@frozen
class Played:
    """How one case went; without a `result` the call did not end."""

    place: Place
    operation: Operation
    other: Place
    fault: Fault
    result: ToolResult | None
    ledger: Ledger
    now: float


def slots(_lane: str) -> int:
    return AT_ONCE


@define(eq=False)
class Stage:
    """A running set of servers, for one cell of the matrix."""

    place: Place
    operation: Operation
    transport: TwoSpeeds
    closed: str
    tls: RawServer
    faulty: RawServer = field(init=False)
    well: RawServer = field(init=False)
    deaf: RawServer = field(init=False)
    cases: dict[str, Fault] = field(init=False, factory=dict)
    strays: list[ReceivedRequest] = field(init=False, factory=list)
    open: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        self.faulty, self.well = RawServer(self._spoil), RawServer(self._serve)
        self.deaf = RawServer(_misunderstand)

    @property
    def servers(self) -> tuple[RawServer, ...]:
        return (self.faulty, self.well, self.deaf, self.tls)

    @property
    def other(self) -> Place:
        """The healthy provider beside this one."""
        deepseek, ollama = PLACES[:2]
        return deepseek if self.place is ollama else ollama

    async def play(self, fault: Fault) -> Played:
        """One call, in which the first model of the place has this fault."""
        case = f"case{len(self.cases)}"
        self.cases[case] = fault
        web = self.tool(f"{self._origin(fault.door)}/{case}")
        result = None
        clock = asyncio.timeout(CALL_SECONDS)
        try:
            async with clock:
                result = await web.call(ARGUMENTS[self.operation])
        except TimeoutError:
            if not clock.expired():
                raise
        ledger = await web.health.ledger()
        place = (self.place, self.operation, self.other)
        return Played(*place, fault, result, ledger, time.monotonic())

    def tool(self, root: str) -> WebSearch:
        """The whole tool: the spoilt model first, then its sibling, then the other provider."""
        spoilt = self.place.model(0, root)
        sibling = self.place.model(1, f"{self.well.url}/{self.place.name}")
        other = self.other.model(0, f"{self.well.url}/{self.other.name}")
        models = (spoilt, sibling, other)
        keys = {place.provider: place.credential for place in (self.place, self.other)}
        registry = StaticRegistry(models, keys, spoilt)
        next_one = Preference(sibling.provider, sibling.id)
        clock = MonotonicClock()
        client = ProviderClient(registry, self.transport, codec_of, slots, "session-1")
        return WebSearch(
            registry=registry,
            searcher=client,
            fetcher=client,
            preferences=MemoryPreferences(Preferences(fingerprint(models), next_one, next_one)),
            health=ProcessHealth(clock),
            clock=clock,
        )

    def _origin(self, door: Door) -> str:
        match door:
            case Door.HTTP:
                return self.faulty.url
            case Door.TLS:
                return self.tls.url
            case Door.PLAIN_AS_TLS:
                return self.deaf.url.replace("http:", "https:")
            case Door.TLS_AS_PLAIN:
                return self.tls.url.replace("https:", "http:")
            case Door.REFUSED:
                return self.closed

    async def _spoil(self, connection: RawConnection) -> None:
        request = await connection.request()
        fault = self.cases.get(_first_segment(request.line))
        if fault is None:
            self.strays.append(request)
            return
        self.open.add(fault.name)
        try:
            await fault.deliver(connection)
        finally:
            self.open.discard(fault.name)

    async def _serve(self, connection: RawConnection) -> None:
        while True:
            request = await connection.request()
            name = _first_segment(request.line)
            place = next(place for place in PLACES if place.name == name)
            good = place.good[self.operation]
            await connection.send(response(200, good, place.kind, closing=False))


async def _misunderstand(connection: RawConnection) -> None:
    await connection.reader.read(1)
    await connection.send(response(400, b"no HTTP"))


def _first_segment(line: bytes) -> str:
    return line.split(b"/")[1].partition(b"?")[0].decode()


@asynccontextmanager
async def staged(
    place: Place,
    operation: Operation,
    tls: ssl.SSLContext,
    patience: float = PATIENCE,
) -> AsyncGenerator[Stage]:
    """The servers of one cell; afterwards every connection has ended."""
    hasty, calm = (AiohttpTransport(seconds, CAP, slots) for seconds in (patience, PATIENCE))
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and does not listen
        port = closed.getsockname()[1]
        stage = Stage(
            place,
            operation,
            TwoSpeeds(hasty, calm, place.provider),
            f"http://127.0.0.1:{port}",
            RawServer(_misunderstand, tls),
        )
        async with stage.tls, stage.faulty, stage.well, stage.deaf:
            try:
                yield stage
            finally:
                await stage.transport.aclose()


async def every(stage: Stage, faults: tuple[Fault, ...], check: Callable[[Played], A]) -> list[A]:
    """Play all cases, some side by side, and check each as it ends."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(fault: Fault) -> A:
        async with slots:
            return check(await stage.play(fault))

    return list(await asyncio.gather(*map(one, faults)))

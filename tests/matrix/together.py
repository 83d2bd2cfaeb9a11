"""Providers side by side in one call: each is asked in turn, and the last one is well.

Cheaper than a call for each: a whole range of statuses is asked of every provider class.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from attrs import define, field, frozen

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.compose import MonotonicClock
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import MemoryPreferences
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.application.health import ProcessHealth
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.cooldown import Failed, Ledger
from native_web_search.domain.failure import Unreachable
from native_web_search.domain.family import Operation
from tests.matrix.faults import response
from tests.matrix.places import PLACES, Place
from tests.matrix.stage import ARGUMENTS, AT_ONCE, CAP, PATIENCE, slots

Says = Callable[[Place, str], bytes]  # what a place answers in a case


@frozen
class Row:
    """Places with provider ids of their own, and one more that is well if there is one."""

    name: str
    operation: Operation
    places: tuple[Place, ...]
    well: Place | None

    @property
    def everybody(self) -> tuple[Place, ...]:
        return self.places if self.well is None else (*self.places, self.well)


@frozen
class Asked:
    """How one call went."""

    result: ToolResult
    ledger: Ledger


@define(eq=False)
class Together:
    """A running server for all places of a row."""

    row: Row
    says: Says
    transport: AiohttpTransport = field(
        init=False, factory=lambda: AiohttpTransport(PATIENCE, CAP, slots)
    )
    server: RawServer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.server = RawServer(self._serve)

    async def ask(self, case: str) -> Asked:
        """One call. The healthy one cools beforehand, which puts it at the end of the order."""
        operation, well = self.row.operation, self.row.well
        web = self.tool(case)
        if well is not None:
            failure = Unreachable("before this call")
            await web.health.settle(Failed(operation, well.provider, well.models[0], failure))
        result = await web.call(ARGUMENTS[operation])
        return Asked(result, await web.health.ledger())

    def tool(self, case: str) -> WebSearch:
        """The whole tool, with the providers as they are in this case."""
        everybody = self.row.everybody
        models = [place.model(0, f"{self.server.url}/{case}-{place.name}") for place in everybody]
        keys = {place.provider: place.credential for place in everybody}
        registry = StaticRegistry(tuple(models), keys)
        clock = MonotonicClock()
        client = ProviderClient(registry, self.transport, codec_of, slots, "session-1")
        return WebSearch(
            registry=registry,
            searcher=client,
            fetcher=client,
            preferences=MemoryPreferences(),
            health=ProcessHealth(clock),
            clock=clock,
        )

    async def _serve(self, connection: RawConnection) -> None:
        while True:
            request = await connection.request()
            segment = request.line.split(b"/")[1].partition(b"?")[0].decode()
            case, _dash, name = segment.partition("-")
            place = next(place for place in PLACES if place.name == name)
            if place is self.row.well:
                good = place.good[self.row.operation]
                await connection.send(response(200, good, place.kind, closing=False))
            else:
                await connection.send(self.says(place, case))


@asynccontextmanager
async def together(row: Row, says: Says) -> AsyncGenerator[Together]:
    """A row whose connections have all ended afterwards."""
    stage = Together(row, says)
    async with stage.server:
        try:
            yield stage
        finally:
            await stage.transport.aclose()
        assert await stage.server.idle(within=10)


async def each(stage: Together, cases: tuple[str, ...]) -> list[Asked]:
    """A call for each case, some side by side."""
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(case: str) -> Asked:
        async with limit:
            return await stage.ask(case)

    return list(await asyncio.gather(*map(one, cases)))


def _named(*names: str) -> tuple[Place, ...]:
    return tuple(place for name in names for place in PLACES if place.name == name)


ROWS = (
    Row(
        "own",
        Operation.SEARCH,
        _named(
            "deepseek", "ollama", "gemini", "antigravity", "openai", "azure", "codex", "copilot",
            "opencode", "anthropic",
        ),
        *_named("xai"),
    ),
    Row(
        "resold",
        Operation.SEARCH,
        _named("xai", "copilot-anthropic", "opencode-gemini", "opencode-anthropic"),
        *_named("ollama"),
    ),
    Row(
        "pages",
        Operation.FETCH,
        _named("deepseek", "gemini", "antigravity", "opencode-gemini"),
        *_named("ollama"),
    ),
    Row("pages-of-ollama", Operation.FETCH, _named("ollama"), *_named("deepseek")),
)  # fmt: skip

"""Telling clients of changed tools, with clients that make it difficult."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, cast

import mcp_types as types
import pytest
from attrs import define, field
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession

from native_web_search.adapters.hosts.mcp_changes import Announcer, Watch
from native_web_search.domain.exposure import Exposure, ToolSpec, tool_spec


@define
class Takes:
    """A client's end that remembers what it was told."""

    told: list[str] = field(factory=list)

    async def notify(self, method: str, _params: Mapping[str, Any] | None, _opts: object) -> None:
        self.told.append(method)


@define
class NeverReads:
    """A client's end whose pipe is full."""

    async def notify(self, _method: str, _params: object, _opts: object) -> None:
        await asyncio.Event().wait()


@define
class Breaks:
    """A client's end that is no longer there."""

    async def notify(self, _method: str, _params: object, _opts: object) -> None:
        raise ConnectionResetError


async def greet(announcer: Announcer, end: Takes | NeverReads | Breaks) -> Connection:
    connection = Connection.for_loop(cast("Any", end))
    context = ServerRequestContext[Any, Any](
        session=ServerSession(cast("Any", None), connection),
        lifespan_context=None,
        protocol_version=connection.protocol_version,
        method="notifications/initialized",
    )
    await announcer.greeted(context, types.NotificationParams())
    return connection


@pytest.mark.rule("mcp.13")
async def test_a_client_that_does_not_read_keeps_no_other_from_hearing() -> None:
    """All are told at once, and nobody is waited for longer than the patience."""
    announcer, takes = Announcer(patience=0.05), Takes()
    for end in (NeverReads(), Breaks(), takes, NeverReads()):
        await greet(announcer, end)
    started = time.monotonic()
    await announcer.announce()
    assert time.monotonic() - started < 1
    assert takes.told == ["notifications/tools/list_changed"]


@pytest.mark.rule("mcp.13")
async def test_a_client_that_has_left_is_forgotten() -> None:
    """Its connection's end takes it off the list."""
    announcer, takes = Announcer(), Takes()
    connection = await greet(announcer, takes)
    await connection.exit_stack.aclose()
    await announcer.announce()
    assert takes.told == []


@define
class Offers:
    """An offer of the query alone, counted, over models that are others each time or never."""

    restless: bool = False
    asked: int = 0
    looked: int = 0

    def models(self) -> object:
        self.looked += 1
        return self.looked if self.restless else None

    async def offer(self, _model: str | None) -> ToolSpec | None:
        self.asked += 1
        return tool_spec(Exposure.QUERY)

    def watch(self) -> Watch:
        return Watch(self.models, self.offer, Announcer().announce, 0.01)


@pytest.mark.rule("mcp.12")
async def test_the_watch_ends_with_its_block() -> None:
    """Afterwards nothing is looked at any more, and no task is left."""
    offers = Offers(restless=True)
    async with offers.watch().running(None):
        await asyncio.sleep(0.1)
    seen = offers.asked
    assert seen > 1
    await asyncio.sleep(0.05)
    assert offers.asked == seen
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.rule("mcp.12")
async def test_the_clock_alone_resolves_no_credential() -> None:
    """While the models stay the same, they are looked at and nothing is worked out."""
    offers = Offers()
    async with offers.watch().running(None):
        await asyncio.sleep(0.1)
    assert offers.looked > 2
    assert offers.asked == 1

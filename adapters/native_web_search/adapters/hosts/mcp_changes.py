"""Telling MCP clients that the list of tools has changed.

Noticing and telling are apart. `Watch` remembers what was offered last, for each current model
that somebody named, and compares: after a request that was answered differently, when it finds
other models, every few seconds, and when it is told to. `Announcer` reaches the clients of both
protocol eras: those of the newer one hold a subscription open, those of the older one are told on
their connection, which is kept from the end of their handshake until they leave.

Telling happens in the task of the watch, never in a request: a client that has stopped reading
delays no other client's answer.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from attrs import define, field
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

from native_web_search.domain.exposure import ToolSpec

log = logging.getLogger("native_web_search")

PATIENCE_SECONDS = 2.0  # with a client that takes no notification


@define(eq=False)
class Announcer:
    """Reaches every client that can be told. `subscriptions` serves those of the newer era."""

    patience: float = PATIENCE_SECONDS
    subscriptions: ListenHandler = field(init=False)
    _bus: InMemorySubscriptionBus = field(init=False, factory=InMemorySubscriptionBus)
    _connections: set[Connection] = field(init=False, factory=set[Connection])

    def __attrs_post_init__(self) -> None:
        self.subscriptions = ListenHandler(self._bus)

    async def greeted(
        self, ctx: ServerRequestContext[Any, Any], _params: types.NotificationParams
    ) -> None:
        """Keep the connection of a client that has finished its handshake, until it leaves."""
        # The session hides its connection, and nothing else says when a client has left.
        connection = getattr(ctx.session, "_connection", None)
        if isinstance(connection, Connection):
            self._connections.add(connection)
            connection.exit_stack.callback(self._connections.discard, connection)

    async def announce(self) -> None:
        """Tell all clients at once; who cannot be told in time is left out."""
        await self._bus.publish(ToolsListChanged())
        await asyncio.gather(*map(self._tell, tuple(self._connections)))

    async def _tell(self, connection: Connection) -> None:
        try:
            async with asyncio.timeout(self.patience):
                await connection.send_tool_list_changed()
        except Exception as error:  # noqa: BLE001 - one client's trouble is not another's
            log.debug("a client was not told of changed tools (%s)", type(error).__name__)


@define(eq=False)
class Watch:
    """Compares what is offered with what was offered last.

    `offer` may resolve a credential, and that may run a command of the user's; so the clock alone
    looks at `models`, and at offers only when these are others than before.
    """

    models: Callable[[], object]
    offer: Callable[[str | None], Awaitable[ToolSpec | None]]
    announce: Callable[[], Awaitable[None]]
    seconds: float
    _last: dict[str | None, ToolSpec | None] = field(init=False, factory=dict)
    _woken: asyncio.Event = field(init=False, factory=asyncio.Event)

    def offered(self, model: str | None, spec: ToolSpec | None) -> None:
        """Take note of what a request was shown; if it is new, look soon."""
        if self._last.setdefault(model, spec) != spec:
            self._woken.set()

    async def look(self) -> bool:
        """Compare now, and announce what is new; whether anything was."""
        news = False
        for model in tuple(self._last):
            spec = await self.offer(model)
            if self._last[model] != spec:
                self._last[model] = spec
                news = True
        if news:
            await self.announce()
        return news

    @asynccontextmanager
    async def running(self, _server: object) -> AsyncGenerator[None]:
        """Look again and again, as long as the block lasts."""
        models = self.models()
        self.offered(None, await self.offer(None))
        task = asyncio.create_task(self._run(models))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait((task,))

    async def _run(self, seen: object) -> None:
        while True:
            woken = await self._wake()
            models = self.models()
            if woken or models != seen:
                seen = models
                await self.look()

    async def _wake(self) -> bool:
        """Wait for the time of a poll, or for a request that met something new; whether it came."""
        try:
            async with asyncio.timeout(self.seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True

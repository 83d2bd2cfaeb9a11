"""One value for each running event loop, closed together with its loop.

What belongs to an event loop (a session, its sockets) must be closed while that loop still runs,
and a library that is called from anywhere does not see a loop end. An asynchronous generator
does: every loop keeps track of the generators that were started in it, and `asyncio.run` closes
those that are left, just before it closes the loop. So each value is held by one.

A forked process leaves the values of its parent alone: their loops run there, and their sockets
are shared.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeAlias, TypeVar

from attrs import define, field, frozen

T = TypeVar("T")

CLOSE_SECONDS = 2.0  # how long `aclose` waits for a loop in another thread to close its value


@frozen
class _Lease(Generic[T]):
    value: T
    keeper: AsyncGenerator[T, None]


_Leases: TypeAlias = dict[asyncio.AbstractEventLoop, _Lease[T]]


@define(eq=False)
class PerLoop(Generic[T]):
    """`open` makes a value inside the running loop; `close` ends it there, or anywhere once its
    loop is closed.

    Usable from several loops and threads: a loop only ever adds and reads its own entry.
    """

    open: Callable[[], T]
    close: Callable[[T], Awaitable[None]]
    _processes: dict[int, _Leases[T]] = field(init=False, factory=dict)

    async def here(self) -> T:
        """The value of the running loop, made on first use and after `aclose`."""
        loop = asyncio.get_running_loop()
        lease = self._leases.get(loop)
        if lease is None:
            keeper = self._keep(loop)
            lease = self._leases[loop] = _Lease(await anext(keeper), keeper)
            await self._forget_closed_loops()
        return lease.value

    async def aclose(self) -> None:
        """Close every value. One in a loop that stands still is closed when that loop runs again;
        a value that is asked for later is a new one.
        """
        await self._forget_closed_loops()
        for loop in tuple(self._leases):
            lease = self._leases.pop(loop, None)
            if lease is not None:
                await _end(lease.keeper, loop)

    @property
    def _leases(self) -> _Leases[T]:
        return self._processes.setdefault(os.getpid(), {})

    async def _keep(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[T, None]:
        value = self.open()
        try:
            yield value
        finally:
            self._leases.pop(loop, None)
            await self.close(value)

    async def _forget_closed_loops(self) -> None:
        """End what is left of loops that were closed without ending their generators."""
        for loop in tuple(self._leases):
            lease = self._leases.pop(loop, None) if loop.is_closed() else None
            if lease is not None:
                await lease.keeper.aclose()


async def _end(keeper: AsyncGenerator[T, None], loop: asyncio.AbstractEventLoop) -> None:
    """Finish a keeper in its own loop."""
    if loop is asyncio.get_running_loop():
        await keeper.aclose()
    elif loop.is_running():
        ended = asyncio.run_coroutine_threadsafe(_finish(keeper), loop)
        await asyncio.wait([asyncio.wrap_future(ended)], timeout=CLOSE_SECONDS)
    else:
        loop.call_soon_threadsafe(lambda: loop.create_task(_finish(keeper)))


async def _finish(keeper: AsyncGenerator[T, None]) -> None:
    await keeper.aclose()

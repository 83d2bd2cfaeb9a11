"""The tool for callers that cannot await, notebooks with a running loop included."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self, TypeVar

from attrs import define, field

from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import ToolSpec

T = TypeVar("T")


@define(eq=False)
class _Worker:
    """An event loop in a thread of its own, from the start until it is stopped.

    Stopping cancels what still runs, and whoever waits for it gets `CancelledError`.
    """

    _loop: asyncio.AbstractEventLoop = field(init=False)
    _stopping: asyncio.Event = field(init=False)
    _thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        ready = Event()
        self._thread = Thread(
            target=lambda: asyncio.run(self._serve(ready)), name="native-web-search", daemon=True
        )
        self._thread.start()
        ready.wait()

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    async def _serve(self, ready: Event) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        ready.set()
        await self._stopping.wait()


@define(eq=False)
class BlockingWebSearch:
    """A `WebSearch` whose methods wait. Safe to share between threads.

    All work happens on one event loop in a thread of its own, so that it makes no difference
    whether the caller's thread runs a loop. An exception in the waiting thread, such as
    `KeyboardInterrupt`, cancels the call.
    """

    web: WebSearch
    _worker: _Worker = field(init=False, factory=_Worker, repr=False)
    _closed: bool = field(init=False, default=False)
    _lock: Lock = field(init=False, factory=Lock, repr=False)

    def call(self, arguments: object, *, current: ChatModel | None = None) -> ToolResult:
        """As `WebSearch.call`."""
        return self._wait(lambda: self.web.call(arguments, current=current))

    def tool_spec(self, current: ChatModel | None = None) -> ToolSpec | None:
        """As `WebSearch.tool_spec`."""
        return self._wait(lambda: self.web.tool_spec(current))

    def close(self) -> None:
        """Free connections and end the thread. Calls that still run are cancelled: whoever waits
        for one gets `concurrent.futures.CancelledError`. Closing twice does nothing more.
        """
        with self._lock:
            if self._closed:
                return
            self._closed = True
            closing = self._worker.submit(self.web.aclose())
        try:
            closing.result()
        finally:
            self._worker.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _wait(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        with self._lock:
            if self._closed:
                message = "this BlockingWebSearch is closed"
                raise RuntimeError(message)
            future = self._worker.submit(work())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

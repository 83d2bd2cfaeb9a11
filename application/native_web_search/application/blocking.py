"""The tool for callers that cannot await, notebooks with a running loop included."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Thread
from types import TracebackType
from typing import Self, TypeVar

from attrs import define, field

from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import ToolSpec

T = TypeVar("T")


@define
class _Worker:
    """An event loop in a thread of its own, from the start until it is stopped."""

    loop: asyncio.AbstractEventLoop = field(factory=asyncio.new_event_loop)
    thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.thread = Thread(target=self._run, name="native-web-search", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()


@define(eq=False)
class BlockingWebSearch:
    """A `WebSearch` whose methods wait. Safe to share between threads.

    All work happens on one event loop in a thread of its own, so that it makes no difference
    whether the caller's thread runs a loop. An exception in the waiting thread, such as
    `KeyboardInterrupt`, cancels the call.
    """

    web: WebSearch
    _worker: _Worker = field(init=False, factory=_Worker, repr=False)

    def call(self, arguments: object, *, current: ChatModel | None = None) -> ToolResult:
        """As `WebSearch.call`."""
        return self._wait(lambda: self.web.call(arguments, current=current))

    def tool_spec(self, current: ChatModel | None = None) -> ToolSpec | None:
        """As `WebSearch.tool_spec`."""
        return self._wait(lambda: self.web.tool_spec(current))

    def close(self) -> None:
        """Free connections and end the thread. Closing twice does nothing more."""
        if not self._worker.loop.is_closed():
            self._wait(self.web.aclose)
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
        if self._worker.loop.is_closed():
            message = "this BlockingWebSearch is closed"
            raise RuntimeError(message)
        future: Future[T] = asyncio.run_coroutine_threadsafe(work(), self._worker.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

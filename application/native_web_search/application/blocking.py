"""The tool for callers that cannot await, notebooks with a running loop included."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Lock, Thread, current_thread
from types import TracebackType
from typing import Self, TypeVar

from attrs import define, field

from native_web_search.application.per_process import PerProcess
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import ToolSpec

T = TypeVar("T")


@define(eq=False)
class _Worker:
    """An event loop in a thread of its own, from the first work until it is stopped.

    Stopping cancels what still runs, and whoever waits for it gets `CancelledError`. `lock` is
    held while work is handed over.
    """

    lock: Lock = field(init=False, factory=Lock)
    _loop: asyncio.AbstractEventLoop = field(init=False)
    _stopping: asyncio.Event = field(init=False, factory=asyncio.Event)
    _thread: Thread | None = field(init=False, default=None)

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        if self._thread is None:
            self._thread = self._start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def stop(self) -> None:
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()

    def is_calling(self) -> bool:
        """Whether the caller is in this worker's thread, and so would wait for itself."""
        return current_thread() is self._thread

    def _start(self) -> Thread:
        runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = runner.get_loop()
        thread = Thread(target=self._serve, args=(runner,), name="native-web-search", daemon=True)
        thread.start()
        return thread

    def _serve(self, runner: asyncio.Runner) -> None:
        with runner:
            runner.run(self._stopping.wait())


@define(eq=False)
class BlockingWebSearch:
    """A `WebSearch` whose methods wait. Safe to share between threads, and with forked processes.

    All work happens on one event loop in a thread of its own, so that it makes no difference
    whether the caller's thread runs a loop. An exception in the waiting thread, such as
    `KeyboardInterrupt`, cancels the call. A forked process has a loop and thread of its own, and
    closes only these.

    What runs on that thread (a registry, an observer, a provider's adapter) must not wait for it:
    a method that is called there raises `RuntimeError` at once. So does any but `close` after
    closing.
    """

    web: WebSearch
    _workers: PerProcess[_Worker] = field(
        init=False, factory=lambda: PerProcess(_Worker), repr=False
    )
    _closed: bool = field(init=False, default=False)

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
        worker = self._worker()
        with worker.lock:
            if self._closed:
                return
            self._closed = True
            closing = worker.submit(self.web.aclose())
        try:
            closing.result()
        finally:
            worker.stop()

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
        worker = self._worker()
        with worker.lock:
            if self._closed:
                message = "this BlockingWebSearch is closed"
                raise RuntimeError(message)
            future = worker.submit(work())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _worker(self) -> _Worker:
        """That of this process, for whoever is not in its thread."""
        worker = self._workers.here()
        if worker.is_calling():
            message = "this BlockingWebSearch was called from inside one of its own calls"
            raise RuntimeError(message)
        return worker

"""Our end of the pipe to one session of pi.

Calls run side by side. Syncs run one after the other, because each is planned from what the one
before has left. Whatever waits for pi's answer waits as long as pi does; when pi is gone, so is
everything that was in flight.
"""

import asyncio
import logging
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator, Mapping
from itertools import count
from typing import assert_never

from attrs import define, evolve, field, frozen

from native_web_search.adapters.hosts.pi.protocol import (
    Auth,
    AuthAnswer,
    Call,
    Cancel,
    FromPi,
    NoAuth,
    Sync,
    parse_message,
)
from native_web_search.adapters.hosts.pi.registry import PiRegistry
from native_web_search.adapters.hosts.pi.to_pi import (
    Activate,
    Answer,
    CredentialQuestion,
    Failed,
    Progress,
    Synced,
    ToPi,
)
from native_web_search.application.web_search import NOT_SYNCED, WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import ToolSpec
from native_web_search.domain.exposure_sync import Register, Standing, SyncState
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.registry import ModelRegistry

log = logging.getLogger("native_web_search")


@define(eq=False)
class Bridge:
    """Answers the extension. `opening` makes the tool over pi's models; `send` does not wait."""

    send: Callable[[ToPi], None]
    opening: Callable[[ModelRegistry], WebSearch]
    environ: Mapping[str, str] = field(repr=False)
    _registry: PiRegistry = field(init=False, repr=False)
    _web: WebSearch = field(init=False, repr=False)
    _state: SyncState = field(init=False, default=NOT_SYNCED)
    _syncing: asyncio.Lock = field(init=False, factory=asyncio.Lock)
    _running: dict[int, asyncio.Task[None]] = field(init=False, factory=dict)
    _asked: dict[int, asyncio.Future[Auth | NoAuth]] = field(init=False, factory=dict)
    _numbers: Iterator[int] = field(init=False, factory=lambda: count(1))

    def __attrs_post_init__(self) -> None:
        self._registry = PiRegistry(self._ask, self.environ)
        self._web = self.opening(self._registry)

    async def run(self, lines: AsyncIterable[bytes]) -> None:
        """Serve until the lines end; then cancel what is in flight and free the connections."""
        try:
            async for line in lines:
                self._take(line)
        finally:
            running = tuple(self._running.values())
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await self._web.aclose()

    def _take(self, line: bytes) -> None:
        match parse_message(line):
            case Success(message):
                self._handle(message)
            case Failure(reason):
                log.warning("pi's extension was not understood: %s", reason)

    def _handle(self, message: FromPi) -> None:
        match message:
            case Sync():
                self._start(message.id, lambda: self._sync(message))
            case Call():
                self._start(message.id, lambda: self._call(message))
            case Cancel(id_):
                if id_ in self._running:
                    self._running[id_].cancel()
            case AuthAnswer(id_, auth):
                asked = self._asked.get(id_)
                if asked is not None and not asked.done():
                    asked.set_result(auth)
            case _:
                assert_never(message)

    def _start(self, id_: int, work: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.create_task(self._finished(id_, work))
        self._running[id_] = task
        task.add_done_callback(lambda _task: self._running.pop(id_, None))

    async def _finished(self, id_: int, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:
            log.exception("pi's extension was not answered")
            self.send(Failed(id_, f"unexpected {type(error).__name__}"))

    async def _sync(self, sync: Sync) -> None:
        async with self._syncing:
            self._registry.update(sync.models)
            if sync.opted_out and self._state is NOT_SYNCED:
                self._state = evolve(NOT_SYNCED, standing=Standing.OPTED_OUT)
            tools = _PiTools(sync.active, self.send, self._web.name)
            self._state = await self._web.sync(tools, self._state, restored=sync.restored)
            self.send(Synced(sync.id, self._state.standing is Standing.OPTED_OUT))

    async def _call(self, call: Call) -> None:
        async def progress(text: str) -> None:
            self.send(Progress(call.id, text))

        self._registry.update(call.models)
        result = await self._web.call(call.arguments, progress=progress)
        self.send(Answer(call.id, result))

    async def _ask(self, model: ChatModel) -> Auth | NoAuth:
        number = next(self._numbers)
        answer: asyncio.Future[Auth | NoAuth] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            self.send(CredentialQuestion(number, model.provider, model.id))
            return await answer
        finally:
            self._asked.pop(number, None)


@frozen
class _PiTools:
    """Pi's active tools, as a `ToolHost`, for one sync.

    Only our own tool's place among them is told: what others change meanwhile is theirs.
    """

    active: tuple[str, ...]
    send: Callable[[ToPi], None]
    name: str

    async def register(self, spec: ToolSpec) -> None:
        self.send(Register(spec))

    async def active_tools(self) -> tuple[str, ...]:
        return self.active

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        self.send(Activate(self.name in names))

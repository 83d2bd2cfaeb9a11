"""The tool, as a host embeds it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from attrs import define, field

from native_web_search.application import report
from native_web_search.application.attempts import Attempts
from native_web_search.application.logs import log, log_raised
from native_web_search.application.per_process import PerProcess
from native_web_search.application.progress import tolerant
from native_web_search.application.record import Record
from native_web_search.application.result import Call, ToolResult, error_result
from native_web_search.application.saving import Saver
from native_web_search.application.selection import Selection, Selector
from native_web_search.application.settings import ExposureMode, Settings
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import (
    TOOL_NAME,
    Exposure,
    ToolSpec,
    exposure,
    tool_spec,
)
from native_web_search.domain.exposure_sync import Register, SetActive, SyncState, plan_sync
from native_web_search.domain.fallback import FetchFallback, GiveUp, SearchFallback
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.outcome import Failure
from native_web_search.domain.policy import permitted
from native_web_search.domain.preference import updated
from native_web_search.domain.request import Request, parse_request
from native_web_search.ports.clock import Clock
from native_web_search.ports.health import HealthStore
from native_web_search.ports.observer import Observer
from native_web_search.ports.preferences import PreferenceStore
from native_web_search.ports.providers import Fetcher, Progress, Searcher
from native_web_search.ports.registry import Credential, ModelRegistry
from native_web_search.ports.tool_host import ToolHost

NOT_SYNCED = SyncState()


async def _nothing_to_close() -> None:
    """The closing of a tool that owns nothing."""


@define(eq=False, kw_only=True)
class WebSearch:
    """The one tool. Made by `open_web_search`, or by hand from your own ports.

    One instance may be used from several event loops and threads at once. `closing` frees what
    the ports hold; it is awaited by `aclose` and at the end of `async with`.
    """

    registry: ModelRegistry
    searcher: Searcher
    fetcher: Fetcher
    preferences: PreferenceStore
    health: HealthStore
    clock: Clock
    settings: Settings = field(factory=Settings)
    observer: Observer = field(factory=Observer)
    name: str = TOOL_NAME
    closing: Callable[[], Awaitable[None]] = _nothing_to_close
    _savers: PerProcess[Saver] = field(init=False, factory=lambda: PerProcess(Saver), repr=False)

    async def call(
        self,
        arguments: object,
        *,
        current: ChatModel | None = None,
        progress: Progress | None = None,
    ) -> ToolResult:
        """Search, then analyze URLs, as the model's raw `arguments` ask.

        Nothing but cancellation is raised: every failure is a result with `is_error`. `current`
        stands in for the registry's current model. After the call's deadline, what was finished
        is returned. Cancelling leaves no request in flight and no trace in the cooldowns. A caller
        that has used up its recursion limit, to the last few dozen frames, gets `RecursionError`.
        """
        record = Record()
        try:
            return await self._call(arguments, current, tolerant(progress), record)
        except Exception as error:  # noqa: BLE001 - only cancellation leaves a call
            log_raised(self.name, error)
            text = f"{self.name} failed unexpectedly ({type(error).__name__}); see the host's log."
            return error_result(text, self.settings, record)

    async def tool_spec(self, current: ChatModel | None = None) -> ToolSpec | None:
        """What to offer the model now, or None to hide the tool. For hosts that ask."""
        shown, _reason = await self.exposure(current)
        return tool_spec(shown, self.name)

    async def exposure(self, current: ChatModel | None = None) -> tuple[Exposure, str]:
        """What the tool may offer now, and the reason in one sentence for a person."""
        if self.settings.exposure is ExposureMode.STABLE:
            return Exposure.QUERY_AND_URLS, "The exposure is set to stable."
        current = current or self.registry.current()
        everyone = self.registry.available()
        available = permitted(self.settings.fallback, current, everyone)
        can_use = current is not None and await self._proven(current, everyone)
        shown, reason = exposure(current, available, can_use=can_use)
        if shown is Exposure.HIDDEN and exposure(None, everyone, can_use=False)[0] is not shown:
            return shown, "The fallback policy permits no provider that has a credential."
        return shown, reason

    async def sync(
        self,
        host: ToolHost,
        state: SyncState = NOT_SYNCED,
        *,
        current: ChatModel | None = None,
        restored: bool = False,
    ) -> SyncState:
        """Bring a host's tools up to date; call it on the host's events with the last state.

        `restored` says that the host has just put back the tools of a saved session, which is
        neither the user's taking the tool away nor giving it back. One state for each host
        session. Unchanged exposure gives the host nothing to do.
        """
        shown, _reason = await self.exposure(current)
        active = await host.active_tools()
        commands, after = plan_sync(state, shown, active, name=self.name, restored=restored)
        for command in commands:
            match command:
                case Register(spec):
                    await host.register(spec)
                case SetActive(names):
                    await host.set_active_tools(names)
        return after

    async def aclose(self) -> None:
        """Free connections. Calls still running end with failed attempts."""
        await self.closing()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def select(self, current: ChatModel | None = None) -> Selection:
        """The order in which a call made now would try its candidates."""
        selector = Selector(self.registry, self.preferences, self.health, self.clock, self.settings)
        return await selector.select(current)

    async def _call(
        self, arguments: object, current: ChatModel | None, progress: Progress, record: Record
    ) -> ToolResult:
        parsed = parse_request(arguments)
        if isinstance(parsed, Failure):
            return error_result(parsed.failure().message, self.settings, record)
        request = parsed.unwrap()
        chosen = await self.select(current)
        if request.valid_urls and not chosen.fetch:
            return error_result(report.NO_FETCHER, self.settings, record)
        gave_up, late = await self._work(request, chosen, progress, record)
        await self._remember(chosen, record)
        return Call(request, record, self.settings, gave_up, late).result()

    async def _work(
        self, request: Request, chosen: Selection, progress: Progress, record: Record
    ) -> tuple[GiveUp | None, bool]:
        """Search, then fetch, until done or late; what was done is in the record."""
        attempts = Attempts(
            self.searcher,
            self.fetcher,
            self.health,
            self.clock,
            self.observer,
            progress,
            record,
        )
        clock = asyncio.timeout(self.settings.deadline_seconds)
        try:
            async with clock:
                return await _attempted(request, chosen, attempts), False
        except TimeoutError:
            if not clock.expired():
                raise
            return None, True

    async def _remember(self, chosen: Selection, record: Record) -> None:
        """Save who served this call, if that is news. A failed save fails no call."""
        served = _served(record)
        preferences = updated(chosen.preferences, chosen.fingerprint, served)
        for operation, candidate in served.items():
            model = candidate.model
            log.info("%s served by %s/%s", operation.value, model.provider, model.id)
        if served and preferences != chosen.preferences:
            await self._savers.here().save(self.preferences, preferences)

    async def _proven(self, current: ChatModel, everyone: tuple[ChatModel, ...]) -> bool:
        """Whether a current model outside the available ones has a credential after all, as far
        as the registry says so within the time of an attempt.
        """
        if current in everyone or candidate_of(current) is None:
            return False
        clock = asyncio.timeout(self.settings.timeout_ms / 1000)
        try:
            async with clock:
                return isinstance(await self.registry.credentials(current), Credential)
        except Exception as error:  # noqa: BLE001 - whatever a host's registry raises
            if clock.expired():
                log.warning("the registry did not answer in time")
            else:
                log_raised("the registry", error)
            return False


async def _attempted(request: Request, chosen: Selection, attempts: Attempts) -> GiveUp | None:
    if request.query is not None:
        match await attempts.search(SearchFallback.start(chosen.search), request.query):
            case GiveUp() as gave_up:
                return gave_up
            case _:
                pass
    if request.valid_urls:
        fallback = FetchFallback.start(chosen.fetch, len(request.valid_urls))
        await attempts.fetch(fallback, request.valid_urls, request.query)
    return None


def _served(record: Record) -> dict[Operation, Candidate]:
    """Who to remember: the searcher, and whoever answered most URLs (ties to the earlier)."""
    served: dict[Operation, Candidate] = {}
    if record.searched is not None:
        served[Operation.SEARCH] = record.searched.candidate
    fetcher = _fetcher(record)
    if fetcher is not None:
        served[Operation.FETCH] = fetcher
    return served


def _fetcher(record: Record) -> Candidate | None:
    finished = record.fetched or (record.fetching.so_far() if record.fetching else None)
    if finished is None:
        return None
    answered = Counter(filter(None, finished.served))
    tried = (attempt.candidate for attempt in record.attempts)
    return max(filter(answered.get, tried), key=answered.__getitem__, default=None)

"""Ports without a world behind them, for tests of what stands on the ports."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from attrs import define, field

from native_web_search.domain.exposure import ToolSpec
from native_web_search.domain.failure import AttemptFailure, Unreachable
from native_web_search.domain.family import Candidate, Operation
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlAnswer
from native_web_search.domain.preference import Preferences
from native_web_search.ports.observer import Observer
from native_web_search.ports.providers import Arrived, Progress

Key: TypeAlias = str  # a provider id, or `provider/model`
Script: TypeAlias = Callable[[str], UrlAnswer | AttemptFailure]


@define
class ManualClock:
    """A clock that moves when it is told to."""

    now: float = 1_000.0

    def monotonic(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


@define
class MemoryPreferences:
    """Preferences in a variable; counts the saves."""

    stored: Preferences = field(factory=Preferences)
    saves: int = 0

    def load(self) -> Preferences:
        return self.stored

    def save(self, preferences: Preferences) -> None:
        self.stored = preferences
        self.saves += 1


@define
class ScriptedSearcher:
    """Answers each candidate by its script, one outcome an attempt, the last one for good.

    A candidate is looked up by `provider/model`, then by provider id; who is not in the script
    succeeds with an empty list of results. `asked` records who was asked what.
    """

    script: Mapping[Key, Sequence[SearchOutcome]] = field(
        factory=dict[Key, Sequence[SearchOutcome]]
    )
    asked: list[tuple[str, str]] = field(factory=list)

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        name = f"{candidate.model.provider}/{candidate.model.id}"
        before = sum(asked == name for asked, _query in self.asked)
        self.asked.append((name, query))
        await progress(f"Searching with {candidate.model.provider}")
        outcomes = self.script.get(name) or self.script.get(candidate.model.provider)
        if not outcomes:
            return Success({"results": []})
        return outcomes[min(before, len(outcomes) - 1)]


@define
class ScriptedFetcher:
    """Answers each URL by the script of its candidate, in order, until one fails the attempt.

    Scripts are looked up as in `ScriptedSearcher`; who is not in the script answers every URL.
    """

    script: Mapping[Key, Script] = field(factory=dict[Key, Script])
    asked: list[tuple[str, tuple[str, ...]]] = field(factory=list)

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        name = f"{candidate.model.provider}/{candidate.model.id}"
        self.asked.append((name, urls))
        await progress(f"Analyzing with {candidate.model.provider}")
        answer = self.script.get(name) or self.script.get(candidate.model.provider) or _everything
        entries: dict[int, UrlAnswer] = {}
        for index, url in enumerate(urls):
            said = answer(url)
            if not isinstance(said, UrlAnswer):
                return FetchAnswer(entries, said)
            entries[index] = said
            arrived(index, said)
        return FetchAnswer(entries)


@define
class NeverAnswers:
    """A searcher and fetcher that waits until it is cancelled, and knows that it was."""

    asked: int = 0
    cancelled: int = 0

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        await self._wait()
        return Failure(Unreachable("never"))

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        await self._wait()
        return FetchAnswer({})

    async def _wait(self) -> None:
        self.asked += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@define
class RecordingHost:
    """A host that does as it is told and remembers it."""

    active: tuple[str, ...] = ("read", "write")
    registered: list[ToolSpec] = field(factory=list)
    changes: list[tuple[str, ...]] = field(factory=list)

    async def register(self, spec: ToolSpec) -> None:
        self.registered.append(spec)

    async def active_tools(self) -> tuple[str, ...]:
        return self.active

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        self.active = names
        self.changes.append(names)


@define
class RecordingObserver(Observer):
    """Remembers what it was told, as tuples that begin with the hook's name."""

    seen: list[tuple[object, ...]] = field(factory=list)

    def attempting(self, operation: Operation, candidate: Candidate) -> None:
        self.seen.append(("attempting", operation, candidate.model.provider))

    def attempt_failed(
        self, operation: Operation, candidate: Candidate, failure: AttemptFailure
    ) -> None:
        self.seen.append(("attempt_failed", operation, candidate.model.provider, failure))

    def cooled_down(self, operation: Operation, candidate: Candidate, seconds: float) -> None:
        self.seen.append(("cooled_down", operation, candidate.model.provider, seconds))

    def answered(self, operation: Operation, candidate: Candidate, milliseconds: int) -> None:
        self.seen.append(("answered", operation, candidate.model.provider))


def _everything(url: str) -> UrlAnswer:
    return Fetched({"title": url})

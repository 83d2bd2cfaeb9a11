"""Making the attempts that a fallback decides on.

The fallback decides, this file acts: it asks the provider, tells the record of the call, the
observer and the health store, and hands the outcome back. An attempt that is cancelled, by the
caller or by the call's deadline, leaves no trace in the health store. What was answered is paid
for, so it is in the record before anything else is awaited.
"""

from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from attrs import field, frozen

from native_web_search.application.logs import log, log_raised
from native_web_search.application.record import CANCELLED, SUCCESS, Entry, Record
from native_web_search.domain.cooldown import Failed, Succeeded
from native_web_search.domain.failure import (
    AttemptFailure,
    Scope,
    Skipped,
    TimedOut,
    Unreadable,
    scope_of,
)
from native_web_search.domain.fallback import (
    Done,
    FetchFallback,
    Finished,
    GiveUp,
    SearchFallback,
    Try,
)
from native_web_search.domain.family import Candidate, Operation
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import (
    FetchAnswer,
    Fetched,
    SearchOutcome,
    UrlAnswer,
    UrlFailure,
)
from native_web_search.ports.clock import Clock
from native_web_search.ports.health import HealthStore
from native_web_search.ports.observer import Observer
from native_web_search.ports.providers import Fetcher, Progress, Searcher

T = TypeVar("T")


@frozen
class Attempts:
    """The ports that attempts need, and the record they are entered in."""

    searcher: Searcher
    fetcher: Fetcher
    health: HealthStore
    clock: Clock
    observer: Observer
    progress: Progress
    record: Record = field(factory=Record)

    async def search(self, fallback: SearchFallback, query: str) -> Done | GiveUp:
        """Try candidates until one has searched or none is left to try."""
        while True:
            match fallback.decide():
                case Try(candidate):
                    outcome = await self._search(candidate, query)
                    fallback = fallback.after(candidate, outcome)
                case Done() | GiveUp() as end:
                    return end

    async def fetch(
        self, fallback: FetchFallback, urls: tuple[str, ...], query: str | None
    ) -> Finished:
        """Try candidates until every URL has an answer or none is left to try."""
        self.record.fetching = fallback
        while True:
            match fallback.decide():
                case Try(candidate, pending):
                    wanted = tuple(urls[index] for index in pending)
                    answer = await self._fetch(candidate, wanted, query, fallback)
                    fallback = fallback.after(candidate, answer)
                case Finished() as finished:
                    self.record.fetched = finished
                    return finished

    async def _search(self, candidate: Candidate, query: str) -> SearchOutcome:
        with self._timed(Operation.SEARCH, candidate) as entry:
            outcome = await self._guarded(
                lambda: self.searcher.search(candidate, query, self.progress), Failure
            )
            match outcome:
                case Success(payload):
                    self.record.searched = Done(payload, candidate)
                    await self._succeeded(entry)
                case Failure(failure):
                    await self._unless_skipped(entry, failure)
        return outcome

    async def _fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        fallback: FetchFallback,
    ) -> FetchAnswer:
        arrived: dict[int, UrlAnswer] = {}

        def note(index: int, answer: UrlAnswer) -> None:
            arrived[index] = answer
            self.record.fetching = fallback.after(candidate, FetchAnswer(dict(arrived)))

        with self._timed(Operation.FETCH, candidate) as entry:
            answer = await self._guarded(
                lambda: self.fetcher.fetch(candidate, urls, query, self.progress, note),
                lambda failure: FetchAnswer(dict(arrived), failure),
            )
            self.record.fetching = fallback.after(candidate, answer)
            await self._settle_fetch(entry, answer)
        return answer

    async def _settle_fetch(self, entry: Entry, answer: FetchAnswer) -> None:
        match answer.failure:
            case None if any(isinstance(one, Fetched) for one in answer.entries.values()):
                await self._succeeded(entry)
            case None:
                entry.close(Scope.REQUEST.value, _first_error(answer))
            case failure:
                await self._unless_skipped(entry, failure)

    async def _unless_skipped(self, entry: Entry, failure: AttemptFailure | Skipped) -> None:
        if isinstance(failure, Skipped):
            entry.skip(failure)
        else:
            await self._failed(entry, failure)

    async def _guarded(
        self, attempt: Callable[[], Awaitable[T]], failed: Callable[[AttemptFailure], T]
    ) -> T:
        """Await an attempt; what it raises against its contract is a failure of that attempt."""
        try:
            return await attempt()
        except TimeoutError:
            return failed(TimedOut("the attempt timed out"))
        except Exception as error:  # noqa: BLE001 - whatever an adapter raises
            log_raised("an adapter", error)
            return failed(Unreadable(f"unexpected {type(error).__name__}"))

    async def _succeeded(self, entry: Entry) -> None:
        entry.close(SUCCESS)
        self._tell(lambda: self.observer.answered(*entry.place, entry.milliseconds))
        model = entry.candidate.model
        await self.health.settle(Succeeded(entry.operation, model.provider, model.id))

    async def _failed(self, entry: Entry, failure: AttemptFailure) -> None:
        entry.close(scope_of(failure).value, failure.message)
        model = entry.candidate.model
        log.debug("%s failed at %s/%s", entry.operation.value, model.provider, model.id)
        self._tell(lambda: self.observer.attempt_failed(*entry.place, failure))
        before = await self._cooling(entry)
        await self.health.settle(Failed(entry.operation, model.provider, model.id, failure))
        after = await self._cooling(entry)
        if after > before:
            self._tell(lambda: self.observer.cooled_down(*entry.place, after))

    async def _cooling(self, entry: Entry) -> float:
        ledger, model = await self.health.ledger(), entry.candidate.model
        now = self.clock.monotonic()
        return ledger.remaining(entry.operation, model.provider, model.id, now)

    @contextmanager
    def _timed(self, operation: Operation, candidate: Candidate) -> Generator[Entry]:
        entry = Entry(operation, candidate, self.clock, self.record)
        self._tell(lambda: self.observer.attempting(operation, candidate))
        try:
            yield entry
        except CancelledError:
            entry.close(CANCELLED)
            raise

    def _tell(self, hook: Callable[[], None]) -> None:
        try:
            hook()
        except Exception as error:  # noqa: BLE001 - whatever a host's hook raises
            log_raised("an observer", error)


def _first_error(answer: FetchAnswer) -> str | None:
    errors = (one.message for one in answer.entries.values() if isinstance(one, UrlFailure))
    return next(errors, None)

"""Searchers that do what their port forbids, and how the contract notices."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest
from attrs import define, field

from native_web_search.adapters.testing.contracts import (
    Behaviour,
    BrokenPromise,
    SearcherContract,
    SearchStage,
    broken_promises,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import ProviderRefused, Skipped, Unreachable
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.providers import Progress, Searcher

CANDIDATE = Candidate(ChatModel("library", "desk"), Family.OPENAI, Dialect.OPENAI)


class ClosedError(Exception):
    """The library refuses."""


@define
class Library:
    """A provider as simple as can be."""

    behaviour: Behaviour
    has_card: bool = True
    asked: int = 0
    open: int = 0

    async def find(self, what: str) -> str:
        self.asked += 1
        self.open += 1
        try:
            await asyncio.sleep(0.001)
            match self.behaviour:
                case Behaviour.REFUSES:
                    raise ClosedError
                case Behaviour.BREAKS:
                    raise ConnectionResetError
                case Behaviour.HANGS:
                    await asyncio.Event().wait()
                case _:
                    pass
        finally:
            self.open -= 1
        return f"a book about {what}"

    def lose_card(self) -> None:
        self.has_card = False

    async def idle(self) -> bool:
        await asyncio.sleep(0.005)
        return self.open == 0


@define
class LibrarySearcher:
    """A searcher as it should be."""

    library: Library

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        await progress("Asking the library")
        if not self.library.has_card:
            return Failure(Skipped("no library card"))
        try:
            found = await self.library.find(query)
        except ClosedError:
            return Failure(ProviderRefused("the library is closed"))
        except ConnectionError:
            return Failure(Unreachable("the library has hung up"))
        return Success({"results": [found]})


@define
class Raises(LibrarySearcher):
    """Lets the library's errors through."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        return Success({"results": [await self.library.find(query)]})


@define
class Persists(LibrarySearcher):
    """Tries again when refused."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        first = await super().search(candidate, query, progress)
        if isinstance(first, Success):
            return first
        return await super().search(candidate, query, progress)


@define
class Remembers(LibrarySearcher):
    """Looks at the card once and for all."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        self.library.has_card |= self.library.asked > 0
        return await super().search(candidate, query, progress)


@define
class AsksAnyway(LibrarySearcher):
    """Asks without a card and is refused."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        await self.library.find(query)
        return await super().search(candidate, query, progress)


@define
class Unstoppable(LibrarySearcher):
    """Takes a cancellation for a failure of the provider."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        try:
            return await super().search(candidate, query, progress)
        except asyncio.CancelledError:
            return Failure(Unreachable("cancelled"))


@define
class Abandons(LibrarySearcher):
    """Leaves the request to itself when it is cancelled."""

    tasks: list[asyncio.Task[SearchOutcome]] = field(factory=list)

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        asking = super().search(candidate, query, progress)
        self.tasks.append(asyncio.create_task(asking))
        return await asyncio.shield(self.tasks[-1])


@define
class Answers(LibrarySearcher):
    """Answers whatever it is told to, and asks nobody."""

    outcome: object = None
    lines: tuple[str, ...] = ()

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        for line in self.lines:
            await progress(line)
        return self.outcome  # type: ignore[return-value]  # that is what is wrong with it


@define
class Mumbles(LibrarySearcher):
    """Tells its progress to nobody in particular."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        progress("Asking")  # type: ignore[unused-awaitable]  # that is what is wrong with it
        return Success({})


@define
class Leaves(LibrarySearcher):
    """Answers and keeps a request open that it no longer needs."""

    tasks: list[asyncio.Task[str]] = field(factory=list)

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        self.library.behaviour = Behaviour.HANGS
        self.tasks.append(asyncio.create_task(self.library.find(query)))
        await asyncio.sleep(0.002)
        return Success({})


def contract(make: Callable[[Library], Searcher]) -> type[SearcherContract]:
    class Contract(SearcherContract):
        @asynccontextmanager
        async def opened(self, behaviour: Behaviour) -> AsyncGenerator[SearchStage, None]:
            library = Library(behaviour)
            yield SearchStage(
                candidate=CANDIDATE,
                asked=lambda: library.asked,
                idle=library.idle,
                log_out=library.lose_card,
                searcher=make(library),
            )

    return Contract


def saying(outcome: object, *lines: str) -> Callable[[Library], Searcher]:
    return lambda library: Answers(library, outcome, lines)


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Callable[[Library], Searcher], str]] = [
    (saying(Failure(Unreachable("no library"))), "test_an_answered_attempt_fails_nothing"),
    (Leaves, "test_an_answered_attempt_fails_nothing"),
    (Raises, "test_a_refusal_is_returned"),
    (saying(Failure("closed")), "test_a_refusal_is_returned"),
    (saying(Failure(Skipped("closed"))), "test_a_refusal_is_returned"),
    (Raises, "test_a_broken_connection_is_returned"),
    (Persists, "test_a_refused_attempt_is_not_repeated"),
    (Remembers, "test_each_attempt_resolves_its_credential"),
    (AsksAnyway, "test_nothing_is_sent_without_a_credential"),
    (Unstoppable, "test_cancellation_propagates"),
    (saying(Success({})), "test_cancellation_propagates"),
    (Abandons, "test_nothing_stays_in_flight_after_cancellation"),
    (Mumbles, "test_progress_is_a_few_short_lines"),
    (saying(Success({}), *"abcdef"), "test_progress_is_a_few_short_lines"),
    (saying(Success({}), "a" * 201), "test_progress_is_a_few_short_lines"),
    (saying(Success({}), "a\nb"), "test_progress_is_a_few_short_lines"),
    (saying(Success({}), ""), "test_progress_is_a_few_short_lines"),
    (saying(Success({"results": b"bytes"})), "test_an_answer_is_an_object_of_json"),
    (saying(Success(["results"])), "test_an_answer_is_an_object_of_json"),
    (saying(Success({1: "result"})), "test_an_answer_is_an_object_of_json"),
    (saying(Failure(Unreachable("no library"))), "test_an_answer_is_an_object_of_json"),
    (saying({"results": []}), "test_an_answer_is_an_object_of_json"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("searcher", "test"), BROKEN)
def test_a_broken_searcher_fails(searcher: Callable[[Library], Searcher], test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(searcher)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each there is a searcher above that breaks it, and one that breaks none."""
    tests = {name for name in dir(SearcherContract) if name.startswith("test_")}
    assert {test for _searcher, test in BROKEN} == tests
    assert broken_promises(contract(LibrarySearcher)) == {}

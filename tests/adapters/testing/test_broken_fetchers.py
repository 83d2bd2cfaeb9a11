"""Fetchers that do what their port forbids, and how the contract notices."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest
from attrs import define

from native_web_search.adapters.testing.contracts import (
    Behaviour,
    BrokenPromise,
    FetcherContract,
    FetchStage,
    broken_promises,
)
from native_web_search.adapters.testing.contracts.attempt import AttemptContract
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import AttemptFailure, ProviderRefused, Unreachable
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlAnswer, UrlFailure
from native_web_search.ports.providers import Arrived, Fetcher, Progress

CANDIDATE = Candidate(ChatModel("library", "desk"), Family.DEEPSEEK, Dialect.NATIVE)
SHELF = {"https://library.example/1": "one", "https://library.example/2": "two"}
MISSING = "https://library.example/3"

Spoiling = Callable[[tuple[str, ...], FetchAnswer], FetchAnswer]
Telling = Callable[[Arrived], Arrived]


class ClosedError(Exception):
    """The library refuses."""


@define
class Library:
    """A provider as simple as can be."""

    behaviour: Behaviour
    asked: int = 0
    open: int = 0

    async def find(self, url: str) -> str | None:
        self.asked += 1
        self.open += 1
        try:
            await asyncio.sleep(0.001)
            match self.behaviour:
                case Behaviour.REFUSES_LATER | Behaviour.HANGS_LATER if self.asked == 1:
                    pass
                case Behaviour.REFUSES | Behaviour.REFUSES_LATER:
                    raise ClosedError
                case Behaviour.BREAKS:
                    raise ConnectionResetError
                case Behaviour.HANGS | Behaviour.HANGS_LATER:
                    await asyncio.Event().wait()
                case Behaviour.ANSWERS:
                    pass
        finally:
            self.open -= 1
        return SHELF.get(url)

    async def idle(self) -> bool:
        await asyncio.sleep(0.005)
        return self.open == 0


@define
class LibraryFetcher:
    """A fetcher that is as it should be, unless something is done to what it says."""

    library: Library
    spoiling: Spoiling = lambda _urls, answer: answer
    telling: Telling = lambda arrived: arrived

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        entries: dict[int, UrlAnswer] = {}
        failure: AttemptFailure | None = None
        try:
            for index, url in enumerate(urls):
                page = await self.library.find(url)
                entries[index] = UrlFailure("no such page") if page is None else Fetched(page)
                self.telling(arrived)(index, entries[index])
        except ClosedError:
            failure = ProviderRefused("the library is closed")
        except ConnectionError:
            failure = Unreachable("the library has hung up")
        return self.spoiling(urls, FetchAnswer(entries, failure))


@define
class Abandons(LibraryFetcher):
    """Leaves its requests to themselves when it is cancelled."""

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        fetching = super().fetch(candidate, urls, query, progress, arrived)
        return await asyncio.shield(asyncio.create_task(fetching))


def forgetting_the_last(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    return FetchAnswer(dict(list(answer.entries.items())[:-1]))


def counting_from_one(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    return FetchAnswer({index + 1: entry for index, entry in answer.entries.items()})


def closing_ranks(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    """Number the pages that were found, whoever asked for them."""
    found = [entry for entry in answer.entries.values() if isinstance(entry, Fetched)]
    return FetchAnswer(dict(enumerate(found)))


def folding_duplicates(urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    places = {url: index for index, url in enumerate(urls)}
    return FetchAnswer({at: answer.entries[at] for at in places.values()})


def failing_for_one(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    missed = any(isinstance(entry, UrlFailure) for entry in answer.entries.values())
    return FetchAnswer(answer.entries, ProviderRefused("a page is missing") if missed else None)


def losing_what_came(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    return FetchAnswer({}, answer.failure)


def in_bytes(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    return FetchAnswer({index: Fetched(b"a page") for index in answer.entries})


def in_a_dict(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    return dict(answer.entries)  # type: ignore[return-value]  # that is what is wrong with it


def raising(_urls: tuple[str, ...], answer: FetchAnswer) -> FetchAnswer:
    raise ClosedError


def to_nobody(_arrived: Arrived) -> Arrived:
    return lambda *_told: None


def twice(arrived: Arrived) -> Arrived:
    def told(index: int, answer: UrlAnswer) -> None:
        arrived(index, answer)
        arrived(index, answer)

    return told


def contract(make: Callable[[Library], Fetcher]) -> type[FetcherContract]:
    class Contract(FetcherContract):
        @asynccontextmanager
        async def opened(self, behaviour: Behaviour) -> AsyncGenerator[FetchStage, None]:
            library = Library(behaviour)
            first, second = SHELF
            yield FetchStage(
                candidate=CANDIDATE,
                asked=lambda: library.asked,
                idle=library.idle,
                fetcher=make(library),
                urls=(first, second),
                missing=MISSING,
            )

    return Contract


def spoiled(spoiling: Spoiling) -> Callable[[Library], Fetcher]:
    return lambda library: LibraryFetcher(library, spoiling)


def telling(how: Telling) -> Callable[[Library], Fetcher]:
    return lambda library: LibraryFetcher(library, telling=how)


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Callable[[Library], Fetcher], str]] = [
    (spoiled(forgetting_the_last), "test_every_url_is_answered"),
    (spoiled(counting_from_one), "test_every_url_is_answered"),
    (spoiled(in_bytes), "test_every_url_is_answered"),
    (spoiled(in_a_dict), "test_every_url_is_answered"),
    (spoiled(raising), "test_every_url_is_answered"),
    (spoiled(closing_ranks), "test_entries_are_keyed_by_index"),
    (spoiled(failing_for_one), "test_entries_are_keyed_by_index"),
    (spoiled(folding_duplicates), "test_duplicates_are_answered_each"),
    (telling(to_nobody), "test_every_entry_has_arrived_once"),
    (telling(twice), "test_every_entry_has_arrived_once"),
    (telling(to_nobody), "test_an_answer_arrives_before_the_others"),
    (Abandons, "test_an_answer_arrives_before_the_others"),
    (spoiled(losing_what_came), "test_what_has_come_outlives_a_failure"),
    (telling(to_nobody), "test_what_has_come_outlives_a_failure"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("fetcher", "test"), BROKEN)
def test_a_broken_fetcher_fails(fetcher: Callable[[Library], Fetcher], test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(fetcher)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each, but those of all attempts, there is a fetcher above that breaks it."""
    own = set(dir(FetcherContract)) - set(dir(AttemptContract))
    assert {test for _fetcher, test in BROKEN} == {x for x in own if x.startswith("test_")}
    assert broken_promises(contract(LibraryFetcher)) == {}

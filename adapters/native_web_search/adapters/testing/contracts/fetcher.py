"""What a `Fetcher` promises."""

import asyncio

from attrs import define, field

from native_web_search.adapters.testing.contracts.attempt import AttemptContract, WhatFailed
from native_web_search.adapters.testing.contracts.promise import (
    in_a_loop,
    never_raising,
    promised,
    promised_json,
    promised_kind,
    until,
)
from native_web_search.adapters.testing.contracts.stage import Behaviour, FetchStage, Heard
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlAnswer
from native_web_search.ports.providers import Progress

QUERY = "what is said about the output guard?"


class FetcherContract(AttemptContract[FetchStage]):
    """Derive from this, write `opened`, and let pytest collect the class."""

    async def attempt(self, stage: FetchStage, progress: Progress) -> WhatFailed:
        answer = await _fetched(stage, stage.urls, progress=progress)
        return answer.failure

    @in_a_loop
    async def test_every_url_is_answered(self) -> None:
        """With a question about the pages and without one; what comes is JSON."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            for query in (None, QUERY):
                answer = await _fetched(stage, stage.urls, query=query)
                promised(_found(answer) == {0, 1}, "every page that is there is fetched", answer)
                for entry in answer.entries.values():
                    promised_json(getattr(entry, "data", None), "a page's data are JSON")

    @in_a_loop
    async def test_entries_are_keyed_by_index(self) -> None:
        """An answer stands at its URL's place, however fast the others are, and one page that
        cannot be had is no failure of the attempt.
        """
        async with self.opened(Behaviour.ANSWERS) as stage:
            first, second = stage.urls
            for urls in ((first, stage.missing, second), (stage.missing, second)):
                there = {index for index, url in enumerate(urls) if url != stage.missing}
                answer = await _fetched(stage, urls)
                promised(_found(answer) == there, "entries are keyed by index", answer)
                promised(answer.failure is None, "a missing page fails alone", answer)

    @in_a_loop
    async def test_duplicates_are_answered_each(self) -> None:
        """A URL that is given twice has two entries."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            first, second = stage.urls
            answer = await _fetched(stage, (first, second, first))
            promised(_found(answer) == {0, 1, 2}, "duplicates have entries of their own", answer)

    @in_a_loop
    async def test_every_entry_has_arrived_once(self) -> None:
        """What was told while it came and what is returned are the same."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            arrivals = _Arrivals()
            answer = await _fetched(stage, (*stage.urls, stage.missing), arrivals=arrivals)
            same = dict(arrivals.told) == dict(answer.entries)
            promised(same, "each answer is told to `arrived`", arrivals.told)
            once = len(arrivals.told) == len(answer.entries)
            promised(once, "each answer is told to `arrived` once", arrivals.told)

    @in_a_loop
    async def test_an_answer_arrives_before_the_others(self) -> None:
        """A deadline that strikes while others are awaited loses nothing that has come."""
        async with self.opened(Behaviour.HANGS_LATER) as stage:
            arrivals = _Arrivals()
            task = asyncio.create_task(_fetched(stage, stage.urls, arrivals=arrivals))
            await until(lambda: bool(arrivals.told) or task.done())
            promised(arrivals.told, "each answer is told to `arrived` when it comes", task)
            task.cancel()
            await asyncio.wait({task})
            promised(await stage.idle(), "no request stays in flight after it", "an open one")

    @in_a_loop
    async def test_what_has_come_outlives_a_failure(self) -> None:
        """An attempt that failed on the way returns what was answered before."""
        async with self.opened(Behaviour.REFUSES_LATER) as stage:
            arrivals = _Arrivals()
            answer = await _fetched(stage, stage.urls, arrivals=arrivals)
            promised(_found(answer), "what was answered is returned even then", answer)
            same = dict(arrivals.told) == dict(answer.entries)
            promised(same, "each answer is told to `arrived`", arrivals.told)


@define
class _Arrivals:
    """Remembers who arrived, in the order of arrival."""

    told: list[tuple[int, UrlAnswer]] = field(factory=list[tuple[int, UrlAnswer]])

    def __call__(self, index: int, answer: UrlAnswer) -> None:
        self.told.append((index, answer))


async def _fetched(
    stage: FetchStage,
    urls: tuple[str, ...],
    *,
    query: str | None = None,
    progress: Progress | None = None,
    arrivals: _Arrivals | None = None,
) -> FetchAnswer:
    progress, arrived = progress or Heard(), arrivals or _Arrivals()
    with never_raising("failures are returned, none raised"):
        answer = await stage.fetcher.fetch(stage.candidate, urls, query, progress, arrived)
    promised_kind(answer, FetchAnswer, "a fetch returns a FetchAnswer")
    known = set(answer.entries) <= set(range(len(urls)))
    promised(known, "entries are keyed by index in the URLs", answer)
    return answer


def _found(answer: FetchAnswer) -> set[int]:
    """The indices of the URLs that were answered."""
    return {index for index, entry in answer.entries.items() if isinstance(entry, Fetched)}

"""Asking one candidate to search or to fetch."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from native_web_search.domain.family import Candidate
from native_web_search.domain.payload import FetchAnswer, SearchOutcome, UrlAnswer

# Awaited with one short line for a person, a few times a call at most. It may do nothing.
Progress: TypeAlias = Callable[[str], Awaitable[None]]

# Told the index and answer of each URL as soon as it is known, so that a deadline loses nothing.
Arrived: TypeAlias = Callable[[int, UrlAnswer], None]


class Searcher(Protocol):
    """One attempt to search."""

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        """Search once, with credentials resolved for this very attempt.

        Every failure is returned, none raised; no retry at the same provider. Cancellation
        propagates, and no request stays in flight after it.
        """
        ...


class Fetcher(Protocol):
    """One attempt to fetch."""

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        """Fetch these URLs once; entries are keyed by index in `urls`, duplicates included.

        What was answered is returned even when the attempt failed on the way, and each answer is
        told to `arrived` when it comes. Failures are returned, none raised. Cancellation
        propagates, and no request stays in flight after it.
        """
        ...

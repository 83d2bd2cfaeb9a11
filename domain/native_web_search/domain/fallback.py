"""Whom to try next, and when to stop.

Two machines, frozen values both. Each answers `decide()`, what to do now, and `after(candidate,
outcome)`, the machine once that has happened; the caller's loop does nothing else. Both follow a
`Route` through the order that they were given and never turn back: nobody is tried twice.

A search ends with its first success. A fetch follows each URL by its index, so that duplicates
stay duplicates, and always hands a candidate all URLs that it may still get:

- A URL that was answered is finished, also if the attempt failed later on.
- A URL that a provider could not get is not offered to that provider id again: a sibling model
  would send the very same request. It stays open for the others.
- A URL that the attempt said nothing about stays open; the scope of the failure decides for whom.

When nobody is left, a URL without data gets its own last error; if no provider had one, the last
failure of an attempt that it was part of; if there was none, a line that says so.
"""

from typing import assert_never

from attrs import evolve, frozen

from native_web_search.domain.failure import AttemptFailure, QueryTooLong, Skipped
from native_web_search.domain.family import Candidate
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import (
    FetchAnswer,
    Fetched,
    SearchOutcome,
    SearchPayload,
    UrlAnswer,
    UrlFailure,
)
from native_web_search.domain.route import Failures, Route

SEARCH_ATTEMPTS = 12  # two for each family: enough for any real outage, and the bill stays small
FETCH_ATTEMPTS = 6  # three families fetch, and one attempt may carry twenty URLs

NOBODY_LEFT = "no provider was left to try for this URL"


@frozen
class Try:
    """Make one attempt with this candidate; for a fetch, with the URLs of these indices."""

    candidate: Candidate
    urls: tuple[int, ...] = ()


@frozen
class Done:
    """The search was performed, by this candidate."""

    payload: SearchPayload
    candidate: Candidate


@frozen
class GiveUp:
    """Nobody performed the search. `failures` in the order of the attempts, that of the call last;
    no failure at all means that there was nobody to try.
    """

    failures: Failures
    call: QueryTooLong | None


@frozen
class Finished:
    """What became of each URL, by index.

    `entries` holds data or an error; an index without either is `None`, which only `so_far`
    knows. `served` names who brought the data.
    """

    entries: tuple[UrlAnswer | None, ...]
    served: tuple[Candidate | None, ...]
    failures: Failures


@frozen
class SearchFallback:
    """A search on its way through the candidates."""

    _route: Route
    _done: Done | None = None

    @classmethod
    def start(cls, order: tuple[Candidate, ...]) -> "SearchFallback":
        """Before the first attempt."""
        return cls(Route(order, SEARCH_ATTEMPTS))

    def decide(self) -> Try | Done | GiveUp:
        """What to do now; asking again gives the same answer."""
        if self._done:
            return self._done
        match self._route.ahead:
            case (candidate, *_):
                return Try(candidate)
            case _:
                return GiveUp(self._route.failures, self._route.call)

    def after(self, candidate: Candidate, outcome: SearchOutcome) -> "SearchFallback":
        """The search once the candidate that `decide` named has answered."""
        match outcome:
            case Success(payload):
                return SearchFallback(self._route, Done(payload, candidate))
            case Failure(failure):
                return SearchFallback(self._route.after(candidate, failure))
            case _:
                assert_never(outcome)


@frozen
class _Url:
    """One URL of a fetch: its data and who brought it, or what has gone wrong so far."""

    data: Fetched | None = None
    served: Candidate | None = None
    refused_by: frozenset[str] = frozenset()
    error: UrlFailure | None = None
    attempt_error: UrlFailure | None = None

    def awaits(self, candidate: Candidate) -> bool:
        return self.data is None and candidate.model.provider not in self.refused_by

    def after(
        self,
        candidate: Candidate,
        answer: UrlAnswer | None,
        failure: AttemptFailure | Skipped | None,
    ) -> "_Url":
        match answer:
            case Fetched():
                return evolve(self, data=answer, served=candidate)
            case UrlFailure():
                refused_by = self.refused_by | {candidate.model.provider}
                return evolve(self, error=answer, refused_by=refused_by)
            case None:
                return self._left_open(failure)
            case _:
                assert_never(answer)

    def _left_open(self, failure: AttemptFailure | Skipped | None) -> "_Url":
        match failure:
            case None | Skipped():
                return self
            case _:
                return evolve(self, attempt_error=UrlFailure(failure.message))


@frozen
class FetchFallback:
    """A fetch on its way through the candidates, with what each of its URLs has come to."""

    _route: Route
    _urls: tuple[_Url, ...]

    @classmethod
    def start(cls, order: tuple[Candidate, ...], urls: int) -> "FetchFallback":
        """Before the first attempt, for this number of URLs."""
        return cls(Route(order, FETCH_ATTEMPTS), (_Url(),) * urls)

    def decide(self) -> Try | Finished:
        """What to do now; asking again gives the same answer."""
        for candidate in self._route.ahead:
            if pending := self._pending(candidate):
                return Try(candidate, pending)
        nobody = UrlFailure(NOBODY_LEFT)
        return self._finished(
            tuple(u.data or u.error or u.attempt_error or nobody for u in self._urls)
        )

    def after(self, candidate: Candidate, answer: FetchAnswer) -> "FetchFallback":
        """The fetch once the candidate that `decide` named has answered for its URLs. Entries for
        positions that it was not asked for are ignored.
        """
        urls = list(self._urls)
        for position, index in enumerate(self._pending(candidate)):
            entry = answer.entries.get(position)
            urls[index] = urls[index].after(candidate, entry, answer.failure)
        return FetchFallback(self._route.after(candidate, answer.failure), tuple(urls))

    def so_far(self) -> Finished:
        """What there is when time runs out: data, else the URL's own last error, else `None`."""
        return self._finished(tuple(u.data or u.error for u in self._urls))

    def _pending(self, candidate: Candidate) -> tuple[int, ...]:
        return tuple(i for i, url in enumerate(self._urls) if url.awaits(candidate))

    def _finished(self, entries: tuple[UrlAnswer | None, ...]) -> Finished:
        return Finished(entries, tuple(u.served for u in self._urls), self._route.failures)

"""Fallback against models that remember everything and look it up anew each time."""

from typing import TypeAlias

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from native_web_search.adapters.testing.strategies.failures import failures, messages, skips
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    AttemptFailure,
    QueryTooLong,
    Scope,
    Skipped,
    scope_of,
)
from native_web_search.domain.fallback import Done, FetchFallback, Finished, SearchFallback, Try
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlAnswer, UrlFailure

What: TypeAlias = AttemptFailure | Skipped | None

ROUND = [
    Candidate(ChatModel(provider, model), Family.OLLAMA, Dialect.NATIVE)
    for provider in "pqrstu"
    for model in "abcd"
]
# Some candidates in any order, or all of them, so that the limits are reached.
orders = st.lists(st.sampled_from(ROUND), unique_by=lambda c: c.model.key).map(tuple) | (
    st.integers(0, len(ROUND)).map(lambda first: (*ROUND[first:], *ROUND[:first]))
)
counts = st.integers(0, 5)  # of URLs
answers: st.SearchStrategy[UrlAnswer] = st.integers().map(Fetched) | messages().map(UrlFailure)
entries = st.dictionaries(st.integers(0, 5), answers, max_size=2)  # also for URLs not asked for
# Mostly failures that leave many candidates, so that the limits are reached.
mishaps = st.one_of(failures(Scope.MODEL, Scope.REQUEST), failures(), skips())


def _rules_out(failed: Candidate, what: What, other: Candidate) -> bool:
    """Whether this event is a reason not to try the other candidate."""
    if other == failed or isinstance(what, QueryTooLong):
        return True
    if what is None or isinstance(what, Skipped) or other.model.provider != failed.model.provider:
        return False
    return scope_of(what) is Scope.PROVIDER or other.model.id == failed.model.id


class History(RuleBasedStateMachine):
    """What both machines have in common: an order, and everything that has happened."""

    limit: int

    def begin(self, order: tuple[Candidate, ...]) -> None:
        self.order = order
        self.history: list[tuple[Candidate, What]] = []

    def candidates(self) -> list[Candidate]:
        """All that may still be tried."""
        attempts = [what for _, what in self.history if not isinstance(what, Skipped)]
        if len(attempts) >= self.limit:
            return []
        return [
            candidate
            for candidate in self.order
            if not any(_rules_out(failed, what, candidate) for failed, what in self.history)
        ]

    def failed(self) -> tuple[tuple[Candidate, AttemptFailure], ...]:
        """All failures of attempts."""
        return tuple(
            (candidate, what)
            for candidate, what in self.history
            if what is not None and not isinstance(what, Skipped)
        )


class Searching(History):
    """A search whose every step is compared with what its history allows."""

    limit = 12

    @initialize(order=orders)
    def start(self, order: tuple[Candidate, ...]) -> None:
        self.begin(order)
        self.fallback = SearchFallback.start(order)
        self.served: Candidate | None = None

    def goes_on(self) -> bool:
        return isinstance(self.fallback.decide(), Try)

    @precondition(lambda self: not self.goes_on())
    @rule(order=orders)
    def start_another(self, order: tuple[Candidate, ...]) -> None:
        self.start(order)

    @precondition(goes_on)
    @rule(what=mishaps)
    def fail(self, what: AttemptFailure | Skipped) -> None:
        candidate = self.candidates()[0]
        self.fallback = self.fallback.after(candidate, Failure(what))
        self.history.append((candidate, what))

    @precondition(lambda self: len(self.history) > 4 and self.goes_on())
    @rule()
    def succeed(self) -> None:
        self.served = self.candidates()[0]
        self.fallback = self.fallback.after(self.served, Success({"answer": "yes"}))

    @invariant()
    def it_goes_on_as_its_history_allows(self) -> None:
        match self.fallback.decide():
            case Try(candidate, urls):
                assert self.served is None
                assert candidate == self.candidates()[0]
                assert urls == ()
            case Done(payload, candidate):
                assert (payload, candidate) == ({"answer": "yes"}, self.served)
            case gave_up:
                assert self.candidates() == []
                assert gave_up.failures == self.failed()
                calls = [what for _, what in self.failed() if isinstance(what, QueryTooLong)]
                assert ([gave_up.call] if gave_up.call else []) == calls


class Fetching(History):
    """A fetch whose every step is compared with what its history allows."""

    limit = 6

    @initialize(order=orders, urls=counts)
    def start(self, order: tuple[Candidate, ...], urls: int) -> None:
        self.begin(order)
        self.urls = range(urls)
        self.fallback = FetchFallback.start(order, urls)
        # For each URL what every attempt that it was part of said about it.
        self.said: list[list[tuple[Candidate, UrlAnswer | What]]] = [[] for _ in self.urls]
        self.next = self.step()

    @precondition(lambda self: self.next is None)
    @rule(order=orders, urls=counts)
    def start_another(self, order: tuple[Candidate, ...], urls: int) -> None:
        self.start(order, urls)

    def pending(self, candidate: Candidate) -> tuple[int, ...]:
        """The URLs that this candidate may still get."""
        return tuple(
            index
            for index in self.urls
            if self.served(index) is None
            and not any(
                isinstance(what, UrlFailure) and who.model.provider == candidate.model.provider
                for who, what in self.said[index]
            )
        )

    def served(self, index: int) -> Candidate | None:
        """Who brought the data of this URL."""
        return next((who for who, what in self.said[index] if isinstance(what, Fetched)), None)

    def step(self) -> Try | None:
        """The attempt to come."""
        possible = (Try(candidate, self.pending(candidate)) for candidate in self.candidates())
        return next((attempt for attempt in possible if attempt.urls), None)

    @precondition(lambda self: self.next is not None)
    @rule(entries=entries, what=st.none() | mishaps)
    def answer(self, entries: dict[int, UrlAnswer], what: What) -> None:
        attempt = self.next
        assert attempt is not None
        self.fallback = self.fallback.after(attempt.candidate, FetchAnswer(entries, what))
        self.history.append((attempt.candidate, what))
        for position, index in enumerate(attempt.urls):
            self.said[index].append((attempt.candidate, entries.get(position, what)))
        self.next = self.step()

    @invariant()
    def it_goes_on_as_its_history_allows(self) -> None:
        match self.fallback.decide():
            case Try() as attempt:
                assert attempt == self.next
            case Finished() as finished:
                assert self.next is None
                assert [self.entry(index) for index in self.urls] == list(finished.entries)
                self.check_records(finished)

    @invariant()
    def what_is_known_so_far_can_be_taken(self) -> None:
        so_far = self.fallback.so_far()
        for index, entry in enumerate(so_far.entries):
            known = [what for _, what in self.said[index] if isinstance(what, Fetched | UrlFailure)]
            assert entry == (known[-1] if known else None)
        self.check_records(so_far)

    def check_records(self, finished: Finished) -> None:
        assert list(finished.served) == [self.served(index) for index in self.urls]
        assert finished.failures == self.failed()

    def entry(self, index: int) -> UrlAnswer:
        """What the URL has come to: the last word about it, else about its last failed attempt."""
        said = [what for _, what in self.said[index]]
        own = [what for what in said if isinstance(what, Fetched | UrlFailure)]
        attempts = [
            UrlFailure(what.message)
            for what in said
            if what is not None and not isinstance(what, Fetched | UrlFailure | Skipped)
        ]
        nobody = UrlFailure("no provider was left to try for this URL")
        return [nobody, *attempts[-1:], *own[-1:]][-1]


TestSearching = pytest.mark.rule("fallback.9")(Searching.TestCase)
TestFetching = pytest.mark.rule("fallback.16")(Fetching.TestCase)

"""Fallback, one situation at a time."""

from collections.abc import Callable

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    ModelRefused,
    NotSearched,
    ProviderRefused,
    QueryTooLong,
    RequestRefused,
    Skipped,
    TimedOut,
    Unreachable,
)
from native_web_search.domain.fallback import (
    FETCH_ATTEMPTS,
    NOBODY_LEFT,
    SEARCH_ATTEMPTS,
    Done,
    FetchFallback,
    Finished,
    GiveUp,
    SearchFallback,
    Try,
)
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure


def _candidate(name: str) -> Candidate:
    provider, _, model = name.partition("/")
    return Candidate(ChatModel(provider, model), Family.GOOGLE, Dialect.GEMINI)


P_A, P_B, Q_A, Q_B, R_A = (_candidate(name) for name in ("p/a", "p/b", "q/a", "q/b", "r/a"))
MANY = tuple(_candidate(f"{number}/m") for number in range(20))
OUTAGE = TimedOut("no answer within 60 s")
GONE = ModelRefused("no such model", 404)
SKIPPED = Skipped("no credential")


def _search(
    order: tuple[Candidate, ...], outcome: Callable[[Candidate], SearchOutcome]
) -> tuple[list[Candidate], Done | GiveUp]:
    """Run a search to its end; who was tried, and what came of it."""
    tried: list[Candidate] = []
    fallback = SearchFallback.start(order)
    while isinstance(step := fallback.decide(), Try):
        tried.append(step.candidate)
        fallback = fallback.after(step.candidate, outcome(step.candidate))
    return tried, step


def _failing(
    failures: dict[Candidate, AttemptFailure | Skipped],
) -> Callable[[Candidate], SearchOutcome]:
    """An outcome that fails for some candidates and succeeds for the others."""
    return lambda candidate: (
        Failure(failures[candidate]) if candidate in failures else Success({"answer": "yes"})
    )


Answers = dict[Candidate, FetchAnswer]


def _fetch(order: tuple[Candidate, ...], urls: int, answers: Answers) -> tuple[list[Try], Finished]:
    """Run a fetch to its end; the attempts, and what came of the URLs."""
    attempts: list[Try] = []
    fallback = FetchFallback.start(order, urls)
    while isinstance(step := fallback.decide(), Try):
        attempts.append(step)
        fallback = fallback.after(step.candidate, answers[step.candidate])
    return attempts, step


def _got(*positions: int, failure: AttemptFailure | Skipped | None = None) -> FetchAnswer:
    return FetchAnswer({position: Fetched(f"page {position}") for position in positions}, failure)


def _refused(*positions: int, message: str = "HTTP 404") -> FetchAnswer:
    return FetchAnswer({position: UrlFailure(message) for position in positions})


class TestSearch:
    """A search goes through the candidates until one of them searched."""

    @pytest.mark.rule("fallback.1")
    def test_the_first_success_ends_it(self) -> None:
        """The candidates are tried in their order, and nobody after the one that searched."""
        tried, end = _search((P_A, Q_A, R_A), _failing({P_A: OUTAGE}))

        assert tried == [P_A, Q_A]
        assert end == Done({"answer": "yes"}, Q_A)

    @pytest.mark.rule("fallback.2")
    @pytest.mark.parametrize(
        "failure", [OUTAGE, ProviderRefused("balance", 402), CredentialUnresolved("expired")]
    )
    def test_a_failed_provider_is_not_asked_again(self, failure: AttemptFailure) -> None:
        """After a failure of the provider its other models are left out."""
        assert _search((P_A, P_B, Q_A), _failing({P_A: failure}))[0] == [P_A, Q_A]

    @pytest.mark.rule("fallback.3")
    @pytest.mark.rule("fallback.4")
    @pytest.mark.parametrize("failure", [GONE, NotSearched("no search"), RequestRefused("blocked")])
    def test_a_sibling_stands_in_for_a_failed_model(self, failure: AttemptFailure) -> None:
        """After a failure of a model, or of the request with it, its siblings are still tried."""
        assert _search((P_A, P_B, Q_A), _failing({P_A: failure}))[0] == [P_A, P_B]

    @pytest.mark.rule("fallback.3")
    def test_a_failed_model_is_gone_at_every_address(self) -> None:
        """A model that is offered twice, at two addresses, is one model and fails once."""
        elsewhere = Candidate(
            ChatModel("p", "a", base_url="https://other.example"), Family.GOOGLE, Dialect.GEMINI
        )

        assert _search((P_A, elsewhere, Q_A), _failing({P_A: GONE}))[0] == [P_A, Q_A]

    @pytest.mark.rule("fallback.5")
    def test_a_query_that_is_too_long_ends_the_call(self) -> None:
        """Nobody else is asked; the call's failure is handed out, the earlier ones beside it."""
        too_long = QueryTooLong("at most 128")
        tried, end = _search((P_A, Q_A, R_A), _failing({P_A: OUTAGE, Q_A: too_long}))

        assert tried == [P_A, Q_A]
        assert end == GiveUp(((P_A, OUTAGE), (Q_A, too_long)), too_long)

    @pytest.mark.rule("fallback.6")
    def test_a_skipped_candidate_leaves_no_trace(self) -> None:
        """A candidate without a credential is no failure, and its siblings may have one."""
        tried, end = _search((P_A, P_B), _failing({P_A: SKIPPED, P_B: GONE}))

        assert tried == [P_A, P_B]
        assert end == GiveUp(((P_B, GONE),), None)

    @pytest.mark.rule("fallback.7")
    def test_twelve_attempts_are_enough(self) -> None:
        """A search gives up after twelve attempts, whoever is left."""
        tried, end = _search(MANY, lambda _: Failure(OUTAGE))

        assert tried == list(MANY[:12])
        assert end == GiveUp(tuple((candidate, OUTAGE) for candidate in MANY[:12]), None)
        assert SEARCH_ATTEMPTS == 12

    @pytest.mark.rule("fallback.6")
    @pytest.mark.rule("fallback.7")
    def test_skipped_candidates_do_not_count(self) -> None:
        """A long row without credentials does not keep a search from the one who can."""
        tried, end = _search(MANY, _failing(dict.fromkeys(MANY[:-1], SKIPPED)))

        assert tried == list(MANY)
        assert end == Done({"answer": "yes"}, MANY[-1])

    @pytest.mark.rule("fallback.10")
    def test_with_nobody_to_try_nothing_failed(self) -> None:
        """Without candidates a search gives up at once and has no failures to show."""
        assert SearchFallback.start(()).decide() == GiveUp((), None)


class TestFetch:
    """A fetch goes through the candidates until each URL is answered."""

    @pytest.mark.rule("fallback.11")
    def test_one_candidate_may_answer_all(self) -> None:
        """The first candidate is asked for every URL, and nobody else if it gets them."""
        attempts, end = _fetch((P_A, Q_A), 3, {P_A: _got(0, 1, 2)})

        assert attempts == [Try(P_A, (0, 1, 2))]
        assert end == Finished(
            (Fetched("page 0"), Fetched("page 1"), Fetched("page 2")), (P_A, P_A, P_A), ()
        )

    @pytest.mark.rule("fallback.12")
    def test_six_of_ten_and_then_too_many_requests(self) -> None:
        """What came before a failure stays, the rest goes on, and the failure is on record."""
        busy = ProviderRefused("HTTP 429", 429)
        attempts, end = _fetch(
            (P_A, P_B, Q_A), 10, {P_A: _got(*range(6), failure=busy), Q_A: _got(0, 1, 2, 3)}
        )

        assert attempts == [Try(P_A, tuple(range(10))), Try(Q_A, (6, 7, 8, 9))]
        assert all(isinstance(entry, Fetched) for entry in end.entries)
        assert end.served == (P_A,) * 6 + (Q_A,) * 4
        assert end.failures == ((P_A, busy),)

    @pytest.mark.rule("fallback.13")
    def test_a_url_that_a_provider_could_not_get_goes_to_another_provider(self) -> None:
        """A sibling would ask the same service again, so that the URL passes it by."""
        answer = FetchAnswer({0: Fetched("page"), 1: UrlFailure("HTTP 404")})
        attempts, end = _fetch((P_A, P_B, Q_A), 2, {P_A: answer, Q_A: _got(0)})

        assert attempts == [Try(P_A, (0, 1)), Try(Q_A, (1,))]
        assert end.served == (P_A, Q_A)

    @pytest.mark.rule("fallback.13")
    @pytest.mark.rule("fallback.14")
    def test_a_sibling_gets_what_the_failed_model_left_and_no_more(self) -> None:
        """Of two URLs, one refused and one left open by a failed model, a sibling gets the open."""
        answer = FetchAnswer({0: UrlFailure("HTTP 404")}, GONE)
        attempts, _ = _fetch((P_A, P_B, Q_A), 2, {P_A: answer, P_B: _got(0), Q_A: _got(0)})

        assert attempts == [Try(P_A, (0, 1)), Try(P_B, (1,)), Try(Q_A, (0,))]

    @pytest.mark.rule("fallback.2")
    @pytest.mark.rule("fallback.14")
    def test_a_failed_provider_is_left_out_for_all_urls(self) -> None:
        """After a failure of the provider no URL goes to it again."""
        attempts, _ = _fetch((P_A, P_B, Q_A), 2, {P_A: _got(failure=OUTAGE), Q_A: _got(0, 1)})

        assert attempts == [Try(P_A, (0, 1)), Try(Q_A, (0, 1))]

    @pytest.mark.rule("fallback.14")
    def test_an_answer_that_is_silent_about_a_url_leaves_it_open(self) -> None:
        """A URL that was neither got nor refused goes to the next candidate, sibling or not."""
        attempts, end = _fetch((P_A, P_B), 2, {P_A: _got(1), P_B: _got(0)})

        assert attempts == [Try(P_A, (0, 1)), Try(P_B, (0,))]
        assert end.served == (P_B, P_A)

    @pytest.mark.rule("fallback.15")
    def test_the_last_error_of_a_url_is_its_entry(self) -> None:
        """Of two providers that could not get a URL, the later one is quoted."""
        _, end = _fetch(
            (P_A, Q_A), 1, {P_A: _refused(0, message="HTTP 404"), Q_A: _refused(0, message="gone")}
        )

        assert end.entries == (UrlFailure("gone"),)
        assert end.served == (None,)

    @pytest.mark.rule("fallback.15")
    def test_what_was_said_about_the_url_beats_a_failed_attempt(self) -> None:
        """An outage after a refusal says nothing about the URL, so the refusal is quoted."""
        _, end = _fetch((P_A, Q_A), 1, {P_A: _refused(0), Q_A: _got(failure=OUTAGE)})

        assert end.entries == (UrlFailure("HTTP 404"),)

    @pytest.mark.rule("fallback.15")
    def test_a_url_that_met_only_failed_attempts_quotes_the_last(self) -> None:
        """Without a word about the URL itself, its last failed attempt is quoted."""
        away = Unreachable("connection refused")
        _, end = _fetch((P_A, Q_A), 1, {P_A: _got(failure=OUTAGE), Q_A: _got(failure=away)})

        assert end.entries == (UrlFailure("connection refused"),)
        assert end.failures == ((P_A, OUTAGE), (Q_A, away))

    @pytest.mark.rule("fallback.15")
    @pytest.mark.rule("fallback.6")
    @pytest.mark.parametrize("order", [(), (P_A,)])
    def test_a_url_that_nobody_tried_says_so(self, order: tuple[Candidate, ...]) -> None:
        """Without an attempt, for want of candidates or of credentials, the entry says that."""
        _, end = _fetch(order, 1, {P_A: _got(failure=SKIPPED)})

        assert end == Finished((UrlFailure(NOBODY_LEFT),), (None,), ())

    @pytest.mark.rule("fallback.8")
    def test_six_attempts_are_enough(self) -> None:
        """A fetch gives up after six attempts; skipped candidates are free."""
        answers = {candidate: _refused(0) for candidate in MANY}
        answers[MANY[0]] = answers[MANY[3]] = _got(failure=SKIPPED)

        attempts, end = _fetch(MANY, 1, answers)

        assert [attempt.candidate for attempt in attempts] == list(MANY[:8])
        assert end.entries == (UrlFailure("HTTP 404"),)
        assert FETCH_ATTEMPTS == 6

    @pytest.mark.rule("fallback.5")
    def test_a_query_that_is_too_long_ends_a_fetch_as_well(self) -> None:
        """No fetcher limits the query today; one that did would end the fetch with its message."""
        too_long = QueryTooLong("at most 128")
        attempts, end = _fetch((P_A, Q_A), 2, {P_A: _got(0, failure=too_long)})

        assert attempts == [Try(P_A, (0, 1))]
        assert end.entries == (Fetched("page 0"), UrlFailure("at most 128"))
        assert end.failures == ((P_A, too_long),)

    @pytest.mark.rule("fallback.11")
    def test_entries_that_were_not_asked_for_are_ignored(self) -> None:
        """An answer about a URL beyond those of the attempt changes nothing."""
        _, end = _fetch((P_A,), 1, {P_A: _got(0, 1, 7)})

        assert end.entries == (Fetched("page 0"),)

    @pytest.mark.rule("fallback.16")
    def test_without_urls_there_is_nothing_to_do(self) -> None:
        """A fetch of no URL is finished before it starts."""
        assert FetchFallback.start((P_A,), 0).decide() == Finished((), (), ())

    @pytest.mark.rule("fallback.17")
    def test_time_may_run_out_in_between(self) -> None:
        """What is known so far can be taken at any moment; what is open is empty."""
        answer = FetchAnswer({0: Fetched(None), 1: UrlFailure("HTTP 404")}, OUTAGE)
        fallback = FetchFallback.start((P_A, Q_A), 3).after(P_A, answer)

        assert fallback.so_far() == Finished(
            (Fetched(None), UrlFailure("HTTP 404"), None), (P_A, None, None), ((P_A, OUTAGE),)
        )

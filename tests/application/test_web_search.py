"""One call, from raw arguments to a result, over ports without a world."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    NeverAnswers,
    RecordingObserver,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.application.settings import Settings
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    CredentialUnresolved,
    ModelRefused,
    ProviderRefused,
    QueryTooLong,
    RequestRefused,
    Skipped,
    Unreachable,
)
from native_web_search.domain.family import Operation
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import Fetched, UrlFailure
from native_web_search.domain.policy import CurrentOnly, Only
from native_web_search.domain.preference import Preference, Preferences
from native_web_search.ports.registry import Credential, CredentialAnswer

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
OLLAMA = ChatModel("ollama-cloud", "gpt-oss:120b", "openai-completions", "https://ollama.com/v1")
GOOGLE = ChatModel("google", "gemini-3.8-flash", "google-generative-ai", "https://g.example")
OPENAI = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
OPENAI_2 = ChatModel("openai", "gpt-5.5", "openai-responses", "https://o.example/v1")
LOCAL = ChatModel("local", "llama", "openai-completions", "http://127.0.0.1:1/v1")

URLS = [f"https://page.example/{number}" for number in range(10)]


def registry(*models: ChatModel, current: ChatModel | None = None) -> StaticRegistry:
    keys = {model.provider: Credential("test", key="k") for model in models}
    return StaticRegistry(models, keys, current)


def tool(
    models: StaticRegistry,
    searcher: ScriptedSearcher | NeverAnswers | None = None,
    fetcher: ScriptedFetcher | NeverAnswers | None = None,
    **settings: object,
) -> WebSearch:
    clock = ManualClock()
    return WebSearch(
        registry=models,
        searcher=searcher or ScriptedSearcher(),
        fetcher=fetcher or ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
        settings=Settings(**settings),  # type: ignore[arg-type]
        observer=RecordingObserver(),
    )


class AnswersOneThenHangs(ScriptedFetcher):
    """Tells the first URL's answer and is never done."""

    async def fetch(self, candidate, urls, query, progress, arrived):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        arrived(0, Fetched("page"))
        await asyncio.Event().wait()


def down(message: str = "HTTP 500") -> Failure[ProviderRefused]:
    return Failure(ProviderRefused(message, 500))


@pytest.mark.rule("call.1")
async def test_the_document_holds_query_search_and_pages_in_the_wrapper_of_the_spec() -> None:
    """A search with URLs gives query, search and fetched, in this order, and nothing else."""
    searcher = ScriptedSearcher({"deepseek": [Success({"results": [{"url": "u"}]})]})
    web = tool(registry(DEEPSEEK), searcher)
    result = await web.call({"query": " q ", "urls": URLS[:1]})
    assert not result.is_error
    assert json.loads(result.text) == {
        "query": "q",
        "search": {"results": [{"url": "u"}]},
        "fetched": [{"url": URLS[0], "data": {"title": URLS[0]}}],
    }
    assert list(json.loads(result.text)) == ["query", "search", "fetched"]
    assert result.document == json.loads(result.text)


@pytest.mark.rule("call.2")
async def test_the_current_model_is_tried_first() -> None:
    """The current model leads even though other families come before its own."""
    web = tool(registry(DEEPSEEK, OPENAI, current=OPENAI), searcher := ScriptedSearcher())
    await web.call({"query": "q"})
    assert [name for name, _query in searcher.asked] == ["openai/gpt-5.6-luna"]


@pytest.mark.rule("call.3")
async def test_a_current_model_passed_with_the_call_stands_in_for_the_registrys() -> None:
    """The caller's current model beats the registry's."""
    web = tool(registry(DEEPSEEK, OPENAI, current=DEEPSEEK), searcher := ScriptedSearcher())
    await web.call({"query": "q"}, current=OPENAI)
    assert searcher.asked[0][0] == "openai/gpt-5.6-luna"


@pytest.mark.rule("call.4")
async def test_a_failing_provider_is_fallen_back_from_and_cooled_down() -> None:
    """The next candidate serves; at the next call the failed provider stands behind it."""
    searcher = ScriptedSearcher({"deepseek": [down("HTTP 402: Insufficient Balance")]})
    web = tool(registry(DEEPSEEK, OLLAMA), searcher)
    first = await web.call({"query": "a"})
    await web.call({"query": "b"})
    assert [name for name, _query in searcher.asked] == [
        "deepseek/deepseek-flash",
        "ollama-cloud/gpt-oss:120b",
        "ollama-cloud/gpt-oss:120b",
    ]
    assert first.details["search"] == {"provider": "ollama-cloud", "model": "gpt-oss:120b"}


@pytest.mark.rule("call.5")
async def test_a_missing_model_leaves_its_sibling_in_the_same_call() -> None:
    """A model failure goes on to the sibling; afterwards only that model stands behind."""
    refused = Failure(ModelRefused("no model", 404))
    searcher = ScriptedSearcher({"openai/gpt-5.6-luna": [refused]})
    web = tool(registry(OPENAI, OPENAI_2), searcher)
    assert not (await web.call({"query": "a"})).is_error
    await web.call({"query": "b"})
    names = [name for name, _query in searcher.asked]
    assert names == ["openai/gpt-5.6-luna", "openai/gpt-5.5", "openai/gpt-5.5"]


@pytest.mark.rule("call.6")
async def test_a_query_too_long_ends_the_call_with_that_message_alone() -> None:
    """No fallback, no cooldown, and earlier failures stay in the details."""
    searcher = ScriptedSearcher(
        {"google": [down()], "deepseek": [Failure(QueryTooLong("Search query is too long"))]}
    )
    web = tool(registry(DEEPSEEK, OLLAMA, GOOGLE, current=GOOGLE), searcher)
    result = await web.call({"query": "q"})
    assert result.is_error
    assert result.text == "Search query is too long"
    assert [name for name, _query in searcher.asked] == [
        "google/gemini-3.8-flash",
        "deepseek/deepseek-flash",
    ]
    assert [attempt["outcome"] for attempt in attempts(result)] == ["provider", "call"]
    ledger = await web.health.ledger()
    now = web.clock.monotonic()
    assert not ledger.remaining(Operation.SEARCH, "deepseek", "deepseek-flash", now)


@pytest.mark.rule("call.7")
async def test_twelve_searches_are_the_most() -> None:
    """A thirteenth provider is never asked."""
    models = [
        ChatModel(f"p{n:02}", "gpt-5", "openai-responses", f"https://p{n}.example")
        for n in range(20)
    ]
    searcher = ScriptedSearcher({model.provider: [down()] for model in models})
    result = await tool(registry(*models), searcher).call({"query": "q"})
    assert result.is_error
    assert len(searcher.asked) == 12


@pytest.mark.rule("call.8")
async def test_six_fetches_are_the_most() -> None:
    """A seventh attempt to fetch is never made."""
    models = [
        ChatModel(f"g{n}", "gemini-3-flash", "google-generative-ai", f"https://g{n}.example")
        for n in range(9)
    ]
    fetcher = ScriptedFetcher({model.provider: lambda _url: Unreachable("no") for model in models})
    result = await tool(registry(*models), fetcher=fetcher).call({"urls": URLS[:1]})
    assert result.is_error
    assert len(fetcher.asked) == 6


@pytest.mark.rule("call.9")
async def test_a_failed_search_fails_the_call_and_fetches_nothing() -> None:
    """The error has one line for each attempt, with the provider's name and its message."""
    searcher = ScriptedSearcher(
        {"deepseek": [down("HTTP 500: a")], "openai": [down("HTTP 500: b")]}
    )
    web = tool(registry(DEEPSEEK, OPENAI), searcher, fetcher := ScriptedFetcher())
    result = await web.call({"query": "q", "urls": URLS[:1]})
    assert result.is_error
    assert result.text == "The web search failed:\n- deepseek: HTTP 500: a\n- openai: HTTP 500: b"
    assert fetcher.asked == []


@pytest.mark.rule("call.10")
async def test_six_of_ten_urls_before_a_429_are_kept() -> None:
    """The six are data, the rest go to the next provider, and the cooldown is set."""
    limited = ProviderRefused("HTTP 429: slow down", 429)
    fetcher = ScriptedFetcher({"deepseek": lambda url: Fetched(url) if url < URLS[6] else limited})
    web = tool(registry(DEEPSEEK, OLLAMA), fetcher=fetcher)
    result = await web.call({"urls": URLS})
    assert not result.is_error
    assert [name for name, _urls in fetcher.asked] == [
        "deepseek/deepseek-flash",
        "ollama-cloud/gpt-oss:120b",
    ]
    assert fetcher.asked[1][1] == tuple(URLS[6:])
    assert all("data" in entry for entry in json.loads(result.text)["fetched"])
    served = result.details["fetched"]
    assert isinstance(served, list)
    assert [one["provider"] for one in served] == ["deepseek"] * 6 + ["ollama-cloud"] * 4
    ledger = await web.health.ledger()
    now = web.clock.monotonic()
    assert ledger.remaining(Operation.FETCH, "deepseek", "deepseek-flash", now) == 60


@pytest.mark.rule("call.11")
async def test_the_error_of_urls_alone_lists_attempts_and_urls() -> None:
    """A call for URLs alone that brought nothing says why for each of them."""
    fetcher = ScriptedFetcher({"deepseek": lambda _url: UrlFailure("HTTP 404: gone")})
    result = await tool(registry(DEEPSEEK), fetcher=fetcher).call({"urls": URLS[:2]})
    assert result.is_error
    assert result.text.splitlines()[1:] == [f"- {url}: HTTP 404: gone" for url in URLS[:2]]


@pytest.mark.rule("call.12")
async def test_url_failures_beside_a_successful_search_are_entries() -> None:
    """A search that worked stays a success, whatever became of the URLs."""
    fetcher = ScriptedFetcher({"deepseek": lambda _url: UrlFailure("HTTP 404: gone")})
    web = tool(registry(DEEPSEEK), fetcher=fetcher)
    result = await web.call({"query": "q", "urls": [URLS[0], "ftp://h/", 5]})
    assert not result.is_error
    fetched = json.loads(result.text)["fetched"]
    assert fetched[0] == {"url": URLS[0], "error": "HTTP 404: gone"}
    assert all(set(entry) == {"url", "error"} for entry in fetched)
    assert len(fetched) == 3


@pytest.mark.rule("call.13")
async def test_urls_without_a_usable_fetcher_are_an_error_before_anything_is_sent() -> None:
    """The error says what to do, and the query beside the URLs is not sent either."""
    web = tool(registry(OPENAI), searcher := ScriptedSearcher())
    result = await web.call({"query": "q", "urls": URLS[:1]})
    assert result.is_error
    assert "DEEPSEEK_API_KEY" in result.text
    assert searcher.asked == []


@pytest.mark.rule("call.14")
async def test_with_nobody_to_ask_the_error_names_variables_and_addresses() -> None:
    """A call that slipped through an exposure of HIDDEN tells the user what to set."""
    result = await tool(registry()).call({"query": "q"})
    assert result.is_error
    assert "set DEEPSEEK_API_KEY, from https://platform.deepseek.com/api_keys" in result.text


@pytest.mark.rule("call.15")
async def test_a_skipped_candidate_is_no_attempt() -> None:
    """Who has no credential is passed by: no attempt, no cooldown, no line in an error."""
    searcher = ScriptedSearcher({"deepseek": [Failure(Skipped("none"))]})
    web = tool(registry(DEEPSEEK, OLLAMA), searcher)
    result = await web.call({"query": "q"})
    assert [attempt["provider"] for attempt in attempts(result)] == ["ollama-cloud"]
    assert (await web.health.ledger()).cooldowns == {}


@pytest.mark.rule("call.16")
async def test_a_credential_that_fails_to_resolve_is_a_failed_attempt() -> None:
    """A registry that could not resolve a credential costs an attempt and cools the provider."""
    searcher = ScriptedSearcher({"deepseek": [Failure(CredentialUnresolved("refresh failed"))]})
    web = tool(registry(DEEPSEEK, OLLAMA), searcher)
    result = await web.call({"query": "q"})
    assert attempts(result)[0]["outcome"] == "provider"


@pytest.mark.rule("call.17")
async def test_a_refused_request_cools_nothing() -> None:
    """Content that one provider refuses is offered to the next, and nobody cools."""
    searcher = ScriptedSearcher({"deepseek": [Failure(RequestRefused("blocked", 400))]})
    web = tool(registry(DEEPSEEK, OLLAMA), searcher)
    assert not (await web.call({"query": "q"})).is_error
    assert (await web.health.ledger()).cooldowns == {}


@pytest.mark.rule("call.18")
@pytest.mark.parametrize(
    "error", [KeyError("k"), RecursionError(), UnicodeDecodeError("utf-8", b"", 0, 1, "x")]
)
async def test_an_adapter_that_raises_costs_one_attempt(error: Exception) -> None:
    """What an adapter raises against its contract is a failure of that attempt alone."""

    class Raises(ScriptedSearcher):
        async def search(self, candidate, query, progress):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            if candidate.model.provider == "deepseek":
                raise error
            return await super().search(candidate, query, progress)

    result = await tool(registry(DEEPSEEK, OLLAMA), Raises()).call({"query": "q"})
    assert not result.is_error
    assert attempts(result)[0]["message"] == f"unexpected {type(error).__name__}"


@pytest.mark.rule("call.19")
async def test_cancelling_leaves_no_request_and_no_trace_in_health() -> None:
    """Cancellation propagates; the attempt was cancelled, nothing cools, nobody else is asked."""
    never = NeverAnswers()
    web = tool(registry(DEEPSEEK, OLLAMA), never)
    task = asyncio.create_task(web.call({"query": "q"}))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (never.asked, never.cancelled) == (1, 1)
    assert (await web.health.ledger()).cooldowns == {}


@pytest.mark.rule("call.20")
async def test_the_deadline_ends_an_unfinished_search_with_an_error() -> None:
    """The error names the deadline and the attempts so far; the interrupted one cools nothing."""
    web = tool(registry(DEEPSEEK), never := NeverAnswers(), deadline_ms=30)
    result = await web.call({"query": "q"})
    assert result.is_error
    assert result.text == "The web search did not finish within 0.03 s:\n- deepseek: cancelled"
    assert attempts(result)[0]["outcome"] == "cancelled"
    assert (await web.health.ledger()).cooldowns == {}
    assert never.cancelled == 1


@pytest.mark.rule("call.21")
async def test_the_deadline_keeps_a_finished_search_and_answered_urls() -> None:
    """What was finished is returned; the open URLs say that time ran out."""

    web = tool(registry(DEEPSEEK), fetcher=AnswersOneThenHangs(), deadline_ms=30)
    result = await web.call({"query": "q", "urls": URLS[:2]})
    assert not result.is_error
    fetched = json.loads(result.text)["fetched"]
    assert fetched[0] == {"url": URLS[0], "data": "page"}
    assert fetched[1] == {"url": URLS[1], "error": "not answered within the 0.03 s of this call"}


@pytest.mark.rule("call.22")
async def test_the_serving_models_are_remembered_after_success() -> None:
    """Search and fetch are remembered with the fingerprint of the available models."""
    web = tool(registry(DEEPSEEK, OPENAI, current=OPENAI))
    await web.call({"query": "q", "urls": URLS[:1]})
    stored = web.preferences.load()
    assert stored.search == Preference("openai", "gpt-5.6-luna")
    assert stored.fetch == Preference("deepseek", "deepseek-flash")
    assert stored.fingerprint == (await web.select()).fingerprint


@pytest.mark.rule("call.23")
async def test_nothing_is_remembered_after_a_failure_and_nothing_saved_twice() -> None:
    """A failed call saves nothing, nor does a call that learned nothing new."""
    failing = tool(registry(DEEPSEEK), ScriptedSearcher({"deepseek": [down()]}))
    await failing.call({"query": "q"})
    assert failing.preferences.load() == Preferences()
    web = tool(registry(DEEPSEEK))
    await web.call({"query": "a"})
    await web.call({"query": "b"})
    assert isinstance(web.preferences, MemoryPreferences)
    assert web.preferences.saves == 1


@pytest.mark.rule("call.24")
async def test_an_unsupported_current_model_lets_the_remembered_one_lead() -> None:
    """A current model that cannot search drops out, and the remembered provider is first."""
    web = tool(registry(DEEPSEEK, OPENAI, LOCAL, current=LOCAL), searcher := ScriptedSearcher())
    await web.call({"query": "a"}, current=OPENAI)
    await web.call({"query": "b"})
    assert [name for name, _query in searcher.asked] == ["openai/gpt-5.6-luna"] * 2


@pytest.mark.rule("call.25")
async def test_a_failed_save_fails_no_call() -> None:
    """A store that cannot write is logged and forgotten."""

    class ReadOnly(MemoryPreferences):
        def save(self, preferences: Preferences) -> None:
            raise PermissionError(13, "read only")

    web = tool(registry(DEEPSEEK))
    web.preferences = ReadOnly()
    assert not (await web.call({"query": "q"})).is_error


@pytest.mark.rule("call.26")
async def test_whoever_answered_most_urls_is_remembered() -> None:
    """The fetch preference goes to the provider with most URLs; a tie to the earlier attempt."""

    def first_only(url: str) -> Fetched | UrlFailure:
        return Fetched(url) if url == URLS[0] else UrlFailure("no")

    web = tool(registry(DEEPSEEK, OLLAMA), fetcher=ScriptedFetcher({"deepseek": first_only}))
    await web.call({"urls": URLS[:3]})
    assert web.preferences.load().fetch == Preference("ollama-cloud", "gpt-oss:120b")
    tied = tool(registry(DEEPSEEK, OLLAMA), fetcher=ScriptedFetcher({"deepseek": first_only}))
    await tied.call({"urls": [URLS[1], URLS[0]]})
    assert tied.preferences.load().fetch == Preference("deepseek", "deepseek-flash")


@pytest.mark.rule("call.27")
async def test_search_and_fetch_cool_independently() -> None:
    """A provider whose fetch failed keeps its place in the search order."""
    fetcher = ScriptedFetcher({"deepseek": lambda _url: ProviderRefused("HTTP 500", 500)})
    web = tool(registry(DEEPSEEK, OLLAMA), searcher := ScriptedSearcher(), fetcher)
    await web.call({"urls": URLS[:1]})
    await web.call({"query": "q"})
    assert searcher.asked[0][0] == "deepseek/deepseek-flash"


@pytest.mark.rule("call.28")
async def test_a_fetch_with_one_answer_and_no_transport_error_clears_the_cooldown() -> None:
    """One URL answered and one missing proves the provider healthy again."""
    answers: Iterator[ProviderRefused | Fetched | UrlFailure] = iter(
        [ProviderRefused("HTTP 500", 500), Fetched("a"), UrlFailure("HTTP 404")]
    )
    fetcher = ScriptedFetcher({"deepseek": lambda _url: next(answers)})
    web = tool(registry(DEEPSEEK), fetcher=fetcher)
    await web.call({"urls": URLS[:1]})
    assert (await web.health.ledger()).cooldowns
    await web.call({"urls": URLS[:2]})
    assert not (await web.health.ledger()).cooldowns


@pytest.mark.rule("call.29")
@pytest.mark.parametrize("policy", [CurrentOnly(), Only(frozenset())])
async def test_the_fallback_policy_limits_who_is_asked(policy: CurrentOnly | Only) -> None:
    """Under a narrow policy nobody but the current provider is asked, and the call then fails."""
    searcher = ScriptedSearcher({"openai": [down()]})
    web = tool(registry(DEEPSEEK, OPENAI, current=OPENAI), searcher, fallback=policy)
    result = await web.call({"query": "q"})
    assert result.is_error
    assert {name.partition("/")[0] for name, _query in searcher.asked} == {"openai"}


@pytest.mark.rule("call.30")
async def test_observer_hooks_that_raise_are_ignored() -> None:
    """An observer is told of attempts, failures, cooldowns and answers; its bugs harm nobody."""

    class Clumsy(RecordingObserver):
        def answered(self, operation, candidate, milliseconds):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            raise ValueError

    web = tool(registry(DEEPSEEK, OLLAMA), ScriptedSearcher({"deepseek": [down()]}))
    web.observer = Clumsy()
    assert not (await web.call({"query": "q"})).is_error
    assert isinstance(web.observer, Clumsy)
    assert [what for what, *_rest in web.observer.seen] == [
        "attempting",
        "attempt_failed",
        "cooled_down",
        "attempting",
    ]


@pytest.mark.rule("call.31")
async def test_an_oversized_answer_is_guarded_and_says_so_in_the_details() -> None:
    """Text over the limit is cut, marked and flagged; the whole document stays available."""
    long = {"results": [{"url": "https://e.example/", "content": "x" * 200_000}]}
    web = tool(registry(DEEPSEEK), ScriptedSearcher({"deepseek": [Success(long)]}))
    result = await web.call({"query": "q"})
    assert len(result.text) == 96_000
    assert result.text.endswith("\n[truncated]")
    assert result.details["truncated"] is True
    assert result.document == {"query": "q", "search": long}


@pytest.mark.rule("call.32")
async def test_an_oversized_error_obeys_the_same_limit() -> None:
    """Error texts are cut to the limit with the same marker."""
    searcher = ScriptedSearcher({"deepseek": [down("x" * 2_000)]})
    result = await tool(registry(DEEPSEEK), searcher, max_chars=100).call({"query": "q"})
    assert len(result.text) <= 100
    assert result.text.endswith("\n[truncated]")
    assert result.details["truncated"] is True


@pytest.mark.rule("call.33")
async def test_progress_reaches_the_caller() -> None:
    """Each attempt tells the caller's progress function one line."""
    lines: list[str] = []

    async def note(line: str) -> None:
        lines.append(line)

    await tool(registry(DEEPSEEK)).call({"query": "q", "urls": URLS[:1]}, progress=note)
    assert lines == ["Searching with deepseek", "Analyzing with deepseek"]


@pytest.mark.rule("call.35")
async def test_a_progress_function_that_fails_or_hangs_harms_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a caller's function raises is ignored, and it gets a bounded time."""
    monkeypatch.setattr("native_web_search.application.progress.PROGRESS_SECONDS", 0.01)

    async def fails(_line: str) -> None:
        raise ConnectionError

    async def hangs(_line: str) -> None:
        await asyncio.Event().wait()

    for progress in (None, fails, hangs):
        web = tool(registry(DEEPSEEK))
        assert not (await web.call({"query": "q"}, progress=progress)).is_error
        assert (await web.health.ledger()).cooldowns == {}


@pytest.mark.rule("call.39")
async def test_a_url_given_twice_is_paid_for_once() -> None:
    """Each of its entries has the one answer, and the details name who served it."""
    fetcher = ScriptedFetcher(
        {"deepseek": lambda u: UrlFailure("no") if u == URLS[1] else Fetched(u)}
    )
    web = tool(registry(DEEPSEEK), fetcher=fetcher)
    given = [URLS[0], "ftp://bad/", URLS[1], URLS[0], URLS[2], URLS[1], URLS[0]]
    result = await web.call({"urls": given})
    assert fetcher.asked == [("deepseek/deepseek-flash", (URLS[0], URLS[1], URLS[2]))]
    fetched = json.loads(result.text)["fetched"]
    assert [entry["url"] for entry in fetched] == given
    assert [entry.get("data") for entry in fetched] == [
        *(URLS[0], None, None, URLS[0], URLS[2], None, URLS[0])
    ]
    assert [fetched[at]["error"] for at in (2, 5)] == ["no", "no"]
    served = result.details["fetched"]
    assert isinstance(served, list)
    assert [one is not None for one in served] == [*(True, False, False, True, True, False, True)]


@pytest.mark.rule("call.39")
async def test_a_deadline_treats_a_url_given_twice_alike() -> None:
    """What was answered stands in all its entries, and time ran out for all entries of another."""
    web = tool(registry(DEEPSEEK), fetcher=AnswersOneThenHangs(), deadline_ms=30)
    result = await web.call({"urls": [URLS[0], URLS[1], URLS[0], URLS[1]]})
    late = "not answered within the 0.03 s of this call"
    assert [
        entry.get("data", entry.get("error")) for entry in json.loads(result.text)["fetched"]
    ] == [*("page", late, "page", late)]


@pytest.mark.rule("call.37")
async def test_details_name_who_served_each_entry() -> None:
    """One element for each entry of the document; nobody served a refused URL."""
    result = await tool(registry(DEEPSEEK)).call({"urls": ["ftp://bad/", URLS[0]]})
    assert len(json.loads(result.text)["fetched"]) == 2
    place = {"provider": "deepseek", "model": "deepseek-flash"}
    assert result.details["fetched"] == [None, place]


@pytest.mark.rule("call.38")
async def test_no_word_of_a_foreign_exception_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Its text may hold a key; the log has its type and where it came from."""
    caplog.set_level("DEBUG")
    secret = "refresh_token=" + "CANARY"

    class Leaks(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            raise ValueError(secret)

        def available(self) -> tuple[ChatModel, ...]:
            return ()

    web = tool(Leaks((), {}, OPENAI))
    assert await web.tool_spec() is None
    assert "ValueError" in caplog.text
    assert "CANARY" not in caplog.text


@pytest.mark.rule("call.34")
async def test_no_exception_but_cancellation_leaves_a_call() -> None:
    """Even a registry that breaks its contract gives an error result."""

    class Broken(StaticRegistry):
        def available(self) -> tuple[ChatModel, ...]:
            raise RuntimeError("secret detail")  # noqa: EM101, TRY003

    result = await tool(Broken((), {})).call({"query": "q"})
    assert result.is_error
    assert "secret detail" not in result.text


def attempts(result: object) -> list[dict[str, object]]:
    details = getattr(result, "details")  # noqa: B009
    found = details["attempts"]
    assert isinstance(found, list)
    return found

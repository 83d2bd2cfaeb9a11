"""Laws of the simulator: it answers anything, always the same way, and loses no byte."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.simulator.catalogue import PROVIDERS, error_answer, usual_answer
from native_web_search.adapters.simulator.corpus import Corpus, Page, bundled, search, words
from native_web_search.adapters.simulator.exchange import (
    CUTS,
    TAIL,
    Answer,
    SeenRequest,
    compact,
    in_pieces,
)
from native_web_search.adapters.simulator.keys import (
    ANTIGRAVITY_BEARER,
    ANTIGRAVITY_PROJECT,
    CODEX_ACCOUNT,
    key_of,
)

ROUTES = {
    "deepseek": ("/v1/tools/search", "/v1/tools/fetch"),
    "ollama-cloud": ("/api/web_search", "/api/web_fetch"),
    "google": (
        "/v1beta/models/gemini-3.5-flash:streamGenerateContent",
        "/v1beta/models/gemini-3.5-flash:generateContent",
    ),
    "antigravity": ("/v1internal:streamGenerateContent",),
    "openai": ("/v1/responses",),
    "azure": ("/openai/v1/responses",),
    "openai-codex": ("/responses",),
    "github-copilot": ("/responses", "/v1/messages"),
    "opencode": ("/v1/responses",),
    "xai": ("/v1/responses",),
    "anthropic": ("/v1/messages",),
}

# Enough to come in at every door, so that the bodies are looked at.
OPEN: Mapping[str, str] = {
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    "chatgpt-account-id": CODEX_ACCOUNT,
    "copilot-integration-id": "vscode-chat",
    "editor-version": "vscode/1.107.0",
    "originator": "codex_cli_rs",
    "user-agent": "antigravity/hub/2.8.0 linux/x64",
    "x-opencode-session": "session-1",
}

# Words of the wires, so that arbitrary bodies come near to real ones.
_NAMES = """
query count need_content url max_results model input content text type tools include stream store
instructions messages max_tokens contents parts role project request google_search url_context
file_data file_uri tool_choice reasoning system name
"""
_VALUES = """
web_search web_search_20260209 gpt-5 grok-4 claude-sonnet-5 gemini-3.5-flash user cooldown
web_search_call.results https://docs.example/cooldown \ud800
"""
NAMES, VALUES = _NAMES.split(), _VALUES.split()


def _keys(provider: str) -> dict[str, str]:
    match provider:
        case "azure":
            return {"api-key": key_of("azure")}
        case "antigravity":
            return {"authorization": f"Bearer {ANTIGRAVITY_BEARER}"}
        case "google":
            return {"x-goog-api-key": key_of("google")}
        case _:
            return {"authorization": f"Bearer {key_of(provider)}"}


def _json() -> st.SearchStrategy[object]:
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(VALUES),
        st.text(max_size=20),
    )
    names = st.sampled_from(NAMES) | st.text(max_size=5)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5),
        max_leaves=10,
    )


@st.composite
def requests(draw: st.DrawFn) -> SeenRequest:
    """A request that came in at some provider's door, with any JSON for a body."""
    provider = draw(st.sampled_from(sorted(ROUTES)))
    prefix = PROVIDERS[provider].base.split("/")[1]
    path = f"/{prefix}{draw(st.sampled_from(ROUTES[provider]))}"
    body: object = draw(st.dictionaries(st.sampled_from(NAMES), _json()) | _json())
    if isinstance(body, dict):
        known = {"project": ANTIGRAVITY_PROJECT, "model": draw(st.sampled_from(VALUES))}
        body = {**draw(st.sampled_from([{}, known])), **body}
    query = draw(st.sampled_from([{}, {"alt": "sse"}]))
    return SeenRequest(
        provider, "POST", path, query, {**OPEN, **_keys(provider)}, body, compact(body)
    )


def _is_told(answer: Answer) -> bool:
    """Whether a body is what its content type says."""
    text = answer.body.decode()
    match answer.content_type:
        case "application/json":
            json.loads(text)
            return True
        case "text/event-stream":
            lines = text.replace("\r\n", "\n").split("\n")
            data = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
            return bool(data)
        case _:
            return bool(text)


@pytest.mark.rule("simulator.13")
class TestAnswersAnything:
    """Whatever arrives, a provider has an answer."""

    @given(requests())
    def test_any_body_gets_a_well_formed_answer(self, seen: SeenRequest) -> None:
        """No JSON makes a provider raise, and what it says can be read."""
        answer = usual_answer(seen, bundled())
        assert 200 <= answer.status < 500
        assert _is_told(answer)

    @given(st.sampled_from(["", *PROVIDERS]), st.integers(300, 999))
    def test_any_status_gets_words(self, provider: str, status: int) -> None:
        """Every provider has something to say with every status."""
        answer = error_answer(provider, status)
        assert answer.status == status
        assert _is_told(answer)


@pytest.mark.rule("simulator.5")
class TestSameAnswer:
    """The same request gets the same answer, byte for byte."""

    @given(requests())
    def test_asking_twice_changes_nothing(self, seen: SeenRequest) -> None:
        """Nothing is remembered between requests, and nothing is random."""
        assert usual_answer(seen, bundled()) == usual_answer(seen, bundled())


@pytest.mark.rule("simulator.10")
class TestPieces:
    """Cutting a body loses nothing."""

    @given(st.integers(0, 60_000))
    def test_pieces_add_up(self, size: int) -> None:
        """Joined they are the body, none is empty but that of an empty body, the tail is whole."""
        body = bytes(number % 251 for number in range(size))
        pieces = in_pieces(body)
        assert b"".join(pieces) == body
        assert all(pieces) or not body
        assert len(pieces[-1]) >= min(size, TAIL)
        assert all(len(piece) <= max(CUTS) + TAIL for piece in pieces)


@pytest.mark.rule("simulator.5")
class TestSearch:
    """A page is found by what it says."""

    @given(st.lists(st.text(max_size=40), min_size=1, max_size=6), st.text(max_size=20))
    def test_exactly_the_pages_that_say_a_word_of_the_query_are_found(
        self, texts: list[str], query: str
    ) -> None:
        """No page without a word of the query, none with one is missing."""
        corpus = Corpus.of(Page(f"https://{n}.example/", "", text) for n, text in enumerate(texts))
        asked = set(words(query))
        saying = {
            f"https://{n}.example/" for n, text in enumerate(texts) if asked & set(words(text))
        }
        hits = search(corpus, query, len(texts))
        assert {hit.page.url for hit in hits} == saying
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    @given(st.permutations(range(6)), st.sampled_from(["a b", "c", "a d e", "f f"]))
    def test_the_order_of_the_pages_does_not_matter(self, order: list[int], query: str) -> None:
        """A corpus is a set: results are the same however it is listed."""
        texts = ["bb b c", "c c d", "d e", "e f f", "b f", "x y z"]
        pages = [Page(f"https://{n}.example/", "t", text) for n, text in enumerate(texts)]
        shuffled = [pages[index] for index in order]
        assert search(Corpus.of(pages), query, 6) == search(Corpus.of(shuffled), query, 6)

    @given(st.integers(0, 20), st.text(max_size=20))
    def test_fewer_results_are_the_best_ones(self, count: int, query: str) -> None:
        """A smaller count gives a beginning of the longer list."""
        assert search(bundled(), query, count) == search(bundled(), query, 20)[:count]

"""Ollama Cloud's search and fetch, from question to request and from response to answer."""

import json

import pytest

from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.ollama import CODEC
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    CredentialUnresolved,
    ProviderRefused,
    RequestRefused,
    Unreachable,
    Unreadable,
)
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure
from native_web_search.ports.http import HttpRequest, ResponseHead
from native_web_search.ports.registry import Credential

KEY = "ollama-CANARY-0123456789"
URL = "https://example.org/a"
USED_UP = "the answer is empty, most likely because the usage quota of the account is used up"

RAW_SEARCH = b'{"results":[{"title":"T","url":"http://e.org","content":"c","x":[1.0]}],"y":null}'
RAW_PAGE = b'{"title":"T","content":"c","links":["http://e.org/1"],"url":"http://e.org"}'


def ask(base_url: str = "https://ollama.com/v1", key: str | None = KEY) -> Ask:
    """An attempt at a model of Ollama Cloud."""
    model = ChatModel("ollama-cloud", "gpt-oss:120b", base_url=base_url)
    candidate = Candidate(model, Family.OLLAMA, Dialect.NATIVE)
    return Ask(candidate, Credential("a test", key), "session", "native-web-search/1")


def sent(encoded: Encoded) -> HttpRequest:
    """The request of a successful encoding."""
    match encoded:
        case Success(request):
            return request
        case Failure(failure):
            pytest.fail(f"nothing to send: {failure}")


def search(query: str, asked: Ask | None = None) -> Encoded:
    """The encoded search."""
    return CODEC.search.encode(asked or ask(), query)


def fetch(url: str, asked: Ask | None = None) -> Encoded:
    """The encoded fetch of one URL, with a query beside it that Ollama has no use for."""
    assert CODEC.fetch is not None
    return CODEC.fetch.encode(asked or ask(), (url,), "what does it say?")


def searched(status: int, body: bytes) -> SearchOutcome:
    """The decoded response of a search."""
    decoder = CODEC.search.decoder()
    decoder.begin(ResponseHead(status, {"content-type": "application/json"}))
    decoder.feed(body)
    return decoder.end()


def fetched(status: int, body: bytes) -> FetchAnswer:
    """The decoded response of a fetch."""
    assert CODEC.fetch is not None
    decoder = CODEC.fetch.decoder((URL,))
    decoder.begin(ResponseHead(status))
    decoder.feed(body)
    return decoder.end()


class TestRequests:
    """What is sent."""

    @pytest.mark.rule("ollama.1")
    def test_a_search_posts_the_query_and_the_most_results_there_are(self) -> None:
        """Address, body and headers are those of the documented interface, and nothing more."""
        request = sent(search("\n 你好 site:a.com "))

        assert request.url == "https://ollama.com/api/web_search"
        assert request.body == '{"query":"你好 site:a.com","max_results":10}'.encode()
        assert dict(request.headers) == {
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "native-web-search/1",
        }

    @pytest.mark.rule("ollama.1")
    def test_a_query_has_no_limit_of_its_own(self) -> None:
        """What DeepSeek refuses for its length goes out here."""
        assert json.loads(sent(search("é" * 5_000)).body)["query"] == "é" * 5_000

    @pytest.mark.rule("ollama.2")
    def test_a_fetch_posts_one_url_as_it_was_given(self) -> None:
        """One request carries one URL, unencoded, and no query."""
        assert CODEC.fetch is not None
        assert CODEC.fetch.one_url_a_request
        request = sent(fetch("https://example.org/路径?q=é"))
        assert request.url == "https://ollama.com/api/web_fetch"
        assert request.body == '{"url":"https://example.org/路径?q=é"}'.encode()

    @pytest.mark.rule("ollama.3")
    @pytest.mark.parametrize(
        ("base", "root"),
        [
            ("https://ollama.com", "https://ollama.com"),
            ("https://ollama.com/", "https://ollama.com"),
            ("https://ollama.com/v1", "https://ollama.com"),
            ("https://ollama.com:443/v12/", "https://ollama.com:443"),
            ("https://proxy.example/o/v1", "https://proxy.example/o"),
            ("https://ollama.com/api", "https://ollama.com/api"),
            ("https://ollama.com/v", "https://ollama.com/v"),
            ("https://ollama.com/v1beta", "https://ollama.com/v1beta"),
            ("https://ollama.com/v٣", "https://ollama.com/v٣"),
            ("https://ollama.com/V1", "https://ollama.com/V1"),
            ("http://v1", "http://v1"),
        ],
    )
    def test_only_a_version_at_the_end_of_the_base_url_goes(self, base: str, root: str) -> None:
        """`/vN` of any number is dropped; every other path is a prefix that stays."""
        assert sent(search("q", ask(base))).url == f"{root}/api/web_search"
        assert sent(fetch(URL, ask(base))).url == f"{root}/api/web_fetch"

    @pytest.mark.rule("rest.1")
    def test_an_empty_base_url_fails_before_anything_is_sent(self) -> None:
        """There is no default address to send a key to."""
        assert search("q", ask("")) == Failure(Unreachable("no base URL is configured"))

    @pytest.mark.rule("rest.3")
    def test_without_a_key_nothing_is_sent(self) -> None:
        """The provider is never called unauthenticated."""
        refused = Failure(CredentialUnresolved("neither a key nor an authentication header"))
        assert search("q", ask(key=None)) == refused
        assert fetch(URL, ask(key=None)) == refused


class TestSearchAnswer:
    """What a response to a search means."""

    @pytest.mark.rule("rest.5")
    def test_the_payload_is_what_the_provider_said(self) -> None:
        """Unknown fields survive, inside the results and beside them."""
        match searched(200, RAW_SEARCH):
            case Success(payload):
                assert json.dumps(payload) == json.dumps(json.loads(RAW_SEARCH))
            case Failure(failure):
                pytest.fail(f"not accepted: {failure}")

    @pytest.mark.rule("rest.6")
    def test_an_empty_list_is_a_search_without_hits(self) -> None:
        """Honest zero hits are a success."""
        assert searched(200, b'{"results": []}') == Success({"results": []})

    @pytest.mark.rule("ollama.4")
    @pytest.mark.parametrize("body", [b"", b"\n"])
    def test_an_empty_success_is_a_used_up_quota(self, body: bytes) -> None:
        """The provider has no other way to say it, so the message does."""
        assert searched(200, body) == Failure(Unreadable(USED_UP))

    @pytest.mark.rule("ollama.5")
    @pytest.mark.parametrize(
        "body", [b"404 page not found", b"<html>", b'{"results": null}', b"[]", b"{"]
    )
    def test_a_success_without_results_is_unreadable(self, body: bytes) -> None:
        """What the interface does not promise is no answer."""
        assert isinstance(searched(200, body).failure(), Unreadable)

    @pytest.mark.rule("ollama.5")
    @pytest.mark.parametrize(
        ("status", "body", "message"),
        [
            (400, b'{"error":"missing request body"}', "HTTP 400: missing request body"),
            (401, b'{"error":"unauthorized","signin_url":"x"}', "HTTP 401: unauthorized"),
            (403, b'{"error":"ollama cloud is disabled"}', "HTTP 403: ollama cloud is disabled"),
            (404, b"<!doctype html>", "HTTP 404: an HTML page instead of an answer"),
            (429, b'{"error":"rate limit exceeded"}', "HTTP 429: rate limit exceeded"),
            (502, b"", "HTTP 502"),
            (503, b'{"error":"Server overloaded"}', "HTTP 503: Server overloaded"),
        ],
    )
    def test_every_failed_search_is_the_providers(
        self, status: int, body: bytes, message: str
    ) -> None:
        """The error is a plain string, and it is shown with its status."""
        assert searched(status, body) == Failure(ProviderRefused(message, status))

    @pytest.mark.rule("ollama.5")
    def test_a_search_that_is_too_large_is_about_this_request(self) -> None:
        """A 413 says nothing about the health of the provider."""
        assert searched(413, b"") == Failure(RequestRefused("HTTP 413", 413))

    @pytest.mark.rule("rest.8")
    def test_an_error_inside_a_success_is_a_failure(self) -> None:
        """A string under `error` in a 200 is a refusal."""
        assert searched(200, b'{"error":"limit"}') == Failure(ProviderRefused("limit"))

    @pytest.mark.rule("rest.9")
    def test_a_redirect_is_reported_and_not_followed(self) -> None:
        """The old host of the interface redirects, and a POST would lose its body."""
        assert searched(301, b"") == Failure(Unreadable("HTTP 301: unexpected redirect to nowhere"))


class TestFetchAnswer:
    """What a response to a fetch means."""

    @pytest.mark.rule("rest.5")
    @pytest.mark.parametrize(
        "body", [RAW_PAGE, b'{"title":null,"content":null}', b'{"content":""}']
    )
    def test_the_page_is_what_the_provider_said(self, body: bytes) -> None:
        """With or without links, and without judging how much content there is."""
        assert fetched(200, body) == FetchAnswer({0: Fetched(json.loads(body))})

    @pytest.mark.rule("ollama.6")
    @pytest.mark.parametrize("status", [401, 402, 429, 503])
    def test_some_statuses_are_the_providers(self, status: int) -> None:
        """Account and overload leave the URL pending."""
        assert fetched(status, b'{"error":"no"}') == FetchAnswer(
            {}, ProviderRefused(f"HTTP {status}: no", status)
        )

    @pytest.mark.rule("ollama.6")
    @pytest.mark.parametrize("status", [400, 403, 404, 408, 413, 418, 422, 500, 502, 504, 599])
    def test_every_other_status_is_about_the_url_alone(self, status: int) -> None:
        """The entry is the error, and nothing is said about the provider."""
        assert fetched(status, b'{"error":"no"}') == FetchAnswer(
            {0: UrlFailure(f"HTTP {status}: no")}
        )

    @pytest.mark.rule("ollama.6")
    @pytest.mark.parametrize("status", [101, 199])
    def test_what_is_no_error_is_the_providers_too(self, status: int) -> None:
        """An interim answer that stays the last word says nothing about the page."""
        assert fetched(status, b"") == FetchAnswer({}, ProviderRefused(f"HTTP {status}", status))

    @pytest.mark.rule("rest.9")
    @pytest.mark.parametrize("status", [300, 301, 302, 304, 307, 308])
    def test_a_redirect_says_nothing_about_the_url(self, status: int) -> None:
        """It is the provider's address that moved."""
        assert fetched(status, b"") == FetchAnswer(
            {}, Unreadable(f"HTTP {status}: unexpected redirect to nowhere")
        )

    @pytest.mark.rule("ollama.4")
    def test_an_empty_success_is_a_used_up_quota(self) -> None:
        """Fetch runs dry in the same way as search."""
        assert fetched(200, b"") == FetchAnswer({}, Unreadable(USED_UP))

    @pytest.mark.rule("rest.7")
    @pytest.mark.parametrize("body", [b"{}", b"[]", b"plain text", b'{"links":[]}'])
    def test_a_success_that_is_no_page_leaves_the_url_pending(self, body: bytes) -> None:
        """It is unreadable, and another provider may get the page."""
        answer = fetched(200, body)
        assert not answer.entries
        assert isinstance(answer.failure, Unreadable)

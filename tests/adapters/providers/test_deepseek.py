"""DeepSeek's search and fetch, from question to request and from response to answer."""

import json

import pytest

from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.deepseek import CODEC
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    CredentialUnresolved,
    ModelRefused,
    ProviderRefused,
    QueryTooLong,
    RequestRefused,
)
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure
from native_web_search.ports.http import HttpRequest, ResponseHead
from native_web_search.ports.registry import Credential

BASE = "https://api.deepseek.com"
KEY = "sk-CANARY-0123456789"
URL = "https://example.org/a"


def ask(base_url: str = BASE, key: str | None = KEY) -> Ask:
    """An attempt at a DeepSeek model."""
    model = ChatModel("deepseek", "deepseek-chat", base_url=base_url)
    candidate = Candidate(model, Family.DEEPSEEK, Dialect.NATIVE)
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
    """The encoded fetch of one URL, with a query beside it that DeepSeek has no use for."""
    assert CODEC.fetch is not None
    return CODEC.fetch.encode(asked or ask(), (url,), "what does it say?")


def searched(status: int, body: bytes, **headers: str) -> SearchOutcome:
    """The decoded response of a search."""
    decoder = CODEC.search.decoder()
    decoder.begin(ResponseHead(status, headers))
    decoder.feed(body)
    return decoder.end()


def fetched(status: int, body: bytes) -> FetchAnswer:
    """The decoded response of a fetch."""
    assert CODEC.fetch is not None
    decoder = CODEC.fetch.decoder((URL,))
    decoder.begin(ResponseHead(status))
    decoder.feed(body)
    return decoder.end()


def openai_error(message: str, code: str = "invalid_request_error") -> bytes:
    """An error body in the shape that DeepSeek shares with OpenAI."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return json.dumps({"error": error}).encode()


class TestSearchRequest:
    """What is sent to search."""

    @pytest.mark.rule("deepseek.1")
    def test_a_search_posts_the_query_the_count_and_the_wish_for_content(self) -> None:
        """Address, body and headers are those of the documented interface, and nothing more."""
        request = sent(search("DeepSeek V4 模型 发布"))

        assert request.url == "https://api.deepseek.com/v1/tools/search"
        assert request.body == (
            '{"query":"DeepSeek V4 模型 发布","count":10,"need_content":true}'.encode()
        )
        assert dict(request.headers) == {
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "native-web-search/1",
        }

    @pytest.mark.rule("deepseek.2")
    def test_white_space_around_the_query_goes_and_operators_stay(self) -> None:
        """What JavaScript trims is trimmed, nothing else, and the inside is not touched."""
        query = '\ufeff\u3000 \x85site:a.com  OR -site:b.com "c  d"\u200b\n'

        assert json.loads(sent(search(query)).body)["query"] == (
            '\x85site:a.com  OR -site:b.com "c  d"\u200b'
        )

    @pytest.mark.rule("deepseek.3")
    @pytest.mark.parametrize("unit", ["a", "中", "😀", "\ud800", "\u0301"])
    def test_128_code_points_are_sent_and_129_are_not(self, unit: str) -> None:
        """The limit counts code points after trimming, whatever their size elsewhere."""
        assert json.loads(sent(search(f" {unit * 128} ")).body)["query"] == unit * 128
        assert search(unit * 129) == Failure(
            QueryTooLong(
                "Search query is too long (129 Unicode characters). "
                "The maximum is 128 Unicode characters. Shorten the query and retry."
            )
        )

    @pytest.mark.rule("deepseek.3")
    def test_the_message_tells_the_length_of_the_query(self) -> None:
        """The model that asked learns how much too long its query was."""
        match search("é" * 4_000 + " "):
            case Failure(QueryTooLong(message)):
                assert message.startswith("Search query is too long (4000 Unicode characters).")
            case other:
                pytest.fail(f"not refused: {other}")

    @pytest.mark.rule("deepseek.3")
    def test_a_query_is_only_too_long_for_a_provider_that_could_be_asked(self) -> None:
        """Without a key or an address the attempt fails for that reason and the call goes on."""
        assert search("a" * 129, ask(key=None)) == Failure(
            CredentialUnresolved("neither a key nor an authentication header")
        )


class TestAddress:
    """Which address a base URL leads to."""

    @pytest.mark.rule("deepseek.4")
    @pytest.mark.parametrize(
        ("base", "address"),
        [
            ("https://api.deepseek.com", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/v1", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/v1//", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/anthropic", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/anthropic/", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/anthropic/v1", "https://api.deepseek.com/v1/tools/search"),
            ("https://api.deepseek.com/anthropic/v1/", "https://api.deepseek.com/v1/tools/search"),
            ("https://proxy.example:8443/ds/v1/", "https://proxy.example:8443/ds/v1/tools/search"),
            ("http://[::1]:80/a/anthropic", "http://[::1]:80/a/v1/tools/search"),
            ("https://h/beta", "https://h/beta/v1/tools/search"),
            ("https://h/v10", "https://h/v10/v1/tools/search"),
            ("https://h/xv1", "https://h/xv1/v1/tools/search"),
            ("https://h/v1/v1", "https://h/v1/v1/tools/search"),
            ("https://h/v1/anthropic", "https://h/v1/v1/tools/search"),
            ("http://v1", "http://v1/v1/tools/search"),
            ("http://anthropic/v1", "http://anthropic/v1/tools/search"),
        ],
    )
    def test_the_chat_route_at_the_end_goes_and_everything_before_it_stays(
        self, base: str, address: str
    ) -> None:
        """Search and fetch live at the same root, whatever route was configured for chat."""
        assert sent(search("q", ask(base))).url == address
        assert sent(fetch(URL, ask(base))).url == address.replace("/search", "/fetch")


class TestSearchAnswer:
    """What a response to a search means."""

    @pytest.mark.rule("rest.5")
    def test_the_payload_is_what_the_provider_said(self) -> None:
        """Scores without a fraction, nulls and unknown fields included."""
        result = '{"rerank_score":0,"title":"T","content":"","date":null,"authority":-1,"x":{}}'
        body = f'{{"results":[{result}],"x_usage":{{"cost":0.75}}}}'.encode()
        match searched(200, body):
            case Success(payload):
                assert json.dumps(payload) == json.dumps(json.loads(body))
            case Failure(failure):
                pytest.fail(f"not accepted: {failure}")

    @pytest.mark.rule("deepseek.5")
    @pytest.mark.parametrize(
        ("status", "body"),
        [
            (400, openai_error("'count' must be between 1 and 50")),
            (401, openai_error("Authentication Fails (no such user)")),
            (402, openai_error("Insufficient Balance")),
            (403, openai_error("forbidden")),
            (404, openai_error("not found")),
            (408, openai_error("timeout")),
            (422, openai_error("unprocessable")),
            (429, openai_error("Rate limit reached")),
            (500, b""),
            (503, openai_error("no available channels for model deepseek-search")),
            (504, b"<html>gateway</html>"),
        ],
    )
    def test_a_search_error_is_the_providers(self, status: int, body: bytes) -> None:
        """Every other candidate of the provider would meet it as well; the status is named."""
        match searched(status, body):
            case Failure(ProviderRefused(message, status=kept)):
                assert kept == status
                assert message.startswith(f"HTTP {status}")
            case other:
                pytest.fail(f"not the provider's: {other}")

    @pytest.mark.rule("deepseek.5")
    def test_the_message_of_the_provider_is_shown_with_its_status(self) -> None:
        """Not the raw JSON, and with the time that a header asks for."""
        assert searched(402, openai_error("Insufficient Balance")) == Failure(
            ProviderRefused("HTTP 402: Insufficient Balance", 402)
        )
        limited = searched(429, openai_error("slow down"), **{"retry-after": "5"})
        assert limited == Failure(ProviderRefused("HTTP 429: slow down", 429, 5.0))

    @pytest.mark.rule("deepseek.6")
    @pytest.mark.parametrize(
        ("status", "body"),
        [
            (400, openai_error("Content Exists Risk")),
            (400, b'{"detail": "Content Exists Risk"}'),
            (403, openai_error("no", "content_policy_violation")),
            (403, openai_error("no", "security_risk")),
            (413, b""),
        ],
    )
    def test_refused_content_is_about_this_request(self, status: int, body: bytes) -> None:
        """Moderation and size say nothing about the health of the provider."""
        assert isinstance(searched(status, body).failure(), RequestRefused)

    @pytest.mark.rule("deepseek.6")
    @pytest.mark.parametrize("status", [403, 404])
    def test_a_missing_model_is_about_that_model(self, status: int) -> None:
        """A gateway that routes by model names it with a code."""
        refused = searched(status, openai_error("no access", "model_not_found"))
        assert refused == Failure(ModelRefused(f"HTTP {status}: no access", status))


class TestFetch:
    """One page a request."""

    @pytest.mark.rule("deepseek.7")
    def test_one_url_travels_alone(self) -> None:
        """The caller sends one request for each URL, and no query with it."""
        assert CODEC.fetch is not None
        assert CODEC.fetch.one_url_a_request
        request = sent(fetch(URL))
        assert request.url == "https://api.deepseek.com/v1/tools/fetch"
        assert request.body == b'{"url":"https://example.org/a"}'
        assert ("Authorization", f"Bearer {KEY}") in request.headers

    @pytest.mark.rule("rest.5")
    def test_the_page_is_what_the_provider_said(self) -> None:
        """An empty title is no fault, and how much content there is is not judged."""
        page = {"title": "", "content": "# T\n\ntext", "x_final_url": None}
        assert fetched(200, json.dumps(page).encode()) == FetchAnswer({0: Fetched(page)})

    @pytest.mark.rule("deepseek.8")
    @pytest.mark.parametrize("status", [400, 403, 404, 413, 422])
    def test_some_statuses_are_about_the_url_alone(self, status: int) -> None:
        """The entry is the error, and nothing is said about the provider."""
        assert fetched(status, openai_error("failed to fetch URL")) == FetchAnswer(
            {0: UrlFailure(f"HTTP {status}: failed to fetch URL")}
        )

    @pytest.mark.rule("deepseek.8")
    @pytest.mark.parametrize("status", [401, 402, 408, 410, 418, 429, 500, 502, 503, 504, 599])
    def test_every_other_status_leaves_the_url_pending(self, status: int) -> None:
        """The provider failed, and another one may get the page."""
        assert fetched(status, openai_error("no")) == FetchAnswer(
            {}, ProviderRefused(f"HTTP {status}: no", status)
        )

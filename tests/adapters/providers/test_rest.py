"""What the interfaces without a model have in common, on an interface made up for the test."""

import json
import re

import pytest

from native_web_search.adapters.providers.classify import Rule
from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.rest import RestInterface, rest_codec
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    ModelRefused,
    ProviderRefused,
    Scope,
    Unreachable,
    Unreadable,
)
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure
from native_web_search.ports.http import HttpRequest, ResponseHead
from native_web_search.ports.registry import Credential

BASE = "https://api.example"
KEY = "sk-CANARY-0123456789"

INTERFACE = RestInterface(
    surplus=re.compile(r"(?:/chat)?\Z"),
    rules=(Rule(Scope.MODEL, signs=frozenset({"model_not_found"})),),
    is_about_url=lambda status: status == 404,
    empty="nothing came",
)

RAW_SEARCH = (
    r'{"results":[{"score":0,"title":"T 中文 \ud83d\ude00","site":null,"n":-1,'
    r'"x_future":{"k":[1.0,null]}}],"x_usage":{"cost":0.75}}'
).encode()
RAW_PAGE = b'{"title":"","content":"# T\\n\\ntext","x_final_url":null}'


def ask(
    base_url: str = BASE,
    key: str | None = KEY,
    model_headers: tuple[tuple[str, str], ...] = (),
    headers: tuple[tuple[str, str], ...] = (),
    moved_to: str | None = None,
) -> Ask:
    """An attempt at some model."""
    model = ChatModel("example", "any", base_url=base_url, headers=model_headers)
    candidate = Candidate(model, Family.DEEPSEEK, Dialect.NATIVE)
    return Ask(candidate, Credential("a test", key, headers, moved_to), "session", "ours/1")


def request(asked: Ask, document: dict[str, object] | None = None) -> Encoded:
    """The encoded request of a document."""
    return INTERFACE.request(asked, "/tool", document or {})


def request_of_a_query(asked: Ask, query: str) -> Encoded:
    """The encoded search."""
    return request(asked, {"query": query})


def sent(encoded: Encoded) -> HttpRequest:
    """The request of a successful encoding."""
    match encoded:
        case Success(ready):
            return ready
        case Failure(failure):
            pytest.fail(f"nothing to send: {failure}")


def searched(status: int, body: bytes, **headers: str) -> SearchOutcome:
    """The decoded response of a search."""
    return INTERFACE.searched(ResponseHead(status, headers), body)


def fetched(status: int, body: bytes) -> FetchAnswer:
    """The decoded response of a fetch."""
    return INTERFACE.fetched(ResponseHead(status), body)


def error(message: str, code: str | None = None) -> bytes:
    """An error body with a message and a code."""
    return json.dumps({"error": {"message": message, "code": code}}).encode()


class TestAddress:
    """Which address a base URL leads to."""

    @pytest.mark.rule("rest.1")
    @pytest.mark.parametrize(
        ("base", "address"),
        [
            ("https://api.example", "https://api.example/tool"),
            ("https://api.example//chat//", "https://api.example/tool"),
            ("http://[::1]:80/a/b/chat", "http://[::1]:80/a/b/tool"),
            ("https://h/chat/x", "https://h/chat/x/tool"),
            ("http://chat", "http://chat/tool"),
            ("HTTPS://H/chat?team=/chat#part", "HTTPS://H/tool?team=/chat"),
            (" https://h/chat\n", "https://h/tool"),
        ],
    )
    def test_origin_prefix_and_query_of_the_base_url_stay(self, base: str, address: str) -> None:
        """What is surplus goes only from the end of the path; slashes there do not matter."""
        assert sent(request(ask(base))).url == address

    @pytest.mark.rule("rest.1")
    def test_the_credential_may_send_us_elsewhere(self) -> None:
        """A base URL of the credential stands in place of the model's."""
        assert sent(request(ask(moved_to="https://eu.example/"))).url == "https://eu.example/tool"

    @pytest.mark.rule("rest.1")
    @pytest.mark.parametrize(
        ("base", "message"),
        [
            ("", "no base URL is configured"),
            (" \n", "no base URL is configured"),
            ("api.deepseek.com", "the base URL is no http or https address"),
            ("ftp://u:secret@h/", "the base URL is no http or https address"),
            ("https:///v1", "the base URL is no http or https address"),
        ],
    )
    def test_a_base_url_that_leads_nowhere_fails_before_anything_is_sent(
        self, base: str, message: str
    ) -> None:
        """The message says what is wrong and never shows the address."""
        assert request(ask(base)) == Failure(Unreachable(message))


class TestHeaders:
    """Who is said to ask."""

    @pytest.mark.rule("rest.2")
    def test_configured_headers_beat_ours_and_the_credentials_beat_the_models(self) -> None:
        """A gateway's own authorization replaces the key, and is the only one."""
        asked = ask(
            model_headers=(("authorization", "Basic model"), ("X-Team", "model")),
            headers=(("AUTHORIZATION", "Basic gateway"), ("user-agent", "mine")),
        )

        assert sent(request(asked)).headers == (
            ("AUTHORIZATION", "Basic gateway"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json"),
            ("user-agent", "mine"),
            ("X-Team", "model"),
        )

    @pytest.mark.rule("rest.2")
    def test_an_authorization_header_is_credential_enough(self) -> None:
        """No key is needed beside it."""
        asked = ask(key=None, headers=(("Authorization", "Bearer t"),))
        assert ("Authorization", "Bearer t") in sent(request(asked)).headers

    @pytest.mark.rule("rest.3")
    @pytest.mark.parametrize("key", [None, "", " "])
    def test_without_key_and_authorization_nothing_is_sent(self, key: str | None) -> None:
        """Other headers do not make a credential."""
        unknown = ask(key=key, model_headers=(("X-Team", "a"),))

        assert request(unknown) == Failure(
            CredentialUnresolved("neither a key nor an authentication header")
        )

    @pytest.mark.rule("rest.4")
    def test_no_repr_shows_the_key(self) -> None:
        """Neither the attempt nor the request gives it away in a log or a traceback."""
        asked = ask(model_headers=(("X-Key", KEY),), headers=(("X-Other", KEY),))
        assert "CANARY" not in repr(asked) + repr(request(asked))


class TestSearchAnswer:
    """What a response to a search means."""

    @pytest.mark.rule("rest.5")
    def test_the_payload_is_what_the_provider_said(self) -> None:
        """Key order, nulls, number forms and unknown fields survive, at every level."""
        match searched(200, b"\n\n" + RAW_SEARCH):
            case Success(payload):
                assert json.dumps(payload) == json.dumps(json.loads(RAW_SEARCH))
            case Failure(failure):
                pytest.fail(f"not accepted: {failure}")

    @pytest.mark.rule("rest.6")
    def test_an_empty_list_is_a_search_without_hits(self) -> None:
        """Honest zero hits are a success."""
        assert searched(200, b'{"results": []}') == Success({"results": []})

    @pytest.mark.rule("rest.7")
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"{}", 'the answer has no "results" list'),
            (b'{"results": null}', 'the answer has no "results" list'),
            (b'{"results": {}}', 'the answer has no "results" list'),
            (b'{"results": "none"}', 'the answer has no "results" list'),
            (b"[]", "the answer is no JSON object"),
            (b"null", "the answer is no JSON object"),
            (b"", "nothing came"),
            (b"\r\n\r\n", "nothing came"),
            (b"<html>Sign in</html>", "the answer is an HTML page instead of JSON"),
            (b'{"results": [', "the answer is not readable as JSON"),
            (b'{"results": [{"s": NaN}]}', "the answer is not readable as JSON"),
        ],
    )
    def test_a_success_without_a_list_of_results_is_unreadable(
        self, body: bytes, message: str
    ) -> None:
        """What the interface does not promise is no answer."""
        assert searched(200, body) == Failure(Unreadable(message))

    @pytest.mark.rule("rest.8")
    @pytest.mark.parametrize(
        ("body", "failure"),
        [
            (error("quota used up"), ProviderRefused("quota used up")),
            (b'{"results": [], "error": "half"}', ProviderRefused("half")),
            (error("no such model", "model_not_found"), ModelRefused("no such model")),
        ],
    )
    def test_an_error_inside_a_success_is_a_failure(
        self, body: bytes, failure: AttemptFailure
    ) -> None:
        """It is judged by the same table, whatever stands beside it."""
        assert searched(200, body) == Failure(failure)

    @pytest.mark.rule("rest.8")
    @pytest.mark.parametrize("nothing", [b"null", b'""', b"{}", b"false"])
    def test_an_error_that_says_nothing_is_none(self, nothing: bytes) -> None:
        """An empty `error` field is one more unknown field."""
        body = b'{"error": ' + nothing + b', "results": []}'
        assert searched(200, body) == Success(json.loads(body))

    @pytest.mark.rule("rest.9")
    def test_a_redirect_is_reported_and_not_followed(self) -> None:
        """The answer of another host is not what was asked for."""
        assert searched(301, b"", location="https://elsewhere/") == Failure(
            Unreadable("HTTP 301: unexpected redirect to https://elsewhere/")
        )


class TestFetch:
    """One page a request."""

    @pytest.mark.rule("rest.10")
    def test_one_url_travels_in_one_request(self) -> None:
        """The codec says so, and hands on the URL without the query beside it."""
        asked: list[str] = []

        def fetch(_ask: Ask, url: str) -> Encoded:
            asked.append(url)
            return Failure(Unreachable("not now"))

        codec = rest_codec(INTERFACE, request_of_a_query, fetch).fetch
        assert codec is not None
        assert codec.one_url_a_request
        assert codec.encode(ask(), ("https://e.org/",), "why?") == Failure(Unreachable("not now"))
        assert asked == ["https://e.org/"]

    @pytest.mark.rule("rest.10")
    @pytest.mark.parametrize(
        "url", ["https://example.org/路径?q=é", "HTTPS://E.org/%7e/../a b", "http://e.org/\ud800"]
    )
    def test_a_url_is_sent_as_it_was_given(self, url: str) -> None:
        """Not encoded, not normalised, whatever it holds."""
        assert json.loads(sent(request(ask(), {"url": url})).body) == {"url": url}

    @pytest.mark.rule("rest.11")
    def test_a_status_about_the_url_becomes_its_entry(self) -> None:
        """The message names the status, and nothing is said about the provider."""
        assert fetched(404, error("gone")) == FetchAnswer({0: UrlFailure("HTTP 404: gone")})

    @pytest.mark.rule("rest.11")
    def test_any_other_failure_leaves_the_url_pending(self) -> None:
        """There is no entry, and the failure is judged by the table."""
        assert fetched(500, error("down")) == FetchAnswer(
            {}, ProviderRefused("HTTP 500: down", 500)
        )
        assert fetched(400, error("no", "model_not_found")) == FetchAnswer(
            {}, ModelRefused("HTTP 400: no", 400)
        )

    @pytest.mark.rule("rest.5")
    def test_the_page_is_what_the_provider_said(self) -> None:
        """Title and content are kept beside unknown fields; an empty title is no fault."""
        assert fetched(200, RAW_PAGE) == FetchAnswer({0: Fetched(json.loads(RAW_PAGE))})

    @pytest.mark.rule("rest.7")
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"{}", 'the answer has no "title" and no "content"'),
            (b'{"markdown": "x"}', 'the answer has no "title" and no "content"'),
            (b'["x"]', "the answer is no JSON object"),
            (b"", "nothing came"),
            (b"<html>", "the answer is an HTML page instead of JSON"),
        ],
    )
    def test_a_success_that_is_no_page_is_unreadable(self, body: bytes, message: str) -> None:
        """The URL stays pending."""
        assert fetched(200, body) == FetchAnswer({}, Unreadable(message))

    @pytest.mark.rule("rest.8")
    def test_an_error_inside_a_fetched_success_is_a_failure(self) -> None:
        """Nothing says that it is about the URL."""
        assert fetched(200, error("busy")) == FetchAnswer({}, ProviderRefused("busy"))

    @pytest.mark.rule("rest.9")
    def test_a_redirected_fetch_says_nothing_about_the_url(self) -> None:
        """It is the provider's address that moved."""
        assert fetched(308, b"") == FetchAnswer(
            {}, Unreadable("HTTP 308: unexpected redirect to nowhere")
        )

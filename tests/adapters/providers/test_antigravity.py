"""Antigravity: Gemini's contents and answers inside an envelope."""

import json
from collections.abc import Mapping

import pytest

from native_web_search.adapters.providers import antigravity
from native_web_search.adapters.providers.antigravity import identity
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.google_events import event, google_stream
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    Scope,
    Skipped,
    Unreachable,
    scope_of,
)
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import ResponseHead

HOST = "https://daily-cloudcode-pa.googleapis.com"
PATH = "/v1internal:streamGenerateContent?alt=sse"
KEY = json.dumps({"token": "ya29.CANARY", "projectId": "my-project"})
GROUNDED = event("a", grounding={"webSearchQueries": ["q"]})


def model(name: str = "gemini-3.6-flash", base_url: str = "", **headers: str) -> ChatModel:
    """A model of Antigravity's."""
    return ChatModel("antigravity", name, "antigravity", base_url, tuple(headers.items()))


def envelope_of(body: bytes) -> Mapping[str, object]:
    """The parsed body of a request."""
    envelope = json.loads(body)
    assert isinstance(envelope, dict)
    return envelope


def searched(*events: object) -> SearchOutcome:
    """The outcome of a search that was answered with these events."""
    return decoded(antigravity.CODEC.search.decoder(), google_stream(*events))


def failure_in(outcome: SearchOutcome) -> AttemptFailure:
    """The failure of an attempt that was made."""
    failure = outcome.failure()
    assert not isinstance(failure, Skipped)
    return failure


@pytest.mark.rule("antigravity.1")
@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "https://cloudcode-pa.googleapis.com",
        "https://daily-cloudcode-pa.sandbox.googleapis.com/",
        "agy://local-stream-json",
        "http://127.0.0.1.example.org",
        "http://localhost@elsewhere.example",
        "not a URL",
    ],
)
def test_the_address_is_fixed(base_url: str) -> None:
    """Whatever base URL a model carries, the token goes to one host."""
    assert request_of(antigravity.CODEC, ask_of(model(base_url=base_url))).url == HOST + PATH


@pytest.mark.rule("antigravity.1")
@pytest.mark.parametrize(
    "base_url",
    ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:9/", "https://127.1.2.3"],
)
def test_this_machine_may_stand_in(base_url: str) -> None:
    """Simulators and tests live on a loopback address."""
    url = request_of(antigravity.CODEC, ask_of(model(base_url=base_url))).url
    assert url == base_url.rstrip("/") + PATH


@pytest.mark.rule("antigravity.1")
def test_a_credential_may_bring_its_own_address() -> None:
    """A base URL that belongs to the credential is followed, if it is one for the web."""
    ask = ask_of(model(), base_url="https://proxy.example/agy")
    assert request_of(antigravity.CODEC, ask).url == f"https://proxy.example/agy{PATH}"
    odd = ask_of(model(), base_url="agy://local")
    assert isinstance(refusal_of(antigravity.CODEC, odd), Unreachable)


@pytest.mark.rule("antigravity.2")
@pytest.mark.parametrize(
    ("key", "token", "project"),
    [
        (KEY, "ya29.CANARY", "my-project"),
        ('{"token": "t"}', "t", "aicode-consumers"),
        ('{"token": "t", "projectId": ""}', "t", "aicode-consumers"),
        ('{"token": "t", "projectId": 7}', "t", "aicode-consumers"),
        (" ya29.bare\n", "ya29.bare", "aicode-consumers"),
        ("12345", "12345", "aicode-consumers"),
        ('{"projectId": "p"}', '{"projectId": "p"}', "aicode-consumers"),
        ('{"token": 7}', '{"token": 7}', "aicode-consumers"),
    ],
)
def test_a_credential_is_an_object_or_a_bare_token(key: str, token: str, project: str) -> None:
    """What is no object with a token is a token; the project has a default."""
    request = request_of(antigravity.CODEC, ask_of(model(), key=key))
    assert headers_of(request)["authorization"] == f"Bearer {token}"
    assert envelope_of(request.body)["project"] == project


@pytest.mark.rule("antigravity.2")
@pytest.mark.parametrize("key", [None, "", "  "])
def test_without_a_token_nothing_is_sent(key: str | None) -> None:
    """A credential of nothing is a credential that did not resolve."""
    failure = refusal_of(antigravity.CODEC, ask_of(model(), key=key))
    assert isinstance(failure, CredentialUnresolved)


@pytest.mark.rule("antigravity.2")
def test_no_token_shows() -> None:
    """Neither the request nor the account says the token."""
    request = request_of(antigravity.CODEC, ask_of(model(), key=KEY))
    assert "CANARY" not in repr(request) + repr(antigravity.account_in(KEY)) + request.url


@pytest.mark.rule("antigravity.3")
def test_the_hub_makes_itself_known() -> None:
    """All headers that the endpoint expects, and no API key."""
    sent = headers_of(request_of(antigravity.CODEC, ask_of(model(), key="t")))
    metadata = json.loads(sent.pop("client-metadata"))
    assert sent.pop("user-agent").startswith("antigravity/hub/2.8.0 ")
    assert sent == {
        "authorization": "Bearer t",
        "content-type": "application/json",
        "accept": "text/event-stream",
        "x-goog-api-client": "google-cloud-sdk vscode_cloudshelleditor/0.1",
    }
    assert metadata.keys() == {"ideType", "platform", "pluginType"}


@pytest.mark.rule("antigravity.3")
@pytest.mark.parametrize(
    ("system", "machine", "agent", "platform"),
    [
        ("Darwin", "arm64", "darwin/arm64", "MACOS"),
        ("Windows", "AMD64", "windows/x64", "WINDOWS"),
        ("Windows", "ARM64", "windows/arm64", "WINDOWS"),
        ("Linux", "aarch64", "linux/arm64", "LINUX"),
        ("FreeBSD", "", "linux/x64", "LINUX"),
    ],
)
def test_the_hub_names_its_machine(system: str, machine: str, agent: str, platform: str) -> None:
    """Systems that the hub does not know count as Linux."""
    headers = dict(identity(system, machine))
    assert headers["User-Agent"] == f"antigravity/hub/2.8.0 {agent}"
    assert json.loads(headers["Client-Metadata"]) == {
        "ideType": "ANTIGRAVITY",
        "platform": platform,
        "pluginType": "GEMINI",
    }


@pytest.mark.rule("antigravity.3")
def test_configured_headers_win() -> None:
    """A newer hub can be claimed without a new release."""
    chat_model = model(**{"user-agent": "antigravity/hub/3.0.0 linux/x64"})
    ask = ask_of(chat_model, headers={"authorization": "Bearer mine"})
    sent = headers_of(request_of(antigravity.CODEC, ask))
    assert sent["user-agent"] == "antigravity/hub/3.0.0 linux/x64"
    assert sent["authorization"] == "Bearer mine"


@pytest.mark.rule("antigravity.4")
@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("gemini-3.7-flash", "gemini-3.7-flash-medium"),
        ("gemini-3.7-flash-medium", "gemini-3.7-flash-medium"),
        ("gemini-3.6-flash", "gemini-3.6-flash-low"),
        ("gemini-3.5-flash", "gemini-3.5-flash-extra-low"),
        ("claude-opus-4-6-thinking-high", "claude-opus-4-6-thinking-high"),
    ],
)
def test_a_request_is_an_envelope_around_geminis(name: str, sent: str) -> None:
    """Some models have another name here; inside are contents and tools, nothing else."""
    request = request_of(antigravity.CODEC, ask_of(model(name), key=KEY), "Sommet de Zürich")
    assert "Sommet de Zürich".encode() in request.body
    assert envelope_of(request.body) == {
        "project": "my-project",
        "model": sent,
        "request": {
            "contents": [{"role": "user", "parts": [{"text": "Sommet de Zürich"}]}],
            "tools": [{"google_search": {}}],
        },
        "requestType": "AGENT",
        "userAgent": "antigravity",
    }


@pytest.mark.rule("antigravity.5")
def test_videos_stay_in_the_text() -> None:
    """One request asks for all URLs, and every one of them stands below the query."""
    assert antigravity.CODEC.fetch is not None
    assert not antigravity.CODEC.fetch.one_url_a_request
    urls = ("https://youtu.be/AAAAAAAAAAA", "https://a.example/ü")
    request = antigravity.CODEC.fetch.encode(ask_of(model()), urls, "q").unwrap()
    assert envelope_of(request.body)["request"] == {
        "contents": [{"role": "user", "parts": [{"text": "q\n\nURLs:\n" + "\n".join(urls)}]}],
        "tools": [{"url_context": {}}],
    }


@pytest.mark.rule("antigravity.6")
def test_events_come_wrapped_or_bare() -> None:
    """Both are read, in one stream, and an event that holds neither is skipped."""
    first = {"response": event("a", None), "traceId": "t"}
    trailer = {"traceId": "t", "consumedCredits": [{"creditType": "GOOGLE_ONE_AI"}]}
    odd = {"response": None}
    assert searched(trailer, odd, first, GROUNDED).unwrap()["answer"] == "aa"


@pytest.mark.rule("antigravity.7")
@pytest.mark.parametrize("wrapped", [True, False])
def test_an_error_inside_a_success_fails(wrapped: bool) -> None:  # noqa: FBT001 - a parameter
    """Inside the envelope or beside it, after text was seen."""
    error = {
        "code": 503,
        "message": "No capacity available for model X on the server",
        "status": "UNAVAILABLE",
        "details": [{"reason": "MODEL_CAPACITY_EXHAUSTED", "metadata": {"model": "X"}}],
    }
    told = {"error": error}
    failure = failure_in(searched(event("a", None), {"response": told} if wrapped else told))
    assert scope_of(failure) is Scope.MODEL
    assert failure.message == error["message"]


@pytest.mark.rule("antigravity.9")
def test_the_end_mark_is_no_event() -> None:
    """`[DONE]` after the answer says nothing, and before it the stream ended early."""
    decoder = antigravity.CODEC.search.decoder
    mark = b"data: [DONE]\n\n"
    assert decoded(decoder(), google_stream(GROUNDED) + mark).unwrap()["answer"] == "a"
    early = decoded(decoder(), google_stream({"response": event("a", None)}) + mark)
    assert isinstance(early.failure(), Unreachable)


LIMIT = "You have exhausted your capacity on this model. Your quota will reset after 1h43m56s."


@pytest.mark.rule("antigravity.8")
@pytest.mark.parametrize(
    ("scope", "status", "error"),
    [
        (Scope.PROVIDER, 401, {"status": "UNAUTHENTICATED", "message": "Bad credentials."}),
        (
            Scope.PROVIDER,
            400,
            {"message": "This version of Antigravity is no longer supported. Please update"},
        ),
        (
            Scope.PROVIDER,
            403,
            {"message": "This version of Antigravity is no longer supported. Please update"},
        ),
        (Scope.MODEL, 403, {"message": "Model gemini-9 is not available to you."}),
        (Scope.MODEL, 404, {"message": "No such model: gemini-9"}),
        (Scope.MODEL, 429, {"message": LIMIT, "status": "RESOURCE_EXHAUSTED"}),
        (
            Scope.MODEL,
            429,
            {
                "message": "Quota exceeded",
                "details": [
                    {"reason": "QUOTA_EXHAUSTED", "metadata": {"model": "gemini-3.6-flash-low"}},
                    {"retryDelay": "6236.2s"},
                ],
            },
        ),
        (Scope.PROVIDER, 429, {"message": "too many requests"}),
        (
            Scope.MODEL,
            503,
            {"message": "Busy", "details": [{"reason": "MODEL_CAPACITY_EXHAUSTED"}]},
        ),
        (Scope.PROVIDER, 503, {"message": "Busy", "status": "UNAVAILABLE"}),
    ],
)
def test_how_far_an_error_reaches(scope: Scope, status: int, error: dict[str, object]) -> None:
    """The table of errors."""
    body = json.dumps({"error": error}).encode()
    outcome = decoded(antigravity.CODEC.search.decoder(), body, head=ResponseHead(status))
    failure = failure_in(outcome)
    assert scope_of(failure) is scope
    assert failure.message == f"HTTP {status}: {error['message']}"

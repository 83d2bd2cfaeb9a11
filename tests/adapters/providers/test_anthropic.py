"""The requests to Anthropic's Messages interface, and how far its errors reach."""

import json
from pathlib import Path

import pytest

from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.providers.anthropic import max_tokens
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    ProviderRefused,
    Scope,
    Skipped,
    Unreachable,
    scope_of,
)
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import ResponseHead

STREAMS = Path(__file__).parents[2] / "streams"
BASE = "https://api.anthropic.com"
SUBSCRIPTION = "sk-ant-oat01-CANARY"
SYSTEM = [{"type": "text", "text": "You are Claude Code, Anthropic's official CLI for Claude."}]


def model(name: str = "claude-sonnet-5-5", base_url: str = BASE, **headers: str) -> ChatModel:
    """A model behind the Messages interface."""
    return ChatModel(
        "anthropic", name, "anthropic-messages", base_url, tuple(headers.items()), max_tokens=64_000
    )


@pytest.mark.rule("anthropic.1")
@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        (BASE, f"{BASE}/v1/messages"),
        (f"{BASE}//", f"{BASE}/v1/messages"),
        (f"{BASE}/v1", f"{BASE}/v1/messages"),
        (f"{BASE}/v1/", f"{BASE}/v1/messages"),
        ("https://api.fireworks.ai/inference", "https://api.fireworks.ai/inference/v1/messages"),
        ("http://localhost:1/xv1?a=b", "http://localhost:1/xv1/v1/messages?a=b"),
    ],
)
def test_the_address_says_the_version_once(base_url: str, url: str) -> None:
    """A base URL may or may not end in it."""
    assert request_of(anthropic.CODEC, ask_of(model(base_url=base_url))).url == url


@pytest.mark.rule("anthropic.1")
@pytest.mark.parametrize("base_url", ["", "ftp://example.org", "api.anthropic.com"])
def test_without_a_web_address_nothing_is_sent(base_url: str) -> None:
    """Only http and https are sent to."""
    failure = refusal_of(anthropic.CODEC, ask_of(model(base_url=base_url)))
    assert isinstance(failure, Unreachable)


@pytest.mark.rule("anthropic.2")
def test_a_search_is_one_message_and_one_tool() -> None:
    """No thinking, no tool choice, no filters, and every character as it is."""
    request = request_of(anthropic.CODEC, ask_of(model()), "Prix du café à Zürich 🎆")
    assert "Prix du café à Zürich 🎆".encode() in request.body
    assert json.loads(request.body) == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 8_192,
        "stream": True,
        "messages": [{"role": "user", "content": "Prix du café à Zürich 🎆"}],
        "tools": [
            {
                "type": "web_search_20260209",
                "name": "web_search",
                "max_uses": 10,
                "allowed_callers": ["direct"],
            }
        ],
    }
    assert anthropic.CODEC.fetch is None


@pytest.mark.rule("anthropic.3")
@pytest.mark.parametrize(
    ("of_model", "sent"),
    [
        (-1, 4_096),
        (0, 4_096),
        (1, 1_024),
        (3_074, 1_024),
        (3_075, 1_025),
        (16_384, 5_461),
        (24_578, 8_192),
        (1_000_000, 8_192),
    ],
)
def test_an_answer_may_take_a_third_of_what_the_model_can_say(of_model: int, sent: int) -> None:
    """Within bounds; of an unknown model, a fixed number."""
    assert max_tokens(of_model) == sent


@pytest.mark.rule("anthropic.4")
def test_an_api_key_has_its_own_header() -> None:
    """All headers of a plain request."""
    request = request_of(anthropic.CODEC, ask_of(model(), key="sk-ant-api-CANARY"))
    assert headers_of(request) == {
        "content-type": "application/json",
        "accept": "text/event-stream",
        "anthropic-version": "2023-06-01",
        "user-agent": "tester/1.0",
        "x-api-key": "sk-ant-api-CANARY",
    }
    assert "CANARY" not in repr(request) + request.url


@pytest.mark.rule("anthropic.4")
def test_configured_headers_win() -> None:
    """The credential beats the model, the model beats us, whatever the case of the names."""
    chat_model = model(**{"Anthropic-Version": "2026-10-21", "X-Api-Key": "model", "x-a": "model"})
    sent = headers_of(request_of(anthropic.CODEC, ask_of(chat_model, headers={"X-A": "mine"})))
    assert sent["anthropic-version"] == "2026-10-21"
    assert sent["x-api-key"] == "model"
    assert sent["x-a"] == "mine"
    assert "key-1" not in sent.values()


@pytest.mark.rule("anthropic.4")
def test_a_header_may_authenticate_alone() -> None:
    """A credential without a key but with a header is enough."""
    ask = ask_of(model(), key=None, headers={"Authorization": "Bearer gateway"})
    sent = headers_of(request_of(anthropic.CODEC, ask))
    assert sent["authorization"] == "Bearer gateway"
    assert "x-api-key" not in sent


@pytest.mark.rule("anthropic.8")
@pytest.mark.parametrize("codec", [anthropic.CODEC, anthropic.COPILOT, anthropic.OPENCODE])
@pytest.mark.parametrize("key", [None, "", " "])
def test_without_authentication_nothing_is_sent(codec: Codec, key: str | None) -> None:
    """A credential of nothing is a credential that did not resolve."""
    assert isinstance(refusal_of(codec, ask_of(model(), key=key)), CredentialUnresolved)


@pytest.mark.rule("anthropic.5")
def test_a_subscription_asks_as_claude_code() -> None:
    """Bearer token, Claude Code's headers and first line; no API key."""
    request = request_of(anthropic.CODEC, ask_of(model(), key=SUBSCRIPTION))
    sent = headers_of(request)
    assert sent["authorization"] == f"Bearer {SUBSCRIPTION}"
    assert sent["anthropic-beta"] == "claude-code-20250219,oauth-2025-04-20"
    assert sent["user-agent"] == "claude-cli/2.1.251"
    assert sent["x-app"] == "cli"
    assert "x-api-key" not in sent
    body = json.loads(request.body)
    assert body.pop("system") == SYSTEM
    assert body == json.loads(request_of(anthropic.CODEC, ask_of(model())).body)


@pytest.mark.rule("anthropic.5")
def test_a_subscription_in_the_header_is_one_too() -> None:
    """A token that comes as an `Authorization` header needs the same company."""
    given = {"authorization": f"Bearer {SUBSCRIPTION}"}
    request = request_of(anthropic.CODEC, ask_of(model(), key=None, headers=given))
    assert headers_of(request)["x-app"] == "cli"
    assert json.loads(request.body)["system"] == SYSTEM


@pytest.mark.rule("anthropic.5")
def test_what_is_configured_stays_beside_a_subscription() -> None:
    """Betas are added behind those that are there, once; the other headers give way."""
    chat_model = model(
        **{
            "Anthropic-Beta": "mine-2026,oauth-2025-04-20",
            "User-Agent": "claude-cli/9.9.9",
            "X-App": "mine",
        }
    )
    sent = headers_of(request_of(anthropic.CODEC, ask_of(chat_model, key=SUBSCRIPTION)))
    assert sent["anthropic-beta"] == "mine-2026,oauth-2025-04-20,claude-code-20250219"
    assert sent["user-agent"] == "claude-cli/9.9.9"
    assert sent["x-app"] == "mine"


@pytest.mark.rule("anthropic.6")
def test_copilot_is_asked_as_an_editor() -> None:
    """Bearer token, the editor's headers, and the host that the token belongs to."""
    token = "tid=a;proxy-ep=proxy.business.githubcopilot.com;exp=1"
    chat_model = model(base_url="https://api.individual.githubcopilot.com")
    request = request_of(anthropic.COPILOT, ask_of(chat_model, key=token))
    sent = headers_of(request)
    assert request.url == "https://api.business.githubcopilot.com/v1/messages"
    assert sent["authorization"] == f"Bearer {token}"
    assert sent["copilot-integration-id"] == "vscode-chat"
    assert sent["anthropic-version"] == "2023-06-01"
    assert "x-api-key" not in sent
    assert "system" not in json.loads(request.body)


@pytest.mark.rule("anthropic.7")
def test_opencode_wants_a_session() -> None:
    """The gateway gets the key as Anthropic would, and the session."""
    sent = headers_of(request_of(anthropic.OPENCODE, ask_of(model())))
    assert sent["x-opencode-session"] == "session-1"
    assert sent["x-api-key"] == "key-1"


ERRORS = [
    (Scope.MODEL, 400, "invalid_request_error", "'x' does not support programmatic tool calling."),
    (Scope.PROVIDER, 400, "invalid_request_error", "tools.0: Input tag 'web_search_20260209' …"),
    (Scope.PROVIDER, 400, "invalid_request_error", "Your credit balance is too low"),
    (Scope.PROVIDER, 400, "invalid_request_error", "Web search is disabled for your model's org"),
    (Scope.PROVIDER, 400, "invalid_request_error", "max_tokens: too large for this model"),
    (Scope.PROVIDER, 401, "authentication_error", "invalid x-api-key"),
    (Scope.PROVIDER, 402, "billing_error", "There is a problem with your billing details."),
    (Scope.PROVIDER, 403, "permission_error", "Web search is disabled for this organization."),
    (Scope.PROVIDER, 403, "permission_error", "Your API key does not have permission to use it."),
    (Scope.MODEL, 403, "permission_error", "You have no access to model claude-opus-5-5"),
    (Scope.MODEL, 404, "not_found_error", "model: claude-x"),
    (Scope.PROVIDER, 404, "not_found_error", "Not Found"),
    (Scope.REQUEST, 413, "request_too_large", "Request exceeds the maximum size"),
    (Scope.PROVIDER, 429, "rate_limit_error", "Error"),
    (Scope.PROVIDER, 500, "api_error", "Internal server error"),
    (Scope.PROVIDER, 504, "timeout_error", "Request timed out"),
    (Scope.PROVIDER, 529, "overloaded_error", "Overloaded"),
    (Scope.MODEL, 529, "overloaded_error", "The model is overloaded"),
]


@pytest.mark.rule("anthropic.18")
@pytest.mark.parametrize(("scope", "status", "kind", "message"), ERRORS)
def test_an_error_response(scope: Scope, status: int, kind: str, message: str) -> None:
    """The table of errors."""
    failure = failure_of(status, error_of(kind, message))
    assert scope_of(failure) is scope
    assert failure.message == f"HTTP {status}: {message}"


@pytest.mark.rule("anthropic.17")
@pytest.mark.parametrize(("scope", "status", "kind", "message"), ERRORS)
def test_an_error_event(scope: Scope, status: int, kind: str, message: str) -> None:
    """The same error inside a success reaches as far, its type standing for the status."""
    event = b"event: error\ndata: " + json.dumps(error_of(kind, message)).encode() + b"\n\n"
    failure = failure_in(decoded(anthropic.CODEC.search.decoder(), event))
    assert scope_of(failure) is scope
    assert failure.message == message


@pytest.mark.rule("anthropic.18")
@pytest.mark.parametrize(
    ("scope", "status", "error"),
    [
        (Scope.MODEL, 401, {"type": "ModelError", "message": "Model x is not supported"}),
        (Scope.PROVIDER, 401, {"type": "CreditsError", "message": "Insufficient balance."}),
        (Scope.MODEL, 429, {"type": "FreeUsageLimitError", "message": "Limit"}),
        (Scope.MODEL, 400, {"code": "model_not_supported", "message": "Not supported."}),
        (Scope.MODEL, 400, {"message": "Error from provider (Anthropic): model: claude-x"}),
        (Scope.MODEL, 404, {"message": "The model `x` does not exist"}),
        (Scope.REQUEST, 413, {"message": "Payload Too Large"}),
    ],
)
def test_an_error_of_a_gateway(scope: Scope, status: int, error: dict[str, object]) -> None:
    """Gateways have words of their own."""
    assert scope_of(failure_of(status, {"type": "error", "error": error})) is scope


@pytest.mark.rule("anthropic.18")
@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("400-credit", Scope.PROVIDER),
        ("400-tool-version-model", Scope.MODEL),
        ("400-tool-tag", Scope.PROVIDER),
        ("401", Scope.PROVIDER),
        ("402", Scope.PROVIDER),
        ("403", Scope.PROVIDER),
        ("403-web-search-disabled", Scope.PROVIDER),
        ("404-model", Scope.MODEL),
        ("413", Scope.REQUEST),
        ("429", Scope.PROVIDER),
        ("529", Scope.PROVIDER),
    ],
)
def test_a_recorded_error_body(name: str, scope: Scope) -> None:
    """Whole error bodies with their headers."""
    recorded = json.loads((STREAMS / f"anthropic-err-{name}.json").read_text("utf-8"))
    failure = failure_of(recorded["status"], recorded["body"], **recorded["headers"])
    assert scope_of(failure) is scope
    assert recorded["body"]["error"]["message"] in failure.message
    if isinstance(failure, ProviderRefused):
        assert failure.retry_after == (17.0 if name == "429" else None)


def error_of(kind: str, message: str) -> dict[str, object]:
    """An error as Anthropic writes it."""
    error = {"type": kind, "message": message, "details": None}
    return {"type": "error", "error": error, "request_id": "req_1"}


def failure_of(status: int, body: object, **headers: str) -> AttemptFailure:
    """The failure of a search that was answered with an error response."""
    answered = json.dumps(body).encode()
    head = ResponseHead(status, headers)
    return failure_in(decoded(anthropic.CODEC.search.decoder(), answered, head=head))


def failure_in(outcome: SearchOutcome) -> AttemptFailure:
    """The failure of an attempt that was made."""
    failure = outcome.failure()
    assert not isinstance(failure, Skipped)
    return failure

"""The requests to Anthropic's Messages interface."""

import json

import pytest

from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.providers.anthropic import max_tokens
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Unreachable

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

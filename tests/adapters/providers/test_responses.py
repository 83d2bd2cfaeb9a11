"""What is asked for over the Responses interface, whoever is asked."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from native_web_search.adapters.providers.azure import AZURE, GROK_ON_AZURE
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.providers.codex import CODEX
from native_web_search.adapters.providers.copilot import COPILOT, GROK_ON_COPILOT
from native_web_search.adapters.providers.openai import GROK_ON_OPENAI, OPENAI
from native_web_search.adapters.providers.opencode import GROK_ON_OPENCODE, OPENCODE
from native_web_search.adapters.providers.responses import joined
from native_web_search.adapters.providers.xai import XAI
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved

BASE = "https://api.example.com/v1"
QUERY = "今天的 AI 新闻 — what's new? 😀"

ACCOUNT = {"chatgpt-account-id": "account-1"}
EVERYONE = [
    OPENAI,
    AZURE,
    CODEX,
    COPILOT,
    OPENCODE,
    XAI,
    GROK_ON_OPENAI,
    GROK_ON_AZURE,
    GROK_ON_COPILOT,
    GROK_ON_OPENCODE,
]
GPT_SPEAKERS = [OPENAI, AZURE, COPILOT, OPENCODE]
GROK_SPEAKERS = [XAI, GROK_ON_OPENAI, GROK_ON_AZURE, GROK_ON_COPILOT, GROK_ON_OPENCODE]

FORBIDDEN = {"reasoning", "max_output_tokens", "temperature", "search_parameters", "max_tool_calls"}


def model(headers: Mapping[str, str] | None = None) -> ChatModel:
    """A model at the example address."""
    return ChatModel("p", "m-1", "openai-responses", BASE, tuple((headers or {}).items()))


def body_of(codec: Codec, query: str = QUERY) -> dict[str, Any]:
    """The body of a search request."""
    body: dict[str, Any] = json.loads(request_of(codec, ask_of(model(ACCOUNT)), query).body)
    return body


@pytest.mark.rule("responses.1")
@pytest.mark.parametrize("codec", EVERYONE)
def test_everyone_is_asked_for_a_streamed_search_that_is_not_stored(codec: Codec) -> None:
    """The tool is the bare web search, and nothing is sent that some model refuses."""
    body = body_of(codec)
    assert body["model"] == "m-1"
    assert body["tools"] == [{"type": "web_search"}]
    assert body["stream"] is True
    assert body["store"] is False
    assert FORBIDDEN.isdisjoint(body)


@pytest.mark.rule("responses.2")
@pytest.mark.parametrize("codec", GPT_SPEAKERS)
def test_gpt_models_are_asked_in_parts(codec: Codec) -> None:
    """Input parts, sources and results, and the choice of tool left to the model."""
    assert body_of(codec) == {
        "model": "m-1",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": QUERY}]}],
        "tools": [{"type": "web_search"}],
        "include": ["web_search_call.action.sources", "web_search_call.results"],
        "stream": True,
        "store": False,
    }


@pytest.mark.rule("xai.1")
@pytest.mark.parametrize("codec", GROK_SPEAKERS)
def test_grok_models_are_asked_in_plain_text_wherever_they_are_served(codec: Codec) -> None:
    """A message with string content, and sources as the one thing to include."""
    assert body_of(codec) == {
        "model": "m-1",
        "input": [{"role": "user", "content": QUERY}],
        "tools": [{"type": "web_search"}],
        "include": ["web_search_call.action.sources"],
        "stream": True,
        "store": False,
    }


@pytest.mark.rule("codex.1")
def test_codex_gets_what_it_insists_on() -> None:
    """Instructions, a required tool, parallel calls, low verbosity, and sources only."""
    body = body_of(CODEX)
    assert body.pop("instructions")
    assert body == {
        "model": "m-1",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": QUERY}]}],
        "tools": [{"type": "web_search"}],
        "tool_choice": "required",
        "parallel_tool_calls": True,
        "text": {"verbosity": "low"},
        "include": ["web_search_call.action.sources"],
        "stream": True,
        "store": False,
    }


@pytest.mark.rule("responses.3")
@pytest.mark.parametrize("codec", EVERYONE)
@pytest.mark.parametrize("query", [QUERY, '\x00 "\\ \u2028', "half \ud800 a pair"])
def test_a_query_is_asked_as_it_is(codec: Codec, query: str) -> None:
    """Every character arrives, even one that UTF-8 cannot say."""
    (asked,) = body_of(codec, query)["input"]
    content = asked["content"]
    assert query == (content if isinstance(content, str) else content[0]["text"])


@pytest.mark.rule("responses.4")
@pytest.mark.parametrize(
    ("base", "url"),
    [
        (BASE, f"{BASE}/responses"),
        (f"{BASE}/", f"{BASE}/responses"),
        (f" {BASE}// ", f"{BASE}/responses"),
        (f"{BASE}/?tenant=a&b=c", f"{BASE}/responses?tenant=a&b=c"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/responses"),
    ],
)
def test_the_path_follows_the_base(base: str, url: str) -> None:
    """One slash between them, and a query of the base stays behind the path."""
    assert joined(base, "/responses") == url


@pytest.mark.rule("responses.5")
@pytest.mark.parametrize("codec", EVERYONE)
def test_a_header_comes_once_and_the_credential_has_the_last_word(codec: Codec) -> None:
    """Credential beats model, model beats default, whatever the case of the names."""
    headers = {
        "AUTHORIZATION": "Bearer theirs",
        "user-AGENT": "them/2",
        "content-TYPE": "application/json; charset=utf-8",
    }
    ask = ask_of(model(ACCOUNT | {"User-agent": "model/1", "X-Model": "yes"}), headers=headers)
    request = request_of(codec, ask)
    assert len({name.lower() for name, _ in request.headers}) == len(request.headers)
    assert headers_of(request) | {
        "authorization": "Bearer theirs",
        "user-agent": "them/2",
        "content-type": "application/json; charset=utf-8",
        "x-model": "yes",
    } == headers_of(request)


@pytest.mark.rule("responses.6")
@pytest.mark.parametrize("codec", EVERYONE)
@pytest.mark.parametrize("key", [None, "", "  "])
def test_nothing_is_sent_without_saying_who_asks(codec: Codec, key: str | None) -> None:
    """Neither a key nor an authentication header: the credential is at fault, nobody is called."""
    assert isinstance(refusal_of(codec, ask_of(model(ACCOUNT), key=key)), CredentialUnresolved)


@pytest.mark.rule("responses.7")
@pytest.mark.parametrize("codec", EVERYONE)
def test_a_request_does_not_show_its_secrets(codec: Codec) -> None:
    """Neither the request nor the ask shows key, headers or query when printed."""
    ask = ask_of(model(ACCOUNT), key="sk-SECRET", headers={"X-Secret": "hush-SECRET"})
    assert "SECRET" not in repr(request_of(codec, ask))
    assert "SECRET" not in repr(ask)


@pytest.mark.rule("responses.8")
@pytest.mark.parametrize("codec", EVERYONE)
def test_nobody_here_fetches(codec: Codec) -> None:
    """These interfaces search and do not analyze URLs."""
    assert codec.fetch is None

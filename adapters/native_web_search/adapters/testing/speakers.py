"""Somebody who speaks each dialect, at an address of your choice.

For tests that have to hold for every interface: put a server at an address, let each speaker live
there, and see what becomes of what the server says. A speaker's `answer` is a short healthy one.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType

from attrs import field, frozen

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Dialect, Family
from native_web_search.ports.registry import Credential

Event = Mapping[str, object]

KEY = "sk-a-test-key-0123456789"
LINK = "https://e.example/1"
JSON, EVENT_STREAM = "application/json", "text/event-stream"

RESULTS: Event = {"results": [{"title": "T", "url": LINK, "content": "c"}]}

RESPONSES: tuple[Event, ...] = (
    {
        "type": "response.output_item.done",
        "output_index": 0,
        "item": {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "q", "queries": ["q"]},
        },
    },
    {
        "type": "response.output_item.done",
        "output_index": 1,
        "item": {
            "type": "message",
            "id": "msg_1",
            "status": "completed",
            "content": [{"type": "output_text", "text": "a"}],
        },
    },
    {"type": "response.completed", "response": {"status": "completed"}},
)

FRAGMENTS: tuple[Event, ...] = (
    {
        "candidates": [
            {
                "content": {"parts": [{"text": "a"}]},
                "groundingMetadata": {
                    "webSearchQueries": ["q"],
                    "groundingChunks": [{"web": {"uri": LINK, "title": "T"}}],
                },
            }
        ]
    },
    {"candidates": [{"content": {"parts": [{"text": "."}]}, "finishReason": "STOP"}]},
)

MESSAGE: tuple[Event, ...] = (
    {"type": "message_start", "message": {"id": "msg_1", "role": "assistant"}},
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_1",
            "content": [{"type": "web_search_result", "url": LINK, "title": "T"}],
        },
    },
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "a"}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
)

ENDINGS: Mapping[Family, tuple[Event, ...]] = MappingProxyType(
    {
        Family.GOOGLE: FRAGMENTS,
        Family.OPENAI: RESPONSES,
        Family.XAI: RESPONSES,
        Family.ANTHROPIC: MESSAGE,
    }
)


@frozen
class Login:
    """A chat model, and what opens it."""

    model: ChatModel
    credential: Credential


@frozen
class Speaker:
    """One interface: its family and dialect, and a model of a provider that has it."""

    family: Family
    dialect: Dialect
    provider: str
    model: str
    api: str
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.family.value}-{self.dialect.value}"

    def at(self, url: str, *, key: str = KEY, provider: str | None = None) -> Login:
        """The speaker at this address; another provider id may speak the same, if the family and
        the dialect do not hang on it.
        """
        named = provider or self.provider
        model = ChatModel(named, self.model, self.api, url, self.headers)
        return Login(model, Credential("a test", key))

    @property
    def events(self) -> tuple[Event, ...]:
        """A short search as this dialect streams it, the terminal event last; none without a
        stream.
        """
        events = ENDINGS.get(self.family, ())
        wrapped = self.dialect is Dialect.ANTIGRAVITY
        return tuple({"response": event} for event in events) if wrapped else events

    @property
    def answer(self) -> bytes:
        """The body of a short search."""
        return stream_of(*self.events) if self.events else json.dumps(RESULTS).encode()

    @property
    def content_type(self) -> str:
        return EVENT_STREAM if self.events else JSON


SPEAKERS = (
    Speaker(Family.DEEPSEEK, Dialect.NATIVE, "deepseek", "deepseek-flash", "openai-completions"),
    Speaker(Family.OLLAMA, Dialect.NATIVE, "ollama-cloud", "gpt-oss:120b", "openai-completions"),
    Speaker(Family.GOOGLE, Dialect.GEMINI, "google", "gemini-3.5-flash", "google-generative-ai"),
    Speaker(Family.GOOGLE, Dialect.ANTIGRAVITY, "antigravity", "gemini-3.6-flash", "antigravity"),
    Speaker(Family.OPENAI, Dialect.OPENAI, "openai", "gpt-5.6-luna", "openai-responses"),
    Speaker(Family.OPENAI, Dialect.AZURE, "azure", "gpt-5-mini", "azure-openai-responses"),
    Speaker(
        Family.OPENAI,
        Dialect.CODEX,
        "openai-codex",
        "gpt-5.6-luna",
        "openai-codex-responses",
        (("chatgpt-account-id", "account-1"),),
    ),
    Speaker(Family.OPENAI, Dialect.COPILOT, "github-copilot", "gpt-5-mini", "openai-responses"),
    Speaker(Family.OPENAI, Dialect.OPENCODE, "opencode", "gpt-5.5", "openai-responses"),
    Speaker(Family.XAI, Dialect.NATIVE, "xai", "grok-4.7", "openai-responses"),
    Speaker(Family.XAI, Dialect.OPENAI, "gateway", "grok-4.7", "openai-responses"),
    Speaker(Family.XAI, Dialect.AZURE, "azure", "grok-4.7", "azure-openai-responses"),
    Speaker(
        Family.XAI,
        Dialect.CODEX,
        "openai-codex",
        "grok-4.7",
        "openai-codex-responses",
        (("chatgpt-account-id", "account-1"),),
    ),
    Speaker(Family.XAI, Dialect.COPILOT, "github-copilot", "grok-4.7", "openai-responses"),
    Speaker(Family.XAI, Dialect.OPENCODE, "opencode", "grok-4.7", "openai-responses"),
    Speaker(
        Family.ANTHROPIC, Dialect.NATIVE, "anthropic", "claude-haiku-4-5", "anthropic-messages"
    ),
    Speaker(
        Family.ANTHROPIC,
        Dialect.COPILOT,
        "github-copilot",
        "claude-haiku-4-5",
        "anthropic-messages",
    ),
    Speaker(
        Family.ANTHROPIC, Dialect.OPENCODE, "opencode", "claude-haiku-4-5", "anthropic-messages"
    ),
)

DEEPSEEK, OLLAMA, GEMINI = SPEAKERS[0], SPEAKERS[1], SPEAKERS[2]
OPENAI, ANTHROPIC = SPEAKERS[4], SPEAKERS[15]
STREAMING = tuple(speaker for speaker in SPEAKERS if speaker.events)


def stream_of(*events: Event, end: bytes = b"\n") -> bytes:
    """The events as server-sent ones, with this line end."""
    return b"".join(b"data: " + json.dumps(event).encode() + end * 2 for event in events)


def logged_in(*logins: Login) -> StaticRegistry:
    """A user of these, in conversation with the first."""
    keys = {login.model.provider: login.credential for login in logins}
    return StaticRegistry(tuple(login.model for login in logins), keys, logins[0].model)

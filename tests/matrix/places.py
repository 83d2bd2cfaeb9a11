"""The provider classes: every interface of the table, each with a login and a good answer.

Grok models at others than xAI are left out: they are asked with xAI's body, and all else about them
is their neighbour's.

A place has two models. The first is asked first and meets the fault; the second, its sibling, is
well, and next in the row if the fault leaves it.
"""

import base64
import json
from collections.abc import Mapping
from enum import Enum
from hashlib import sha256
from urllib.parse import quote

from attrs import field, frozen

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.ports.registry import Credential
from tests.matrix.answers import ANTHROPIC, ANTIGRAVITY, GOOGLE, RESPONSES, REST
from tests.matrix.faults import EVENTS, JSON


def login(name: str) -> str:
    """A key for a place; every few characters comes one that a URL, or HTML, has to escape."""
    digest = sha256(name.encode()).hexdigest()
    return f"x+CANARY/{digest[:6]}+{digest[6:12]}/{digest[12:18]}+{digest[18:24]}=="


class Wire(Enum):
    """Whose protocol a place speaks."""

    DEEPSEEK = "deepseek"
    OLLAMA = "ollama"
    GOOGLE = "google"
    RESPONSES = "responses"
    ANTHROPIC = "anthropic"


@frozen
class Place:
    """One provider class; `query` ends its base URL, `headers` are its models'."""

    name: str
    wire: Wire
    provider: str
    api: str
    models: tuple[str, str]
    good: Mapping[Operation, bytes] = field(repr=False)
    key: str = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    query: str = ""

    @property
    def kind(self) -> str:
        """The content type of its answers."""
        return JSON if self.wire in {Wire.DEEPSEEK, Wire.OLLAMA} else EVENTS

    @property
    def is_streamed(self) -> bool:
        return self.kind == EVENTS

    @property
    def secrets(self) -> tuple[str, ...]:
        """What may be shown nowhere, in the forms in which it could be echoed."""
        values = (self.key, *(value for _name, value in self.headers), self.query.partition("=")[2])
        return tuple(form for value in values if value for form in (value, quote(value, safe="")))

    @property
    def credential(self) -> Credential:
        return Credential(f"the test's login at {self.provider}", self.key)

    def model(self, which: int, root: str) -> ChatModel:
        """Its first or its second model, living below `root`."""
        return ChatModel(
            self.provider, self.models[which], self.api, f"{root}{self.query}", self.headers
        )

    def candidate(self) -> Candidate:
        found = candidate_of(self.model(0, "http://127.0.0.1:1"))
        assert found is not None
        return found


def _codex_login() -> str:
    claims = {"https://api.openai.com/auth": {"chatgpt_account_id": "account-1"}, "n": "CANARY"}
    parts = ({"alg": "none"}, claims, {"signature": "4f1d7b20c6a8e35f"})
    return ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts
    )


def _responses(name: str, provider: str, api: str, *models: str) -> Place:
    first, second = models
    key = login(name)
    return Place(name, Wire.RESPONSES, provider, api, (first, second), RESPONSES, key)


def _anthropic(name: str, provider: str) -> Place:
    models = ("claude-sonnet-5-5", "claude-haiku-4-5")
    key = login(name)
    return Place(name, Wire.ANTHROPIC, provider, "anthropic-messages", models, ANTHROPIC, key)


GPT = ("gpt-5.6-luna", "gpt-5-mini")
GROK = ("grok-4.7", "grok-4.5")
GEMINI = ("gemini-3.5-flash", "gemini-3.1-pro-preview")
RESPONSES_API, AZURE_API, CODEX_API = (
    "openai-responses",
    "azure-openai-responses",
    "openai-codex-responses",
)
COPILOT_LOGIN = "tid=CANARY-4f1d7b20c6a8e35f;exp=4102444800;sku=copilot-for-tests"
ANTIGRAVITY_LOGIN = json.dumps({"token": login("antigravity"), "projectId": "tests-1"})

PLACES = (
    Place(
        "deepseek",
        Wire.DEEPSEEK,
        "deepseek",
        "openai-completions",
        ("deepseek-v4.1-flash", "deepseek-v4-pro"),
        REST,
        login("deepseek"),
    ),
    Place(
        "ollama",
        Wire.OLLAMA,
        "ollama-cloud",
        "openai-completions",
        ("gpt-oss:120b", "gpt-oss:20b"),
        REST,
        login("ollama"),
    ),
    Place(
        "gemini",
        Wire.GOOGLE,
        "google",
        "google-generative-ai",
        GEMINI,
        GOOGLE,
        login("gemini"),
        headers=(("X-Gateway-Token", "CANARY-gateway-0b9c8d7e6f5a4321"),),
    ),
    Place(
        "opencode-gemini",
        Wire.GOOGLE,
        "opencode",
        "google-generative-ai",
        GEMINI,
        GOOGLE,
        login("opencode-gemini"),
    ),
    Place(
        "antigravity",
        Wire.GOOGLE,
        "antigravity",
        "antigravity",
        ("gemini-3.6-flash", "gemini-3.1-pro"),
        ANTIGRAVITY,
        ANTIGRAVITY_LOGIN,
    ),
    Place(
        "openai",
        Wire.RESPONSES,
        "openai",
        RESPONSES_API,
        GPT,
        RESPONSES,
        login("openai"),
        query="?code=CANARY-query-77aa66bb55cc44dd",
    ),
    _responses("azure", "azure", AZURE_API, *GPT),
    Place("codex", Wire.RESPONSES, "openai-codex", CODEX_API, GPT, RESPONSES, _codex_login()),
    Place(
        "copilot", Wire.RESPONSES, "github-copilot", RESPONSES_API, GPT, RESPONSES, COPILOT_LOGIN
    ),
    _responses("opencode", "opencode", RESPONSES_API, *GPT),
    _responses("xai", "xai", RESPONSES_API, *GROK),
    _anthropic("anthropic", "anthropic"),
    _anthropic("copilot-anthropic", "github-copilot"),
    _anthropic("opencode-anthropic", "opencode-go"),
)

CELLS = tuple((place, operation) for place in PLACES for operation in place.good)

"""Which wire protocol a chat model can be searched through."""

import re
from enum import Enum
from functools import lru_cache

from attrs import frozen

from native_web_search.domain.chat_model import ChatModel


class Operation(Enum):
    """What a candidate is asked to do."""

    SEARCH = "search"
    FETCH = "fetch"


class Family(Enum):
    """Wire-protocol groups, in priority order."""

    DEEPSEEK = "deepseek"
    OLLAMA = "ollama"
    GOOGLE = "google"
    OPENAI = "openai"
    XAI = "xai"
    ANTHROPIC = "anthropic"

    def can(self, operation: Operation) -> bool:
        """Whether its interface offers the operation: all search, three families fetch."""
        return operation is Operation.SEARCH or self in FETCHING_FAMILIES


class Dialect(Enum):
    """The variant of a family's protocol: address, authentication, headers, wrapper.

    `NATIVE` is the family's own and only form. A Grok model on Copilot is family `XAI`, dialect
    `COPILOT`; a Claude model on Copilot is family `ANTHROPIC`, dialect `COPILOT`.
    """

    NATIVE = "native"
    GEMINI = "gemini"
    ANTIGRAVITY = "antigravity"
    OPENAI = "openai"
    AZURE = "azure"
    CODEX = "codex"
    COPILOT = "copilot"
    OPENCODE = "opencode"


FETCHING_FAMILIES = frozenset({Family.DEEPSEEK, Family.OLLAMA, Family.GOOGLE})


@frozen
class Candidate:
    """A chat model that maps to a family."""

    model: ChatModel
    family: Family
    dialect: Dialect

    def can(self, operation: Operation) -> bool:
        """Whether its family offers the operation."""
        return self.family.can(operation)


def candidate_of(model: ChatModel) -> Candidate | None:
    """The model as a candidate; None if we cannot search through it.

    Provider ids and apis must match exactly, hosts whatever their case. Any base URL will do; one
    that cannot be read has no host.
    """
    interface = _interface(model.provider, model.api, model.base_url)
    if interface is None:
        return None
    family, dialect = interface
    if family is Family.OPENAI and _is_grok(model):
        return Candidate(model, Family.XAI, Dialect.NATIVE if model.provider == "xai" else dialect)
    return Candidate(model, family, dialect)


def _is_grok(model: ChatModel) -> bool:
    """Whether a Responses model speaks xAI's form of it; the host's switch beats every sign."""
    match model.compat.get("webSearchDialect"):
        case "grok":
            return True
        case "openai":
            return False
        case _:
            name = model.id.rpartition("/")[2]
            return model.provider == "xai" or name.lower().startswith("grok")


@frozen
class _Rule:
    """Holds if the provider id, the api or the host is one of these.

    What is `resold` has another dialect at Copilot and at OpenCode.
    """

    family: Family
    dialect: Dialect
    providers: frozenset[str] = frozenset()
    apis: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    resold: bool = False


_ANTIGRAVITY = frozenset({"antigravity", "google-antigravity"})

# The first that holds decides. DeepSeek and Ollama Cloud have interfaces of their own, whatever
# api their chat goes through.
_RULES = (
    _Rule(Family.DEEPSEEK, Dialect.NATIVE, providers=frozenset({"deepseek"})),
    _Rule(Family.GOOGLE, Dialect.ANTIGRAVITY, providers=_ANTIGRAVITY, apis=_ANTIGRAVITY),
    _Rule(Family.GOOGLE, Dialect.GEMINI, apis=frozenset({"google-generative-ai"})),
    _Rule(
        Family.OLLAMA,
        Dialect.NATIVE,
        providers=frozenset({"ollama-cloud"}),
        hosts=frozenset({"ollama.com"}),
    ),
    _Rule(Family.OPENAI, Dialect.OPENAI, apis=frozenset({"openai-responses"}), resold=True),
    _Rule(Family.OPENAI, Dialect.AZURE, apis=frozenset({"azure-openai-responses"})),
    _Rule(Family.OPENAI, Dialect.CODEX, apis=frozenset({"openai-codex-responses"})),
    _Rule(Family.ANTHROPIC, Dialect.NATIVE, apis=frozenset({"anthropic-messages"}), resold=True),
)


@lru_cache(maxsize=1024)  # thousands of models share a few dozen interfaces
def _interface(provider: str, api: str, base_url: str) -> tuple[Family, Dialect] | None:
    host = _host(base_url)
    for rule in _RULES:
        if provider in rule.providers or api in rule.apis or host in rule.hosts:
            reseller = _reseller(provider, host) if rule.resold else None
            return rule.family, reseller or rule.dialect
    return None


def _reseller(provider: str, host: str) -> Dialect | None:
    if provider == "github-copilot":
        return Dialect.COPILOT
    if provider in {"opencode", "opencode-go"} or host == "opencode.ai":
        return Dialect.OPENCODE
    return None


# A backslash ends the authority, as in every browser; what stands before the last `@` is userinfo.
_AUTHORITY = re.compile(r"https?://(?:[^/?#\\]*@)?(\[[^\]/?#\\]*\]|[^:/?#\\]*)", re.IGNORECASE)


def _host(base_url: str) -> str:
    """The host of a base URL in lower case, without userinfo and port; empty if it has none."""
    found = _AUTHORITY.match(base_url.strip())
    return "" if found is None else found[1].lower()

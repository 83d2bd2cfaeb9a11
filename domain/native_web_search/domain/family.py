"""Which wire protocol a chat model can be searched through."""

from enum import Enum

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
        """Whether its interface offers the operation: all search, three families fetch."""
        return operation is Operation.SEARCH or self.family in FETCHING_FAMILIES

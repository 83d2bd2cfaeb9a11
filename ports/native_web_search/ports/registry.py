"""Which chat models there are, and what opens them."""

from typing import Protocol, TypeAlias

from attrs import field, frozen

from native_web_search.domain.address import shown_address
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped


@frozen
class Credential:
    """What authenticates one request to a model's provider. `repr` shows where from, never what.

    `key` is an API key or access token. `headers` are added to the request and beat every
    default, whatever the case of their names. `base_url`, if given, stands in place of the
    model's. `source` is for people: "environment variable DEEPSEEK_API_KEY".
    """

    source: str
    key: str | None = field(default=None, repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    base_url: str | None = field(default=None, repr=shown_address)


CredentialAnswer: TypeAlias = Credential | CredentialUnresolved | Skipped


class ModelRegistry(Protocol):
    """The host's models. Implementations are cheap: `current` and `available` run on every call."""

    def current(self) -> ChatModel | None:
        """The model of the conversation, or none."""
        ...

    def available(self) -> tuple[ChatModel, ...]:
        """All models with a credential configured, in any order; equal while nothing changed."""
        ...

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        """Resolve what the model needs, now, for one attempt; the result is never stored.

        `Skipped` means that there is none; `CredentialUnresolved` that there should be one.
        """
        ...

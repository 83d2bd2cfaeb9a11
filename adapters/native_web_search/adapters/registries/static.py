"""Models and credentials that the host simply passes."""

from collections.abc import Mapping

from attrs import field, frozen

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import Skipped
from native_web_search.ports.registry import Credential, CredentialAnswer


@frozen
class StaticRegistry:
    """A `ModelRegistry` that never changes. `keys` are credentials by provider id.

    A model without a credential is not available; it may still be the current one.
    """

    models: tuple[ChatModel, ...]
    keys: Mapping[str, Credential] = field(repr=False)
    current_model: ChatModel | None = None
    _available: tuple[ChatModel, ...] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        opened = tuple(model for model in self.models if model.provider in self.keys)
        object.__setattr__(self, "_available", opened)  # a frozen value is still being made

    def current(self) -> ChatModel | None:
        return self.current_model

    def available(self) -> tuple[ChatModel, ...]:
        return self._available

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        credential = self.keys.get(model.provider)
        return credential or Skipped(f"no credential for {model.provider}")

    def credential_source(self, provider: str) -> str:
        """Where a provider's credential came from, for people."""
        credential = self.keys.get(provider)
        return "none" if credential is None else credential.source

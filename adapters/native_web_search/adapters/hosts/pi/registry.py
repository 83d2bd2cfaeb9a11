"""Pi's models and logins, through the extension."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from attrs import define, field

from native_web_search.adapters.hosts.pi.protocol import Auth, Models, NoAuth
from native_web_search.adapters.providers.classify import one_line
from native_web_search.adapters.providers.headers import authenticates
from native_web_search.adapters.registries.placement import placed
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.ports.registry import Credential, CredentialAnswer

MAX_ERROR = 300  # characters of an error of pi's, which may carry a whole stack trace

Ask: TypeAlias = Callable[[ChatModel], Awaitable[Auth | NoAuth]]


@define
class PiRegistry:
    """A `ModelRegistry` that knows what the last message said, and asks pi for credentials."""

    ask: Ask
    environ: Mapping[str, str] = field(repr=False)
    _models: Models = field(init=False, factory=Models)

    def update(self, models: Models) -> None:
        """Take over pi's models, at the addresses that the variables complete."""
        current = None if models.current is None else placed(models.current, self.environ)
        available = tuple(placed(model, self.environ) for model in models.available)
        if available == self._models.available:
            available = self._models.available
        self._models = Models(current, available)

    def current(self) -> ChatModel | None:
        return self._models.current

    def available(self) -> tuple[ChatModel, ...]:
        return self._models.available

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return credential_of(model, await self.ask(model), self.environ)


def credential_of(
    model: ChatModel, auth: Auth | NoAuth, environ: Mapping[str, str]
) -> CredentialAnswer:
    """What pi's answer means here. Without a key and a header that names who asks, nothing does."""
    match auth:
        case NoAuth(error):
            said = one_line(error[:MAX_ERROR]) or "no reason given"
            return CredentialUnresolved(f"pi has no credential: {said}")
        case Auth(None, headers) if not authenticates(headers):
            return Skipped(f"pi is not logged in to {model.provider}")
        case Auth(key, headers, base_url, variables):
            at = base_url or _own_address(model, {**environ, **variables})
            return Credential("pi", key, headers, at)


def _own_address(model: ChatModel, environ: Mapping[str, str]) -> str | None:
    """Where the variables beside a key lead, if that is elsewhere."""
    address = placed(model, environ).base_url
    return address if address != model.base_url else None

"""The models and credentials of pi's own files, for programs beside pi.

Who is open is decided as pi decides it: a stored credential owns its provider, even one that has
expired or cannot be resolved; then comes a key in `models.json`, then a variable. Both files are
read anew at each question and never written. A file that is missing says nothing; one that cannot
be read says nothing either, and is warned of once.
"""

import logging
import time
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import define, evolve, field, frozen

from native_web_search.adapters.registries.environment import EnvironmentRegistry
from native_web_search.adapters.registries.pi_credentials import (
    Stored,
    StoredKey,
    StoredLogin,
    Unusable,
    parse_credentials,
)
from native_web_search.adapters.registries.provider_entry import ModelsFile, ProviderEntry
from native_web_search.adapters.small_file import Unread, Why, content_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.registry import Credential, CredentialAnswer

log = logging.getLogger("native_web_search")

AUTH, MODELS = "auth.json", "models.json"
HOW_TO_RENEW = "start pi and use it once, or run /login there"


@define
class PiFilesRegistry:
    """A `ModelRegistry` over pi's agent folder. `catalogue` are the models known without a file.

    `may_run` allows keys that are commands; they run when a call needs them and not before. `now`
    is the wall clock in seconds, by which logins expire.
    """

    folder: Path
    environ: Mapping[str, str] = field(repr=False)
    catalogue: tuple[ChatModel, ...] = field(repr=False)
    current_key: str | None = None
    may_run: bool = True
    now: Callable[[], float] = time.time
    _unowned: EnvironmentRegistry = field(init=False, repr=False)
    _models_content: bytes | None = field(init=False, default=None, repr=False)
    _available: tuple[ChatModel, ...] = field(init=False, default=(), repr=False)
    _warned: set[str] = field(init=False, factory=set, repr=False)

    def __attrs_post_init__(self) -> None:
        self._unowned = self._over(self.catalogue)

    def providers(self) -> tuple[str, ...]:
        """The ids of all providers whose models are known, open or not."""
        return self._found().unowned.providers()

    def current(self) -> ChatModel | None:
        """The model that the setting names."""
        found = self._found()
        named = found.unowned.current()
        return None if named is None else found.registry(named.provider).current()

    def available(self) -> tuple[ChatModel, ...]:
        models = tuple(self._found().available())
        if models != self._available:
            self._available = models
        return self._available

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        found, provider = self._found(), model.provider
        base_url = None
        match found.stored.get(provider):
            case Unusable():
                return CredentialUnresolved(f"the entry {provider} in pi's {AUTH} is unusable")
            case StoredLogin(expires=expires) if expires <= self.now():
                return CredentialUnresolved(f"pi's login to {provider} expired: {HOW_TO_RENEW}")
            case StoredLogin(base_url=own):
                base_url = own
            case _:
                pass
        answer = await found.registry(provider).credentials(model)
        if not isinstance(answer, Credential):
            return answer
        return evolve(answer, source=self.credential_source(provider), base_url=base_url)

    def credential_source(self, provider: str) -> str:
        """Where a provider's credential would come from, for people; no command is run."""
        found = self._found()
        match found.stored.get(provider):
            case StoredLogin(expires=expires):
                return "pi's login" + (" (expired)" if expires <= self.now() else "")
            case StoredKey(key=str()):
                return f"pi's {AUTH}"
            case _:
                return found.registry(provider).credential_source(provider)

    def _found(self) -> "_Found":
        """What the files say now."""
        content = self._content(MODELS)
        if content != self._models_content:
            self._models_content = content
            self._unowned = self._with_file(content) if content else self._over(self.catalogue)
        return _Found(self._unowned, self._stored())

    def _with_file(self, content: bytes) -> EnvironmentRegistry:
        from native_web_search.adapters.registries import (  # noqa: PLC0415 - cattrs takes its time
            models_file,
        )

        match models_file.parse_models_file(content):
            case Success(file):
                return self._over(models_file.merged_models(self.catalogue, file), file)
            case Failure(reason):
                self._warn(MODELS, reason)
                return self._over(self.catalogue)

    def _over(
        self, models: tuple[ChatModel, ...], file: ModelsFile | None = None
    ) -> EnvironmentRegistry:
        return EnvironmentRegistry(self.environ, models, file, self.current_key, self.may_run)

    def _stored(self) -> Mapping[str, Stored]:
        content = self._content(AUTH)
        if not content:
            return {}
        match parse_credentials(content):
            case Success(stored):
                return stored
            case Failure(reason):
                self._warn(AUTH, reason)
                return {}

    def _content(self, name: str) -> bytes | None:
        match content_of(self.folder / name):
            case Success(content):
                return content
            case Failure(Unread(why=Why.MISSING)):
                return None
            case Failure(unread):
                self._warn(name, unread.says)
                return None

    def _warn(self, name: str, reason: str) -> None:
        if name not in self._warned:
            self._warned.add(name)
            log.warning("pi's %s is ignored: %s", name, reason)


@frozen
class _Found:
    """What both files said at one moment.

    `unowned` is the registry as if no credential were stored.
    """

    unowned: EnvironmentRegistry
    stored: Mapping[str, Stored]

    def registry(self, provider: str) -> EnvironmentRegistry:
        """The registry that opens this provider; a stored credential stands before all others."""
        if provider not in self.stored:
            return self.unowned
        file = self.unowned.file or ModelsFile()
        entry = file.providers.get(provider, ProviderEntry())
        variables: Mapping[str, str] = {}
        match self.stored[provider]:
            case StoredKey(key, variables):
                entry = evolve(entry, api_key=key or entry.api_key)
            case StoredLogin(key):
                entry = evolve(entry, api_key=_literal(key))
            case Unusable():
                pass
        return evolve(
            self.unowned,
            environ=_before(variables, self.unowned.environ),
            models=tuple(one for one in self.unowned.models if one.provider == provider),
            file=ModelsFile({provider: entry}),
        )

    def available(self) -> Iterator[ChatModel]:
        for model in self.unowned.available():
            if model.provider not in self.stored:
                yield model
        for provider, entry in self.stored.items():
            match entry:
                case Unusable():
                    continue
                case StoredLogin(models=frozenset() as allowed):
                    models = self.registry(provider).available()
                    yield from (model for model in models if model.id in allowed)
                case _:
                    yield from self.registry(provider).available()


def _before(variables: Mapping[str, str], environ: Mapping[str, str]) -> Mapping[str, str]:
    """Both, the first winning; a blank variable hides none of the process."""
    stated = {name: value for name, value in variables.items() if value.strip()}
    return ChainMap(stated, dict(environ)) if stated else environ


def _literal(key: str) -> str:
    """A template that stands for exactly this key."""
    escaped = key.replace("$", "$$")
    return f"${escaped}" if escaped.startswith("!") else escaped

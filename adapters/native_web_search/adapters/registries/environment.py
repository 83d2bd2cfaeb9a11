"""The models of every provider that a variable, or a models file, opens.

Which models a provider has comes from the shipped catalogue and from the user's models file;
which providers are open is read from the environment at every call. Nothing is cached but the
tuple of available models, which stays the same object while nothing changed.
"""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import define, evolve, field

from native_web_search.adapters.registries import key_template
from native_web_search.adapters.registries.placement import placed
from native_web_search.adapters.registries.provider_entry import ModelsFile, ProviderEntry
from native_web_search.adapters.registries.variables import ALSO_NEEDED, found, variables_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.registry import Credential, CredentialAnswer

Signature: TypeAlias = tuple[object, ...]


@define
class EnvironmentRegistry:
    """A `ModelRegistry` over variables. `current_key` is the `provider/id` of the current model;
    an id that is not listed lives where its siblings do.

    `environ` is read live. `file` beats the environment: a provider with an `apiKey` in the file
    is opened by that key alone. `may_run` allows keys that are commands.
    """

    environ: Mapping[str, str] = field(repr=False)
    models: tuple[ChatModel, ...] = field(repr=False)
    file: ModelsFile | None = None
    current_key: str | None = None
    may_run: bool = True
    _available: tuple[Signature, tuple[ChatModel, ...]] = field(
        init=False, default=((), ()), repr=False
    )
    _providers: tuple[str, ...] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.models = _with_current(self.models, self.current_key)
        self._providers = tuple(dict.fromkeys(model.provider for model in self.models))

    def providers(self) -> tuple[str, ...]:
        """The ids of all providers that are known, open or not."""
        return self._providers

    def current(self) -> ChatModel | None:
        """The model that the setting names; of an unknown provider, none."""
        named = (model for model in self.models if _key(model) == self.current_key)
        return next((placed(model, self.environ) for model in named), None)

    def available(self) -> tuple[ChatModel, ...]:
        opened = tuple(provider for provider in self._providers if self._is_open(provider))
        signature = (opened, *(self.environ.get(name) for name in _ADDRESSING))
        if self._available[0] != signature:
            names = frozenset(opened)
            ours = (placed(each, self.environ) for each in self.models if each.provider in names)
            self._available = (signature, tuple(model for model in ours if model.base_url))
        return self._available[1]

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        entry = self._entry(model.provider)
        if entry.api_key is not None:
            return await self._from_file(model, entry, entry.api_key)
        variable = found(model.provider, self.environ)
        if variable is None:
            names = " or ".join(variables_of(model.provider)) or "a login"
            return Skipped(f"no credential for {model.provider}: set {names}")
        credential = variable.credential()
        match await self._headers(model, entry):
            case Success(headers):
                return evolve(credential, headers=(*headers, *credential.headers))
            case Failure(unresolved):
                return unresolved

    def credential_source(self, provider: str) -> str:
        """Where a provider's credential would come from, for people; no command is run."""
        template = self._entry(provider).api_key
        if template is not None:
            kind = "command" if key_template.is_command(template) else "apiKey"
            return f"{kind} in the models file"
        variable = found(provider, self.environ)
        return "none" if variable is None else variable.credential().source

    def missing(self) -> tuple[str, ...]:
        """What to set for providers that are configured by half, a line each."""
        lines: list[str] = []
        for provider in self._providers:
            template = self._entry(provider).api_key
            names = (
                () if template is None else key_template.missing_variables(template, self.environ)
            )
            if names:
                lines.append(f"{provider} needs {', '.join(names)} for its apiKey")
        addressed = {model.provider for model in self.available()}
        lines += [
            f"{provider} needs an address: AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME"
            for provider in self._providers
            if self._is_open(provider) and provider not in addressed
        ]
        return tuple(lines)

    async def _from_file(
        self, model: ChatModel, entry: ProviderEntry, template: str
    ) -> CredentialAnswer:
        what = f"the apiKey of {model.provider}"
        key = await key_template.resolve(template, self.environ, what=what, may_run=self.may_run)
        match key, await self._headers(model, entry):
            case (Failure(unresolved), _) | (_, Failure(unresolved)):
                return unresolved
            case Success(secret), Success(headers):
                bearer = (("Authorization", f"Bearer {secret}"),) if entry.auth_header else ()
                return Credential("models file", key=secret, headers=(*headers, *bearer))

    async def _headers(
        self, model: ChatModel, entry: ProviderEntry
    ) -> Outcome[tuple[tuple[str, str], ...], CredentialUnresolved]:
        headers: list[tuple[str, str]] = []
        for name, template in entry.headers_for(model.id).items():
            what = f"the header {name} of {model.provider}"
            match await key_template.resolve(
                template, self.environ, what=what, may_run=self.may_run
            ):
                case Success(value):
                    headers.append((name, value))
                case Failure(unresolved):
                    return Failure(unresolved)
        return Success(tuple(headers))

    def _is_open(self, provider: str) -> bool:
        """Whether a credential is configured; no command is run to find out."""
        template = self._entry(provider).api_key
        if template is None:
            return found(provider, self.environ) is not None
        if key_template.is_command(template):
            return True
        return bool(template.strip()) and not key_template.missing_variables(template, self.environ)

    def _entry(self, provider: str) -> ProviderEntry:
        return (self.file or ModelsFile()).providers.get(provider, ProviderEntry())


def _key(model: ChatModel) -> str:
    return f"{model.provider}/{model.id}"


def _with_current(models: tuple[ChatModel, ...], key: str | None) -> tuple[ChatModel, ...]:
    """The models, and the current one if it is not among them but has siblings there."""
    if key is None or any(_key(model) == key for model in models):
        return models
    provider, _slash, name = key.partition("/")
    sibling = next((model for model in models if model.provider == provider), None)
    return models if sibling is None else (*models, evolve(sibling, id=name))


_ADDRESSING = (
    *(name for names in ALSO_NEEDED.values() for name in names),
    "AZURE_OPENAI_BASE_URL",
    "AZURE_OPENAI_RESOURCE_NAME",
    "AZURE_OPENAI_API_VERSION",
    "AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
)

"""What a `ModelRegistry` promises."""

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from unittest import SkipTest

from native_web_search.adapters.testing.contracts.promise import (
    in_a_loop,
    never_raising,
    promised,
    promised_kind,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.ports.registry import Credential, CredentialAnswer, ModelRegistry

STRANGER = ChatModel("nobody-knows-this-provider", "nor-this-model", "openai-responses")
SHORT = 4  # code points; what is as short as this may stand anywhere by chance


class ModelRegistryContract(ABC):
    """Derive from this, write `opened`, and let pytest collect the class."""

    @abstractmethod
    def opened(self) -> AbstractAsyncContextManager[ModelRegistry]:
        """A registry with at least one model that has a credential; entered once a test."""

    def log_out(self, registry: ModelRegistry, model: ChatModel) -> None:
        """Take away the credential of the model's provider, behind the registry's back."""
        message = "this registry keeps its credentials"
        raise SkipTest(message)

    def spoil(self, registry: ModelRegistry, model: ChatModel) -> None:
        """Make the credential of the model's provider fail to resolve: an expired login, say."""
        message = "this registry resolves whatever it has"
        raise SkipTest(message)

    @in_a_loop
    async def test_available_models_are_an_equal_tuple_while_nothing_changed(self) -> None:
        """The order of candidates is remembered for as long as the models are equal."""
        async with self.opened() as registry:
            models = _available(registry)
            promised(models == _available(registry), "available models stay equal", models)
            hash(models)

    @in_a_loop
    async def test_the_current_model_is_one_or_none(self) -> None:
        """It need not be available, and it is the same one until the user changes it."""
        async with self.opened() as registry:
            with never_raising("asking for the current model does not raise"):
                current, again = registry.current(), registry.current()
            promised_kind(current, (ChatModel, type(None)), "the current model or none")
            promised(current == again, "the current model stays", again)

    @in_a_loop
    async def test_every_available_model_has_a_credential(self) -> None:
        """Or should have one: it is never skipped as if nothing were configured."""
        async with self.opened() as registry:
            for model in _available(registry):
                answer = await _answer(registry, model)
                configured = isinstance(answer, Credential | CredentialUnresolved)
                promised(configured, f"{model.key} is available, so it has a credential", answer)

    @in_a_loop
    async def test_a_stranger_is_skipped(self) -> None:
        """Of a provider that was never heard of there is no credential, and nothing is raised."""
        async with self.opened() as registry:
            answer = await _answer(registry, STRANGER)
            promised(isinstance(answer, Skipped), "no credential means skipped", answer)

    @in_a_loop
    async def test_a_credential_does_not_show_itself(self) -> None:
        """Its `repr` says where it comes from, and holds neither key nor header value."""
        async with self.opened() as registry:
            for model in _available(registry):
                answer = await _answer(registry, model)
                shown = sum(secret in repr(answer) for secret in _secrets(answer))
                found = f"{shown} secrets in that of {model.key}"  # nor does this report show them
                promised(not shown, "the repr of a credential holds no secret", found)

    @in_a_loop
    async def test_a_credential_is_resolved_anew(self) -> None:
        """Once the user has logged out, the model has no credential and is not available."""
        async with self.opened() as registry:
            model = _first(registry)
            before = await _answer(registry, model)
            promised(isinstance(before, Credential), "an available model opens", before)
            self.log_out(registry, model)
            after = await _answer(registry, model)
            promised(isinstance(after, Skipped), "a credential is never stored", after)
            promised(model not in _available(registry), "available means now", model)

    @in_a_loop
    async def test_a_credential_that_does_not_resolve_is_unresolved(self) -> None:
        """That there should be one is not the same as that there is none."""
        async with self.opened() as registry:
            model = _first(registry)
            before = await _answer(registry, model)
            promised(isinstance(before, Credential), "an available model opens", before)
            self.spoil(registry, model)
            answer = await _answer(registry, model)
            unresolved = isinstance(answer, CredentialUnresolved)
            promised(unresolved, "a credential that fails is unresolved", answer)


def _available(registry: ModelRegistry) -> tuple[ChatModel, ...]:
    with never_raising("asking for the available models does not raise"):
        models = registry.available()
    promised_kind(models, tuple, "available models are a tuple")
    return models


def _first(registry: ModelRegistry) -> ChatModel:
    models = _available(registry)
    promised(models, "the registry under test has a model with a credential", models)
    return models[0]


async def _answer(registry: ModelRegistry, model: ChatModel) -> CredentialAnswer:
    with never_raising("a credential that cannot be had is an answer"):
        return await registry.credentials(model)


def _secrets(answer: CredentialAnswer) -> list[str]:
    if not isinstance(answer, Credential):
        return []
    values = [answer.key or "", *(value for _name, value in answer.headers)]
    return [value for value in values if len(value) > SHORT]

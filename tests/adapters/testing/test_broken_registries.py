"""Registries that do what their port forbids, and how the contract notices."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.testing.contracts import (
    BrokenPromise,
    ModelRegistryContract,
    broken_promises,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.ports.registry import Credential, CredentialAnswer, ModelRegistry

LUNA = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://api.openai.com/v1")
KEY = "sk-0123456789"


@define
class Registry:
    """A registry as it should be: a login for each provider, none of it expired."""

    logins: dict[str, str] = field(factory=lambda: {"openai": KEY})
    expired: bool = False

    def current(self) -> ChatModel | None:
        return LUNA

    def available(self) -> tuple[ChatModel, ...]:
        return (LUNA,) if "openai" in self.logins else ()

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        if model.provider not in self.logins:
            return Skipped(f"not logged in to {model.provider}")
        if self.expired:
            return CredentialUnresolved(f"the login to {model.provider} has expired")
        return Credential("a login", self.logins[model.provider])


@define
class Lists(Registry):
    """Gives a list, which nobody can remember."""

    def available(self) -> tuple[ChatModel, ...]:
        return [LUNA]  # type: ignore[return-value]  # that is what is wrong with it


@define
class Counts(Registry):
    """Makes another model each time."""

    asked: int = 0

    def current(self) -> ChatModel | None:
        self.asked += 1
        return evolve(LUNA, max_tokens=self.asked)

    def available(self) -> tuple[ChatModel, ...]:
        self.asked += 1
        return (evolve(LUNA, max_tokens=self.asked),)


@define
class RaisesWithoutOne(Registry):
    """Has no word for none."""

    def current(self) -> ChatModel | None:
        raise LookupError

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return Credential("a login", self.logins[model.provider])


@define
class OffersAll(Registry):
    """Offers what there is no login for."""

    def available(self) -> tuple[ChatModel, ...]:
        return LUNA, evolve(LUNA, provider="xai")


@define
class Shows(Registry):
    """Says too much about where a key comes from."""

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return Credential(f"the key {KEY}", KEY) if model == LUNA else Skipped("no login")


@define
class OpensEveryDoor(Registry):
    """Hands the only key that it has to everybody."""

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return Credential("a login", KEY)


@define
class Remembers(Registry):
    """Looks at the logins once."""

    memory: dict[str, CredentialAnswer] = field(factory=dict)

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        if model.provider not in self.memory:
            self.memory[model.provider] = await super().credentials(model)
        return self.memory[model.provider]


@define
class RaisesWhenExpired(Registry):
    """Tells of an expired login by an exception."""

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        if self.expired:
            raise PermissionError
        return await super().credentials(model)


def contract(make: Callable[[], Registry]) -> type[ModelRegistryContract]:
    class Contract(ModelRegistryContract):
        @asynccontextmanager
        async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
            yield make()

        def log_out(self, registry: ModelRegistry, model: ChatModel) -> None:
            assert isinstance(registry, Registry)
            registry.logins.clear()

        def spoil(self, registry: ModelRegistry, model: ChatModel) -> None:
            assert isinstance(registry, Registry)
            registry.expired = True

    return Contract


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Callable[[], Registry], str]] = [
    (Lists, "test_available_models_are_an_equal_tuple_while_nothing_changed"),
    (Counts, "test_available_models_are_an_equal_tuple_while_nothing_changed"),
    (Counts, "test_the_current_model_is_one_or_none"),
    (RaisesWithoutOne, "test_the_current_model_is_one_or_none"),
    (OffersAll, "test_every_available_model_has_a_credential"),
    (RaisesWithoutOne, "test_a_stranger_is_skipped"),
    (OpensEveryDoor, "test_a_stranger_is_skipped"),
    (Shows, "test_a_credential_does_not_show_itself"),
    (Remembers, "test_a_credential_is_resolved_anew"),
    (OffersAll, "test_a_credential_is_resolved_anew"),
    (RaisesWhenExpired, "test_a_credential_that_does_not_resolve_is_unresolved"),
    (Remembers, "test_a_credential_that_does_not_resolve_is_unresolved"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("registry", "test"), BROKEN)
def test_a_broken_registry_fails(registry: Callable[[], Registry], test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(registry)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each there is a registry above that breaks it, and one that breaks none."""
    tests = {name for name in dir(ModelRegistryContract) if name.startswith("test_")}
    assert {test for _registry, test in BROKEN} == tests
    assert broken_promises(contract(Registry)) == {}

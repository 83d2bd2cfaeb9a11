"""The simulator's user, whose logins come and go."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.contracts import ModelRegistryContract, broken_promises
from native_web_search.adapters.testing.logins import Logins
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import Skipped
from native_web_search.ports.registry import Credential, ModelRegistry


class Promises(ModelRegistryContract):
    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
        async with Simulator() as simulator:
            yield Logins(simulator, ("deepseek", "openai"))

    def log_out(self, registry: ModelRegistry, model: ChatModel) -> None:
        assert isinstance(registry, Logins)
        registry.open = tuple(name for name in registry.open if name != model.provider)


@pytest.mark.rule("own_host.3")
def test_logins_are_a_registry() -> None:
    """They keep the promises of the port."""
    assert broken_promises(Promises) == {}


@pytest.mark.rule("own_host.3")
async def test_models_and_credentials_follow_the_logins() -> None:
    """Available is who is logged in to now; the current model is the one that was set."""
    async with Simulator() as simulator:
        logins = Logins(simulator)
        assert logins.available() == ()
        deepseek = simulator.models()[0]
        assert isinstance(await logins.credentials(deepseek), Skipped)
        logins.open, logins.model = ("deepseek",), deepseek
        assert {model.provider for model in logins.available()} == {"deepseek"}
        assert logins.current() == deepseek
        assert isinstance(await logins.credentials(deepseek), Credential)

"""The simulator as if one were logged in to its providers."""

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.domain.chat_model import ChatModel


def simulated(
    simulator: Simulator, providers: Collection[str] = (), current: ChatModel | None = None
) -> StaticRegistry:
    """The models and credentials of these providers, of all if none is named."""
    models = tuple(
        model for model in simulator.models() if not providers or model.provider in providers
    )
    keys = {model.provider: simulator.credential(model.provider) for model in models}
    return StaticRegistry(models, keys, current)


@asynccontextmanager
async def simulated_registry() -> AsyncGenerator[StaticRegistry]:
    """A simulator of one's own, for as long as the block lasts."""
    async with Simulator() as simulator:
        yield simulated(simulator)

"""The simulator as if one were logged in to all of its providers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator import Simulator


@asynccontextmanager
async def simulated_registry() -> AsyncIterator[StaticRegistry]:
    """A running simulator's models and credentials."""
    async with Simulator() as simulator:
        models = simulator.models()
        providers = {model.provider for model in models}
        keys = {provider: simulator.credential(provider) for provider in providers}
        yield StaticRegistry(models, keys)

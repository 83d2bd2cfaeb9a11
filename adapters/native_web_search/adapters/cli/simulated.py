"""The simulator as if one were logged in to its providers. Its server takes a third of a second to
import, so this is imported by those who are asked to simulate.
"""

import os
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager

from native_web_search.adapters.compose import Arguments
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.application.settings import settings_from
from native_web_search.domain.chat_model import ChatModel

# What a simulator served is worth no remembering, and its health is no news for a fleet.
APART: Arguments = {"preference_file": os.devnull, "health_url": None}


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
async def simulated_registry(wanted: str | None = None) -> AsyncGenerator[StaticRegistry]:
    """A simulator of one's own, for as long as the block lasts. The current model is the wanted
    one, else the setting's, if there is such a one.
    """
    wanted = wanted or settings_from(os.environ)[0].model
    async with Simulator() as simulator:
        models = {f"{model.provider}/{model.id}": model for model in simulator.models()}
        yield simulated(simulator, current=models.get(wanted or ""))

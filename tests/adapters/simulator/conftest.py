"""A running simulator, and a plain client to talk to it."""

from collections.abc import AsyncIterator

import httpx
import pytest

from native_web_search.adapters.simulator.simulator import Simulator


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """A simulator without faults."""
    async with Simulator() as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A client that keeps connections and gives up after five seconds."""
    async with httpx.AsyncClient(timeout=5, trust_env=False, verify=False) as client:
        yield client

"""A running simulator, and a plain client to talk to it."""

import ssl
from collections.abc import AsyncIterator

import httpx
import pytest

from native_web_search.adapters.simulator.simulator import Simulator

# Without certificates: loopback is plain HTTP, and loading them takes longer than a test.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """A simulator without faults."""
    async with Simulator() as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A client that keeps connections and gives up after five seconds."""
    async with httpx.AsyncClient(timeout=5, trust_env=False, verify=NO_TLS) as client:
        yield client

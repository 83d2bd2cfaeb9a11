"""Fifty real processes share the health of a real server."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

import pytest
from valkey.asyncio import Valkey

from native_web_search.adapters.stores.valkey_health import KEY
from native_web_search.adapters.stores.valkey_server import Client
from native_web_search.adapters.testing.real_valkey import RealValkey
from native_web_search.domain.cooldown import BASE_SECONDS

PROCESSES = 50
MEMBER = Path(__file__).with_name("member.py")
FLEET_SECONDS = 240.0  # of which starting that many interpreters takes most

pytestmark = pytest.mark.full


@pytest.fixture
def server() -> Generator[RealValkey, None, None]:
    with RealValkey() as running:
        yield running


@pytest.fixture
async def barriers(server: RealValkey) -> AsyncGenerator[Client, None]:
    client = cast("Client", Valkey.from_url(server.url))
    yield client
    await client.aclose()


@contextmanager
def fleet(url: str) -> Generator[list["subprocess.Popen[bytes]"], None, None]:
    with ExitStack() as stack:
        members: list[subprocess.Popen[bytes]] = []
        for number in range(PROCESSES):
            command = [sys.executable, "-W", "error", str(MEMBER), url, str(number)]
            member = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            members.append(stack.enter_context(member))
            stack.callback(member.kill)
        yield members


async def all_at(client: Client, barrier: str) -> None:
    """Wait until the whole fleet stands there."""
    while await client.execute_command("LLEN", f"arrived:{barrier}") != PROCESSES:  # noqa: ASYNC110 - a server
        await asyncio.sleep(0.02)


async def let_all_go(client: Client, barrier: str) -> None:
    await client.execute_command("RPUSH", f"go:{barrier}", *(["go"] * PROCESSES))


async def a_minute_later(client: Client) -> None:
    """Move everything that is stored into the past, which is what time does."""
    document = json.loads(cast("bytes", await client.execute_command("GET", KEY)))
    for entry in document["entries"]:
        entry["at"] -= int(BASE_SECONDS + 1) * 1_000_000
    await client.execute_command("SET", KEY, json.dumps(document))


async def nothing_more(_client: Client) -> None: ...


@pytest.mark.rule("shared_health.2", "shared_health.17")
async def test_a_fleet_sees_an_outage_as_one_and_one_success_ends_it(
    server: RealValkey, barriers: Client
) -> None:
    """All fail at once, twice: one rung each time; one of them succeeds, and nobody cools."""
    steps: dict[str, Callable[[Client], Awaitable[None]]] = {
        "first": nothing_more,
        "after the first": nothing_more,
        "second": a_minute_later,
        "after the second": nothing_more,
        "success": nothing_more,
        "after the success": nothing_more,
    }
    with fleet(server.url) as members:
        async with asyncio.timeout(FLEET_SECONDS):
            for barrier, before in steps.items():
                await all_at(barriers, barrier)
                await before(barriers)
                await let_all_go(barriers, barrier)
        ended = [member.communicate(timeout=60) for member in members]
    assert [said for _told, said in ended if said] == []
    for told, _said in ended:
        first, second, last = map(json.loads, told.splitlines())
        assert first == [[0], pytest.approx(BASE_SECONDS, abs=30)]
        assert second == [[1], pytest.approx(2 * BASE_SECONDS, abs=30)]
        assert last == [[], 0]

"""The shared health on a real server, and what happens to that."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self, cast

import pytest
from attrs import define, field
from valkey.asyncio import Valkey

from native_web_search.adapters.cli.simulated import simulated
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.simulator.faults import Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.stores.dated_ledger import MAX_BYTES
from native_web_search.adapters.stores.valkey_health import (
    KEY,
    Patience,
    ValkeyHealth,
    valkey_health,
)
from native_web_search.adapters.stores.valkey_server import Client
from native_web_search.adapters.testing import real_valkey
from native_web_search.adapters.testing.contracts import HealthStoreContract
from native_web_search.adapters.testing.memory import ManualClock
from native_web_search.adapters.testing.real_valkey import NoServerError, RealValkey
from native_web_search.application.health import ProcessHealth
from native_web_search.domain.cooldown import BASE_SECONDS, Failed, Succeeded
from native_web_search.domain.failure import ProviderRefused
from native_web_search.domain.family import Operation
from native_web_search.ports.health import HealthStore

MODEL = "gpt-5.6-luna"
OUTAGE = Failed(Operation.SEARCH, "openai", MODEL, ProviderRefused("HTTP 503", 503))
OTHER = Failed(Operation.SEARCH, "xai", "grok-4.1", ProviderRefused("HTTP 503", 503))
ANSWER = Succeeded(Operation.SEARCH, "openai", MODEL)
PASSWORD = "pw-CANARY-0123456789"
REST = 5.0
HERD = 200
PATIENT = Patience(5.0, REST)  # for a machine that has other things to do

pytestmark = pytest.mark.full


def at(url: str, clock: ManualClock, patience: Patience = PATIENT) -> ValkeyHealth:
    return valkey_health(url, ProcessHealth(clock), clock, patience=patience).unwrap()


async def left(store: HealthStore, clock: ManualClock) -> float:
    return (await store.ledger()).remaining(Operation.SEARCH, "openai", MODEL, clock.now)


async def said_to(server: RealValkey, *command: str) -> object:
    client = cast("Client", Valkey.from_url(server.url))
    try:
        return await client.execute_command(*command)
    finally:
        await client.aclose()


@pytest.fixture
def server() -> Generator[RealValkey, None, None]:
    with RealValkey() as running:
        yield running


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "native_web_search")
    return caplog


def heard(log: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in log.records if record.name == "native_web_search"]


@pytest.mark.rule("shared_health.1", "shared_health.2")
class TestReal(HealthStoreContract):
    """Every promise of a store. Time passes by dating what is stored earlier."""

    @asynccontextmanager
    async def opened(self, clock: ManualClock) -> AsyncGenerator[HealthStore, None]:
        with RealValkey() as self.server:
            store = at(self.server.url, clock)
            yield store
            await store.aclose()

    @asynccontextmanager
    async def unavailable(self, clock: ManualClock) -> AsyncGenerator[HealthStore, None]:
        with RealValkey() as server:
            store = at(server.url, clock)
        yield store

    async def pass_(self, clock: ManualClock, seconds: float) -> None:
        clock.pass_(seconds)
        document = json.loads(cast("bytes", await said_to(self.server, "GET", KEY)))
        for entry in document["entries"]:
            entry["at"] -= round(seconds * 1_000_000)
        await said_to(self.server, "SET", KEY, json.dumps(document))


@define
class Caller:
    """Settles and reads as calls do, all the time, and remembers the longest wait."""

    store: ValkeyHealth
    rounds: int = 0
    longest: float = 0.0
    _task: "asyncio.Task[None] | None" = field(init=False, default=None)

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._call())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        assert not self._task.done()
        self._task.cancel()
        await asyncio.wait({self._task}, timeout=5)
        assert self._task.cancelled()

    async def more(self) -> None:
        """Wait until another hundred calls are through."""
        wanted = self.rounds + 100
        async with asyncio.timeout(60):
            while self.rounds < wanted:  # noqa: ASYNC110 - a task counts
                await asyncio.sleep(0.01)

    async def _call(self) -> None:
        while True:
            started = time.monotonic()
            await self.store.settle(OUTAGE)
            await self.store.settle(ANSWER)
            await self.store.ledger()
            self.longest = max(self.longest, time.monotonic() - started)
            self.rounds += 1
            await asyncio.sleep(0)


@pytest.mark.rule("shared_health.7", "shared_health.8")
class TestAway:
    """A server that is killed, stopped or emptied while calls go on."""

    async def test_a_server_that_is_killed_and_started_again(
        self, server: RealValkey, log: pytest.LogCaptureFixture
    ) -> None:
        """Calls go on; one warning when it goes, one line when it is used again."""
        clock = ManualClock()
        store = at(server.url, clock)
        async with Caller(store) as calls:
            await calls.more()
            server.kill()
            await calls.more()
            (warning,) = heard(log)
            assert warning.startswith(f"the shared health at {server.socket} is away (")
            server.start()
            clock.pass_(REST)
            await calls.more()
        assert heard(log)[1:] == [f"the shared health at {server.socket} is back"]
        await store.settle(OUTAGE)
        assert await said_to(server, "EXISTS", KEY) == 1
        await store.aclose()

    async def test_a_server_that_is_stopped_in_its_tracks(
        self, server: RealValkey, log: pytest.LogCaptureFixture
    ) -> None:
        """It costs one operation's time in all, not each call's, and is used again after."""
        clock = ManualClock()
        store = at(server.url, clock, Patience(0.25, REST))
        await store.ledger()
        server.stop()
        started = time.monotonic()
        for _call in range(100):
            await store.settle(OUTAGE)
            assert await left(store, clock) == BASE_SECONDS
        assert time.monotonic() - started < 0.25 + 2
        (warning,) = heard(log)
        assert "is away (no answer in time)" in warning
        server.go_on()
        clock.pass_(REST)
        patient = at(server.url, clock)
        await patient.settle(ANSWER)
        assert await left(patient, clock) == 0
        await store.aclose()
        await patient.aclose()

    async def test_a_server_that_was_emptied(
        self, server: RealValkey, log: pytest.LogCaptureFixture
    ) -> None:
        """Everybody is healthy again for all, and the next outage is noted as usual."""
        clock = ManualClock()
        store = at(server.url, clock)
        await store.settle(OUTAGE)
        await said_to(server, "FLUSHALL")
        assert await left(store, clock) == 0
        await store.settle(OUTAGE)
        assert await left(store, clock) == pytest.approx(BASE_SECONDS, abs=1)
        assert heard(log) == []
        await store.aclose()


@pytest.mark.rule("shared_health.19")
class TestUnwritable:
    """A server that can be read but not written."""

    @pytest.mark.parametrize(
        "trouble",
        [
            ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
            ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
            ("ACL SETUSER default -set", "ACL SETUSER default +set"),
        ],
        ids=["full", "replica", "ACL"],
    )
    @pytest.mark.parametrize("known", [(), (OTHER,)], ids=["empty", "held"])
    async def test_it_stays_away_until_it_can_be_written(
        self,
        server: RealValkey,
        log: pytest.LogCaptureFixture,
        known: tuple[Failed, ...],
        trouble: tuple[str, str],
    ) -> None:
        """One warning, and what the process saw itself counts; then it is used again."""
        clock = ManualClock()
        store = at(server.url, clock)
        spoil, mend = trouble
        for outage in known:
            await store.settle(outage)
        held = await said_to(server, "GET", KEY)
        await said_to(server, *spoil.split())
        await store.settle(OUTAGE)
        for _rest in range(4):
            clock.pass_(REST)
            assert await left(store, clock) > 0
        (warning,) = heard(log)
        assert "is away (" in warning
        await said_to(server, *mend.split())
        clock.pass_(REST)
        assert await left(store, clock) == 0
        assert (await said_to(server, "GET", KEY) or None) == held
        assert "is back" in heard(log)[-1]
        await store.aclose()

    async def test_a_user_needs_four_commands(self, server: RealValkey) -> None:
        """And nothing but the one key."""
        rights = ("+eval", "+getrange", "+set", "+time", f"~{KEY}")
        await said_to(server, "ACL", "SETUSER", "default", "reset", "on", "nopass", *rights)
        clock = ManualClock()
        store = at(server.url, clock)
        await store.settle(OUTAGE)
        assert await left(store, clock) == pytest.approx(BASE_SECONDS, abs=1)
        await store.settle(ANSWER)
        assert (await store.ledger()).cooldowns == {}
        assert not store.contact.is_away
        await store.server.prove()
        await store.aclose()


@pytest.mark.rule("shared_health.18")
async def test_a_herd_loses_nothing(server: RealValkey, log: pytest.LogCaptureFixture) -> None:
    """Very many outages at once in one event loop are all on the server after a moment."""
    clock = ManualClock()
    store = at(server.url, clock, Patience())
    await asyncio.gather(
        *(
            store.settle(Failed(Operation.SEARCH, f"p{number}", MODEL, OUTAGE.failure))
            for number in range(HERD)
        )
    )
    assert len((await at(server.url, clock).ledger()).cooldowns) == HERD
    assert heard(log) == []
    await store.aclose()


@pytest.mark.rule("shared_health.5")
async def test_the_value_expires_and_a_healthy_fleet_leaves_none(server: RealValkey) -> None:
    """A day and ten minutes after its last change, or when the last cooldown is cleared."""
    store = at(server.url, ManualClock())
    await store.settle(OUTAGE)
    life = cast("int", await said_to(server, "PTTL", KEY))
    assert 86_400_000 < life <= 87_000_000
    await store.settle(ANSWER)
    async with asyncio.timeout(5):
        while await said_to(server, "KEYS", "*"):  # noqa: ASYNC110 - a server
            await asyncio.sleep(0.001)
    await store.aclose()


@pytest.mark.rule("shared_health.10")
@pytest.mark.parametrize(
    "foreign",
    [("SET", KEY, "hello"), ("HSET", KEY, "a", "b"), ("SET", KEY, " " * (MAX_BYTES + 1))],
    ids=["text", "type", "length"],
)
async def test_what_is_not_ours_is_replaced(
    server: RealValkey, log: pytest.LogCaptureFixture, foreign: tuple[str, ...]
) -> None:
    """Another text, another type and any length alike: one warning, empty, then overwritten."""
    clock = ManualClock()
    store = at(server.url, clock)
    await said_to(server, *foreign)
    assert len((await store.server.read()).document) < 10, "too long a value travels"
    assert [await left(store, clock), await left(store, clock)] == [0, 0]
    await store.settle(OUTAGE)
    assert await left(store, clock) == pytest.approx(BASE_SECONDS, abs=1)
    assert await said_to(server, "TYPE", KEY) in ("string", b"string")
    (warning,) = heard(log)
    assert "counts as empty" in warning
    await store.aclose()


@pytest.mark.rule("shared_health.11")
async def test_a_wrong_password_is_said_without_it(log: pytest.LogCaptureFixture) -> None:
    """The right one opens, the wrong one is one warning."""
    clock = ManualClock()
    with RealValkey(PASSWORD) as server:
        right = at(f"{server.url}?password={PASSWORD}", clock)
        await right.settle(OUTAGE)
        assert heard(log) == []
        wrong = at(f"{server.url}?password={PASSWORD}x", clock)
        for _call in range(3):
            assert await left(wrong, clock) == 0
        (warning,) = heard(log)
        assert "is away (it refuses the user name or password)" in warning
        await right.aclose()
        await wrong.aclose()


@pytest.mark.rule("shared_health.1")
async def test_what_one_tool_met_another_avoids(server: RealValkey, tmp_path: Path) -> None:
    """Two tools with one health: the second never asks the provider that failed the first."""
    async with Simulator(faults={"deepseek": [Status(503)]}) as simulator:
        asked: list[list[str]] = []
        for name in ("one", "two"):
            async with open_web_search(
                simulated(simulator, ("deepseek", "ollama-cloud")),
                environ={},
                health_url=server.url,
                preference_file=tmp_path / name,
            ) as web:
                assert not (await web.call({"query": "cooldown"})).is_error
            asked.append([seen.provider for seen in simulator.requests])
            simulator.requests.clear()
    assert asked == [["deepseek", "ollama-cloud"], ["ollama-cloud"]]


def test_a_missing_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has none is told what installs it, and no test is skipped."""
    monkeypatch.setattr(real_valkey, "PROGRAMS", ("no-such-server",))
    with pytest.raises(NoServerError, match=r"\.ci/prepare-valkey"), RealValkey():
        pass

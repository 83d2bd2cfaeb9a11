"""The shared health against a server that fails to order; tests/fleet runs a real one."""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.stores.dated_ledger import MAX_BYTES
from native_web_search.adapters.stores.valkey_health import (
    KEY,
    SECONDS,
    Patience,
    ValkeyHealth,
    valkey_health,
)
from native_web_search.adapters.testing.contracts import HealthStoreContract
from native_web_search.adapters.testing.memory import ManualClock
from native_web_search.adapters.testing.scripted_valkey import (
    HangUp,
    Reply,
    Rival,
    ScriptedValkey,
    Silence,
    Turn,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.domain.cooldown import BASE_SECONDS, Failed, Ledger, Succeeded
from native_web_search.domain.failure import ProviderRefused, RequestRefused
from native_web_search.domain.family import Operation
from native_web_search.domain.outcome import Success
from native_web_search.ports.health import HealthStore

MODEL = "gpt-5.6-luna"
OUTAGE = Failed(Operation.SEARCH, "openai", MODEL, ProviderRefused("HTTP 503", 503))
OTHER = Failed(Operation.SEARCH, "xai", "grok-4.1", ProviderRefused("HTTP 503", 503))
ANSWER = Succeeded(Operation.SEARCH, "openai", MODEL)
PASSWORD = "pw-CANARY-0123456789"
QUICK = Patience(0.1, 5.0)
PATIENT = Patience(5.0, 5.0)  # for a machine that has other things to do
NOBODY = StaticRegistry((), {})
ENOUGH = 20  # operations that go wrong at once
HERD = 200


def at(
    server: ScriptedValkey, clock: ManualClock | None = None, patience: Patience = PATIENT
) -> ValkeyHealth:
    clock = clock or ManualClock()
    match valkey_health(server.url, ProcessHealth(clock), clock, patience=patience):
        case Success(store):
            return store
        case failure:
            pytest.fail(repr(failure))


async def left(store: HealthStore, clock: ManualClock, provider: str = "openai") -> float:
    return (await store.ledger()).remaining(Operation.SEARCH, provider, MODEL, clock.now)


@pytest.fixture
async def server() -> AsyncGenerator[ScriptedValkey, None]:
    async with ScriptedValkey() as running:
        yield running


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "native_web_search")
    return caplog


def heard(log: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in log.records if record.name == "native_web_search"]


@pytest.mark.rule("shared_health.1")
class TestScripted(HealthStoreContract):
    """Every promise of a store, with the server's clock in our hands."""

    @asynccontextmanager
    async def opened(self, clock: ManualClock) -> AsyncGenerator[HealthStore, None]:
        async with ScriptedValkey() as self.server:
            store = at(self.server, clock)
            yield store
            await store.aclose()

    @asynccontextmanager
    async def unavailable(self, clock: ManualClock) -> AsyncGenerator[HealthStore, None]:
        async with ScriptedValkey() as server:
            store = at(server, clock)
        yield store

    async def pass_(self, clock: ManualClock, seconds: float) -> None:
        clock.pass_(seconds)
        self.server.pass_(seconds)


@pytest.mark.rule("shared_health.1")
async def test_two_stores_share_one_ledger(server: ScriptedValkey) -> None:
    """What one has seen the other knows, on a clock of its own; one success clears it for both."""
    here, there = ManualClock(10.0), ManualClock(99_999.0)
    one, two = at(server, here), at(server, there)
    await one.settle(OUTAGE)
    assert await left(two, there) == BASE_SECONDS
    await two.settle(ANSWER)
    assert await left(one, here) == 0
    await one.aclose()
    await two.aclose()


@pytest.mark.rule("shared_health.2")
class TestRaces:
    """Others who are faster."""

    async def test_whoever_loses_a_race_starts_from_what_the_winner_left(
        self, server: ScriptedValkey
    ) -> None:
        """Neither outage is lost, and the refusal itself brought what was there."""
        store, clock = at(server), ManualClock()
        await store.settle(OTHER)
        theirs = server.documents.pop(KEY.encode())
        server.questions.clear()
        server.turns.extend([Reply(server._run(KEY.encode(), [])), Rival(theirs)])
        await store.settle(OUTAGE)
        assert server.questions == ["read", "swap", "swap"]
        assert await left(store, clock) == await left(store, clock, "xai") == BASE_SECONDS
        await store.aclose()

    async def test_an_outage_that_another_wrote_meanwhile_is_the_same_outage(
        self, server: ScriptedValkey
    ) -> None:
        """The loser has nothing left to write."""
        store, clock = at(server), ManualClock()
        await store.settle(OUTAGE)
        theirs = server.documents.pop(KEY.encode())
        server.turns.extend([Reply(server._run(KEY.encode(), [])), Rival(theirs)])
        await store.settle(OUTAGE)
        assert server.documents[KEY.encode()] == theirs
        assert await left(store, clock) == BASE_SECONDS
        await store.aclose()

    async def test_a_race_without_end_ends_with_the_time_of_the_operation(
        self, server: ScriptedValkey
    ) -> None:
        """Somebody who is always faster costs no more than a server that is away."""
        store = at(server, patience=QUICK)
        server.turns.extend(Rival(b"rival %d" % number) for number in range(100_000))
        started = time.monotonic()
        await store.settle(OUTAGE)
        assert time.monotonic() - started < QUICK.question + 1
        await store.aclose()


@pytest.mark.rule("shared_health.6")
async def test_no_question_is_put_that_has_an_answer(server: ScriptedValkey) -> None:
    """One to read; none for what cools nothing; one for no change; two for a change."""
    store = at(server)
    refused = Failed(Operation.SEARCH, "openai", MODEL, RequestRefused("blocked", 400))

    async def questions_of(*steps: Failed | Succeeded) -> list[str]:
        server.questions.clear()
        for step in steps:
            await store.settle(step)
        return server.questions[:]

    await store.ledger()
    assert server.questions == ["read"]
    assert await questions_of(refused) == []
    assert await questions_of(ANSWER) == ["read"]
    assert await questions_of(OUTAGE) == ["read", "swap"]
    assert await questions_of(OUTAGE) == ["read"]
    assert await questions_of(ANSWER) == ["read", "swap"]
    assert not server.documents
    await store.aclose()


@pytest.mark.rule("shared_health.5")
async def test_what_is_stored_has_an_end(server: ScriptedValkey) -> None:
    """The value lives a day and ten minutes from its last change, and nothing stays for good."""
    store = at(server)
    await store.settle(OUTAGE)
    assert server.lives[KEY.encode()] == (86_400 + 600) * 1000
    await store.aclose()


@pytest.mark.rule("shared_health.7", "shared_health.8")
class TestAway:
    """A server that hangs, hangs up, or talks nonsense."""

    @pytest.mark.parametrize(
        "trouble",
        [Silence(), HangUp(), Reply(b"-OOM not now\r\n"), Reply(b"+PONG\r\n"), Reply(b"\x00\r\n")],
        ids=lambda trouble: type(trouble).__name__,
    )
    async def test_calls_go_on_with_the_health_of_the_process(
        self, server: ScriptedValkey, log: pytest.LogCaptureFixture, trouble: Turn
    ) -> None:
        """One warning, however many meet it at once; the process knows what it saw itself."""
        clock = ManualClock()
        store, server.always = at(server, clock, QUICK), trouble
        await asyncio.gather(*(store.settle(OUTAGE) for _each in range(ENOUGH)))
        assert await left(store, clock) == BASE_SECONDS
        (warning,) = heard(log)
        assert warning.startswith(f"the shared health at {server.url[9:]} is away (")
        await store.aclose()

    async def test_a_server_that_hangs_slows_no_second_operation(
        self, server: ScriptedValkey
    ) -> None:
        """It is left alone for a rest; then one operation asks, and the others do not wait."""
        clock, server.always = ManualClock(), Silence()
        store = at(server, clock, QUICK)
        started = time.monotonic()
        await store.settle(OUTAGE)
        assert 0.09 < time.monotonic() - started < 2
        asked = len(server.questions)
        for _operation in range(ENOUGH):
            await store.ledger()
        assert len(server.questions) == asked
        clock.pass_(QUICK.rest)
        await asyncio.gather(*(store.ledger() for _each in range(ENOUGH)))
        assert len(server.questions) == asked + 1
        await store.aclose()

    async def test_a_server_that_is_back_is_used_again(
        self, server: ScriptedValkey, log: pytest.LogCaptureFixture
    ) -> None:
        """What it knows counts then, and what happened meanwhile is forgotten."""
        clock, server.always = ManualClock(), HangUp()
        store = at(server, clock)
        await store.settle(OUTAGE)
        server.always = None
        clock.pass_(QUICK.rest)
        assert await left(store, clock) == 0
        await store.settle(OTHER)
        assert await left(store, clock, "xai") == BASE_SECONDS
        away, back = heard(log)
        assert "is away" in away
        assert "is back" in back
        await store.aclose()

    @pytest.mark.rule("shared_health.19")
    @pytest.mark.parametrize("known", [(), (OTHER,)], ids=["empty", "held"])
    async def test_a_server_that_refuses_to_be_written_stays_away(
        self, server: ScriptedValkey, log: pytest.LogCaptureFixture, known: tuple[Failed, ...]
    ) -> None:
        """Reading alone brings it back for nobody: what the process saw itself counts."""
        clock = ManualClock()
        store = at(server, clock)
        for outage in known:
            await store.settle(outage)
        held = server.documents.copy()
        server.refusal = b"-READONLY You can't write against a read only replica.\r\n"
        await store.settle(OUTAGE)
        for _rest in range(5):
            clock.pass_(QUICK.rest)
            assert await left(store, clock) > 0
        (warning,) = heard(log)
        assert "is away (ReadOnlyError)" in warning
        assert server.documents == held
        server.refusal = None
        clock.pass_(QUICK.rest)
        assert await left(store, clock) == 0
        assert server.documents == held
        assert server.questions[-2:] == ["prove", "read"]
        assert "is back" in heard(log)[-1]
        await store.aclose()

    def test_an_operation_has_a_quarter_of_a_second(self) -> None:
        """And a server that fails is left alone for five."""
        assert Patience() == Patience(SECONDS, 5.0) == Patience(0.25, 5.0)


@pytest.mark.rule("shared_health.9")
async def test_a_kept_connection_that_died_is_replaced(
    server: ScriptedValkey, log: pytest.LogCaptureFixture
) -> None:
    """As after an idle night: one try on a fresh connection, and not a word."""
    store, clock = at(server), ManualClock()
    await store.settle(OUTAGE)
    server.turns.append(HangUp())
    assert await left(store, clock) == BASE_SECONDS
    assert server.connections == 2
    assert heard(log) == []
    await store.aclose()


@pytest.mark.rule("shared_health.10")
async def test_what_is_not_ours_counts_as_empty_and_is_replaced(
    server: ScriptedValkey, log: pytest.LogCaptureFixture
) -> None:
    """One warning, no crash; the next outage is written over it."""
    store, clock = at(server), ManualClock()
    server.documents[KEY.encode()] = b"what somebody else left"
    assert [await left(store, clock) for _each in range(3)] == [0, 0, 0]
    await store.settle(OUTAGE)
    assert await left(store, clock) == BASE_SECONDS
    (warning,) = heard(log)
    assert "counts as empty" in warning
    await store.aclose()


@pytest.mark.rule("shared_health.10")
async def test_a_value_that_is_too_long_never_travels(
    server: ScriptedValkey, log: pytest.LogCaptureFixture
) -> None:
    """It counts as not ours, and the next outage is written over it."""
    store, clock = at(server), ManualClock()
    server.documents[KEY.encode()] = b" " * (MAX_BYTES + 1)
    assert await left(store, clock) == 0
    await store.settle(OUTAGE)
    assert await left(store, clock) == BASE_SECONDS
    (warning,) = heard(log)
    assert "counts as empty" in warning
    await store.aclose()


@pytest.mark.rule("shared_health.18")
class TestHerd:
    """Very many calls of one event loop at once."""

    async def test_all_transitions_of_a_herd_are_stored(
        self, server: ScriptedValkey, log: pytest.LogCaptureFixture
    ) -> None:
        """The first with one question, all others with the next, in their order."""
        clock = ManualClock()
        store = at(server, clock)
        names = [f"p{number}" for number in range(HERD)]
        outages = [Failed(Operation.SEARCH, name, MODEL, OUTAGE.failure) for name in names]
        *_, last = await asyncio.gather(
            *map(store.settle, outages), store.settle(ANSWER), store.settle(OUTAGE), store.ledger()
        )
        assert isinstance(last, Ledger)
        assert [provider for _search, provider, _model in last.cooldowns] == [*names, "openai"]
        assert await store.ledger() == last
        assert server.questions == ["read", "swap"] * 2 + ["read"]
        assert heard(log) == []
        await store.aclose()

    async def test_a_herd_at_a_server_that_hangs_waits_once(
        self, server: ScriptedValkey, log: pytest.LogCaptureFixture
    ) -> None:
        """Whoever stands behind the one that lost it goes on at once."""
        clock, server.always = ManualClock(), Silence()
        store = at(server, clock, Patience(0.5, 5.0))
        started = time.monotonic()
        await asyncio.gather(*(store.settle(OUTAGE) for _each in range(HERD)))
        assert time.monotonic() - started < 1
        assert server.questions == ["read"]
        assert len(heard(log)) == 1
        await store.aclose()

    async def test_closing_waits_for_the_herd(self, server: ScriptedValkey) -> None:
        """Whoever stands in line opens no connection after that."""
        store = at(server)
        settling = asyncio.gather(*(store.settle(OUTAGE) for _each in range(HERD)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await store.aclose()
        await settling
        assert await server.idle()
        assert server.connections == 1


@pytest.mark.rule("shared_health.13")
class TestCancelled:
    """Callers that give up."""

    async def test_cancelling_leaves_no_connection_in_a_bad_state(
        self, server: ScriptedValkey
    ) -> None:
        """The answer to a question that was given up is never taken for that of the next."""
        clock = ManualClock()
        store = at(server, clock)
        await store.ledger()
        server.turns.append(Silence())
        settling = asyncio.create_task(store.settle(OUTAGE))
        async with asyncio.timeout(5):
            while len(server.questions) < 2:  # noqa: ASYNC110 - the server sets no event
                await asyncio.sleep(0.005)
        settling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await settling
        assert await store.ledger() == Ledger()
        await store.settle(OUTAGE)
        assert await left(store, clock) == BASE_SECONDS
        await store.aclose()
        assert await server.idle()

    async def test_cancelling_is_heard_at_every_step(self, server: ScriptedValkey) -> None:
        """Wherever it strikes, in connecting, sending or waiting, it comes out at the top."""
        store = at(server)
        for number in range(120):
            if number % 2:
                await store.server.aclose()
            step = OUTAGE if number % 4 < 2 else ANSWER
            settling = asyncio.create_task(store.settle(step))
            for _turn in range(number // 2):
                await asyncio.sleep(0)
            is_late = settling.done()
            settling.cancel()
            await asyncio.wait({settling}, timeout=5)
            assert settling.cancelled() is not is_late, number
        await store.aclose()
        assert await server.idle()


@pytest.mark.rule("shared_health.11")
async def test_a_wrong_password_is_said_without_it(log: pytest.LogCaptureFixture) -> None:
    """Neither log nor repr shows what the URL holds; the right one is accepted."""
    async with ScriptedValkey(PASSWORD) as server:
        clock = ManualClock()
        place = server.url.removeprefix("valkey://")
        for given, expected in ((f"{PASSWORD}x", 1), (PASSWORD, 0)):
            log.clear()
            url = f"redis://user:{given}@{place}"
            store = valkey_health(url, ProcessHealth(clock), clock, patience=PATIENT).unwrap()
            await store.settle(OUTAGE)
            assert await left(store, clock) == BASE_SECONDS
            assert len(heard(log)) == expected
            assert PASSWORD not in repr(store) + repr(store.server) + log.text
            await store.aclose()
        assert KEY.encode() in server.documents


@pytest.mark.rule("shared_health.14")
class TestOpening:
    """The setting, as `open_web_search` takes it."""

    async def test_a_url_shares_the_health_of_the_tool(self, server: ScriptedValkey) -> None:
        """The variable is enough; what one tool saw another knows; closing closes."""
        environ = {"NATIVE_WEB_SEARCH_HEALTH_URL": server.url}
        async with (
            open_web_search(NOBODY, environ=environ) as one,
            open_web_search(NOBODY, environ={}, health_url=server.url) as two,
        ):
            await one.health.settle(OUTAGE)
            ledger, now = await two.health.ledger(), two.clock.monotonic()
            assert ledger.remaining(Operation.SEARCH, "openai", MODEL, now) > BASE_SECONDS - 5
        assert await server.idle()

    async def test_without_the_client_a_warning_says_how_to_get_it(
        self, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Calls go on with the health of the process."""
        monkeypatch.setitem(sys.modules, "native_web_search.adapters.stores.valkey_health", None)
        async with open_web_search(NOBODY, environ={}, health_url="valkey://h.example") as web:
            assert isinstance(web.health, ProcessHealth)
        (warning,) = heard(log)
        assert "pip install 'native-web-search[valkey]'" in warning

    async def test_a_url_that_cannot_be_is_no_reason_to_install_a_client(
        self, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is wrong with the URL is said first."""
        monkeypatch.setitem(sys.modules, "native_web_search.adapters.stores.valkey_health", None)
        async with open_web_search(NOBODY, environ={}, health_url="redis://h.example/3x"):
            pass
        (warning,) = heard(log)
        assert "its database is not one number" in warning
        assert "pip install" not in warning

    @pytest.mark.parametrize(
        "url",
        [
            f"https://:{PASSWORD}@h.example",
            f":{PASSWORD}@h.example",
            f"valkey://:{PASSWORD}@h.example:port",
            f"valkey://:{PASSWORD}@h.example?db={PASSWORD}",
            f"valkey://:{PASSWORD}@h.example?wat={PASSWORD}",
            f"valkey://:{PASSWORD}@[h.example",
        ],
        ids=["scheme", "no scheme", "port", "database", "option", "address"],
    )
    async def test_a_url_that_cannot_be_is_ignored_with_one_warning(
        self, log: pytest.LogCaptureFixture, url: str
    ) -> None:
        """The warning says what a URL has to be, and does not show this one."""
        async with open_web_search(NOBODY, environ={}, health_url=url) as web:
            assert isinstance(web.health, ProcessHealth)
        (warning,) = heard(log)
        assert warning.startswith("the health URL is ignored: ")
        assert "; it must be a URL that begins with" in warning

    @pytest.mark.rule("shared_health.15")
    async def test_without_cooldowns_nobody_is_asked(self, server: ScriptedValkey) -> None:
        """A base of 0 leaves nothing to share."""
        async with open_web_search(NOBODY, environ={}, health_url=server.url, cooldown_ms=0) as web:
            await web.health.settle(OUTAGE)
            assert await web.health.ledger() == Ledger()
        assert server.questions == []

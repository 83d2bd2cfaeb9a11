"""How long a provider stands behind, with a clock in hand and real calls."""

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from native_web_search.adapters import compose
from native_web_search.adapters.testing.memory import ManualClock
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.adapters.testing.speakers import JSON, OPENAI
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.health import ProcessHealth
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.family import Operation

Opened = Callable[..., WebSearch]

GOOD = response(OPENAI.answer)
DOWN = response(b'{"error":{"message":"down"}}', status=500, content_type=JSON)


def timed(web: WebSearch) -> ManualClock:
    """Puts a clock that is moved by hand under the tool's cooldowns."""
    clock = ManualClock()
    web.clock, web.health = clock, ProcessHealth(clock)
    return clock


async def cooling(web: WebSearch) -> float:
    """How long OpenAI still cools for searches."""
    ledger = await web.health.ledger()
    return ledger.remaining(Operation.SEARCH, "openai", OPENAI.model, web.clock.monotonic())


@pytest.mark.case("F05")
async def test_seven_outages_climb_the_ladder_and_a_success_leads_off_it(opened: Opened) -> None:
    """60 s doubled up to 600 s, one step an outage, and 60 s again after a success."""
    async with (
        RawServer(answering(*[DOWN] * 7, GOOD, DOWN)) as server,
        opened(OPENAI.at(server.url)) as web,
    ):
        clock, waits = timed(web), list[float]()
        for _outage in range(7):
            assert (await web.call({"query": "q"})).is_error
            waits.append(await cooling(web))
            clock.pass_(waits[-1])
            assert await cooling(web) == 0
        assert not (await web.call({"query": "q"})).is_error
        assert (await web.call({"query": "q"})).is_error
        waits.append(await cooling(web))
    assert waits == [60, 120, 240, 480, 600, 600, 600, 60]


@pytest.mark.case("F05")
@pytest.mark.parametrize(("pause", "second"), [(0, 60), (59, 1), (60, 120), (61, 120), (9e9, 120)])
async def test_only_an_outage_after_the_last_one_is_a_step(
    opened: Opened, pause: float, second: float
) -> None:
    """A failure while cooling changes nothing; one at the very end, or years later, doubles."""
    async with RawServer(answering(DOWN)) as server, opened(OPENAI.at(server.url)) as web:
        clock = timed(web)
        await web.call({"query": "q"})
        clock.pass_(pause)
        await web.call({"query": "q"})
        assert await cooling(web) == second


@pytest.mark.case("F06")
@pytest.mark.parametrize(("herd", "at_once"), [(10, True), (10, False), (2, True), (1, True)])
async def test_a_herd_of_probes_is_one_outage(opened: Opened, herd: int, *, at_once: bool) -> None:
    """Calls that fail together after a cooldown double it once, however many they are."""
    together = asyncio.Barrier(herd)

    async def down(connection: RawConnection) -> None:
        await connection.request()
        if at_once and len(connection.server.requests) > 1:
            await together.wait()
        await connection.send(DOWN)

    async with RawServer(down) as server, opened(OPENAI.at(server.url), concurrency=10) as web:
        clock = timed(web)
        await web.call({"query": "q"})
        assert await cooling(web) == 60
        clock.pass_(61)
        calls = [web.call({"query": "q"}) for _ in range(herd)]
        results = await asyncio.gather(*calls) if at_once else [await call for call in calls]
        assert all(result.is_error for result in results)
        assert await cooling(web) == 120
    assert len(server.requests) == herd + 1


@pytest.mark.case("F09")
@pytest.mark.parametrize(
    ("given", "wait"),
    [
        ("Wed, 21 Oct 2015 07:28:00 GMT", 60),
        ("-5", 60),
        ("nan", 60),
        ("1e9", 60),
        ("abc", 60),
        ("Wed, 21 Oct 2015 07:28:00 -0000", 60),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 600),
        ("Fri, 31 Dec 9999 23:59:59 -0000", 60),
        ("Mon, 99 Foo 2015 99:99:99 GMT", 60),
        ("Sat, 31 Dec 9999 23:59:59 -9999", 60),
        ("", 60),
        ("0", 60),
        ("59", 60),
        ("61", 61),
        ("600", 600),
        ("601", 600),
        ("9" * 5_000, 600),
        ("1.5", 60),
        ("+90", 60),
        ("٩٠", 60),
        ("90, 120", 60),
        ("inf", 60),
        ("0x10", 60),
        ("90 seconds", 60),
    ],
)
async def test_odd_waiting_times_stay_within_the_bounds(
    opened: Opened, given: str, wait: float
) -> None:
    """The next provider is asked at once, and the first cools for one to ten minutes."""
    now = "Date: Wed, 01 Jul 2026 12:00:00 GMT"
    head = f"HTTP/1.1 429 Slow\r\n{now}\r\nRetry-After: {given}\r\n\r\n".encode()
    async with (
        RawServer(answering(head)) as slow,
        RawServer(answering(GOOD)) as healthy,
        opened(OPENAI.at(slow.url), OPENAI.at(healthy.url, provider="healthy")) as web,
    ):
        timed(web)
        assert not (await web.call({"query": "q"})).is_error
        assert await cooling(web) == wait
    assert len(slow.requests) == len(healthy.requests) == 1


@pytest.mark.case("F10")
@pytest.mark.parametrize("jump", [-7_200.0, 7_200.0, -1e9, 1e9, 0.0])
async def test_the_wall_clock_may_jump(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    """Set back or forward, it neither prolongs a cooldown nor ends it."""
    wall, passed = time.time(), 0.0
    monkeypatch.setattr(time, "time", lambda: wall)
    fixed = SimpleNamespace(monotonic=lambda: 500.0 + passed, time=lambda: wall)
    monkeypatch.setattr(compose, "time", fixed)
    async with RawServer(answering(DOWN)) as server, opened(OPENAI.at(server.url)) as web:
        await web.call({"query": "q"})
        wall += jump
        assert await cooling(web) == 60
        passed = 59.0
        assert await cooling(web) == 1
        passed = 61.0
        assert await cooling(web) == 0

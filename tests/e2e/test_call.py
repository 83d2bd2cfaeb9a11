"""Whole calls over real sockets, against the simulator."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Unpack

import pytest

from native_web_search.adapters.cli.simulated import simulated
from native_web_search.adapters.compose import (
    Arguments,
    open_blocking_web_search,
    open_web_search,
)
from native_web_search.adapters.simulator.faults import Cut, Fault, Hang, Reset, Status, Trickle
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.family import Operation

CAST = ("deepseek", "ollama-cloud")


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    async with Simulator() as running:
        yield running


def opened(simulator: Simulator, tmp_path: Path, **arguments: Unpack[Arguments]) -> WebSearch:
    arguments["preference_file"] = str(tmp_path / "preferences.json")
    return open_web_search(simulated(simulator, CAST), environ={}, **arguments)


@pytest.mark.rule("story.1")
async def test_a_search_a_fallback_and_what_is_remembered(
    simulator: Simulator, tmp_path: Path
) -> None:
    """The first provider fails, the second serves; the next call starts with the second."""
    simulator.script("deepseek", Status(402))
    async with opened(simulator, tmp_path) as web:
        first = await web.call({"query": "cooldown"})
        second = await web.call({"query": "cooldown"})
    assert json.loads(first.text)["search"]["results"]
    assert [seen.provider for seen in simulator.requests] == [
        "deepseek",
        "ollama-cloud",
        "ollama-cloud",
    ]
    assert second.details["search"] == {"provider": "ollama-cloud", "model": "gpt-oss:120b"}
    stored = json.loads((tmp_path / "preferences.json").read_text())
    assert stored["search"] == {"provider": "ollama-cloud", "model": "gpt-oss:120b"}


@pytest.mark.rule("story.2")
async def test_every_kind_of_outage_moves_on_in_bounded_time(
    simulator: Simulator, tmp_path: Path
) -> None:
    """A hang, a reset, a cut body and a trickle each end in time and go to the next provider."""
    faults: tuple[Fault, ...] = (
        Hang(),
        Reset(),
        Cut(20),
        Trickle(1, 0.01),
        Status(503),
        Status(200, "<html>"),
    )
    for number, fault in enumerate(faults):
        simulator.script("deepseek", fault)
        async with opened(simulator, tmp_path / str(number), timeout_ms=300) as web:
            started = time.monotonic()
            result = await web.call({"query": "cooldown"})
            assert time.monotonic() - started < 3
        attempts = result.details["attempts"]
        assert isinstance(attempts, list)
        assert [(one["provider"], one["outcome"]) for one in attempts] == [
            ("deepseek", "provider"),
            ("ollama-cloud", "success"),
        ], fault


@pytest.mark.rule("story.3")
async def test_the_deadline_holds_against_a_provider_that_trickles(
    simulator: Simulator, tmp_path: Path
) -> None:
    """Signs of life do not stretch a call."""
    for provider in CAST:
        simulator.script_always(provider, Trickle(1, 0.02))
    async with opened(simulator, tmp_path, timeout_ms=60_000, deadline_ms=400) as web:
        started = time.monotonic()
        result = await web.call({"query": "cooldown"})
        assert time.monotonic() - started < 2
    assert result.is_error
    assert "did not finish within 0.4 s" in result.text


@pytest.mark.rule("story.4")
async def test_cancelling_closes_the_request_and_blames_nobody(
    simulator: Simulator, tmp_path: Path
) -> None:
    """The server sees the client leave; the ledger stays empty; no second request is made."""
    simulator.script("deepseek", Hang())
    async with opened(simulator, tmp_path) as web:
        task = asyncio.create_task(web.call({"query": "cooldown"}))
        for _moment in range(500):
            if simulator.requests:
                break
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await simulator.idle()
        ledger = await web.health.ledger()
        assert not ledger.cooldowns
    (seen,) = simulator.requests
    assert seen.aborted


@pytest.mark.rule("story.5")
async def test_a_page_that_is_missing_is_asked_of_the_next_provider(
    simulator: Simulator, tmp_path: Path
) -> None:
    """Pages come from the first provider that has them; the missing one ends as its own error."""
    async with opened(simulator, tmp_path) as web:
        found = json.loads((await web.call({"query": "ranking"})).text)["search"]["results"]
        page = found[0]["url"]
        simulator.requests.clear()
        result = await web.call({"urls": [page, "https://nowhere.example/missing", page]})
    fetched = json.loads(result.text)["fetched"]
    assert [entry["url"] for entry in fetched] == [page, "https://nowhere.example/missing", page]
    assert fetched[0]["data"] == fetched[2]["data"]
    assert "404" in fetched[1]["error"]
    asked = [(seen.provider, json.loads(seen.raw)["url"]) for seen in simulator.requests]
    assert asked.count(("ollama-cloud", "https://nowhere.example/missing")) == 1
    assert asked.count(("ollama-cloud", page)) == 0


@pytest.mark.rule("story.6")
def test_two_event_loops_in_a_row_work(tmp_path: Path) -> None:
    """`asyncio.run` twice with one tool: both calls succeed and nobody cools."""
    web: list[WebSearch] = []

    async def call() -> bool:
        async with Simulator() as simulator:
            web[:] = web or [opened(simulator, tmp_path)]
            web[0].registry = simulated(simulator, CAST)
            object.__setattr__(web[0].searcher, "registry", web[0].registry)
            result = await web[0].call({"query": "cooldown"})
            assert not (await web[0].health.ledger()).cooldowns
            return not result.is_error

    assert asyncio.run(call())
    assert asyncio.run(call())
    asyncio.run(web[0].aclose())


@pytest.mark.rule("story.7")
async def test_the_blocking_form_works_inside_a_running_loop(
    simulator: Simulator, tmp_path: Path
) -> None:
    """The simulator runs on this loop, the call on a thread beside it."""
    with open_blocking_web_search(
        simulated(simulator, CAST), environ={}, preference_file=str(tmp_path / "p.json")
    ) as web:
        result = await asyncio.to_thread(web.call, {"query": "cooldown"})
    assert not result.is_error


@pytest.mark.rule("story.8")
async def test_six_of_ten_pages_before_a_limit_are_kept(
    simulator: Simulator, tmp_path: Path
) -> None:
    """The six are data of the first provider, the others come from the next; fetch cools."""
    async with opened(simulator, tmp_path, concurrency=1) as web:
        found = json.loads((await web.call({"query": "search"})).text)
        pages = [result["url"] for result in found["search"]["results"]]
        simulator.script("deepseek", *[Trickle(10**6, 0)] * 6, Status(429))
        result = await web.call({"urls": pages})
        ledger, now = await web.health.ledger(), web.clock.monotonic()
    served = result.details["fetched"]
    assert isinstance(served, list)
    assert [one["provider"] for one in served] == ["deepseek"] * 6 + ["ollama-cloud"] * 4
    model = simulator.models()[0]
    assert ledger.remaining(Operation.FETCH, "deepseek", model.id, now) > 0
    assert ledger.remaining(Operation.SEARCH, "deepseek", model.id, now) == 0

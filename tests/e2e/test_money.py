"""What a call may cost, and who may be asked: counted at the far end of real sockets."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Collection
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Unpack

import pytest

from native_web_search.adapters.cli.simulated import simulated
from native_web_search.adapters.compose import Arguments, open_web_search
from native_web_search.adapters.simulator.exchange import SeenRequest
from native_web_search.adapters.simulator.faults import Delay, Fault, Hang, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Operation

CAST = ("deepseek", "ollama-cloud")
TWO_WAYS = (*CAST, "google", "openai", "xai", "anthropic")


class InFlight(list[SeenRequest]):
    """Requests, and the most of each provider that were unanswered at one time, and of all."""

    def __init__(self) -> None:
        super().__init__()
        self.most: Counter[str] = Counter()
        self.most_of_all = 0

    def append(self, seen: SeenRequest) -> None:
        super().append(seen)
        now = Counter(one.provider for one in self if one.status is None and not one.aborted)
        self.most |= now
        self.most_of_all = max(self.most_of_all, now.total())


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    async with Simulator() as running:
        running.requests = InFlight()
        yield running


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "native_web_search")
    return caplog


def model_of(simulator: Simulator, provider: str) -> ChatModel:
    return next(model for model in simulator.models() if model.provider == provider)


def opened(
    simulator: Simulator,
    tmp_path: Path,
    providers: Collection[str] = CAST,
    current: str | None = None,
    **arguments: Unpack[Arguments],
) -> WebSearch:
    model = None if current is None else model_of(simulator, current)
    arguments["preference_file"] = str(tmp_path / "preferences.json")
    return open_web_search(simulated(simulator, providers, model), environ={}, **arguments)


def asked(simulator: Simulator) -> Counter[str]:
    return Counter(seen.provider for seen in simulator.requests)


async def pages(web: WebSearch, simulator: Simulator, count: int) -> list[str]:
    found = json.loads((await web.call({"query": "ranking cooldown guard"})).text)
    simulator.requests.clear()
    urls = [str(result["url"]) for result in found["search"]["results"][:count]]
    assert len(urls) == count
    return urls


async def until_asked(simulator: Simulator, count: int = 1) -> None:
    async with asyncio.timeout(5):
        while len(simulator.requests) < count:  # noqa: ASYNC110 - the simulator sets no event
            await asyncio.sleep(0.01)


@pytest.mark.rule("money.1")
@pytest.mark.parametrize(
    ("policy", "permitted"),
    [
        ("current", {"google"}),
        ("openai, xai", {"google", "openai", "xai"}),
        ("deepseek", {"google", "deepseek"}),
    ],
)
async def test_who_is_not_permitted_gets_no_request(
    simulator: Simulator, tmp_path: Path, policy: str, permitted: set[str]
) -> None:
    """Search and URLs fail everywhere else, and the others are still not asked."""
    for provider in permitted:
        simulator.script_always(provider, Status(503))
    async with opened(simulator, tmp_path, TWO_WAYS, "google", fallback=policy) as web:
        searched = await web.call({"query": "cooldown"})
        fetched = await web.call({"urls": ["https://page.example/"]})
        await web.call({"query": "cooldown", "urls": ["https://page.example/"]})
    assert searched.is_error
    assert fetched.is_error
    assert asked(simulator).keys() == permitted


@pytest.mark.rule("money.1")
async def test_a_remembered_provider_needs_permission_too(
    simulator: Simulator, tmp_path: Path
) -> None:
    """What served under one policy is not asked under the next."""
    simulator.script_always("google", Status(503))
    async with opened(simulator, tmp_path, TWO_WAYS, "google") as web:
        assert not (await web.call({"query": "cooldown"})).is_error
    assert asked(simulator)["deepseek"] == 1
    simulator.requests.clear()
    async with opened(simulator, tmp_path, TWO_WAYS, "google", fallback="current") as web:
        assert (await web.call({"query": "cooldown"})).is_error
    assert asked(simulator).keys() == {"google"}


@pytest.mark.rule("money.2", "money.3")
async def test_whoever_served_is_in_one_log_line_and_in_the_details(
    simulator: Simulator, tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    """After a silent move to another provider: operation, provider and model, once each."""
    async with opened(simulator, tmp_path) as web:
        urls = await pages(web, simulator, 2)
        log.clear()
        simulator.script("deepseek", Status(402), Delay(0), Status(402))
        result = await web.call({"query": "cooldown", "urls": urls})
    ollama = {"provider": "ollama-cloud", "model": "gpt-oss:120b"}
    assert result.details["search"] == ollama
    fetched = result.details["fetched"]
    assert isinstance(fetched, list)
    assert {one["provider"] for one in fetched} <= set(CAST)
    assert all(one["model"] for one in fetched)
    lines = [record for record in log.records if record.levelno >= logging.INFO]
    said = [record.getMessage() for record in lines if record.name == "native_web_search"]
    assert len(said) == 2
    assert said[0] == "search served by ollama-cloud/gpt-oss:120b"
    assert said[1].startswith("fetch served by ")
    assert {record.levelname for record in lines} == {"INFO"}


@pytest.mark.rule("money.2")
async def test_a_call_that_nobody_served_has_no_such_line(
    simulator: Simulator, tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    """Nothing was bought."""
    for provider in CAST:
        simulator.script_always(provider, Status(503))
    async with opened(simulator, tmp_path) as web:
        await web.call({"query": "cooldown"})
    assert [one for one in log.records if one.name == "native_web_search"] == []


@pytest.mark.rule("money.3", "money.6")
@pytest.mark.parametrize("status", [402, 429, 500, 503])
async def test_each_failed_provider_is_asked_once(
    simulator: Simulator, tmp_path: Path, status: int
) -> None:
    """As many requests as attempts in the details, in the same order, and no hidden retry."""
    for provider in TWO_WAYS:
        simulator.script_always(provider, Status(status))
    async with opened(simulator, tmp_path, TWO_WAYS) as web:
        result = await web.call({"query": "cooldown"})
    assert result.is_error
    attempts = result.details["attempts"]
    assert isinstance(attempts, list)
    assert [one["provider"] for one in attempts] == [one.provider for one in simulator.requests]
    assert asked(simulator) == dict.fromkeys(TWO_WAYS, 1)


@pytest.mark.rule("money.6")
async def test_a_provider_that_never_answers_is_asked_once(
    simulator: Simulator, tmp_path: Path
) -> None:
    """A timeout is paid for once, too."""
    for provider in CAST:
        simulator.script_always(provider, Hang())
    async with opened(simulator, tmp_path, timeout_ms=100) as web:
        await web.call({"query": "cooldown"})
        await web.call({"urls": ["https://page.example/"]})
    assert asked(simulator) == dict.fromkeys(CAST, 2)


@pytest.mark.rule("money.6")
async def test_a_success_is_bought_once(simulator: Simulator, tmp_path: Path) -> None:
    """Nobody is asked beside or after whoever served."""
    async with opened(simulator, tmp_path, TWO_WAYS) as web:
        await web.call({"query": "cooldown"})
    assert asked(simulator) == {"deepseek": 1}


def later(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.rule("money.4")
@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (Status(429, headers={"Retry-After": "300"}), 300),
        (Status(503, headers={"Retry-After": "99999"}), 600),
        (Status(429, headers={"Retry-After": "5"}), 60),
        (Status(429, headers={"Retry-After": "soon"}), 60),
        (Status(429, {"error": {"message": "retry after 300 s", "retry_after": 300}}), 60),
        (Status(429, {"details": [{"@type": "RetryInfo", "retryDelay": "300s"}]}), 60),
    ],
    ids=["longer", "capped", "shorter", "odd", "body", "retry info"],
)
async def test_a_header_may_lengthen_a_cooldown(
    simulator: Simulator, tmp_path: Path, fault: Fault, seconds: int
) -> None:
    """Within ten minutes, never below the base; what a body asks for is not heard."""
    simulator.script("deepseek", fault)
    assert await cooling(simulator, tmp_path) == pytest.approx(seconds, abs=5)


@pytest.mark.rule("money.4")
async def test_a_header_may_be_a_date(simulator: Simulator, tmp_path: Path) -> None:
    """Counted from the date of the answer."""
    simulator.script("deepseek", Status(503, headers={"Retry-After": later(200)}))
    assert await cooling(simulator, tmp_path) == pytest.approx(200, abs=15)


async def cooling(simulator: Simulator, tmp_path: Path) -> float:
    """How long DeepSeek cools after a search that went on to the next."""
    async with opened(simulator, tmp_path) as web:
        assert not (await web.call({"query": "cooldown"})).is_error
        ledger, now = await web.health.ledger(), web.clock.monotonic()
    model = model_of(simulator, "deepseek")
    return ledger.remaining(Operation.SEARCH, "deepseek", model.id, now)


@pytest.mark.rule("money.5")
async def test_one_request_at_a_time_and_provider(simulator: Simulator, tmp_path: Path) -> None:
    """Over calls and over URLs; another provider is asked meanwhile."""
    flying = simulator.requests
    assert isinstance(flying, InFlight)
    async with opened(simulator, tmp_path, concurrency=1) as web:
        urls = await pages(web, simulator, 5)
        for provider in CAST:
            simulator.script_always(provider, Delay(0.03))
        deepseek, ollama = (model_of(simulator, provider) for provider in CAST)
        results = await asyncio.gather(
            *(web.call({"query": f"cooldown {number}"}, current=deepseek) for number in range(4)),
            *(web.call({"query": f"cooldown {number}"}, current=ollama) for number in range(4)),
            web.call({"urls": urls}, current=deepseek),
        )
    assert not any(result.is_error for result in results)
    assert asked(simulator) == {"deepseek": 9, "ollama-cloud": 4}
    assert flying.most == dict.fromkeys(CAST, 1)
    assert flying.most_of_all == 2


@pytest.mark.rule("money.5")
async def test_a_provider_that_hangs_holds_up_nobody_else(
    simulator: Simulator, tmp_path: Path
) -> None:
    """The other's calls come and go while its only slot is taken."""
    simulator.script("deepseek", Hang())
    async with opened(simulator, tmp_path, concurrency=1) as web:
        stuck = asyncio.create_task(
            web.call({"query": "cooldown"}, current=model_of(simulator, "deepseek"))
        )
        await until_asked(simulator)
        for _call in range(3):
            ollama = model_of(simulator, "ollama-cloud")
            assert not (await web.call({"query": "cooldown"}, current=ollama)).is_error
        assert not stuck.done()
        stuck.cancel()
        await asyncio.wait({stuck})
    assert asked(simulator) == {"deepseek": 1, "ollama-cloud": 3}


@pytest.mark.rule("money.7")
async def test_a_cancelled_call_buys_nothing_more(simulator: Simulator, tmp_path: Path) -> None:
    """Of twenty URLs those in flight are given up, the others never asked, of nobody."""
    simulator.script_always("deepseek", Hang())
    urls = [f"https://page.example/{number}" for number in range(20)]
    async with opened(simulator, tmp_path, concurrency=3) as web:
        call = asyncio.create_task(web.call({"urls": urls}))
        await until_asked(simulator, 3)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await simulator.idle()
        assert not (await web.health.ledger()).cooldowns
    assert asked(simulator) == {"deepseek": 3}
    assert all(seen.aborted for seen in simulator.requests)

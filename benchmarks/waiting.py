"""Where time is spent waiting for providers: twenty pages side by side, and one that cools down."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

from benchmarks.clients import (
    FETCH,
    HEADERS,
    SEARCH,
    FailedError,
    answer_of,
    awaited,
    bare_session,
    deepseek,
    our_tool,
    searched,
)
from benchmarks.documents import deepseek_answer, text
from benchmarks.far_side import SEEN, Canned, far_side
from benchmarks.measure import Figure, Measure
from benchmarks.sides import Pair, digest
from native_web_search.adapters.simulator.exchange import compact
from native_web_search.application.result import ToolResult
from native_web_search.domain.chat_model import ChatModel

LATENCY = 0.2  # seconds of the server
ALL_AT_ONCE = 20  # slots of the provider: as many as one call has URLs
REFUSING = "/refusing"


def _pages(result: ToolResult) -> object:
    """All different answers to the URLs; there has to be just one."""
    fetched = json.loads(json.dumps((result.document or {})["fetched"]))
    return sorted({digest(entry["data"]) for entry in fetched})


@contextmanager
def _side_by_side(count: int) -> Iterator[Pair]:
    page = Canned(compact({"title": "A page", "content": text(9_000)}), delay=LATENCY)
    urls = [f"https://site-{number}.example/page" for number in range(count)]
    with far_side({FETCH: page}) as origin, asyncio.Runner() as runner:
        session = runner.run(bare_session())
        with our_tool(deepseek(origin), concurrency=ALL_AT_ONCE) as web:

            async def theirs() -> bytes:
                body = compact({"url": urls[0]})
                async with session.post(origin + FETCH, data=body, headers=HEADERS) as response:
                    return await response.read()

            yield Pair(
                awaited(runner, lambda: web.call({"urls": urls}), _pages),
                awaited(runner, theirs, lambda body: [digest(json.loads(body))]),
            )
            runner.run(web.aclose())
        runner.run(session.close())


@contextmanager
def _cooling(size: int) -> Iterator[Pair]:
    """Both search with DeepSeek; one of them was refused by OpenAI, its current model, before."""
    answers = {
        SEARCH: Canned(compact(deepseek_answer(size)), delay=LATENCY),
        REFUSING: Canned(b'{"error": {"message": "down"}}', status=500, delay=LATENCY),
    }
    with far_side(answers) as origin, asyncio.Runner() as runner:
        refusing = ChatModel("openai", "gpt-5.6-luna", "openai-responses", origin + REFUSING)
        with our_tool(refusing, deepseek(origin)) as web, our_tool(deepseek(origin)) as alone:
            runner.run(searched(web, refusing))
            yield Pair(
                awaited(
                    runner, lambda: searched(web, refusing), lambda done: digest(answer_of(done))
                ),
                awaited(runner, lambda: searched(alone), lambda done: digest(answer_of(done))),
            )
            _check_asked_once(origin)
            runner.run(web.aclose())
            runner.run(alone.aclose())


def _check_asked_once(origin: str) -> None:
    with urlopen(origin + SEEN) as response:  # noqa: S310 - our own loopback server
        seen = json.load(response)
    if seen[REFUSING] != 1:
        message = f"a provider that cools down was asked {seen[REFUSING]} times"
        raise FailedError(message)


MEASURES = (
    Measure(
        "urls",
        "20 URLs, each answered after 200 ms",
        "a bare POST for one of them",
        _side_by_side,
        (5, 10, 20),
        "URLs",
        Figure.WALL,
        target=1.3,
    ),
    Measure(
        "cooling",
        "a call while the current provider cools down",
        "the same call without that provider",
        _cooling,
        (3_000, 30_000),
        "bytes",
        Figure.WALL,
        target=1.1,
    ),
)

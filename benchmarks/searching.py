"""One warm search, the output guard included, beside a bare POST that is parsed and printed."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from benchmarks.clients import (
    KEY,
    QUERY,
    SEARCH,
    answer_of,
    awaited,
    bare_search,
    bare_session,
    deepseek,
    our_tool,
    searched,
)
from benchmarks.documents import deepseek_answer
from benchmarks.far_side import Canned, far_side
from benchmarks.measure import Measure
from benchmarks.sides import Pair, digest
from native_web_search.adapters.simulator.exchange import compact

SIZES = (30_000, 100_000, 300_000)


def canned(size: int) -> dict[str, Canned]:
    return {SEARCH: Canned(compact(deepseek_answer(size)))}


@contextmanager
def _beside_aiohttp(size: int) -> Iterator[Pair]:
    with far_side(canned(size)) as origin, asyncio.Runner() as runner:
        session = runner.run(bare_session())
        with our_tool(deepseek(origin)) as web:

            async def theirs() -> tuple[Any, str]:
                document = await bare_search(session, origin)
                return document, json.dumps(document, indent=2)

            yield Pair(
                awaited(runner, lambda: searched(web), lambda done: digest(answer_of(done))),
                awaited(runner, theirs, lambda done: digest(done[0])),
            )
            runner.run(web.aclose())
        runner.run(session.close())


@contextmanager
def _beside_litellm(size: int) -> Iterator[Pair]:
    litellm = import_module("litellm")  # takes seconds, and is only there for this

    def pages(results: Any) -> object:  # noqa: ANN401 - JSON
        return [(each["title"], each["url"]) for each in results]

    with (
        far_side(canned(size)) as origin,
        asyncio.Runner() as runner,
        our_tool(deepseek(origin)) as web,
    ):

        async def theirs() -> Any:  # noqa: ANN401 - a value of litellm
            return await litellm.asearch(
                query=QUERY,
                search_provider="deepseek",
                api_key=KEY,
                api_base=origin,
                max_results=10,
                need_content=True,
            )

        yield Pair(
            awaited(runner, lambda: searched(web), lambda done: pages(answer_of(done)["results"])),
            awaited(runner, theirs, lambda done: pages(done.model_dump()["results"])),
        )
        runner.run(web.aclose())


MEASURES = (
    Measure(
        "search",
        "one search of 10 results, 300 KB",
        "bare aiohttp POST, json.loads, json.dumps(indent=2)",
        _beside_aiohttp,
        SIZES,
        "bytes",
        target=1.35,
    ),
    Measure(
        "search-litellm",
        "the same search",
        "litellm.asearch",
        _beside_litellm,
        SIZES,
        "bytes",
        needs=("litellm",),
    ),
)

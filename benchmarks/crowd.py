"""A thousand searches at once in one process, and the memory that it takes to hold the answers.

Each turn is a process of its own, so that its peak of memory is nobody else's. Both sides may have
a hundred requests in flight: our default is ten for one provider, to be polite to it. Both make
text of every answer, as a tool has to, and hold the answers themselves until all have come.
"""

import asyncio
import json
import resource
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import Any

from benchmarks.clients import (
    SEARCH,
    answer_of,
    bare_search,
    bare_session,
    deepseek,
    our_tool,
    searched,
)
from benchmarks.documents import deepseek_answer
from benchmarks.far_side import Canned, far_side
from benchmarks.measure import Figure, Measure
from benchmarks.sides import Pair, Side, Taken, digest
from native_web_search.adapters.simulator.exchange import compact

IN_FLIGHT = 100
WARM_UP = 200  # searches: every connection is open, every cache is filled
KILOBYTE = 1_024  # the unit of the system's peak on Linux
ANSWER = 300_000  # bytes


@contextmanager
def _opened(searches: int) -> Iterator[Pair]:
    with far_side({SEARCH: Canned(compact(deepseek_answer(ANSWER)))}) as origin:
        yield Pair(_turn("ours", searches, origin), _turn("bare", searches, origin))


def _turn(side: str, searches: int, origin: str) -> Side:
    command = [sys.executable, "-m", "benchmarks.crowd", side, str(searches), origin]

    def turn() -> Taken:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603 - our own
        return Taken(**json.loads(done.stdout))

    return turn


async def _ours(searches: int, origin: str) -> Taken:
    with our_tool(deepseek(origin), concurrency=IN_FLIGHT) as web:

        async def one() -> Any:  # noqa: ANN401 - JSON
            return answer_of(await searched(web))

        async with web:
            return await _timed(one, searches)


async def _bare(searches: int, origin: str) -> Taken:
    async with await bare_session(IN_FLIGHT) as session:

        async def one() -> Any:  # noqa: ANN401 - JSON
            answer = await bare_search(session, origin)
            json.dumps(answer, indent=2)
            return answer

        return await _timed(one, searches)


async def _timed(search: Callable[[], Awaitable[Any]], searches: int) -> Taken:
    await asyncio.gather(*(search() for _ in range(min(WARM_UP, searches))))
    cpu, wall = process_time(), perf_counter()
    answers = await asyncio.gather(*(search() for _ in range(searches)))
    wall, cpu = perf_counter() - wall, process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KILOBYTE
    return Taken(wall, cpu, [len(answers), digest(answers[0])], peak)


SIZES = (100, 300, 1_000)

MEASURES = (
    Measure(
        "crowd",
        "1 000 searches at once, 300 KB each",
        "bare aiohttp, json.loads, json.dumps(indent=2)",
        _opened,
        SIZES,
        "searches",
        Figure.THROUGHPUT,
        target=0.75,
    ),
    Measure(
        "crowd-memory",
        "holding 1 000 answers of 300 KB",
        "bare aiohttp, json.loads, json.dumps(indent=2)",
        _opened,
        SIZES,
        "searches",
        Figure.PEAK,
        target=1.25,
    ),
)

if __name__ == "__main__":
    SIDES = {"ours": _ours, "bare": _bare}
    told = asyncio.run(SIDES[sys.argv[1]](int(sys.argv[2]), sys.argv[3]))
    json.dump(
        {"wall": told.wall, "cpu": told.cpu, "work": told.work, "peak": told.peak}, sys.stdout
    )

"""Many calls in one process, on a bad day: `python -m tests.soak.run --calls 20000`.

All providers fail at random, callers cancel at random, models come and go. Afterwards the far side
behaves, every provider is asked once more, and what is left in the process is counted: bytes, file
descriptors, tasks, threads, cooldowns, and what the preference file says. Exit code 1 if anything
grew or contradicts itself.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import sys
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import define, field

from native_web_search.adapters.compose import open_web_search
from native_web_search.application.health import ProcessHealth
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.cooldown import CAP_SECONDS, MAX_LEVEL
from native_web_search.domain.preference import preferences_from
from tests.soak.traffic import ChangingRegistry, arguments, complaints

WORKERS = 20  # calls at a time
CANCELLED = 0.1  # the part of the calls that their callers give up
CHANGES = 0.1  # the part of the calls before which the models change
PATIENCE_SECONDS = 0.03  # of a caller that gives up, at most
WARM = 0.2  # the part of the calls after which nothing may grow any more
GAIN_BYTES = 2_000_000  # after that, in all: the table of interned strings may double once, by 1 MB

POOL_THREADS = (os.cpu_count() or 1) + 6  # the main one, one for the far side, and a pool

TIMEOUT_MS, COOLDOWN_SECONDS = 500, 0.5  # short: many attempts time out, many cooldowns end


@define
class LaterClock:
    """The time, and so many seconds more."""

    offset: float = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.offset


@define
class Soak:
    """A soak that goes on: the tool, its far side, and what was counted so far."""

    web: WebSearch
    registry: ChangingRegistry
    calls: int
    draw: random.Random
    started: int = 0
    counted: Counter[str] = field(factory=Counter[str])
    wrong: list[str] = field(factory=list)

    async def run(self) -> None:
        """All calls, `WORKERS` at a time; what is held after the first part and at the end."""
        await self._until(int(self.calls * WARM))
        before = footprint()
        await self._until(self.calls)
        for name, count in footprint().items():
            self.counted[f"{name} gained"] = count - before[name]

    async def _until(self, calls: int) -> None:
        async with asyncio.TaskGroup() as group:
            for _worker in range(WORKERS):
                group.create_task(self._work(calls))
        await self.web.aclose()
        await asyncio.sleep(0)

    async def _work(self, calls: int) -> None:
        while self.started < calls:
            self.started += 1
            if self.draw.random() < CHANGES:
                self.registry.change(self.draw)
            patience = self.draw.random() * PATIENCE_SECONDS
            impatient = self.draw.random() < CANCELLED
            await self._call(arguments(self.draw), patience if impatient else None)

    async def _call(self, given: object, patience: float | None) -> None:
        try:
            async with asyncio.timeout(patience):
                result = await self.web.call(given)
        except TimeoutError:
            self.counted["cancelled"] += 1
            return
        self.counted["errors" if result.is_error else "answers"] += 1
        self.wrong += complaints(result)

    async def calm(self, file: Path) -> None:
        """Ask every provider once more; then nobody cools, and the last one is remembered."""
        self.registry.shown = self.registry.models
        for model in self.registry.models:
            self.registry.chosen = model
            for given in ({"query": "cooldown"}, {"urls": ["https://docs.example/ranking"]}):
                result = await self.web.call(given)
                self.wrong += [] if not result.is_error else [f"{model.provider}: {result.text}"]
            self._compare(model.provider, file)
        ledger, now = await self.web.health.ledger(), self.web.clock.monotonic()
        for key, cooldown in ledger.cooldowns.items():
            if not 0 <= cooldown.level <= MAX_LEVEL or cooldown.until - now > CAP_SECONDS:
                self.wrong.append(f"impossible cooldown of {key}: {cooldown}")
        self.wrong += [f"{key} still cools" for key in ledger.cooldowns]

    def _compare(self, provider: str, file: Path) -> None:
        searched = preferences_from(json.loads(file.read_bytes())).search
        if searched is None or searched.provider != provider:
            self.wrong.append(f"{provider} served, and {searched} is remembered")


def footprint() -> dict[str, int]:
    """What this process holds."""
    gc.collect()
    return {
        "bytes": tracemalloc.get_traced_memory()[0],
        "file descriptors": len(list(Path("/dev/fd").iterdir())),
        "tasks": len(asyncio.all_tasks()),
        "threads": max(0, threading.active_count() - POOL_THREADS),
    }


@asynccontextmanager
async def far_side(seed: int) -> AsyncGenerator[asyncio.subprocess.Process]:
    """The misbehaving providers, ended with the block."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, str(Path(__file__).with_name("far_side.py")), str(seed))
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    try:
        yield process
    finally:
        process.kill()
        await process.wait()


async def soak(calls: int, seed: int, folder: Path) -> Soak:
    file = folder / "preferences.json"
    async with far_side(seed) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        registry = ChangingRegistry.at(json.loads(await other.stdout.readline())["url"])
        usual = partial(open_web_search, registry, environ={}, preference_file=file)
        web, patient = usual(timeout_ms=TIMEOUT_MS), usual()
        clock = LaterClock()
        health = ProcessHealth(clock, COOLDOWN_SECONDS)
        web.health, web.clock = health, clock
        async with web, patient:
            done = Soak(web, registry, calls, random.Random(seed))  # noqa: S311 - chance, not secrecy
            await done.run()
            other.stdin.write(b"calm\n")
            await other.stdout.readline()
            clock.offset = CAP_SECONDS  # all cooldowns are over by then
            patient.health, patient.clock = health, clock
            done.web = patient
            await done.calm(file)
        return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tracemalloc.start()
    with TemporaryDirectory() as folder:
        done = asyncio.run(soak(given.calls, given.seed, Path(folder)))
    grown = {name: gained for name, gained in done.counted.items() if name.endswith("gained")}
    bound = {name: GAIN_BYTES if name == "bytes gained" else 0 for name in grown}
    done.wrong += [f"{name}: {grown[name]}" for name in grown if grown[name] > bound[name]]
    told = {"calls": done.started, **done.counted, "wrong": done.wrong[:20]}
    sys.stdout.write(json.dumps(told, indent=2) + "\n")
    return 1 if done.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

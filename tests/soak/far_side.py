"""The other side of a soak, in a process of its own: every provider, at its worst.

Writes where it is as one line of JSON, and behaves from the first line of its standard input on.
"""

import asyncio
import json
import random
import sys
from collections.abc import Callable

from native_web_search.adapters.simulator.catalogue import PROVIDERS
from native_web_search.adapters.simulator.faults import (
    Cut,
    Delay,
    Fault,
    Hang,
    Heartbeats,
    Replay,
    Reset,
    Stall,
    Status,
    Trickle,
)
from native_web_search.adapters.simulator.simulator import Simulator

SCRIPTED = 50_000  # faults a provider: more than any soak has requests for one
SOUND = 0.6  # the part of the requests that is answered as usual
SWEEP_SECONDS = 0.5

TOO_DEEP = "[" * 100_000

Draw = Callable[[random.Random], Fault]

FAULTS: tuple[Draw, ...] = (
    lambda draw: Status(draw.choice((400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 529))),
    lambda draw: Status(429, headers={"retry-after": draw.choice(("1", "nan", "-5", "1e9"))}),
    lambda _draw: Status(307, b"", {"location": "https://elsewhere.example/"}),
    lambda _draw: Status(200, "<html>Sign in</html>"),
    lambda _draw: Status(200, TOO_DEEP),
    lambda _draw: Replay(b'data: {"type":"response.failed"}\n\n'),
    lambda draw: Replay(draw.randbytes(200)),
    lambda draw: Cut(draw.randrange(400), orderly=draw.random() < 1 / 2),
    lambda draw: Stall(draw.randrange(400)),
    lambda _draw: Delay(0.01),
    lambda _draw: Trickle(64, 0.001),
    lambda _draw: Heartbeats(0.02),
    lambda _draw: Hang(),
    lambda _draw: Reset(),
)


def faults(draw: random.Random) -> list[Fault]:
    """A script for one provider."""
    return [
        Delay(0) if draw.random() < SOUND else draw.choice(FAULTS)(draw) for _ in range(SCRIPTED)
    ]


async def sweep(simulator: Simulator) -> None:
    """Forget the requests that the simulator remembers."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        simulator.requests.clear()


async def main(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - a soak wants chance, not secrecy
    async with Simulator() as simulator:
        for provider in PROVIDERS:
            simulator.script(provider, *faults(draw))
        sweeping = asyncio.create_task(sweep(simulator))
        sys.stdout.write(json.dumps({"url": simulator.url}) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.readline)
        for provider in PROVIDERS:
            simulator.clear(provider)
        sys.stdout.write("calm\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.readline)
        sweeping.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))

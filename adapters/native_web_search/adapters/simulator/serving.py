"""Running the simulator until it is told to stop."""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence

from native_web_search.adapters.simulator.catalogue import PROVIDERS
from native_web_search.adapters.simulator.faults import Fault
from native_web_search.adapters.simulator.simulator import NO_FAULTS, Simulator


def announcement(simulator: Simulator) -> str:
    """Where each provider lives and what opens it, a line each."""
    width = max(len(provider) for provider in PROVIDERS)
    lines = (
        f"{provider:<{width}}  {simulator.base_url(provider)}  {simulator.credential(provider).key}"
        for provider in PROVIDERS
    )
    return "\n".join(["The simulated providers, their base URLs and keys:", *lines])


def announce(simulator: Simulator) -> None:
    """Write the announcement to the standard output, at once."""
    sys.stdout.write(f"{announcement(simulator)}\n")
    sys.stdout.flush()


async def serve(
    port: int,
    faults: Mapping[str, Sequence[Fault]] = NO_FAULTS,
    *,
    announcing: Callable[[Simulator], None] = announce,
) -> None:
    """Serve on this port (0: a free one) until cancelled; announce once it is listening."""
    async with Simulator(faults=faults, port=port) as simulator:
        announcing(simulator)
        await asyncio.Event().wait()

"""How many requests to one provider run at the same time.

A lane is a provider id. Who waits for a slot has not begun, so no timeout runs; the order is first
come, first served. A provider that takes one URL a request is asked for twenty at once, and gets
fewer slots, so that it does not answer with 429.
"""

import asyncio
from collections.abc import Callable

from attrs import define, field

SLOTS = 10
FEW_SLOTS = 5
ONE_URL_A_REQUEST = frozenset({"deepseek", "ollama-cloud"})


def default_slots(lane: str) -> int:
    """The number of slots of a lane, unless a user sets it."""
    return FEW_SLOTS if lane in ONE_URL_A_REQUEST else SLOTS


@define(eq=False)
class Lanes:
    """The lanes of one event loop."""

    slots: Callable[[str], int]
    _taken: dict[str, asyncio.Semaphore] = field(init=False, factory=dict)

    def slot(self, lane: str) -> asyncio.Semaphore:
        """What to hold while a request of this lane runs."""
        if lane not in self._taken:
            self._taken[lane] = asyncio.Semaphore(self.slots(lane))
        return self._taken[lane]

"""Where the cooldowns are kept."""

from typing import Protocol

from native_web_search.domain.cooldown import Ledger, Transition


class HealthStore(Protocol):
    """The shared memory of outages: one process by default, a fleet if it wants."""

    async def ledger(self) -> Ledger:
        """All cooldowns, dated by the clock that `WebSearch` was given. Never raises."""
        ...

    async def settle(self, transition: Transition) -> None:
        """Record what an attempt proved, atomically, by `Ledger.after`. Never raises."""
        ...

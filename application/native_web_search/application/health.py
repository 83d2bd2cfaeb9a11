"""Cooldowns kept in this process."""

from threading import Lock

from attrs import define, field

from native_web_search.application.per_process import PerProcess
from native_web_search.domain.cooldown import BASE_SECONDS, Ledger, Transition
from native_web_search.ports.clock import Clock


@define
class ProcessHealth:
    """The default `HealthStore`: one ledger for the life of the process, for all threads.

    `base` is the first cooldown in seconds; 0 switches cooldowns off.
    """

    clock: Clock
    base: float = BASE_SECONDS
    _ledger: Ledger = field(init=False, factory=Ledger)
    _locks: PerProcess[Lock] = field(init=False, factory=lambda: PerProcess(Lock), repr=False)

    async def ledger(self) -> Ledger:
        return self._ledger

    async def settle(self, transition: Transition) -> None:
        with self._locks.here():
            self._ledger = self._ledger.after(transition, self.clock.monotonic(), self.base)

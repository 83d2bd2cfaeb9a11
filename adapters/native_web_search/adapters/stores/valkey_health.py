"""Cooldowns that a fleet of processes shares, on a Valkey or Redis server.

The whole ledger is one document. A transition reads it, asks `Ledger.after`, and swaps the new
ledger for the one that was read; if another process was faster, it asks again about what that one
left. Nobody waits for a lock, and somebody always gets on: of fifty processes that meet one
outage, the first writes it and the others find that it is known.

Health is a hint, and no reason to wait. Every transition is told to the health of this process as
well, which stands in while the server is away. An operation has a quarter of a second; after a
failure the server is left alone for a while, and then one operation finds out whether it is back.

Round trips: one for `ledger`; none for a failure that cools nothing; one for what changes nothing,
as the success of who is healthy; two for a change, and one more for each process that was faster.
A call that searches and succeeds therefore makes two; a failed attempt makes four, two of them to
see whether it set a cooldown.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from attrs import frozen

from native_web_search.adapters.stores.contact import Contact
from native_web_search.adapters.stores.dated_ledger import (
    LIFE_SECONDS,
    Moment,
    document_of,
    ledger_in,
)
from native_web_search.adapters.stores.valkey_server import (
    Held,
    ValkeyServer,
    reason_of,
    valkey_server,
)
from native_web_search.domain.cooldown import BASE_SECONDS, Failed, Ledger, Transition
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.clock import Clock
from native_web_search.ports.health import HealthStore

T = TypeVar("T")

KEY = "native-web-search:health:1"  # the number goes up with the form of the document
SECONDS = 0.25  # for an operation; a server next door needs a millisecond
REST_SECONDS = 5.0  # so that a server that hangs costs a busy process a twentieth of its time


@frozen
class Patience:
    """How many seconds an operation may take, and the server is left alone after a failure."""

    operation: float = SECONDS
    rest: float = REST_SECONDS


USUAL = Patience()


def valkey_health(
    url: str,
    in_process: HealthStore,
    clock: Clock,
    base: float = BASE_SECONDS,
    patience: Patience = USUAL,
) -> "Outcome[ValkeyHealth, str]":
    """A store on the server at this URL; a failure says what a URL has to be."""
    match valkey_server(url, KEY, patience.operation):
        case Success(server):
            contact = Contact(server.place, clock, patience.rest)
            return Success(ValkeyHealth(server, contact, in_process, clock, base))
        case Failure(wanted):
            return Failure(wanted)


@frozen(eq=False)
class ValkeyHealth:
    """A `HealthStore` for any number of processes, threads and event loops.

    `in_process` is told everything and asked while the server is away. `base` is the first
    cooldown in seconds. Never raises, but for cancellation.
    """

    server: ValkeyServer
    contact: Contact
    in_process: HealthStore
    clock: Clock
    base: float

    async def ledger(self) -> Ledger:
        shared = await self._asked(self._read)
        return await self.in_process.ledger() if shared is None else shared

    async def settle(self, transition: Transition) -> None:
        await self.in_process.settle(transition)
        if not self._cools_nothing(transition):
            await self._asked(lambda: self._settled(transition))

    async def aclose(self) -> None:
        """Close the connections. A store that is used again opens new ones."""
        await self.server.aclose()

    async def _asked(self, question: Callable[[], Awaitable[T]]) -> T | None:
        """The answer, or None if the server is away."""
        turn = self.contact.turn()
        if turn is None:
            return None
        try:
            async with asyncio.timeout(self.server.seconds):
                answer = await question()
        except Exception as error:  # noqa: BLE001 - whatever a server and its client come up with
            self.contact.lost(turn, reason_of(error))
            return None
        self.contact.kept(turn)
        return answer

    async def _read(self) -> Ledger:
        return self._ledger_in(await self.server.read())[0]

    async def _settled(self, transition: Transition) -> Ledger:
        """The ledger that has this transition. Its tries are bounded by the operation's time."""
        held = await self.server.read()
        while True:
            before, moment = self._ledger_in(held)
            after = before.after(transition, moment.now, self.base)
            if after == before:
                return after
            wanted = document_of(after, moment)
            held = await self.server.swap(held.document, wanted, int(LIFE_SECONDS * 1000))
            if held.swapped:
                return after

    def _ledger_in(self, held: Held) -> tuple[Ledger, Moment]:
        """What is not ours counts as empty, and the next transition replaces it."""
        moment = Moment(held.server, self.clock.monotonic())
        ledger = ledger_in(held.document, moment)
        self.contact.understood(yes=ledger is not None)
        return Ledger() if ledger is None else ledger, moment

    def _cools_nothing(self, transition: Transition) -> bool:
        after = Ledger().after(transition, self.clock.monotonic(), self.base)
        return isinstance(transition, Failed) and not after.cooldowns

"""Cooldowns that a fleet of processes shares, on a Valkey or Redis server.

The whole ledger is one document. A transition reads it, asks `Ledger.after`, and swaps the new
ledger for the one that was read; if another process was faster, it asks again about what that one
left. Nobody waits for a lock, and somebody always gets on: of fifty processes that meet one
outage, the first writes it and the others find that it is known.

Health is a hint, and no reason to wait. Every transition is told to the health of this process as
well, which stands in while the server is away. A question has a quarter of a second; after a
failure the server is left alone for a while, and then one question finds out whether it is back. A
server that can be read but not written is away as well: its ledger says what nobody can correct.
The question that finds out therefore proves writing first.

An event loop has one question open. The calls that want something meanwhile share the next one: it
reads, takes all their transitions in their order, and writes once. So a herd of calls waits for two
questions at most, and never competes with itself.

Round trips: one for `ledger`; none for a failure that cools nothing; one for what changes nothing,
as the success of who is healthy; two for a change, and one more for each process that was faster.
A call that searches and succeeds therefore makes two; a failed attempt makes four, two of them to
see whether it set a cooldown.
"""

import asyncio

from attrs import define, field, frozen

from native_web_search.adapters.per_loop import PerLoop
from native_web_search.adapters.stores.contact import Contact
from native_web_search.adapters.stores.dated_ledger import (
    LIFE_SECONDS,
    Moment,
    document_of,
    ledger_in,
)
from native_web_search.adapters.stores.line import Line
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

KEY = "native-web-search:health:1"  # the number goes up with the form of the document
SECONDS = 0.25  # for a question; a server next door needs a millisecond
REST_SECONDS = 5.0  # so that a server that hangs costs a busy process a twentieth of its time


@frozen
class Patience:
    """How many seconds a question may take, and the server is left alone after a failure."""

    question: float = SECONDS
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
    match valkey_server(url, KEY, patience.question):
        case Success(server):
            contact = Contact(server.place, clock, patience.rest)
            return Success(ValkeyHealth(server, contact, in_process, clock, base))
        case Failure(wanted):
            return Failure(wanted)


@define(eq=False)
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
    _lines: PerLoop[Line[Transition | None, Ledger | None]] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        seconds = 2 * self.server.seconds  # one question that is open, one for all who wait
        self._lines = PerLoop(lambda: Line(self._asked), lambda line: line.drained(seconds))

    async def ledger(self) -> Ledger:
        shared = await self._shared(None)
        return await self.in_process.ledger() if shared is None else shared

    async def settle(self, transition: Transition) -> None:
        await self.in_process.settle(transition)
        if not self._cools_nothing(transition):
            await self._shared(transition)

    async def aclose(self) -> None:
        """Close the connections. A store that is used again opens new ones."""
        await self._lines.aclose()
        await self.server.aclose()

    async def _shared(self, transition: Transition | None) -> Ledger | None:
        """The ledger that has this transition, or None if the server is away."""
        if self.contact.rests:
            return None
        line = await self._lines.here()
        return await line.answer(transition)

    async def _asked(self, wishes: tuple[Transition | None, ...]) -> Ledger | None:
        """The ledger that has all these transitions, or None if the server is away."""
        turn = self.contact.turn()
        if turn is None:
            return None
        try:
            async with asyncio.timeout(self.server.seconds):
                ledger = await self._settled(tuple(wish for wish in wishes if wish is not None))
        except Exception as error:  # noqa: BLE001 - whatever a server and its client come up with
            self.contact.lost(turn, reason_of(error))
            return None
        self.contact.kept(turn)
        return ledger

    async def _settled(self, transitions: tuple[Transition, ...]) -> Ledger:
        """Tries until nobody was faster; they are bounded by the question's time."""
        if self.contact.is_away:
            await self.server.prove()
        held = await self.server.read()
        while True:
            before, moment = self._ledger_in(held)
            after = before
            for transition in transitions:
                after = after.after(transition, moment.now, self.base)
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

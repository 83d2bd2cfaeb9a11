"""What a `HealthStore` promises."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from unittest import SkipTest

from native_web_search.adapters.testing.contracts.promise import (
    in_a_loop,
    never_raising,
    promised,
    promised_kind,
)
from native_web_search.adapters.testing.memory import ManualClock
from native_web_search.domain.cooldown import (
    BASE_SECONDS,
    Failed,
    Ledger,
    Succeeded,
    Transition,
)
from native_web_search.domain.failure import ModelRefused, ProviderRefused, RequestRefused
from native_web_search.domain.family import Operation
from native_web_search.ports.health import HealthStore

PROVIDER, MODEL, SIBLING = "openai", "gpt-5.6-luna", "gpt-5-mini"
OUTAGE = ProviderRefused("HTTP 503", 503)
HERD = 8  # calls that meet the same outage at the same time

TOLERANCE_SECONDS = 1.0  # a shared store dates by its own clock, and asking it takes a moment


class HealthStoreContract(ABC):
    """Derive from this, write `opened`, and let pytest collect the class."""

    @abstractmethod
    def opened(self, clock: ManualClock) -> AbstractAsyncContextManager[HealthStore]:
        """A store without any cooldown, whose first wait is the usual minute. Its ledgers are
        dated by `clock`; entered once a test.
        """

    def unavailable(self, clock: ManualClock) -> AbstractAsyncContextManager[HealthStore]:
        """A store whose place is out of reach: a server that is down, say."""
        message = "this store is never out of reach"
        raise SkipTest(message)

    async def pass_(self, clock: ManualClock, seconds: float) -> None:
        """Let time go by. A store that is dated by a server moves that server's clock as well, or
        raises `SkipTest`.
        """
        clock.pass_(seconds)

    @in_a_loop
    async def test_a_new_store_knows_no_outage(self) -> None:
        """Everybody is healthy at first."""
        async with self.opened(ManualClock()) as store:
            ledger = await _ledger(store)
            promised(ledger == Ledger(), "a new store has no cooldown", ledger)

    @in_a_loop
    async def test_a_provider_failure_cools_its_models(self) -> None:
        """For the base, in this operation and not in the other."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            await _settle(store, _failed())
            for model in (MODEL, SIBLING):
                await _promised_left(store, clock, BASE_SECONDS, "a provider cools", model=model)
            left = (await _ledger(store)).remaining(Operation.FETCH, PROVIDER, MODEL, clock.now)
            promised(not left, "search and fetch never mix", left)

    @in_a_loop
    async def test_a_model_failure_cools_that_model(self) -> None:
        """Its siblings stay healthy."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            refused = ModelRefused("no access", 403)
            await _settle(store, Failed(Operation.SEARCH, PROVIDER, MODEL, refused))
            await _promised_left(store, clock, BASE_SECONDS, "a model cools")
            await _promised_left(store, clock, 0.0, "its siblings do not", model=SIBLING)

    @in_a_loop
    async def test_a_refused_request_cools_nothing(self) -> None:
        """What is wrong with a request says nothing about health."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            refused = RequestRefused("blocked", 400)
            await _settle(store, Failed(Operation.SEARCH, PROVIDER, MODEL, refused))
            await _promised_left(store, clock, 0.0, "a refused request cools nothing")

    @in_a_loop
    async def test_a_success_clears_provider_and_model(self) -> None:
        """And nobody else: a sibling that failed keeps cooling."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            for model in (MODEL, SIBLING):
                refused = ModelRefused("no access", 403)
                await _settle(store, Failed(Operation.SEARCH, PROVIDER, model, refused))
            await _settle(store, _failed())
            await _settle(store, Succeeded(Operation.SEARCH, PROVIDER, MODEL))
            await _promised_left(store, clock, 0.0, "a success clears")
            promise = "a success clears no sibling"
            await _promised_left(store, clock, BASE_SECONDS, promise, model=SIBLING)

    @in_a_loop
    async def test_nothing_is_lost_between_two_that_settle_at_once(self) -> None:
        """Transitions are recorded atomically, one after the other."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            providers = [f"provider-{number}" for number in range(HERD)]
            await asyncio.gather(*(_settle(store, _failed(each)) for each in providers))
            ledger = await _ledger(store)
        left = [ledger.remaining(Operation.SEARCH, each, MODEL, clock.now) for each in providers]
        promised(all(left), "a transition is recorded atomically", left)

    @in_a_loop
    async def test_an_outage_that_many_meet_counts_once(self) -> None:
        """A herd of failures takes one step on the ladder, and the next outage takes the next."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            await asyncio.gather(*(_settle(store, _failed()) for _each in range(HERD)))
            await _promised_left(store, clock, BASE_SECONDS, "one outage is one step")
            await self.pass_(clock, BASE_SECONDS + TOLERANCE_SECONDS)
            await _settle(store, _failed())
            await _promised_left(store, clock, 2 * BASE_SECONDS, "the next outage waits twice")

    @in_a_loop
    async def test_a_cooldown_runs_down_by_the_clock(self) -> None:
        """A ledger that is read later has less left; one that cools is not prolonged."""
        clock = ManualClock()
        async with self.opened(clock) as store:
            await _settle(store, _failed())
            await self.pass_(clock, BASE_SECONDS / 2)
            await _settle(store, _failed())
            promise = "a failure while cooling changes nothing"
            await _promised_left(store, clock, BASE_SECONDS / 2, promise)
            await self.pass_(clock, BASE_SECONDS / 2 + TOLERANCE_SECONDS)
            await _promised_left(store, clock, 0.0, "a cooldown ends when its time is over")

    @in_a_loop
    async def test_a_store_that_is_out_of_reach_raises_nothing(self) -> None:
        """Health is a hint: without it every call goes on as if everybody were healthy."""
        async with self.unavailable(ManualClock()) as store:
            await _settle(store, _failed())
            await _ledger(store)


def _failed(provider: str = PROVIDER) -> Failed:
    return Failed(Operation.SEARCH, provider, MODEL, OUTAGE)


async def _settle(store: HealthStore, transition: Transition) -> None:
    with never_raising("settling never raises"):
        await store.settle(transition)


async def _ledger(store: HealthStore) -> Ledger:
    with never_raising("reading the ledger never raises"):
        ledger = await store.ledger()
    promised_kind(ledger, Ledger, "a store gives a Ledger")
    return ledger


async def _promised_left(
    store: HealthStore, clock: ManualClock, seconds: float, promise: str, *, model: str = MODEL
) -> None:
    """That the model has so many seconds of a search cooldown left."""
    ledger = await _ledger(store)
    left = ledger.remaining(Operation.SEARCH, PROVIDER, model, clock.now)
    kept = abs(left - seconds) <= TOLERANCE_SECONDS
    promised(kept, f"{promise}, {seconds:g} seconds are left", left)

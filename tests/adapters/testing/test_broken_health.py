"""Health stores that do what their port forbids, and how the contract notices."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.testing.contracts import (
    BrokenPromise,
    HealthStoreContract,
    broken_promises,
)
from native_web_search.adapters.testing.memory import ManualClock
from native_web_search.domain.cooldown import (
    BASE_SECONDS,
    Cooldown,
    Failed,
    Ledger,
    Succeeded,
    Transition,
)
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    ProviderRefused,
    RequestRefused,
)
from native_web_search.domain.family import Operation
from native_web_search.ports.health import HealthStore

OUTAGE = ProviderRefused("an outage")


@define
class Plain:
    """A store that is as it should be."""

    clock: ManualClock
    kept: Ledger = field(factory=Ledger)

    async def ledger(self) -> Ledger:
        return self.kept

    async def settle(self, transition: Transition) -> None:
        self.kept = self.kept.after(transition, self.clock.monotonic(), BASE_SECONDS)


@define
class BegunBefore(Plain):
    """Has cooldowns of another life."""

    kept: Ledger = field(
        factory=lambda: Ledger({(Operation.SEARCH, "openai", None): Cooldown(0.0, 3)})
    )


@define
class Renames(Plain):
    """Takes one failure for another."""

    failure: AttemptFailure = OUTAGE

    async def settle(self, transition: Transition) -> None:
        if isinstance(transition, Failed):
            transition = evolve(transition, failure=self.failure)
        await super().settle(transition)


@define
class MixesOperations(Plain):
    """Lets a failed search cool fetches as well."""

    async def settle(self, transition: Transition) -> None:
        for operation in Operation:
            await super().settle(evolve(transition, operation=operation))


@define
class Resents(Plain):
    """Does not hear of successes."""

    async def settle(self, transition: Transition) -> None:
        if isinstance(transition, Failed):
            await super().settle(transition)


@define
class ForgivesAll(Plain):
    """Takes one success for everybody's."""

    async def settle(self, transition: Transition) -> None:
        await super().settle(transition)
        if isinstance(transition, Succeeded):
            self.kept = Ledger()


@define
class ReadsThenWrites(Plain):
    """Lets others in between reading and writing."""

    async def settle(self, transition: Transition) -> None:
        read = self.kept
        await asyncio.sleep(0)
        self.kept = read.after(transition, self.clock.monotonic(), BASE_SECONDS)


@define
class CountsTheHerd(Plain):
    """Takes every failure for an outage of its own."""

    async def settle(self, transition: Transition) -> None:
        due = {key: Cooldown(0.0, each.level) for key, each in self.kept.cooldowns.items()}
        self.kept = Ledger(due)
        await super().settle(transition)


@define
class ForgetsTheLadder(Plain):
    """Begins each outage with the first wait."""

    async def settle(self, transition: Transition) -> None:
        now = self.clock.monotonic()
        cooling = {key: one for key, one in self.kept.cooldowns.items() if one.until > now}
        self.kept = Ledger(cooling)
        await super().settle(transition)


@define
class Prolongs(Plain):
    """Begins the wait anew with every failure."""

    async def settle(self, transition: Transition) -> None:
        self.kept = Ledger()
        await super().settle(transition)


@define
class StandsStill(Plain):
    """Says what was left when the failure came."""

    plain: object = None

    async def ledger(self) -> Ledger:
        return Ledger.from_plain(self.plain, self.clock.monotonic())

    async def settle(self, transition: Transition) -> None:
        await super().settle(transition)
        self.plain = self.kept.to_plain(self.clock.monotonic())


@define
class Unavailable(Plain):
    """Has lost its server, and says so in the way of servers."""

    async def ledger(self) -> Ledger:
        raise ConnectionError

    async def settle(self, transition: Transition) -> None:
        raise ConnectionError


@define
class GivesPlain(Plain):
    """Gives the form that it is stored in."""

    async def ledger(self) -> Ledger:
        return self.kept.to_plain(0.0)  # type: ignore[return-value]  # that is what is wrong


Make = Callable[[ManualClock], HealthStore]


def contract(make: Make) -> type[HealthStoreContract]:
    class Contract(HealthStoreContract):
        @asynccontextmanager
        async def opened(self, clock: ManualClock) -> AsyncGenerator[HealthStore, None]:
            yield make(clock)

        unavailable = opened

    return Contract


def takes_for(failure: AttemptFailure) -> Make:
    return lambda clock: Renames(clock, failure=failure)


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Make, str]] = [
    (BegunBefore, "test_a_new_store_knows_no_outage"),
    (GivesPlain, "test_a_new_store_knows_no_outage"),
    (
        takes_for(ModelRefused("x")),
        "test_a_provider_failure_cools_its_models",
    ),
    (MixesOperations, "test_a_provider_failure_cools_its_models"),
    (Renames, "test_a_model_failure_cools_that_model"),
    (takes_for(RequestRefused("x")), "test_a_model_failure_cools_that_model"),
    (Renames, "test_a_refused_request_cools_nothing"),
    (Resents, "test_a_success_clears_provider_and_model"),
    (ForgivesAll, "test_a_success_clears_provider_and_model"),
    (ReadsThenWrites, "test_nothing_is_lost_between_two_that_settle_at_once"),
    (CountsTheHerd, "test_an_outage_that_many_meet_counts_once"),
    (ForgetsTheLadder, "test_an_outage_that_many_meet_counts_once"),
    (StandsStill, "test_a_cooldown_runs_down_by_the_clock"),
    (Prolongs, "test_a_cooldown_runs_down_by_the_clock"),
    (Unavailable, "test_a_store_that_is_out_of_reach_raises_nothing"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("store", "test"), BROKEN)
def test_a_broken_store_fails(store: Make, test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(store)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each there is a store above that breaks it, and one that breaks none."""
    tests = {name for name in dir(HealthStoreContract) if name.startswith("test_")}
    assert {test for _store, test in BROKEN} == tests
    assert broken_promises(contract(Plain)) == {}

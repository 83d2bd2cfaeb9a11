"""Cooldowns against a model that keeps a plain list of outages."""

import json
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from native_web_search.adapters.testing.strategies.arguments import json_values
from native_web_search.adapters.testing.strategies.failures import failures
from native_web_search.domain.cooldown import Failed, Ledger, Succeeded
from native_web_search.domain.failure import AttemptFailure, Scope, retry_after_of, scope_of
from native_web_search.domain.family import Operation

operations = st.sampled_from(Operation)
providers = st.sampled_from(["p", "q"])
models = st.sampled_from(["a", "b", "c"])
# Whole seconds, so that adding and taking away loses nothing.
instants = st.integers(0, 10_000).map(float)
bases = st.sampled_from([0.0, 0.5, 1.0, 60.0, 450.0, 600.0, 601.0, 1e9])

Outages: TypeAlias = list[float]  # the moments at which the outages of one key end


class Ladder(RuleBasedStateMachine):
    """A ledger beside one list of outages for each provider and each model."""

    @initialize(base=bases, now=instants)
    def start(self, base: float, now: float) -> None:
        self.base, self.now, self.ledger = base, now, Ledger()
        self.outages: dict[tuple[object, ...], Outages] = {}

    @rule(operation=operations, provider=providers, model=models, failure=failures())
    def fail(
        self, operation: Operation, provider: str, model: str, failure: AttemptFailure
    ) -> None:
        failed = Failed(operation, provider, model, failure)
        self.ledger = self.ledger.after(failed, self.now, self.base)
        if self.base == 0 or scope_of(failure) in {Scope.REQUEST, Scope.CALL}:
            return
        of_model = (model,) if scope_of(failure) is Scope.MODEL else ()
        outages = self.outages.setdefault((operation, provider, *of_model), [])
        if not outages or outages[-1] <= self.now:
            asked = retry_after_of(failure) or 0.0
            waits = [self.base * 2 ** len(outages), asked if asked > 0 else 0.0]
            outages.append(self.now + min(600.0, max(waits)))

    @rule(operation=operations, provider=providers, model=models)
    def succeed(self, operation: Operation, provider: str, model: str) -> None:
        self.ledger = self.ledger.after(Succeeded(operation, provider, model), self.now, self.base)
        self.outages.pop((operation, provider), None)
        self.outages.pop((operation, provider, model), None)

    @rule(seconds=st.sampled_from([1, 30, 59, 60, 61, 599, 600, 100_000]))
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @rule(elsewhere=instants)
    def move_to_another_process(self, elsewhere: float) -> None:
        plain = json.loads(json.dumps(self.ledger.to_plain(self.now)))
        self.ledger = Ledger.from_plain(plain, elsewhere)
        for outages in self.outages.values():
            outages[-1] = max(elsewhere, outages[-1] - self.now + elsewhere)
        self.now = elsewhere

    @invariant()
    def everybody_cools_as_long_as_the_model_says(self) -> None:
        for operation in Operation:
            for provider in "pq":
                for model in "abc":
                    keys = [(operation, provider), (operation, provider, model)]
                    until = max(self.outages.get(key, [self.now])[-1] for key in keys)
                    left = self.ledger.remaining(operation, provider, model, self.now)
                    assert left == max(0.0, until - self.now)
                    assert left <= 600.0


TestLadder = pytest.mark.rule("cooldown.6")(Ladder.TestCase)


@pytest.mark.rule("cooldown.14")
class TestReadingAPlainForm:
    """Reading a plain form never fails."""

    @given(plain=json_values(), now=instants)
    def test_any_value_is_read(self, plain: object, now: float) -> None:
        """Any JSON value gives a ledger."""
        assert isinstance(Ledger.from_plain(plain, now), Ledger)

    @given(
        entries=st.lists(
            json_values()
            | st.fixed_dictionaries(
                {
                    "operation": st.sampled_from(["search", "fetch"]) | json_values(),
                    "provider": providers | json_values(),
                    "model": models | json_values(),
                    "remaining": st.integers() | st.floats() | json_values(),
                    "level": st.integers() | json_values(),
                }
            )
        ),
        now=instants,
        model=models,
    )
    def test_any_entries_keep_within_the_cap(
        self, entries: list[object], now: float, model: str
    ) -> None:
        """Whatever entries a store holds, nobody cools longer than ten minutes."""
        read = Ledger.from_plain({"cooldowns": entries}, now)

        assert 0.0 <= read.remaining(Operation.SEARCH, "p", model, now) <= 600.0
        assert Ledger.from_plain(read.to_plain(now), now) == read

"""Strategies for what attempts prove, and for the ledgers that come of it."""

from collections.abc import Iterable

from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.failures import failures
from native_web_search.domain.cooldown import BASE_SECONDS, Failed, Ledger, Succeeded, Transition
from native_web_search.domain.family import Operation

# Few of each, so that what happens meets what has happened before.
_OPERATIONS = st.sampled_from(Operation)
_PROVIDERS = st.sampled_from(["deepseek", "openai", "xai"])
_MODELS = st.sampled_from(["one", "two"])


def transitions() -> st.SearchStrategy[Transition]:
    """Failures of every scope, and successes."""
    failed = st.builds(Failed, _OPERATIONS, _PROVIDERS, _MODELS, failures())
    return failed | st.builds(Succeeded, _OPERATIONS, _PROVIDERS, _MODELS)


def ledgers(max_size: int = 12) -> st.SearchStrategy[Ledger]:
    """Ledgers as attempts leave them, a few minutes apart, in the first hour of a clock."""
    waits = st.sampled_from([0.0, 1.0, 61.0, 300.0])
    return st.lists(st.tuples(waits, transitions()), max_size=max_size).map(_ledger)


def _ledger(events: Iterable[tuple[float, Transition]]) -> Ledger:
    ledger, now = Ledger(), 0.0
    for wait, transition in events:
        now += wait
        ledger = ledger.after(transition, now, BASE_SECONDS)
    return ledger

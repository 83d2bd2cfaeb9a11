"""The strategies build what the domain takes, and what stores have to keep."""

import json

import pytest
from hypothesis import Phase, find, given, settings

from native_web_search.adapters.testing.strategies.cooldowns import ledgers, transitions
from native_web_search.adapters.testing.strategies.preferences import preferences
from native_web_search.domain.cooldown import Failed, Ledger, Succeeded
from native_web_search.domain.preference import Preferences, plain_preferences, preferences_from

UNSHRUNK = settings(phases=[Phase.generate])  # that there is one is enough


@pytest.mark.rule("testing.7")
@given(preferences())
def test_preferences_survive_their_plain_form(value: Preferences) -> None:
    """Through JSON and back, whatever the names."""
    assert preferences_from(json.loads(json.dumps(plain_preferences(value)))) == value


@pytest.mark.rule("testing.7")
@given(ledgers())
def test_ledgers_survive_their_plain_form(ledger: Ledger) -> None:
    """Through JSON and back, read at the same moment: levels and remaining seconds are the same."""
    again = Ledger.from_plain(json.loads(json.dumps(ledger.to_plain(0.0))), 0.0)
    assert again.to_plain(0.0) == ledger.to_plain(0.0)


@pytest.mark.rule("testing.7")
def test_ledgers_hold_repeated_outages() -> None:
    """What is built is not always the simple case: some key has climbed the ladder."""
    found = find(
        ledgers(), lambda ledger: any(x.level for x in ledger.cooldowns.values()), settings=UNSHRUNK
    )
    assert found.cooldowns


@pytest.mark.rule("testing.7")
@pytest.mark.parametrize("kind", [Failed, Succeeded])
def test_transitions_are_of_both_kinds(kind: type) -> None:
    """An attempt may fail or succeed."""
    assert isinstance(
        find(transitions(), lambda value: isinstance(value, kind), settings=UNSHRUNK), kind
    )

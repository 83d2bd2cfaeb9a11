"""What can go wrong, and how far it reaches."""

from typing import get_args

import pytest

from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    ModelRefused,
    NotSearched,
    ProviderRefused,
    QueryTooLong,
    RequestRefused,
    Scope,
    Skipped,
    TimedOut,
    Unreachable,
    Unreadable,
    retry_after_of,
    scope_of,
)

SCOPES: dict[type, Scope] = {
    Unreachable: Scope.PROVIDER,
    TimedOut: Scope.PROVIDER,
    Unreadable: Scope.PROVIDER,
    CredentialUnresolved: Scope.PROVIDER,
    ProviderRefused: Scope.PROVIDER,
    ModelRefused: Scope.MODEL,
    NotSearched: Scope.MODEL,
    RequestRefused: Scope.REQUEST,
    QueryTooLong: Scope.CALL,
}


@pytest.mark.rule("failure.1")
@pytest.mark.rule("failure.2")
@pytest.mark.rule("failure.3")
@pytest.mark.rule("failure.4")
@pytest.mark.parametrize("kind", get_args(AttemptFailure), ids=lambda kind: kind.__name__)
def test_every_failure_has_its_scope(kind: type) -> None:
    """What happened decides how far it reaches, for every kind of failure there is."""
    assert scope_of(kind("it went wrong")) is SCOPES[kind]


@pytest.mark.rule("failure.5")
def test_refusals_carry_the_wait_they_asked_for() -> None:
    """A refusal by the provider or of the model keeps the seconds of its `Retry-After`."""
    assert retry_after_of(ProviderRefused("busy", 429, retry_after=30.0)) == 30.0
    assert retry_after_of(ModelRefused("busy", 429, retry_after=40.0)) == 40.0
    assert retry_after_of(ProviderRefused("busy", 429)) is None


@pytest.mark.rule("failure.5")
def test_other_failures_ask_for_no_wait() -> None:
    """A failure without a response of its own asks for no wait."""
    assert retry_after_of(TimedOut("60 s")) is None


@pytest.mark.rule("failure.6")
def test_being_skipped_is_no_failure_of_an_attempt() -> None:
    """A candidate without a credential was not attempted, so nothing failed."""
    assert Skipped not in get_args(AttemptFailure)

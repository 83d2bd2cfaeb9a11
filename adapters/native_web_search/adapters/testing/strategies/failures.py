"""Strategies for what can go wrong in an attempt."""

from hypothesis import strategies as st

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
)


def failures(*scopes: Scope) -> st.SearchStrategy[AttemptFailure]:
    """Failures that reach as far as one of the scopes; without any, all failures."""
    return st.one_of([_BY_SCOPE[scope] for scope in scopes or Scope])


def skips() -> st.SearchStrategy[Skipped]:
    """Candidates that turned out to have no credential."""
    return st.builds(Skipped, messages())


def messages() -> st.SearchStrategy[str]:
    """Short texts in the place of a provider's message."""
    return st.text(min_size=1, max_size=12)


def retry_afters() -> st.SearchStrategy[float | None]:
    """Waits that a provider may ask for, sensible and otherwise."""
    odd = [0.0, -5.0, 1e9, float("nan"), float("inf"), float("-inf")]
    return st.none() | st.integers(0, 1_000).map(float) | st.sampled_from(odd)


def _statuses() -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(400, 599)


_BY_SCOPE: dict[Scope, st.SearchStrategy[AttemptFailure]] = {
    Scope.PROVIDER: st.one_of(
        st.builds(TimedOut, messages()),
        st.builds(Unreachable, messages()),
        st.builds(Unreadable, messages()),
        st.builds(CredentialUnresolved, messages()),
        st.builds(ProviderRefused, messages(), _statuses(), retry_afters()),
    ),
    Scope.MODEL: st.one_of(
        st.builds(NotSearched, messages()),
        st.builds(ModelRefused, messages(), _statuses(), retry_afters()),
    ),
    Scope.REQUEST: st.builds(RequestRefused, messages(), _statuses()),
    Scope.CALL: st.builds(QueryTooLong, messages()),
}

"""What can go wrong in one attempt, and how far it reaches.

    what happened          scope      rest of this call            cooldown
    ---------------------  ---------  ---------------------------  --------------------------
    Unreachable            PROVIDER   skip the provider id         provider, this operation
    TimedOut               PROVIDER
    Unreadable             PROVIDER
    CredentialUnresolved   PROVIDER
    ProviderRefused        PROVIDER
    ModelRefused           MODEL      skip the model               provider and model
    NotSearched            MODEL
    RequestRefused         REQUEST    skip the model               none
    QueryTooLong           CALL       end the call, this message   none

The type says what happened; `scope_of` says how far it reaches. Two things are no failures of
this kind: a cancelled call (an exception, it belongs to the caller) and a candidate without a
credential (`Skipped`: nothing was sent, no attempt was made).
"""

from enum import Enum
from typing import TypeAlias, assert_never

from attrs import frozen


class Scope(Enum):
    """How far a failure reaches, widest cooldown first."""

    PROVIDER = "provider"
    MODEL = "model"
    REQUEST = "request"
    CALL = "call"


@frozen
class Unreachable:
    """Network, TLS or proxy trouble, or a stream that ended before its terminal event."""

    message: str


@frozen
class TimedOut:
    """The attempt's own time ran out."""

    message: str


@frozen
class Unreadable:
    """An answer that is not what the interface promises: no JSON, too large, a redirect."""

    message: str


@frozen
class CredentialUnresolved:
    """The registry knows a credential but could not resolve it (refresh, key command)."""

    message: str


@frozen
class ProviderRefused:
    """The provider said no to everybody: authentication, balance, quota, outage, bad request.

    `retry_after` is the `Retry-After` header in seconds, if there was a usable one.
    """

    message: str
    status: int | None = None
    retry_after: float | None = None


@frozen
class ModelRefused:
    """The provider said no to this model: unknown, no access, overloaded, tool not supported."""

    message: str
    status: int | None = None
    retry_after: float | None = None


@frozen
class NotSearched:
    """The model answered without evidence of a search."""

    message: str


@frozen
class RequestRefused:
    """The provider said no to this content: blocked, filtered, too large."""

    message: str
    status: int | None = None


@frozen
class QueryTooLong:
    """The query exceeds what the provider takes; the caller's model has to shorten it."""

    message: str


AttemptFailure: TypeAlias = (
    Unreachable
    | TimedOut
    | Unreadable
    | CredentialUnresolved
    | ProviderRefused
    | ModelRefused
    | NotSearched
    | RequestRefused
    | QueryTooLong
)


@frozen
class Skipped:
    """No attempt was made: the candidate has no credential. Counts nowhere, cools nothing."""

    message: str


def scope_of(failure: AttemptFailure) -> Scope:
    """How far this failure reaches (`docs/behaviour.md`, failures and scope)."""
    match failure:
        case Unreachable() | TimedOut() | Unreadable() | CredentialUnresolved() | ProviderRefused():
            return Scope.PROVIDER
        case ModelRefused() | NotSearched():
            return Scope.MODEL
        case RequestRefused():
            return Scope.REQUEST
        case QueryTooLong():
            return Scope.CALL
        case _:
            assert_never(failure)


def retry_after_of(failure: AttemptFailure) -> float | None:
    """The seconds that a `Retry-After` header asked for, if the failure carries one."""
    match failure:
        case ProviderRefused(retry_after=seconds) | ModelRefused(retry_after=seconds):
            return seconds
        case _:
            return None

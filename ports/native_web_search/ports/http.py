"""Sending one HTTP request and reading its response as it arrives."""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol, TypeVar

from attrs import field, frozen

from native_web_search.domain.address import shown_address
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Outcome

A_co = TypeVar("A_co", covariant=True)
A = TypeVar("A")


@frozen
class HttpRequest:
    """A POST, ready to send. Headers and body may hold secrets and are not shown by `repr`, nor is
    what may be a key in `url`.
    """

    url: str = field(repr=shown_address)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)


@frozen
class ResponseHead:
    """Status and headers of a response; header names are lower-case, a repeated one is joined."""

    status: int
    headers: Mapping[str, str] = field(factory=dict[str, str], repr=False)


class Appetite(Enum):
    """What a decoder wants next."""

    MORE = "more"
    ALL = "all"  # only collects: as `MORE`, and the pieces may be as large as they come
    LINGER = "linger"  # finished, but glad of what comes within two seconds
    DONE = "done"


class ResponseDecoder(Protocol[A_co]):
    """Turns the pieces of one response into an answer. Pure: no clock, no I/O, never raises.

    Called in this order: `begin` once, `feed` any number of times with pieces cut anywhere, `end`
    once. After `DONE` nothing more is fed.
    """

    def begin(self, head: ResponseHead) -> Appetite: ...

    def feed(self, piece: bytes) -> Appetite: ...

    def end(self) -> A_co: ...


class HttpTransport(Protocol):
    """The one way to the network."""

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        """Send once and feed the decoder until it is `DONE` or the body ends; return its answer.

        `lane` is the provider id; requests of one lane share a number of slots, and the timeout
        starts with the slot. Redirects are answers, not followed. A `Failure` is `Unreachable`,
        `TimedOut`, `Unreadable` or, for a credential that no header can hold,
        `CredentialUnresolved`; its message holds no header's value and no query string.
        Cancellation propagates and closes the connection.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections. Requests in flight end as `Unreachable`."""
        ...

"""What can go wrong on purpose.

A fault changes one answer. Two kinds replace what the provider says; the others let it work out
its answer as usual (which may be a refusal) and spoil the delivery.

    replaced   Status      an error
               Replay      a recorded body
    slow       Delay       late
               Trickle     piece by piece
               Heartbeats  headers, then signs of life, then perhaps the body
    broken     Hang        nothing, ever
               Stall       headers, perhaps some body, then nothing
               Cut         the body ends too early
               Reset       the connection is reset
"""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, optional

LEAST_STATUS = 200  # what is below is no answer yet


def _pairs(headers: Mapping[str, str] | tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(headers.items()) if isinstance(headers, Mapping) else tuple(headers)


@frozen
class Status:
    """Answer with this status.

    `body` is sent as it is if it is text or bytes, else as JSON; left out, it is what this
    provider says with such a status.
    """

    code: int = field(validator=ge(LEAST_STATUS))
    body: object = None
    headers: tuple[tuple[str, str], ...] = field(default=(), converter=_pairs)


@frozen
class Replay:
    """Answer with these bytes, for example a recorded stream."""

    body: bytes = field(repr=False)
    content_type: str = "text/event-stream"
    status: int = field(default=200, validator=ge(LEAST_STATUS))


@frozen
class Delay:
    """Wait before the headers, then answer as usual."""

    seconds: float = field(validator=ge(0))


@frozen
class Hang:
    """Take the request and never answer."""


@frozen
class Stall:
    """Send headers and the first `after_bytes` of the body, and then nothing more."""

    after_bytes: int = field(default=0, validator=ge(0))


@frozen
class Trickle:
    """Send the body in pieces of this size, with this many seconds between two."""

    bytes_per_piece: int = field(default=1, validator=ge(1))
    interval: float = field(default=0.01, validator=ge(0))


@frozen
class Cut:
    """End the body after so many bytes.

    The connection breaks, so that a client can see it; with `orderly` the body ends as if it were
    complete, as behind a gateway that lost its upstream.
    """

    after_bytes: int = field(validator=ge(0))
    orderly: bool = field(default=False, kw_only=True)


@frozen
class Reset:
    """Take the request and reset the connection."""


@frozen
class Heartbeats:
    """Send headers, then a sign of life every `interval` seconds: a comment in an event stream, a
    blank line before a JSON body. After `count` of them the body follows; without, never.
    """

    interval: float = field(default=0.05, validator=ge(0))
    count: int | None = field(default=None, validator=optional(ge(0)))


Replacement: TypeAlias = Status | Replay
Slow: TypeAlias = Delay | Trickle | Heartbeats
Broken: TypeAlias = Hang | Stall | Cut | Reset
Fault: TypeAlias = Replacement | Slow | Broken

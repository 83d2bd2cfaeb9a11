"""How much of a response is read.

A decoder says at first, and after each piece, what it wants. `MORE`: read on, as long as the
request's clock allows. `ALL`: the same, in larger pieces, since it does not look at them yet.
`DONE`: its provider's last event has come, so that waiting for the stream to end would be waiting
for nothing. `LINGER`: it has an answer, and what comes within two seconds may explain it better;
so nothing that goes wrong from here on, neither the clock nor the network, takes that answer away.
"""

import asyncio
from typing import Protocol, TypeVar

from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, ResponseDecoder, ResponseHead

A = TypeVar("A")

WINDOW = 8_192  # bytes of one piece: as tiny events, they hold up the loop for milliseconds
WIDE_WINDOW = 1_048_576  # more than the network gives at once: not cut, it is not copied either
LINGER_SECONDS = 2.0  # the explaining event follows at once or never
ENOUGH = frozenset({Appetite.LINGER, Appetite.DONE})


class Body(Protocol):
    """The pieces of one response."""

    async def read(self, window: int) -> bytes | AttemptFailure:
        """The next piece, of so many bytes at most, and of none at the end; a failure is the last
        thing that it gives.
        """
        ...


async def answer(
    head: ResponseHead, body: Body, decoder: ResponseDecoder[A], clock: asyncio.Timeout
) -> Outcome[A, AttemptFailure]:
    """Feed a decoder until it, or the body, is done; `clock` runs around this."""
    appetite = decoder.begin(head)
    while appetite not in ENOUGH:
        piece = await body.read(WIDE_WINDOW if appetite is Appetite.ALL else WINDOW)
        if not isinstance(piece, bytes):
            return Failure(piece)
        if not piece:
            break
        appetite = decoder.feed(piece)
    if appetite is Appetite.LINGER:
        await _linger(body, decoder, clock)
    return Success(decoder.end())


async def _linger(body: Body, decoder: ResponseDecoder[A], clock: asyncio.Timeout) -> None:
    until = asyncio.get_running_loop().time() + LINGER_SECONDS
    until = min(until, clock.when() or until)
    clock.reschedule(None)  # this clock reports a timeout; from here on none counts
    pause = asyncio.timeout_at(until)
    try:
        async with pause:
            while isinstance(piece := await body.read(WINDOW), bytes) and piece:
                if decoder.feed(piece) is Appetite.DONE:
                    break
    except TimeoutError:
        if not pause.expired():
            raise

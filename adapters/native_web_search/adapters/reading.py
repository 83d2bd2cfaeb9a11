"""How much of a response is read.

A decoder says after each piece what it wants. `MORE`: read on, as long as the request's clock
allows. `DONE`: its provider's last event has come, so that waiting for the stream to end would
be waiting for nothing. `LINGER`: it has an answer, and what comes within two seconds may explain
it better; so nothing that goes wrong from here on, neither the clock nor the network, takes that
answer away.
"""

import asyncio
from typing import Protocol, TypeVar

from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, ResponseDecoder

A = TypeVar("A")

LINGER_SECONDS = 2.0  # the explaining event follows at once or never


class Body(Protocol):
    """The pieces of one response."""

    async def read(self) -> bytes | AttemptFailure:
        """The next piece, no bytes at the end; a failure is the last thing that it gives."""
        ...


async def answer(
    body: Body, decoder: ResponseDecoder[A], clock: asyncio.Timeout
) -> Outcome[A, AttemptFailure]:
    """Feed a decoder that has begun until it, or the body, is done; `clock` runs around this."""
    while piece := await body.read():
        if not isinstance(piece, bytes):
            return Failure(piece)
        appetite = decoder.feed(piece)
        if appetite is Appetite.LINGER:
            await _linger(body, decoder, clock)
        if appetite is not Appetite.MORE:
            break
    return Success(decoder.end())


async def _linger(body: Body, decoder: ResponseDecoder[A], clock: asyncio.Timeout) -> None:
    until = asyncio.get_running_loop().time() + LINGER_SECONDS
    until = min(until, clock.when() or until)
    clock.reschedule(None)  # this clock reports a timeout; from here on none counts
    pause = asyncio.timeout_at(until)
    try:
        async with pause:
            while isinstance(piece := await body.read(), bytes) and piece:
                if decoder.feed(piece) is Appetite.DONE:
                    break
    except TimeoutError:
        if not pause.expired():
            raise

"""The body of a response: decompressed, bounded, and complete.

Ours and not the HTTP library's, for three reasons: a compression that nobody offered must be an
unreadable answer and not an invented status 400, a compressed body that breaks off must not pass
for a complete one, and a few bytes that unfold into gigabytes must be noticed while they unfold.
So bytes are pulled from the network as they come and handed on in pieces no larger than asked for,
with a turn for everybody else between two of them whenever a millisecond has gone by: a packed body
of a few kilobytes can keep a decoder busy for minutes. Not after every piece: a turn of the event
loop costs what a small one does.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

from attrs import define, field

from native_web_search.domain.failure import AttemptFailure, Unreachable, Unreadable

OFFERED = "gzip, deflate"  # exactly what `coding_of` can undo, with the standard library alone

STEP = 8_192  # packed bytes that are looked at in one step
TURN_SECONDS = 0.001  # of ours, before everybody else has one
PACKING = 65_536  # what packing may add to a body that cannot be made smaller

NOTHING = memoryview(b"")

GZIP = 16 + zlib.MAX_WBITS
ZLIB = zlib.MAX_WBITS
BARE = -zlib.MAX_WBITS

GZIP_MAGIC = b"\x1f"
DEFLATED = 8  # the method, in the low half of the first byte of a zlib header


class Coding(Protocol):
    """`put` what came from the network whenever `take` has nothing left."""

    @property
    def complete(self) -> bool:
        """Whether the body may end here."""
        ...

    @property
    def over(self) -> bool:
        """Whether it has ended here, whatever else may come."""
        ...

    def put(self, raw: bytes) -> None: ...

    def take(self, window: int) -> bytes | None:
        """The next decoded bytes, at most so many: perhaps none after a step that brought nothing
        to light, and `None` if more has to be put. Raises `zlib.error` on damage.
        """
        ...


def coding_of(content_encoding: str) -> Coding | None:
    """What undoes this `Content-Encoding`; none if we cannot."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    match [name for name in names if name not in {"", "identity"}]:
        case []:
            return Plain()
        case ["gzip" | "x-gzip"]:
            return Deflated(gzip=True)
        case ["deflate"]:
            return Deflated(gzip=False)
        case _:
            return None


@define
class DecodedBody:
    """The pieces of a body, from `pull`, which gives what the network has and b"" at the end."""

    pull: Callable[[], Awaitable[bytes | AttemptFailure]]
    coding: Coding
    max_bytes: int
    now: Callable[[], float] = monotonic
    _over: float = field(init=False, default=0.0)  # when our turn is
    _pulled: int = field(init=False, default=0)
    _given: int = field(init=False, default=0)

    async def read(self, window: int) -> bytes | AttemptFailure:
        """The next piece, of so many bytes at most, and of none at the end; a failure is the last
        thing that it gives. It gives way to clocks and to other requests, however much has arrived
        already.
        """
        try:
            while not (piece := self.coding.take(window)):
                await self._give_way()
                if piece is None and (end := await self._fill()) is not None:
                    return end
        except zlib.error:
            return Unreadable("the answer is damaged: it cannot be decompressed")
        await self._give_way()
        self._given += len(piece)
        return piece if self._given <= self.max_bytes else self._too_large()

    async def _give_way(self) -> None:
        if self.now() >= self._over:
            await asyncio.sleep(0)
            self._over = self.now() + TURN_SECONDS

    async def _fill(self) -> bytes | AttemptFailure | None:
        """Put what the network has; if that is nothing more, how the body ended."""
        raw = b"" if self.coding.over else await self.pull()
        if not isinstance(raw, bytes):
            return raw
        if not raw:
            broken = Unreachable("the answer broke off in the middle")
            return b"" if self.coding.complete else broken
        self._pulled += len(raw)
        if self._pulled > self.max_bytes + PACKING:
            return self._too_large()
        self.coding.put(raw)
        return None

    def _too_large(self) -> Unreadable:
        return Unreadable(f"the answer is larger than {self.max_bytes} bytes, the cap")


@define
class Plain:
    """No compression."""

    complete: bool = field(init=False, default=True)
    over: bool = field(init=False, default=False)
    _raw: bytes = field(init=False, default=b"")
    _given: int = field(init=False, default=0)

    def put(self, raw: bytes) -> None:
        self._raw, self._given = raw, 0

    def take(self, window: int) -> bytes | None:
        start, self._given = self._given, self._given + window
        return self._raw[start : self._given] or None


@define
class Deflated:
    """`gzip`, also in several members, or `deflate`, with the zlib header or without.

    What follows a finished body and is no further member is ignored, as browsers do, and ends the
    reading. The engine never sees more than a step at once: it copies what it leaves over.
    """

    gzip: bool
    over: bool = field(init=False, default=False)
    _raw: memoryview = field(init=False, default=NOTHING)
    _left: bytes = field(init=False, default=b"")
    _engine: "_Engine | None" = field(init=False, default=None)

    @property
    def complete(self) -> bool:
        return self._engine is None or self._engine.eof

    def put(self, raw: bytes) -> None:
        self._engine = self._engine or zlib.decompressobj(self._window_bits(raw))
        self._raw = memoryview(raw)

    def take(self, window: int) -> bytes | None:
        if self._engine is None or self.over:
            return None
        fed = self._left or self._next_step()
        if self._engine.eof:
            return self._follow(fed)
        piece = self._engine.decompress(fed, window)
        self._left = self._engine.unused_data or self._engine.unconsumed_tail
        return piece if piece or fed else None

    def _next_step(self) -> bytes:
        step, self._raw = self._raw[:STEP], self._raw[STEP:]
        return bytes(step)

    def _follow(self, surplus: bytes) -> bytes | None:
        """Go on to the member that follows a finished one, if there is one."""
        self._left = surplus
        if surplus and self.gzip and surplus.startswith(GZIP_MAGIC):
            self._engine = zlib.decompressobj(GZIP)
            return b""
        self.over = bool(surplus)
        return None

    def _window_bits(self, raw: bytes) -> int:
        if self.gzip:
            return GZIP
        return ZLIB if raw[0] & 0x0F == DEFLATED else BARE


class _Engine(Protocol):
    """What `zlib.decompressobj` gives."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    @property
    def unconsumed_tail(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...

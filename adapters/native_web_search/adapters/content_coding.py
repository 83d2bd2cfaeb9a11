"""The body of a response: decompressed, bounded, and complete.

Ours and not the HTTP library's, for three reasons: a compression that nobody offered must be an
unreadable answer and not an invented status 400, a compressed body that breaks off must not pass
for a complete one, and a few bytes that unfold into gigabytes must be noticed while they unfold.
So compressed bytes are pulled from the network as they come and unfolded a window at a time.
"""

import zlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from attrs import define, field

from native_web_search.domain.failure import AttemptFailure, Unreachable, Unreadable

OFFERED = "gzip, deflate"  # exactly what `coding_of` can undo, with the standard library alone

WINDOW = 65_536  # bytes that are unfolded in one go

GZIP = 16 + zlib.MAX_WBITS
ZLIB = zlib.MAX_WBITS
BARE = -zlib.MAX_WBITS

GZIP_MAGIC = b"\x1f"
DEFLATED = 8  # the method, in the low half of the first byte of a zlib header


class Coding(Protocol):
    """`put` what came from the network, then `take` until nothing is left."""

    @property
    def complete(self) -> bool:
        """Whether the body may end here."""
        ...

    def put(self, raw: bytes) -> None: ...

    def take(self) -> bytes:
        """The next decoded bytes, or none until more is put. Raises `zlib.error` on damage."""
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
    _given: int = field(init=False, default=0)

    async def read(self) -> bytes | AttemptFailure:
        """The next piece, no bytes at the end; a failure is the last thing that it gives."""
        try:
            while not (piece := self.coding.take()):
                raw = await self.pull()
                if not isinstance(raw, bytes):
                    return raw
                if not raw:
                    return self._end()
                self.coding.put(raw)
        except zlib.error:
            return Unreadable("the answer is damaged: it cannot be decompressed")
        self._given += len(piece)
        if self._given > self.max_bytes:
            return Unreadable(f"the answer is larger than {self.max_bytes} bytes, the cap")
        return piece

    def _end(self) -> bytes | AttemptFailure:
        return b"" if self.coding.complete else Unreachable("the answer broke off in the middle")


@define
class Plain:
    """No compression."""

    complete: bool = field(init=False, default=True)
    _raw: bytes = field(init=False, default=b"")

    def put(self, raw: bytes) -> None:
        self._raw += raw

    def take(self) -> bytes:
        piece, self._raw = self._raw, b""
        return piece


@define
class Deflated:
    """`gzip`, also in several members, or `deflate`, with the zlib header or without.

    What follows a finished body and is no further member is ignored, as browsers do.
    """

    gzip: bool
    _raw: bytes = field(init=False, default=b"")
    _engine: "_Engine | None" = field(init=False, default=None)

    @property
    def complete(self) -> bool:
        return self._engine is None or self._engine.eof

    def put(self, raw: bytes) -> None:
        self._engine = self._engine or zlib.decompressobj(self._window_bits(raw))
        self._raw += raw

    def take(self) -> bytes:
        while self._engine is not None:
            piece = self._engine.decompress(self._raw, WINDOW)
            self._raw = self._engine.unconsumed_tail
            if not self._next_member() or piece:
                return piece
        return b""

    def _next_member(self) -> bool:
        """Go on to the member that follows a finished one, if there is one."""
        ended = self._engine
        if ended is None or not self.gzip or not ended.unused_data.startswith(GZIP_MAGIC):
            return False
        self._raw, self._engine = ended.unused_data, zlib.decompressobj(GZIP)
        return True

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

"""Bodies, decompressed in bounded pieces, and complete or not."""

import asyncio
import gzip
import random
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable, Iterable
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.content_coding import (
    PACKING,
    DecodedBody,
    coding_of,
)
from native_web_search.adapters.reading import WIDE_WINDOW, WINDOW
from native_web_search.domain.failure import AttemptFailure, TimedOut, Unreachable, Unreadable

PLENTY = 1 << 40

bodies = st.binary(max_size=300) | st.builds(
    lambda seed, size: random.Random(seed).randbytes(size),  # noqa: S311  no secret, just noise
    st.integers(0, 9),
    st.integers(WINDOW - 2, WINDOW + 2),
)


def bare(body: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return engine.compress(body) + engine.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "deflate": zlib.compress}


def arriving(
    pieces: Iterable[bytes | AttemptFailure],
) -> Callable[[], Awaitable[bytes | AttemptFailure]]:
    """A network that has these pieces, and then nothing more."""
    left = iter(pieces)

    async def pull() -> bytes | AttemptFailure:
        return next(left, b"")

    return pull


async def unpacked(
    encoding: str, *pieces: bytes | AttemptFailure, cap: int = PLENTY, window: int = WINDOW
) -> bytes | AttemptFailure:
    """All that can be read of a body that arrives in these pieces, or the failure instead."""
    coding = coding_of(encoding)
    assert coding is not None
    body, read = DecodedBody(arriving(pieces), coding, cap), b""
    while piece := await body.read(window):
        if not isinstance(piece, bytes):
            return piece
        assert len(piece) <= window
        read += piece
    return read


def cut(packed: bytes, places: Iterable[int]) -> list[bytes]:
    """The same bytes in pieces, none of them empty."""
    edges = sorted({place % len(packed) for place in places} | {0, len(packed)})
    return [packed[a:b] for a, b in pairwise(edges)]


@pytest.mark.rule("transport.13")
class TestWhatWasPacked:
    """What was packed comes out again."""

    @given(
        st.sampled_from(["", *PACKERS]),
        bodies,
        st.lists(st.integers(0, 70_000), max_size=5),
        st.sampled_from([100, WINDOW, WIDE_WINDOW]),
    )
    async def test_comes_out_again_however_it_is_cut(
        self, encoding: str, body: bytes, places: list[int], window: int
    ) -> None:
        """Neither the pieces on the network nor the size that is asked for leave a trace."""
        packed = PACKERS[encoding](body) if encoding else body
        pieces = cut(packed, places) if packed else []
        assert await unpacked(encoding, *pieces, window=window) == body

    @given(st.lists(st.binary(max_size=50), min_size=1, max_size=4), st.lists(st.integers(0, 300)))
    async def test_may_have_several_gzip_members(
        self, parts: list[bytes], places: list[int]
    ) -> None:
        """Files that were joined after packing unpack to the files joined."""
        pieces = cut(b"".join(map(gzip.compress, parts)), places)
        assert await unpacked("gzip", *pieces) == b"".join(parts)

    @given(bodies)
    async def test_may_lack_the_zlib_header(self, body: bytes) -> None:
        """Both things that servers mean by `deflate` are understood."""
        assert await unpacked("deflate", bare(body)) == body

    @pytest.mark.parametrize("encoding", ["", "identity", " , Identity"])
    async def test_may_be_nothing(self, encoding: str) -> None:
        """Without compression the pieces pass as they are."""
        assert await unpacked(encoding, b"a", b"b") == b"ab"

    @pytest.mark.parametrize("after", [b"\0\0\0", b"\r\n", b"trailing"])
    async def test_may_be_followed_by_padding(self, after: bytes) -> None:
        """What comes after the end of the packed body is ignored, in one piece or in another."""
        assert await unpacked("gzip", gzip.compress(b"body") + after) == b"body"
        assert await unpacked("deflate", zlib.compress(b"body"), after) == b"body"

    @pytest.mark.parametrize(
        "encoding", ["zstd", "br", "compress", "gzip, br", "gzip gzip", "ĝzip"]
    )
    def test_must_be_of_a_kind_that_was_offered(self, encoding: str) -> None:
        """Everything else is not undone, rather than guessed at."""
        assert coding_of(encoding) is None


@pytest.mark.rule("transport.14")
class TestABrokenOffBody:
    """A body that ends too early."""

    @given(st.sampled_from([*PACKERS]), st.binary(max_size=300), st.data())
    async def test_is_noticed_wherever_it_breaks(
        self, encoding: str, body: bytes, data: st.DataObject
    ) -> None:
        """No proper beginning of a packed body passes for the whole, except none at all."""
        packed = PACKERS[encoding](body)
        kept = data.draw(st.integers(1, len(packed) - 1))
        outcome = await unpacked(encoding, packed[:kept])
        assert outcome == Unreachable("the answer broke off in the middle")

    @pytest.mark.parametrize("encoding", ["gzip", "deflate"])
    async def test_may_be_empty(self, encoding: str) -> None:
        """An answer without a body often names a compression all the same."""
        assert await unpacked(encoding) == b""

    async def test_of_two_members_needs_both(self) -> None:
        """A second member that has begun must end."""
        packed = gzip.compress(b"one") + gzip.compress(b"two")
        assert isinstance(await unpacked("gzip", packed[:-1]), Unreachable)

    async def test_by_the_network_keeps_the_networks_failure(self) -> None:
        """What went wrong below is passed on as it is."""
        assert await unpacked("", b"a", TimedOut("late")) == TimedOut("late")


@pytest.mark.rule("transport.15")
@given(st.binary(min_size=1, max_size=50), st.binary(min_size=1, max_size=50))
async def test_bytes_that_are_not_packed_never_crash(body: bytes, rest: bytes) -> None:
    """Damage anywhere gives a failure or, where it cannot be noticed, bytes; never an exception."""
    for encoding, pack in PACKERS.items():
        for arrived in (body, pack(body)[:-8] + rest):
            outcome = await unpacked(encoding, arrived)
            assert isinstance(outcome, bytes | Unreachable | Unreadable)
    assert isinstance(await unpacked("gzip", b"{" + body), Unreadable)


@pytest.mark.rule("transport.12")
class TestTheCap:
    """How much may come out."""

    @given(st.integers(1, 200), st.integers(0, 200), st.sampled_from(["", *PACKERS]))
    async def test_is_the_largest_body_that_passes(
        self, cap: int, size: int, encoding: str
    ) -> None:
        """One byte more than the cap fails, by a text that names it."""
        packed = PACKERS.get(encoding, bytes)(b"a" * size)
        outcome = await unpacked(encoding, packed, cap=cap)
        if size <= cap:
            assert outcome == b"a" * size
        else:
            assert outcome == Unreadable(f"the answer is larger than {cap} bytes, the cap")

    async def test_is_noticed_before_a_bomb_has_unfolded(self) -> None:
        """A few bytes that stand for 64 MiB take a few windows of memory."""
        engine, nothing = zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS), bytes(1 << 20)
        packed = b"".join(engine.compress(nothing) for _ in range(64)) + engine.flush()
        coding = coding_of("gzip")
        assert coding is not None
        body = DecodedBody(arriving(cut(packed, range(0, len(packed), WINDOW))), coding, 1 << 25)
        tracemalloc.start()
        while isinstance(piece := await body.read(WINDOW), bytes):
            assert len(piece) <= WINDOW
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert isinstance(piece, Unreadable)
        assert peak < 20 * WINDOW

    async def test_holds_for_members_that_hold_nothing(self) -> None:
        """A body that only ever packs nothing is too large when it has grown too long."""
        nothing = gzip.compress(b"")
        pieces = [nothing * (PACKING // len(nothing))] * 3
        outcome = await unpacked("gzip", *pieces, cap=1000)
        assert outcome == Unreadable("the answer is larger than 1000 bytes, the cap")


@pytest.mark.rule("transport.28")
@pytest.mark.parametrize(
    ("encoding", "arrived"),
    [
        ("", b"a" * 20 * WINDOW),
        ("gzip", gzip.compress(b"a" * 20 * WINDOW, mtime=0)),
        ("gzip", gzip.compress(b"", mtime=0) * 20),
    ],
)
@pytest.mark.parametrize(("seconds_a_look", "steps_a_turn"), [(0.0011, 1), (0.0003, 4)])
async def test_steps_give_way(
    encoding: str, arrived: bytes, seconds_a_look: float, steps_a_turn: int
) -> None:
    """What has arrived already is not handed on in one go: when a millisecond has gone by,
    everybody else has a turn.
    """
    turns = 0
    looks = count()

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    coding = coding_of(encoding)
    assert coding is not None
    body = DecodedBody(
        arriving([arrived]), coding, 1 << 20, now=lambda: next(looks) * seconds_a_look
    )
    while await body.read(WINDOW):
        pass
    waiting.cancel()
    assert turns >= 20 // steps_a_turn


@pytest.mark.rule("transport.29")
@pytest.mark.parametrize(
    ("encoding", "packed"),
    [("gzip", gzip.compress(b"a", mtime=0)), ("deflate", zlib.compress(b"a"))],
)
async def test_what_follows_a_finished_body_is_not_read(encoding: str, packed: bytes) -> None:
    """Surplus without end neither fills the memory nor delays the answer."""
    pulled = 0

    async def pull() -> bytes:
        nonlocal pulled
        pulled += 1
        assert pulled <= 2
        return packed if pulled == 1 else b"x" * WINDOW

    coding = coding_of(encoding)
    assert coding is not None
    body = DecodedBody(pull, coding, 1000)
    assert [await body.read(WINDOW) for _ in range(3)] == [b"a", b"", b""]

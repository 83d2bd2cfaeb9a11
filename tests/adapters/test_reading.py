"""How much of a response is read, without a network."""

import asyncio

import pytest
from attrs import define, field

from native_web_search.adapters.reading import LINGER_SECONDS, answer
from native_web_search.domain.failure import AttemptFailure, Unreachable, Unreadable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, ResponseHead

HEAD = ResponseHead(200)
BROKEN = Unreachable("the network broke")


@define
class Pieces:
    """A body of these pieces; `hangs` after the last one, or ends."""

    pieces: list[bytes | AttemptFailure]
    hangs: bool = False
    windows: list[int] = field(factory=list)

    async def read(self, window: int) -> bytes | AttemptFailure:
        self.windows.append(window)
        if self.pieces:
            return self.pieces.pop(0)
        if self.hangs:
            await asyncio.Event().wait()
        return b""


@define
class Following:
    """Wants at first what `first` says, after each piece what `appetites` says, then more."""

    appetites: list[Appetite]
    first: Appetite = Appetite.MORE
    fed: list[bytes] = field(factory=list)
    ended: int = 0

    def begin(self, head: ResponseHead) -> Appetite:
        assert head == HEAD
        return self.first

    def feed(self, piece: bytes) -> Appetite:
        self.fed.append(piece)
        return self.appetites.pop(0) if self.appetites else Appetite.MORE

    def end(self) -> list[bytes]:
        self.ended += 1
        return self.fed


async def read(
    body: Pieces, decoder: Following, *, seconds: float = 5
) -> Outcome[list[bytes], AttemptFailure]:
    async with asyncio.timeout(seconds) as clock:
        return await answer(HEAD, body, decoder, clock)


async def test_a_decoder_that_wants_more_gets_all() -> None:
    """Every piece up to the end, then one question for the answer."""
    decoder = Following([])
    assert await read(Pieces([b"a", b"b"]), decoder) == Success([b"a", b"b"])
    assert decoder.ended == 1


async def test_an_empty_body_is_an_answer_too() -> None:
    """Nothing is fed, and the decoder says what it makes of that."""
    assert await read(Pieces([]), Following([])) == Success([])


async def test_a_failure_in_the_body_is_the_outcome() -> None:
    """The decoder is not asked for an answer that it does not have."""
    decoder = Following([])
    assert await read(Pieces([b"a", BROKEN]), decoder) == Failure(BROKEN)
    assert decoder.ended == 0


@pytest.mark.rule("transport.28")
async def test_pieces_are_small_unless_they_are_only_collected() -> None:
    """Whoever looks at them gets a little at a time, whoever does not as much as has come."""
    body = Pieces([b"a", b"b", b"c"])
    await read(body, Following([Appetite.MORE, Appetite.ALL], first=Appetite.ALL))
    assert body.windows == [1_048_576, 8_192, 1_048_576, 8_192]


async def test_a_decoder_may_need_no_body_at_all() -> None:
    """A head that says everything is an answer before anything was read."""
    body = Pieces([b"a"], hangs=True)
    assert await read(body, Following([], first=Appetite.DONE)) == Success([])
    assert body.windows == []


@pytest.mark.rule("transport.10")
async def test_nothing_is_read_after_done() -> None:
    """What has not been read yet stays where it is."""
    body = Pieces([b"a", b"b"], hangs=True)
    assert await read(body, Following([Appetite.DONE])) == Success([b"a"])
    assert body.pieces == [b"b"]


@pytest.mark.rule("transport.11")
class TestLingering:
    """Reading on when the answer is there already."""

    async def test_reads_on_until_done(self) -> None:
        """The explanation that was hoped for ends the wait."""
        decoder = Following([Appetite.LINGER, Appetite.LINGER, Appetite.DONE])
        outcome = await read(Pieces([b"a", b"b", b"c", b"d"], hangs=True), decoder)
        assert outcome == Success([b"a", b"b", b"c"])

    async def test_reads_on_although_more_is_wanted(self) -> None:
        """Once an answer is there, a later appetite for more does not put it at risk."""
        decoder = Following([Appetite.LINGER, Appetite.MORE])
        assert await read(Pieces([b"a", b"b", BROKEN]), decoder) == Success([b"a", b"b"])

    @pytest.mark.parametrize("trouble", [BROKEN, Unreadable("too large"), b""])
    async def test_ends_with_the_body_whatever_its_end(
        self, trouble: bytes | AttemptFailure
    ) -> None:
        """The network's failure, the cap or the end: the answer stands."""
        decoder = Following([Appetite.LINGER])
        assert await read(Pieces([b"a", trouble]), decoder) == Success([b"a"])

    async def test_lasts_two_seconds_at_most(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A server that has nothing to add is not waited for any longer."""
        assert LINGER_SECONDS == 2
        monkeypatch.setattr("native_web_search.adapters.reading.LINGER_SECONDS", 0.2)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        outcome = await read(Pieces([b"a"], hangs=True), Following([Appetite.LINGER]))
        assert outcome == Success([b"a"])
        assert 0.19 <= loop.time() - begun < 1

    async def test_does_not_outlast_the_request(self) -> None:
        """If the time of the request ends first, so does the wait, and the answer stands."""
        outcome = await read(Pieces([b"a"], hangs=True), Following([Appetite.LINGER]), seconds=0.05)
        assert outcome == Success([b"a"])

    async def test_is_cancelled_like_anything_else(self) -> None:
        """The end of the wait is not mistaken for a cancellation, nor the other way round."""
        reading = asyncio.create_task(
            read(Pieces([b"a"], hangs=True), Following([Appetite.LINGER]))
        )
        await asyncio.sleep(0.01)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    async def test_lets_a_decoders_own_timeout_error_through(self) -> None:
        """Only our own clock ends the wait quietly."""

        class Odd(Following):
            def feed(self, piece: bytes) -> Appetite:
                if self.fed:
                    raise TimeoutError
                return super().feed(piece)

        with pytest.raises(TimeoutError):
            await read(Pieces([b"a", b"b"]), Odd([Appetite.LINGER]))

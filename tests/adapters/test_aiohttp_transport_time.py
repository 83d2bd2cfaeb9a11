"""The clock, the slots, the end of reading, and cancellation, over real sockets."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from time import perf_counter

import pytest
from attrs import define, field

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.providers import openai
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.failure import AttemptFailure, TimedOut, Unreachable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import Appetite, HttpRequest, ResponseHead

SHORT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@define
class Until:
    """Collects text; wants what `wants` says once a word has come."""

    wants: dict[bytes, Appetite] = field(factory=dict)
    text: bytes = b""

    def begin(self, head: ResponseHead) -> Appetite:
        return Appetite.MORE

    def feed(self, piece: bytes) -> Appetite:
        self.text += piece
        for word, appetite in self.wants.items():
            if word in self.text:
                return appetite
        return Appetite.MORE

    def end(self) -> bytes:
        return self.text


@define
class Broken(Until):
    """A decoder with a bug."""

    bug: type[Exception] = KeyError

    def feed(self, piece: bytes) -> Appetite:
        raise self.bug(piece)


@define
class Watched:
    """A server that sends some pieces, then a heartbeat every 20 ms, and notices the client go."""

    pieces: tuple[bytes, ...] = ()
    answers: int = 0
    heartbeat: bytes = b": heartbeat\n\n"
    gone: asyncio.Event = field(factory=asyncio.Event)
    asked: asyncio.Event = field(factory=asyncio.Event)

    async def __call__(self, connection: RawConnection) -> None:
        for _ in range(self.answers):
            await connection.request()
            await connection.send(SHORT)
        await connection.request()
        self.asked.set()
        await connection.send(*self.pieces)
        beats = asyncio.create_task(self.beat(connection))
        await connection.client_closed()
        self.gone.set()
        beats.cancel()

    async def beat(self, connection: RawConnection) -> None:
        while self.pieces:
            await asyncio.sleep(0.02)
            await connection.send(self.heartbeat)


@pytest.fixture
async def transport() -> AsyncIterator[AiohttpTransport]:
    transport = AiohttpTransport(timeout=5)
    yield transport
    await transport.aclose()


async def send(
    transport: AiohttpTransport, server: RawServer, decoder: Until, *, lane: str = "lane"
) -> Outcome[bytes, AttemptFailure]:
    return await transport.send(HttpRequest(server.url, (), b"{}"), decoder, lane=lane)


@pytest.mark.rule("transport.7")
class TestTheTimeout:
    """The one clock of a request."""

    @pytest.mark.parametrize(
        "script",
        [
            Watched(),
            Watched((b"HTTP/1.1 200 OK\r\n",), heartbeat=b"X: a\r\n"),
            Watched((STREAM,)),
        ],
        ids=["silence", "endless head", "endless stream"],
    )
    async def test_bounds_the_whole_request(self, script: Watched) -> None:
        """Silence or endless heartbeats, wherever: after its time the attempt has failed."""
        transport = AiohttpTransport(timeout=0.2)
        async with RawServer(script) as server:
            begun = perf_counter()
            outcome = await send(transport, server, Until())
            assert 0.15 < perf_counter() - begun < 2
            message = f"no complete answer from 127.0.0.1:{server.port} within 0.2 seconds"
            assert outcome == Failure(TimedOut(message))
            await asyncio.wait_for(script.gone.wait(), 1)
        await transport.aclose()

    async def test_is_sixty_seconds_unless_set(self) -> None:
        """The default is what the settings promise."""
        assert AiohttpTransport().timeout == 60

    @pytest.mark.parametrize("odd", [0, -1, float("nan"), float("inf")])
    def test_cannot_be_switched_off(self, odd: float) -> None:
        """A number that would mean no timeout, or an instant one, is a programmer's error."""
        with pytest.raises(ValueError, match="timeout"):
            AiohttpTransport(timeout=odd)


class TestSlots:
    """How many requests run at once."""

    @pytest.mark.rule("transport.8")
    async def test_are_waited_for_before_the_timeout_starts(self) -> None:
        """Sixteen requests of 0.1 s through two slots all succeed with a timeout of 0.6 s."""
        transport = AiohttpTransport(timeout=0.6, slots=lambda _: 2)

        async def slow(connection: RawConnection) -> None:
            await connection.request()
            await asyncio.sleep(0.1)
            await connection.send(SHORT)

        async with RawServer(slow) as server:
            outcomes = await asyncio.gather(*(send(transport, server, Until()) for _ in range(16)))
        assert outcomes == [Success(b"ok")] * 16
        await transport.aclose()

    @pytest.mark.rule("transport.9")
    async def test_limit_each_lane_on_its_own(self) -> None:
        """A lane that is full does not hold up another one."""
        transport = AiohttpTransport(timeout=5, slots={"narrow": 1, "wide": 3}.__getitem__)
        together = asyncio.Barrier(4)

        async def script(connection: RawConnection) -> None:
            await connection.request()
            await together.wait()
            await connection.send(SHORT)

        async with RawServer(script) as server:
            lanes = ["narrow", "wide", "wide", "wide"]
            async with asyncio.timeout(2):
                await asyncio.gather(*(send(transport, server, Until(), lane=x) for x in lanes))
        await transport.aclose()

    @pytest.mark.rule("transport.9")
    async def test_are_never_exceeded(self) -> None:
        """At no moment are more requests of a lane in flight than it has slots."""
        transport = AiohttpTransport(timeout=5, slots=lambda _: 3)
        running, peak = 0, 0

        async def script(connection: RawConnection) -> None:
            nonlocal running, peak
            await connection.request()
            running += 1
            peak = max(peak, running)
            await asyncio.sleep(0.01)
            running -= 1
            await connection.send(SHORT + b"x")  # a byte too many: never kept alive

        async with RawServer(script) as server:
            await asyncio.gather(*(send(transport, server, Until()) for _ in range(15)))
        assert peak == 3
        await transport.aclose()


class TestTheEndOfReading:
    """When a response has been read far enough."""

    @pytest.mark.rule("transport.10")
    async def test_comes_with_the_terminal_event(self, transport: AiohttpTransport) -> None:
        """A server that keeps the socket open neither delays the answer nor keeps the client."""
        script = Watched((STREAM + b"data: 1\n\n", b"data: stop\n\n"))
        async with RawServer(script) as server:
            begun = perf_counter()
            outcome = await send(transport, server, Until({b"stop": Appetite.DONE}))
            assert perf_counter() - begun < 2
            assert outcome == Success(b"data: 1\n\ndata: stop\n\n")
            await asyncio.wait_for(script.gone.wait(), 1)

    @pytest.mark.rule("transport.10")
    async def test_leaves_a_connection_that_has_nothing_more_to_say(
        self, transport: AiohttpTransport
    ) -> None:
        """If the body ended with the terminal event, the connection serves the next request."""
        async with RawServer(Watched((SHORT,), answers=2)) as server:
            for _ in range(2):
                assert await send(transport, server, Until({b"ok": Appetite.DONE})) == Success(
                    b"ok"
                )
        assert server.connections == 1

    @pytest.mark.rule("transport.14")
    async def test_is_good_although_the_body_then_breaks_off(
        self, transport: AiohttpTransport
    ) -> None:
        """After the terminal event it does not matter that a chunked body misses its last chunk."""

        async def script(connection: RawConnection) -> None:
            await connection.request()
            await connection.send(CHUNKED + b"4\r\nstop\r\n")

        async with RawServer(script) as server:
            outcome = await send(transport, server, Until({b"stop": Appetite.DONE}))
        assert outcome == Success(b"stop")

    @pytest.mark.rule("transport.11")
    async def test_comes_soon_after_a_finished_answer(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A decoder that lingers gets what still comes, and then its answer counts."""
        monkeypatch.setattr("native_web_search.adapters.reading.LINGER_SECONDS", 0.3)
        script = Watched((STREAM, b"failed\n\n", b"why\n\n"))
        async with RawServer(script) as server:
            begun = perf_counter()
            outcome = await send(transport, server, Until({b"failed": Appetite.LINGER}))
            assert 0.25 < perf_counter() - begun < 2
            assert isinstance(outcome, Success)
            assert outcome.unwrap().startswith(b"failed\n\nwhy\n\n: heartbeat\n\n")
            await asyncio.wait_for(script.gone.wait(), 1)


class TestCancellation:
    """The caller no longer wants the answer."""

    @pytest.mark.rule("transport.24")
    @pytest.mark.parametrize("pieces", [(), (STREAM, b"data: 1\n\n")])
    async def test_propagates_and_hangs_up(
        self, transport: AiohttpTransport, pieces: tuple[bytes, ...]
    ) -> None:
        """Before the head and in the stream alike, the server sees the client go at once."""
        script = Watched(pieces)
        async with RawServer(script) as server:
            sending = asyncio.create_task(send(transport, server, Until()))
            await script.asked.wait()
            await asyncio.sleep(0.05)
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
            await asyncio.wait_for(script.gone.wait(), 1)

    @pytest.mark.rule("transport.24")
    async def test_frees_the_slot(self) -> None:
        """A request that waits gets the slot of a cancelled one; it may be cancelled as well."""
        transport, script = AiohttpTransport(timeout=5, slots=lambda _: 1), Watched()
        async with RawServer(script) as server:
            running = asyncio.create_task(send(transport, server, Until()))
            await script.asked.wait()
            waiting = asyncio.create_task(send(transport, server, Until()))
            await asyncio.sleep(0.02)
            assert server.connections == 1
            script.asked.clear()
            running.cancel()
            await asyncio.wait_for(script.asked.wait(), 1)
            waiting.cancel()
            assert all(
                isinstance(x, asyncio.CancelledError)
                for x in await asyncio.gather(running, waiting, return_exceptions=True)
            )
        await transport.aclose()

    @pytest.mark.rule("transport.24")
    async def test_while_lingering_is_still_cancellation(self, transport: AiohttpTransport) -> None:
        """The caller's wish to stop is not taken for the end of the two seconds."""
        script = Watched((STREAM, b"failed\n\n"))
        async with RawServer(script) as server:
            decoder = Until({b"failed": Appetite.LINGER})
            sending = asyncio.create_task(send(transport, server, decoder))
            await script.asked.wait()
            await asyncio.sleep(0.1)
            assert decoder.text.startswith(b"failed")
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending


@pytest.mark.rule("transport.25")
@pytest.mark.parametrize("bug", [KeyError, ValueError, OSError, TimeoutError, RecursionError])
async def test_a_decoders_bug_passes_through_after_hanging_up(
    transport: AiohttpTransport, bug: type[Exception]
) -> None:
    """It is no network trouble, so it is not dressed up as such; nothing stays open behind it."""
    script = Watched((STREAM, b"data: 1\n\n"))
    async with RawServer(script) as server:
        with pytest.raises(bug, match="data: 1"):
            await send(transport, server, Broken(bug=bug))
        await asyncio.wait_for(script.gone.wait(), 1)


@pytest.mark.rule("transport.26")
async def test_closing_ends_what_is_in_flight_as_a_failure(transport: AiohttpTransport) -> None:
    """A request that is under way when the transport closes fails; it does not hang or crash."""
    script = Watched()
    async with RawServer(script) as server:
        sending = asyncio.create_task(send(transport, server, Until()))
        await script.asked.wait()
        await transport.aclose()
        outcome = await asyncio.wait_for(sending, 1)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), Unreachable)


@pytest.mark.rule("transport.28")
async def test_the_clock_runs_while_a_small_body_unfolds_into_many_events() -> None:
    """A few kilobytes that keep a decoder busy for long end with the time of the request."""
    body = gzip.compress(b"data:{}\n\n" * 300_000)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"

    async def answering(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(head.encode() + body)

    transport = AiohttpTransport(timeout=0.1)
    async with RawServer(answering) as server:
        begun = perf_counter()
        decoder = openai.OPENAI.search.decoder()
        outcome = await transport.send(HttpRequest(server.url, (), b"{}"), decoder, lane="lane")
        taken = perf_counter() - begun
    await transport.aclose()
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), TimedOut)
    assert taken < 1

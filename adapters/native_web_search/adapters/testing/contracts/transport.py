"""What an `HttpTransport` promises, over real sockets on loopback."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from native_web_search.adapters.testing.contracts.exchange import (
    BODY,
    HEADERS,
    SECRET,
    TARGET,
    Recorded,
    answered,
    closed_server,
    failure_of,
    head_of,
    in_flight,
    outcome,
    sent,
    unanswered,
)
from native_web_search.adapters.testing.contracts.far_side import (
    CUT,
    SHORT,
    STREAM,
    beating,
    saying,
    saying_late,
    silent,
)
from native_web_search.adapters.testing.contracts.promise import in_a_loop, promised
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.domain.failure import CredentialUnresolved, TimedOut, Unreachable
from native_web_search.domain.outcome import Success
from native_web_search.ports.http import Appetite, HttpRequest, HttpTransport

USUAL_SECONDS = 5.0  # a timeout that no test reaches
SHORT_SECONDS = 0.3  # one that is waited for


class HttpTransportContract(ABC):
    """Derive from this, write `transport`, and let pytest collect the class."""

    @abstractmethod
    def transport(self, *, timeout: float, slots: int) -> HttpTransport:
        """A new transport that gives each request so many seconds and each lane so many slots.
        Made inside the event loop of the test, which closes it.
        """

    @in_a_loop
    async def test_a_request_is_posted_as_it_is_given(self) -> None:
        """Address and body byte for byte; no header is lost, none has another value."""
        async with self._opened() as transport, RawServer(saying(SHORT)) as server:
            await answered(transport, server)
        [request] = server.requests
        promised(request.line == f"POST {TARGET} HTTP/1.1".encode(), "one POST", request.line)
        promised(request.body == BODY, "the body is sent as it is", request.body)
        for name, value in HEADERS:
            arrived = request.header(name.encode())
            promised(arrived == value.encode(), f"the header {name} is sent", arrived)

    @in_a_loop
    async def test_a_decoder_is_begun_fed_and_ended(self) -> None:
        """Once, with all of the body, once; what `end` gives is the answer."""
        pieces = (STREAM, b"data: ", b"1\r\n", b"\r\n")
        async with self._opened() as transport, RawServer(saying(*pieces)) as server:
            answer = await answered(transport, server)
        order = [call for call in answer.calls if call != "feed"]
        promised(order == ["begin", "end"], "the decoder begins once and ends once", answer.calls)
        fed_between = [answer.calls[0], answer.calls[-1]] == order
        promised(fed_between, "the decoder is fed in between", answer.calls)
        promised(answer.body == b"".join(pieces[1:]), "all of the body is fed", answer.body)

    @in_a_loop
    async def test_a_head_has_lower_case_names(self) -> None:
        """Status and headers come first; what is said twice is joined."""
        lines = b"HTTP/1.1 200 OK\r\nRetry-After: 7\r\nX-Twice: a\r\nx-twice: b\r\n"
        response = lines + b"Content-Length: 0\r\n\r\n"
        async with self._opened() as transport, RawServer(saying(response)) as server:
            seen = head_of(await answered(transport, server))
        said = [seen.headers.get(name) for name in ("retry-after", "x-twice")]
        promised(said == ["7", "a, b"], "names are lower-case, repeated headers joined", seen)

    @in_a_loop
    async def test_any_status_is_an_answer(self) -> None:
        """Refusals and redirects are for the decoder to read; no redirect is followed."""
        for status in (500, 404, 429, 302, 307):
            lines = f"HTTP/1.1 {status} So\r\nLocation: /elsewhere\r\nContent-Length: 2\r\n\r\nno"
            async with self._opened() as transport, RawServer(saying(lines.encode())) as server:
                seen = head_of(await answered(transport, server))
            promised(seen.status == status, f"{status} is an answer", seen)
            promised(len(server.requests) == 1, "redirects are not followed", server.requests)

    @in_a_loop
    async def test_reading_ends_when_the_decoder_is_done(self) -> None:
        """A stream that goes on for ever delays no answer."""
        script = beating(STREAM, b"data: last\n\n")
        async with self._opened() as transport, RawServer(script) as server:
            answer = await answered(transport, server, Recorded(b"last"))
        promised("feed after DONE" not in answer.calls, "nothing is fed after DONE", answer.calls)

    @in_a_loop
    async def test_an_answer_outlives_what_follows_it(self) -> None:
        """A decoder that lingers has its answer; the connection may break then."""
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlast\r\n"
        async with self._opened() as transport, RawServer(saying(chunked)) as server:
            answer = await answered(transport, server, Recorded(b"last", Appetite.LINGER))
        promised(answer.body == b"last", "what lingers is finished", answer)

    @in_a_loop
    async def test_no_server_is_unreachable(self) -> None:
        """A refused connection is a failure, and none that is raised."""
        async with self._opened() as transport:
            failed = await unanswered(transport, await closed_server())
            promised(isinstance(failed, Unreachable), "nobody there is unreachable", failed)

    @in_a_loop
    async def test_an_answer_that_breaks_off_is_unreachable(self) -> None:
        """Before the head, or in a body whose length was announced: never a short success."""
        for said in (b"", CUT):
            async with self._opened() as transport, RawServer(saying(said)) as server:
                failed = await unanswered(transport, server)
                promised(isinstance(failed, Unreachable), "a broken answer is none", failed)

    @in_a_loop
    async def test_a_request_that_takes_too_long_is_timed_out(self) -> None:
        """Whether the server is silent or shows signs of life without end."""
        for script in (silent, beating(STREAM)):
            opened = self._opened(seconds=SHORT_SECONDS)
            async with opened as transport, RawServer(script) as server:
                failed = await unanswered(transport, server)
                promised(isinstance(failed, TimedOut), "its time has run out", failed)

    @in_a_loop
    async def test_a_failure_holds_no_secret(self) -> None:
        """Its message goes to a model and into logs: no header's value, no query string."""
        async with self._opened(seconds=SHORT_SECONDS) as transport:
            failures = [await unanswered(transport, await closed_server())]
            for script in (saying(b""), saying(CUT), silent):
                async with RawServer(script) as server:
                    failures.append(await unanswered(transport, server))
        telling = [each for each in failures if SECRET in repr(each)]
        promised(not telling, "a message holds no secret", telling)

    @in_a_loop
    async def test_a_credential_that_no_header_can_hold_is_not_sent(self) -> None:
        """Neither repaired nor raised about: the user has pasted a line too many."""
        async with self._opened() as transport, RawServer(saying(SHORT)) as server:
            bad = HttpRequest(server.url, (("Authorization", f"Bearer {SECRET}\r\nX: y"),), BODY)
            refused = failure_of(await outcome(transport, bad, Recorded()))
        kind = isinstance(refused, CredentialUnresolved) and SECRET not in refused.message
        promised(kind, "such a credential is unresolved", refused)
        promised(not server.connections, "nothing is sent with it", server.requests)

    @in_a_loop
    async def test_cancellation_closes_the_connection(self) -> None:
        """It propagates, and the server sees the client go."""
        async with self._opened() as transport, RawServer(silent) as server:
            task = await in_flight(transport, server)
            task.cancel()
            await asyncio.wait({task})
            promised(task.cancelled(), "cancellation propagates", task)
            promised(await server.idle(), "cancellation closes the connection", "an open one")

    @in_a_loop
    async def test_a_lane_has_its_slots(self) -> None:
        """Who finds none waits; who waits in another lane is not in the way."""
        async with self._opened(slots=1) as transport, RawServer(silent) as server:
            first = await in_flight(transport, server, lane="full")
            second = asyncio.create_task(sent(transport, server, lane="full"))
            third = await in_flight(transport, server, lane="other")
            await asyncio.sleep(SHORT_SECONDS)
            promised(len(server.requests) == len((first, third)), "a lane has its slots", second)
            for task in (first, second, third):
                task.cancel()
            await asyncio.wait({first, second, third})

    @in_a_loop
    async def test_time_starts_with_the_slot(self) -> None:
        """Three that take turns may together take longer than each of them alone."""
        opened = self._opened(seconds=3 * SHORT_SECONDS, slots=1)
        async with opened as transport, RawServer(saying_late(1.5 * SHORT_SECONDS)) as server:
            outcomes = await asyncio.gather(*(sent(transport, server) for _each in range(3)))
        served = all(isinstance(outcome, Success) for outcome in outcomes)
        promised(served, "the timeout starts with the slot", outcomes)

    @in_a_loop
    async def test_closing_ends_what_is_in_flight(self) -> None:
        """A request that is open then is unreachable, at once."""
        async with self._opened() as transport, RawServer(silent) as server:
            task = await in_flight(transport, server)
            await transport.aclose()
            await asyncio.wait({task}, timeout=USUAL_SECONDS)
            ended = task.done() and not task.cancelled()
            promised(ended, "what is in flight ends when the transport is closed", task)
            failed = failure_of(await task)
            promised(isinstance(failed, Unreachable), "closing makes unreachable", failed)

    @asynccontextmanager
    async def _opened(
        self, *, seconds: float = USUAL_SECONDS, slots: int = 2
    ) -> AsyncGenerator[HttpTransport, None]:
        transport = self.transport(timeout=seconds, slots=slots)
        try:
            yield transport
        finally:
            await transport.aclose()

"""Sending one request and reading one response, over real sockets."""

import asyncio
import gzip
import re
import zlib
from collections.abc import AsyncIterator

import pytest

from native_web_search.adapters.aiohttp_transport import STALE_SECONDS, AiohttpTransport
from native_web_search.adapters.providers.body import WholeBody
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer, Script
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    Unreachable,
    Unreadable,
)
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import HttpRequest, ResponseHead

Whole = tuple[ResponseHead, bytes]

OK = b"HTTP/1.1 200 OK\r\n"
SHORT = OK + b"Content-Length: 2\r\n\r\nok"
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"


@pytest.fixture
async def transport() -> AsyncIterator[AiohttpTransport]:
    transport = AiohttpTransport(timeout=5)
    yield transport
    await transport.aclose()


def saying(response: bytes) -> Script:
    """Answer every request of a connection with these bytes, then close it."""

    async def script(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(response)

    return script


def keeping_alive(*responses: bytes) -> Script:
    """Answer the requests of a connection one after the other."""

    async def script(connection: RawConnection) -> None:
        for response in responses:
            await connection.request()
            await connection.send(response)

    return script


def whole() -> WholeBody[Whole]:
    return WholeBody(lambda head, body: (head, body))


async def send(
    transport: AiohttpTransport,
    url: str,
    *,
    headers: tuple[tuple[str, str], ...] = (),
    body: bytes = b"{}",
) -> Outcome[Whole, AttemptFailure]:
    return await transport.send(HttpRequest(url, headers, body), whole(), lane="some-provider")


async def answer_to(transport: AiohttpTransport, response: bytes) -> Whole:
    """The answer that these bytes of a response become."""
    async with RawServer(saying(response)) as server:
        match await send(transport, server.url):
            case Success(answer):
                return answer
            case Failure(failure):
                pytest.fail(f"no answer: {failure}")


async def failure_from(transport: AiohttpTransport, response: bytes) -> AttemptFailure:
    """The failure that these bytes of a response become."""
    async with RawServer(saying(response)) as server:
        match await send(transport, f"{server.url}/v1?key=CANARY"):
            case Failure(failure):
                return failure
            case Success(answer):
                pytest.fail(f"no failure: {answer}")


@pytest.mark.rule("transport.1")
class TestTheRequest:
    """What arrives at the server."""

    async def test_is_a_post_of_exactly_the_given_bytes(self, transport: AiohttpTransport) -> None:
        """The body arrives as it was given, with its length."""
        async with RawServer(saying(SHORT)) as server:
            await send(transport, server.url, body=b'{"q": "\xc3\xa9"}')
        [request] = server.requests
        assert request.line == b"POST / HTTP/1.1"
        assert request.body == b'{"q": "\xc3\xa9"}'

    @pytest.mark.parametrize(
        "path",
        [
            "/v1/models/a%7eb%40c:generate",
            "/v1//x/../y?api-version=2025-01-01&q=%2F+%20",
            "/v1beta/models/m:streamGenerateContent?alt=sse",
            "/a;b=c/(d)/~e'f!$&*,=|",
        ],
    )
    async def test_has_the_address_byte_for_byte(
        self, transport: AiohttpTransport, path: str
    ) -> None:
        """Nothing is decoded, encoded or resolved on the way to the request line."""
        async with RawServer(saying(SHORT)) as server:
            await send(transport, server.url + path)
        assert server.requests[0].line == f"POST {path} HTTP/1.1".encode()

    async def test_has_the_given_headers_and_three_more(self, transport: AiohttpTransport) -> None:
        """Names keep their spelling, repeated ones their order; no User-Agent is invented."""
        given = (("authorization", "Bearer a"), ("X-Twice", "1"), ("X-Twice", "2"))
        async with RawServer(saying(SHORT)) as server:
            await send(transport, server.url, headers=given)
        headers = server.requests[0].headers
        assert [h for h in headers if h[0] not in {b"Host", b"Accept-Encoding"}] == [
            (b"authorization", b"Bearer a"),
            (b"X-Twice", b"1"),
            (b"X-Twice", b"2"),
            (b"Content-Length", b"2"),
        ]

    async def test_may_be_larger_than_a_mebibyte(self, transport: AiohttpTransport) -> None:
        """Twenty long addresses make a large body, which arrives whole and without a warning."""
        body = b"x" * 2_500_000
        async with RawServer(saying(SHORT)) as server:
            assert isinstance(await send(transport, server.url, body=body), Success)
        assert server.requests[0].body == body

    @pytest.mark.rule("transport.2")
    async def test_is_framed_by_the_transport_alone(self, transport: AiohttpTransport) -> None:
        """Headers that a user configured cannot change how the message is cut or packed."""
        given = (
            ("content-length", "1"),
            ("Transfer-Encoding", "chunked"),
            ("accept-encoding", "zstd, br"),
            ("Connection", "close"),
            ("Expect", "100-continue"),
            ("Upgrade", "h2c"),
        )
        async with RawServer(saying(SHORT)) as server:
            assert isinstance(await send(transport, server.url, headers=given), Success)
        headers = server.requests[0].headers
        assert [h for h in headers if h[0] != b"Host"] == [
            (b"Accept-Encoding", b"gzip, deflate"),
            (b"Content-Length", b"2"),
        ]

    @pytest.mark.rule("transport.5")
    async def test_holds_no_password_from_netrc(
        self,
        transport: AiohttpTransport,
        tmp_path_factory: pytest.TempPathFactory,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """A `.netrc` entry for the host is neither sent nor an obstacle."""
        netrc = tmp_path_factory.mktemp("home") / "netrc"
        netrc.write_text("machine 127.0.0.1 login me password CANARY\n")
        monkeypatch.setenv("NETRC", str(netrc))
        async with RawServer(saying(SHORT)) as server:
            await send(transport, server.url, headers=(("Authorization", "Bearer a"),))
            await send(transport, server.url, headers=(("x-api-key", "a"),))
        assert [r.header(b"authorization") for r in server.requests] == [b"Bearer a", None]


class TestTheResponse:
    """What the decoder gets to see."""

    @pytest.mark.rule("transport.6")
    async def test_has_lower_case_names_and_joined_values(
        self, transport: AiohttpTransport
    ) -> None:
        """A decoder finds a header without minding its case, and all values of a repeated one."""
        head, _ = await answer_to(
            transport, OK + b"Retry-After: 3\r\nX-A: 1\r\nx-a: 2\r\nX-B: caf\xe9\r\n\r\n"
        )
        assert head.status == 200
        assert head.headers == {"retry-after": "3", "x-a": "1, 2", "x-b": "caf\ufffd"}

    @pytest.mark.rule("transport.3")
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_may_be_a_redirect_which_is_not_followed(
        self, transport: AiohttpTransport, status: int
    ) -> None:
        """No key is sent to another place: the redirect itself is the answer."""
        async with RawServer(saying(SHORT)) as elsewhere:
            redirect = f"HTTP/1.1 {status} X\r\nLocation: {elsewhere.url}/\r\n\r\n".encode()
            head, _ = await answer_to(transport, redirect)
        assert head.status == status
        assert head.headers["location"].startswith(elsewhere.url)
        assert elsewhere.connections == 0

    @pytest.mark.rule("transport.4")
    async def test_sets_no_cookie(self, transport: AiohttpTransport) -> None:
        """What one answer wants to be remembered is not sent with the next request."""
        cookie = b"HTTP/1.1 200 OK\r\nSet-Cookie: id=1; Path=/\r\nContent-Length: 0\r\n\r\n"
        async with RawServer(keeping_alive(cookie, cookie)) as server:
            localhost = server.url.replace("127.0.0.1", "localhost")
            for _ in range(2):
                assert isinstance(await send(transport, localhost), Success)
        assert [request.header(b"cookie") for request in server.requests] == [None, None]

    async def test_may_have_no_body(self, transport: AiohttpTransport) -> None:
        """An empty answer is an answer; what it means is the decoder's business."""
        head, body = await answer_to(transport, EMPTY)
        assert (head.status, body) == (204, b"")

    @pytest.mark.rule("transport.22")
    @pytest.mark.parametrize(
        "response",
        [
            b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
            b"\x15\x03\x01\x00\x02\x02\x50",
            OK + b"No colon\r\n\r\n",
            OK + b"Content-Length: two\r\n\r\n",
            OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nCANARY\r\n",
            OK + b"X: a\r\n" * 1_000 + b"\r\n",
        ],
    )
    async def test_that_is_not_http_is_unreadable(
        self, transport: AiohttpTransport, response: bytes
    ) -> None:
        """Garbage is an unreadable answer, never a status 400 that no server sent."""
        failure = await failure_from(transport, response)
        assert isinstance(failure, Unreadable)
        assert re.fullmatch(r"the answer of 127\.0\.0\.1:\d+ is not valid HTTP", failure.message)

    @pytest.mark.rule("transport.23")
    async def test_may_have_long_headers_within_reason(self, transport: AiohttpTransport) -> None:
        """A header of 60 kB is read, one of 70 kB is unreadable and not a status 400."""
        head, _ = await answer_to(transport, OK + b"X: " + b"a" * 60_000 + b"\r\n\r\n")
        assert len(head.headers["x"]) == 60_000
        failure = await failure_from(transport, OK + b"X: " + b"a" * 70_000 + b"\r\n\r\n")
        assert isinstance(failure, Unreadable)

    @pytest.mark.rule("transport.14")
    @pytest.mark.parametrize(
        "response",
        [
            OK + b"Content-Length: 10\r\n\r\nabc",
            OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nabc",
            OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"a" * 999, mtime=0)[:-4],
            OK + b"Content-Encoding: deflate\r\n\r\n" + zlib.compress(b"a" * 999)[:-4],
        ],
    )
    async def test_that_breaks_off_is_no_answer(
        self, transport: AiohttpTransport, response: bytes
    ) -> None:
        """A body that misses its end does not pass for a complete one."""
        failure = await failure_from(transport, response)
        assert isinstance(failure, Unreachable)
        assert "broke off" in failure.message

    @pytest.mark.rule("transport.22")
    async def test_that_never_comes_is_unreachable(self, transport: AiohttpTransport) -> None:
        """A server that hangs up without a word on a new connection is not asked again."""
        async with RawServer(saying(b"")) as server:
            outcome = await send(transport, server.url)
        message = f"127.0.0.1:{server.port} closed the connection without an answer"
        assert outcome == Failure(Unreachable(message))
        assert server.connections == 1


class TestCompression:
    """What servers pack, and how."""

    @pytest.mark.rule("transport.13")
    @pytest.mark.parametrize(
        ("encoding", "packed"),
        [
            (b"gzip", gzip.compress(b"data: x\n\n" * 9, mtime=0)),
            (b"X-GZIP", gzip.compress(b"data: x\n\n" * 9, mtime=0)),
            (b"deflate", zlib.compress(b"data: x\n\n" * 9)),
            (b"identity", b"data: x\n\n" * 9),
        ],
    )
    async def test_that_was_offered_is_undone(
        self, transport: AiohttpTransport, encoding: bytes, packed: bytes
    ) -> None:
        """The decoder sees the plain bytes, whatever was agreed with the server."""
        response = OK + b"Content-Encoding: " + encoding + b"\r\n\r\n" + packed
        _, body = await answer_to(transport, response)
        assert body == b"data: x\n\n" * 9

    @pytest.mark.rule("transport.13")
    @pytest.mark.parametrize("encoding", [b"zstd", b"br", b"gzip, gzip", b"\xffnonsense"])
    async def test_that_was_not_offered_is_unreadable(
        self, transport: AiohttpTransport, encoding: bytes
    ) -> None:
        """The failure names the status that was sent, and no other."""
        response = OK + b"Content-Encoding: " + encoding + b"\r\n\r\n\x28\xb5\x2f\xfd"
        failure = await failure_from(transport, response)
        assert failure == Unreadable("HTTP 200 in a compression that was not offered")

    @pytest.mark.rule("transport.15")
    async def test_that_is_damaged_is_unreadable(self, transport: AiohttpTransport) -> None:
        """A body that is not what its header promises is no network trouble, and no crash."""
        response = OK + b"Content-Encoding: gzip\r\n\r\n<html>Sign in</html>"
        assert isinstance(await failure_from(transport, response), Unreadable)


class TestTheCap:
    """How large an answer may be."""

    @pytest.mark.rule("transport.12")
    async def test_counts_bytes_after_decompression(self) -> None:
        """A body of exactly the cap passes, one byte more is unreadable, packed or not."""
        transport = AiohttpTransport(max_bytes=100_000)
        for body in (b"a" * 100_000, b"a" * 100_001):
            for header, packed in ((b"", body), (b"Content-Encoding: gzip\r\n", None)):
                response = OK + header + b"\r\n" + (packed or gzip.compress(body))
                async with RawServer(saying(response)) as server:
                    outcome = await send(transport, server.url)
                assert isinstance(outcome, Success) == (len(body) == 100_000)
                if isinstance(outcome, Failure):
                    failure = outcome.failure()
                    assert failure == Unreadable("the answer is larger than 100000 bytes, the cap")
        await transport.aclose()

    @pytest.mark.rule("transport.12")
    async def test_is_32_mebibytes_unless_set(self) -> None:
        """The default is what the settings promise."""
        assert AiohttpTransport().max_bytes == 33_554_432


class TestWhatIsRefused:
    """Requests that cannot be sent."""

    @pytest.mark.rule("transport.16")
    @pytest.mark.parametrize("name", ["Authorization", "x-api-key", "X-Goog-Api-Key", "api-key"])
    @pytest.mark.parametrize("bad", ["\n", "\r\nX-A: b", "\0", "’", "é", "\u200b", "\ud800", "\t"])
    async def test_a_key_that_no_header_can_hold(
        self, transport: AiohttpTransport, name: str, bad: str
    ) -> None:
        """The credential is the trouble; the message names the header, never the value."""
        async with RawServer(saying(SHORT)) as server:
            outcome = await send(transport, server.url, headers=((name, f"sk-CANARY{bad}"),))
            assert isinstance(outcome, Failure)
            failure = outcome.failure()
        assert isinstance(failure, CredentialUnresolved)
        assert name in failure.message
        assert "CANARY" not in failure.message
        assert server.connections == 0

    @pytest.mark.rule("transport.17")
    async def test_an_address_that_is_none(self, transport: AiohttpTransport) -> None:
        """A base URL that was left empty is named, with its provider, not reported as a crash."""
        outcome = await send(transport, "/v1/responses")
        assert isinstance(outcome, Failure)
        assert outcome.failure().message.startswith("the base URL of some-provider is not usable")

    @pytest.mark.rule("transport.22")
    async def test_a_port_where_nobody_listens(self, transport: AiohttpTransport) -> None:
        """The message says host, port and reason, and nothing of the query string."""
        async with RawServer(saying(SHORT)) as server:
            port = server.port
        outcome = await send(transport, f"http://127.0.0.1:{port}/v1?key=CANARY")
        message = f"cannot connect to 127.0.0.1:{port}: Connection refused"
        assert outcome == Failure(Unreachable(message))

    @pytest.mark.rule("transport.22")
    @pytest.mark.parametrize("host", ["a..b", "127.1", "x" * 64 + ".invalid"])
    async def test_a_host_that_cannot_exist(self, transport: AiohttpTransport, host: str) -> None:
        """Whatever the resolver or the IDNA codec thinks of a name is an attempt's failure."""
        outcome = await send(transport, f"http://{host}/")
        assert isinstance(outcome, Failure)
        assert isinstance(outcome.failure(), Unreachable)


@pytest.mark.rule("transport.18")
class TestAKeptConnection:
    """A connection that stays open between two requests."""

    async def test_is_used_again(self, transport: AiohttpTransport) -> None:
        """Two requests in a row share a connection, and with it a TLS handshake."""
        async with RawServer(keeping_alive(SHORT, SHORT)) as server:
            for _ in range(2):
                assert isinstance(await send(transport, server.url), Success)
        assert server.connections == 1

    @pytest.mark.case("H05")
    async def test_that_died_is_replaced_once(self, transport: AiohttpTransport) -> None:
        """A server that drops an idle connection is not an outage."""

        async def script(connection: RawConnection) -> None:
            await connection.request()
            await connection.send(SHORT)
            await connection.request()
            if connection.number > 1:
                await connection.send(SHORT)

        async with RawServer(script) as server:
            for _ in range(2):
                assert isinstance(await send(transport, server.url), Success)
        assert [request.body for request in server.requests] == [b"{}"] * 3
        assert server.connections == 2

    async def test_is_replaced_by_a_fresh_one_however_many_died(
        self, transport: AiohttpTransport
    ) -> None:
        """The second try does not pick up another dead connection from the pool."""
        together = asyncio.Barrier(3)

        async def script(connection: RawConnection) -> None:
            if connection.number <= 3:
                await connection.request()
                await together.wait()
                await connection.send(SHORT)
                await connection.request()
            else:
                await keeping_alive(SHORT)(connection)

        async with RawServer(script) as server:
            await asyncio.gather(*(send(transport, server.url) for _ in range(3)))
            assert isinstance(await send(transport, server.url), Success)
        assert server.connections == 4

    async def test_is_replaced_only_once(self, transport: AiohttpTransport) -> None:
        """When the fresh connection dies as well, the attempt has failed."""

        async def script(connection: RawConnection) -> None:
            await connection.request()
            if connection.number == 1:
                await connection.send(SHORT)
                await connection.request()

        async with RawServer(script) as server:
            assert isinstance(await send(transport, server.url), Success)
            assert isinstance(await send(transport, server.url), Failure)
        assert server.connections == 2

    async def test_that_ends_after_a_while_is_not_replaced(
        self, transport: AiohttpTransport
    ) -> None:
        """A server that took its time may have worked on the request, and is not paid twice."""

        async def script(connection: RawConnection) -> None:
            await connection.request()
            await connection.send(SHORT)
            await connection.request()
            await asyncio.sleep(STALE_SECONDS + 0.1)

        async with RawServer(script) as server:
            assert isinstance(await send(transport, server.url), Success)
            failed = await send(transport, server.url)
        assert isinstance(failed, Failure)
        assert isinstance(failed.failure(), Unreachable)
        assert len(server.requests) == 2

    @pytest.mark.parametrize("piece", [b"H", b"HTTP/1.1 200 OK\r\nContent-"])
    async def test_that_died_in_the_middle_of_an_answer_is_not(
        self, transport: AiohttpTransport, piece: bytes
    ) -> None:
        """Once a byte of the answer has come, the request was served and is not sent twice."""
        async with RawServer(keeping_alive(SHORT, piece)) as server:
            assert isinstance(await send(transport, server.url), Success)
            assert isinstance(await send(transport, server.url), Failure)
        assert len(server.requests) == 2

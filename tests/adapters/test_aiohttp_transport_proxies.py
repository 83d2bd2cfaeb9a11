"""Going through a proxy, over real sockets."""

import base64
from collections.abc import AsyncIterator

import pytest

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.providers.body import WholeBody
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.failure import AttemptFailure, Unreachable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import HttpRequest

SHORT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
REFUSED = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 6\r\n\r\nCANARY"


@pytest.fixture
async def transport() -> AsyncIterator[AiohttpTransport]:
    transport = AiohttpTransport(timeout=5)
    yield transport
    await transport.aclose()


async def send(transport: AiohttpTransport, url: str) -> Outcome[bytes, AttemptFailure]:
    decoder = WholeBody(lambda _, body: body)
    request = HttpRequest(url, (("x-api-key", "a"),), b"{}")
    return await transport.send(request, decoder, lane="lane")


async def short(connection: RawConnection) -> None:
    await connection.request()
    await connection.send(SHORT)


async def refusing(connection: RawConnection) -> None:
    await connection.request()
    await connection.send(REFUSED)


@pytest.mark.rule("transport.19")
class TestAProxy:
    """A proxy that works."""

    async def test_gets_the_request_with_its_whole_address(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Plain http is asked of the proxy, byte for byte, and not of the host itself."""
        async with RawServer(short) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            outcome = await send(transport, "http://api.invalid/v1/a%7eb?q=%2F")
        assert outcome == Success(b"ok")
        [request] = proxy.requests
        assert request.line == b"POST http://api.invalid/v1/a%7eb?q=%2F HTTP/1.1"
        assert request.header(b"host") == b"api.invalid"
        assert request.header(b"proxy-authorization") is None

    async def test_opens_a_tunnel_for_https(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The proxy learns host and port of an https address; no key, no path, no query."""
        async with RawServer(refusing) as proxy:
            monkeypatch.setenv("HTTPS_PROXY", proxy.url)
            await send(transport, "https://api.invalid/v1?key=CANARY")
        [request] = proxy.requests
        assert request.line == b"CONNECT api.invalid:443 HTTP/1.1"
        assert b"CANARY" not in request.head
        assert request.header(b"x-api-key") is None

    async def test_is_passed_by_for_an_exempt_host(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`NO_PROXY` is honoured, by address and by port."""
        async with RawServer(short) as server, RawServer(short) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            monkeypatch.setenv("NO_PROXY", f"127.0.0.1:{server.port}")
            assert await send(transport, server.url) == Success(b"ok")
        assert (proxy.connections, server.connections) == (0, 1)


@pytest.mark.rule("transport.20")
class TestTroubleWithAProxy:
    """A proxy that refuses, is down or was misspelt."""

    async def test_its_password_is_sent_to_it_alone(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """User name and password in the setting authenticate, decoded; the 407 is an answer."""
        async with RawServer(refusing) as proxy:
            with_password = proxy.url.replace("//", "//me:p%40ss@")
            monkeypatch.setenv("HTTP_PROXY", with_password)
            monkeypatch.setenv("HTTPS_PROXY", with_password)
            await send(transport, "http://api.invalid/")
            outcome = await send(transport, "https://api.invalid/")
        expected = b"Basic " + base64.b64encode(b"me:p@ss")
        assert [r.header(b"proxy-authorization") for r in proxy.requests] == [expected] * 2
        assert [r.header(b"authorization") for r in proxy.requests] == [None] * 2
        assert outcome == Failure(
            Unreachable("the proxy does not connect to api.invalid:443: HTTP 407")
        )

    async def test_one_that_is_down_is_named_without_its_password(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The text says that it is the proxy, and where, and why."""
        async with RawServer(short) as gone:
            port = gone.port
        for scheme in ("http", "https"):
            monkeypatch.setenv(f"{scheme}_proxy", f"http://me:CANARY@127.0.0.1:{port}")
            assert await send(transport, f"{scheme}://api.invalid/") == Failure(
                Unreachable(f"cannot connect to the proxy 127.0.0.1:{port}: Connection refused")
            )

    async def test_one_that_cannot_be_found_is_named_without_its_password(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A misspelt proxy is not reported as a provider that does not exist."""
        monkeypatch.setenv("HTTP_PROXY", "http://me:CANARY@proxy.invalid:3128")
        outcome = await send(transport, "http://api.example/")
        assert isinstance(outcome, Failure)
        message = outcome.failure().message
        assert message.startswith("cannot find the host of proxy.invalid:3128: ")
        assert "CANARY" not in message

    async def test_an_unusable_setting_fails_the_attempt(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing is sent past a proxy that the user wanted and misspelt."""
        async with RawServer(short) as server:
            monkeypatch.setenv("HTTP_PROXY", "127.0.0.1:1")
            outcome = await send(transport, server.url)
        assert isinstance(outcome, Failure)
        assert outcome.failure().message.startswith("HTTP_PROXY is not usable")
        assert server.connections == 0

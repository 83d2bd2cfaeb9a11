"""Going through a proxy, over real sockets."""

import base64
from collections.abc import AsyncIterator

import pytest

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.body import WholeBody
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import AttemptFailure, Unreachable
from native_web_search.domain.family import candidate_of
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import HttpRequest
from native_web_search.ports.registry import Credential

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

    async def test_a_refusal_shows_nothing_that_the_proxy_says(
        self, transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A proxy may repeat the password; its answer is none of the provider's."""
        async with RawServer(refusing) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("//", "//me:CANARY@"))
            outcome = await send(transport, "http://api.invalid/")
        where = f"127.0.0.1:{proxy.port}"
        said = f"HTTP 407: the proxy {where} refused the request"
        assert outcome == Failure(Unreachable(said))

    async def test_a_407_without_a_proxy_is_an_answer(self, transport: AiohttpTransport) -> None:
        """The server itself has said it, and the decoder judges it."""
        async with RawServer(refusing) as server:
            assert await send(transport, server.url) == Success(b"CANARY")


@pytest.mark.rule("transport.22")
@pytest.mark.parametrize("host", ["xn--a", "xn--a:8080", f"{'a' * 64}.invalid", "a..invalid"])
@pytest.mark.parametrize("is_proxy", [False, True])
async def test_a_host_that_no_name_service_takes_is_unreachable(
    transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch, host: str, *, is_proxy: bool
) -> None:
    """A name that cannot be decoded or encoded raises nothing, also as the name of a proxy."""
    if is_proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://{host}")
    outcome = await send(transport, "http://api.invalid/" if is_proxy else f"http://{host}/")
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), Unreachable)


@pytest.mark.rule("transport.30")
async def test_a_proxy_that_repeats_its_password_in_another_answer_is_masked(
    transport: AiohttpTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bad gateway, say, whose page shows the request that came in."""
    basic = base64.b64encode(b"me:CANARY/1").decode()

    async def echoing(connection: RawConnection) -> None:
        await connection.request()
        said = f"Basic {basic} is me:CANARY/1 is me:CANARY%2F1".encode()
        head = f"HTTP/1.1 502 No\r\nContent-Length: {len(said)}\r\n\r\n".encode()
        await connection.send(head + said)

    model = ChatModel("deepseek", "m", "openai-completions", "http://api.invalid")
    registry = StaticRegistry((model,), {"deepseek": Credential("test", key="sk-0123456789")})
    client = ProviderClient(registry, transport, codec_of, lambda _: 1, "session")
    candidate = candidate_of(model)
    assert candidate is not None
    async with RawServer(echoing) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("//", "//me:CANARY%2F1@"))
        outcome = await client.search(candidate, "q", silent)
    assert isinstance(outcome, Failure)
    assert outcome.failure().message == "HTTP 502: Basic *** is *** is ***"


async def silent(_message: str) -> None:
    """Nobody listens."""

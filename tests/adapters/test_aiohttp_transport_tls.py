"""TLS: whom the transport trusts, and how it leaves."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from attrs import define, field, frozen
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.providers.body import WholeBody
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.failure import AttemptFailure, TimedOut, Unreachable, Unreadable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import HttpRequest

SHORT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@frozen
class Authority:
    """A private CA: its certificate in a file, and a server that it vouches for."""

    file: Path
    server: ssl.SSLContext


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    folder = tmp_path_factory.mktemp("authority")
    root_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root = _certificate("a private CA", root_key).add_extension(
        x509.BasicConstraints(ca=True, path_length=None), critical=True
    )
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    leaf = _certificate("a server", server_key).add_extension(names, critical=False)
    (folder / "ca.pem").write_bytes(_pem(root.sign(root_key, hashes.SHA256())))
    (folder / "server.pem").write_bytes(
        _pem(leaf.sign(root_key, hashes.SHA256()))
        + server_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "server.pem")
    return Authority(folder / "ca.pem", server)


def _certificate(name: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now, day = datetime.now(UTC), timedelta(days=1)
    subject, issuer = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
        for text in (name, "a private CA")
    )
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


async def send(transport: AiohttpTransport, url: str) -> Outcome[bytes, AttemptFailure]:
    decoder = WholeBody(lambda _, body: body)
    return await transport.send(HttpRequest(url, (), b"{}"), decoder, lane="lane")


async def short(connection: RawConnection) -> None:
    await connection.request()
    await connection.send(SHORT)


@pytest.mark.rule("transport.21")
class TestTrust:
    """Whose certificates are good."""

    @pytest.mark.case("A08")
    async def test_reaches_a_private_authority(
        self, authority: Authority, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`SSL_CERT_FILE` names it, also when it is set after the import of aiohttp."""
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        transport = AiohttpTransport(timeout=5)
        async with RawServer(short, authority.server) as server:
            assert await send(transport, server.url) == Success(b"ok")
        await transport.aclose()

    @pytest.mark.case("A08")
    async def test_is_never_given_to_a_stranger(self, authority: Authority) -> None:
        """Without it the same server is unreachable, gets no request, and the text says why."""
        transport = AiohttpTransport(timeout=5)
        async with RawServer(short, authority.server) as server:
            outcome = await send(transport, f"{server.url}/v1?key=CANARY")
            where = f"127.0.0.1:{server.port}"
        assert isinstance(outcome, Failure)
        failure = outcome.failure()
        assert isinstance(failure, Unreachable)
        assert failure.message.startswith(f"the certificate of {where} is not trusted: ")
        assert "issuer certificate" in failure.message
        assert "SSL_CERT_FILE" in failure.message
        assert "CANARY" not in failure.message
        assert server.requests == []
        await transport.aclose()

    async def test_is_about_the_name_too(
        self, authority: Authority, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A certificate for another host is as bad as none."""
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        transport = AiohttpTransport(timeout=5)
        async with RawServer(short, authority.server) as server:
            outcome = await send(transport, server.url.replace("127.0.0.1", "localhost"))
        assert isinstance(outcome, Failure)
        assert "Hostname mismatch" in outcome.failure().message
        assert server.requests == []
        await transport.aclose()


@pytest.mark.rule("transport.19")
async def test_a_tunnel_through_a_proxy_is_encrypted_to_its_end(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy sees host and port, then only bytes; the certificate is that of the far side."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    transport, seen = AiohttpTransport(timeout=5), bytearray()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65_536):
            seen.extend(piece)
            writer.write(piece)
        writer.close()

    async def tunnel(connection: RawConnection) -> None:
        await connection.request()
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", server.port)
        await connection.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(
            copy(connection.reader, far_writer), copy(far_reader, connection.writer)
        )

    async with RawServer(short, authority.server) as server, RawServer(tunnel) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        assert await send(transport, f"{server.url}/v1") == Success(b"ok")
        await transport.aclose()
        await asyncio.sleep(0.05)
    assert proxy.requests[0].line == f"CONNECT 127.0.0.1:{server.port} HTTP/1.1".encode()
    assert server.requests[0].line == b"POST /v1 HTTP/1.1"
    assert b"POST" not in seen


@pytest.mark.rule("transport.22")
async def test_plain_http_behind_an_https_address_is_unreachable() -> None:
    """A server that does not speak TLS is told from one with a bad certificate."""

    async def plain(connection: RawConnection) -> None:
        await connection.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await connection.client_closed()

    transport = AiohttpTransport(timeout=5)
    async with RawServer(plain) as server:
        outcome = await send(transport, server.url.replace("http:", "https:"))
        assert isinstance(outcome, Failure)
        failure = outcome.failure()
    assert isinstance(failure, Unreachable)
    assert failure.message.startswith(f"no TLS connection to 127.0.0.1:{server.port}: ")
    await transport.aclose()


@pytest.mark.rule("transport.22")
async def test_tls_behind_an_http_address_is_unreadable(authority: Authority) -> None:
    """The alert that such a server sends is no HTTP."""
    transport = AiohttpTransport(timeout=5)
    async with RawServer(short, authority.server) as server:
        outcome = await send(transport, server.url.replace("https:", "http:"))
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), Unreachable | Unreadable)
    await transport.aclose()


Sending = asyncio.Task[Outcome[bytes, AttemptFailure]]


async def _cancelled(sending: Sending) -> None:
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending


async def _timed_out(sending: Sending) -> None:
    outcome = await sending
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), TimedOut)


@define
class FallsSilent:
    """Speaks TLS until the request has come, then answers nothing, not even a TLS goodbye."""

    context: ssl.SSLContext
    asked: asyncio.Event = field(factory=asyncio.Event)
    lost: asyncio.Event = field(factory=asyncio.Event)

    async def __call__(self, connection: RawConnection) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self.context.wrap_bio(incoming, outgoing, server_side=True)
        for step in (tls.do_handshake, tls.read):
            while not self.done(step):
                await connection.send(outgoing.read())
                incoming.write(await connection.reader.read(65_536))
            await connection.send(outgoing.read())
        self.asked.set()
        await connection.client_closed()
        self.lost.set()

    def done(self, step: Callable[[], object]) -> bool:
        try:
            step()
        except ssl.SSLWantReadError:
            return False
        return True


@pytest.mark.rule("transport.24")
@pytest.mark.parametrize("ended", [_cancelled, _timed_out])
async def test_a_far_side_that_falls_silent_is_left_at_once(
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    ended: Callable[[Sending], Awaitable[None]],
) -> None:
    """Ending a request does not wait for the TLS goodbye of a server that does not answer."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    transport, script = AiohttpTransport(timeout=0.3), FallsSilent(authority.server)
    async with RawServer(script) as server:
        url = server.url.replace("http:", "https:")
        sending = asyncio.create_task(send(transport, url))
        await script.asked.wait()
        await ended(sending)
        await asyncio.wait_for(script.lost.wait(), 1)
    await transport.aclose()

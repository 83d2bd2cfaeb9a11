"""Proxies and private certificates, in whole calls."""

import json
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import cast

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import DEEPSEEK, JSON, OPENAI, Speaker
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch

Opened = Callable[..., WebSearch]

GOOD = response(OPENAI.answer)
AFAR = "http://api.invalid/v1"


def attempt(result: ToolResult) -> tuple[str, str]:
    """How the first attempt ended, and what is said of it."""
    made = cast("list[Mapping[str, str]]", result.details["attempts"])
    return made[0]["outcome"], made[0].get("message", "")


async def search(opened: Opened, url: str, speaker: Speaker = OPENAI) -> tuple[str, str]:
    async with opened(speaker.at(url)) as web:
        return attempt(await web.call({"query": "q"}))


@pytest.mark.case("A07")
async def test_every_dialect_goes_through_the_proxy(
    opened: Opened, speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy is asked with the whole address, and its answer is the provider's."""
    said = response(speaker.answer, content_type=speaker.content_type)
    async with RawServer(answering(said)) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        loopback = speaker.provider == "antigravity"  # follows no address of a model but this
        url = "http://127.0.0.2:9" if loopback else "http://api.invalid"
        assert await search(opened, url, speaker) == ("success", "")
    assert proxy.requests[0].line.startswith(f"POST {url}/".encode())


@pytest.mark.case("A07")
@pytest.mark.parametrize(
    "exempt", ["127.0.0.1", "*", "x, 127.0.0.1 ,y", "127.0.0.0/8", "localhost"]
)
async def test_exempt_hosts_are_asked_directly(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, exempt: str
) -> None:
    """`NO_PROXY` is honoured, by name, address and range; another host is not meant."""
    async with RawServer(answering(GOOD)) as server, RawServer(answering(GOOD)) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("NO_PROXY", exempt)
        assert await search(opened, server.url) == ("success", "")
    direct = exempt != "localhost"
    assert (server.connections, proxy.connections) == (direct, not direct)


@pytest.mark.case("A07")
@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
async def test_an_empty_setting_is_no_proxy(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A variable that was emptied switches the proxy off."""
    monkeypatch.setenv(name, "")
    async with RawServer(answering(GOOD)) as server:
        assert await search(opened, server.url) == ("success", "")


@pytest.mark.case("A07")
@pytest.mark.parametrize(
    "setting",
    [
        *[
            "127.0.0.1:1",
            "proxy",
            "://",
            "http://",
            "http://:3128",
            "http://h:port",
            "http://h:99999",
        ],
        *["socks5://127.0.0.1:1", "ftp://127.0.0.1", "http://u:CANARY@", "u:CANARY@127.0.0.1:1"],
        *["http://[::1", "http://h:1/path", "http://h h:1", "http://h\u00a0:1", "http://h:0"],
    ],
)
async def test_a_setting_that_is_no_proxy_fails_the_attempt(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """It is named and not shown, nothing is sent past it, and nothing raises."""
    monkeypatch.setenv("HTTP_PROXY", setting)
    async with RawServer(answering(GOOD)) as server:
        outcome, message = await search(opened, server.url)
    assert outcome == "provider"
    assert message.startswith("HTTP_PROXY is not usable: set it to http://host:port")
    assert "CANARY" not in message
    assert server.connections == 0


@pytest.mark.case("A07")
async def test_a_proxy_is_looked_up_anew_for_each_request(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting that changed between two calls counts at once."""
    async with (
        RawServer(answering(GOOD)) as server,
        RawServer(answering(GOOD)) as proxy,
        opened(OPENAI.at(server.url)) as web,
    ):
        for setting, through in (("", 0), (proxy.url, 1), ("", 1)):
            monkeypatch.setenv("HTTP_PROXY", setting)
            assert not (await web.call({"query": "q"})).is_error
            assert proxy.connections == through
    assert server.connections == 2


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine that vouches for itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a private CA")])
    now, day = datetime.now(UTC), timedelta(days=1)
    addresses = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(addresses, critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("authority") / "both.pem"
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(made.public_bytes(pem) + secret)
    return file


def server_with(certificate: Path) -> RawServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return RawServer(answering(GOOD), context)


@pytest.mark.case("A08")
async def test_a_private_authority_is_trusted_if_it_is_named(
    opened: Opened, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`SSL_CERT_FILE` is honoured; without it the same server gets no request at all."""
    async with server_with(certificate) as server:
        outcome, message = await search(opened, server.url)
        assert outcome == "provider"
        assert "is not trusted" in message
        assert server.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert await search(opened, server.url) == ("success", "")


@pytest.mark.case("A08")
@pytest.mark.parametrize("content", [None, b"", b"\x00junk", b"-----BEGIN CERTIFICATE-----\nx\n"])
async def test_a_file_that_names_no_authority_trusts_nobody(
    opened: Opened,
    certificate: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes | None,
) -> None:
    """Missing, empty or broken, it is a failed attempt and no crash; the next one is asked."""
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    page = response(b'{"results":[]}', content_type=JSON)
    async with (
        server_with(certificate) as server,
        RawServer(answering(page)) as healthy,
        opened(OPENAI.at(server.url), DEEPSEEK.at(healthy.url)) as web,
    ):
        result = await web.call({"query": "q"})
    assert attempt(result)[0] == "provider"
    assert server.requests == []
    assert json.loads(result.text)["search"] == {"results": []}

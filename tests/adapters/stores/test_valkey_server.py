"""The connections to a server: whose they are, how they end, and whom they trust."""

import asyncio
import gc
import threading
import warnings
from collections.abc import AsyncGenerator
from pathlib import Path
from socket import gaierror
from ssl import SSLContext

import pytest
from valkey.exceptions import ConnectionError as NoConnection

from native_web_search.adapters.stores.valkey_server import (
    ValkeyServer,
    reason_of,
    valkey_server,
)
from native_web_search.adapters.testing.scripted_valkey import ScriptedValkey, Silence
from native_web_search.domain.outcome import Failure, Success

KEY = "a-key"
SECONDS = 5.0


def at(url: str) -> ValkeyServer:
    match valkey_server(url, KEY, SECONDS):
        case Success(server):
            return server
        case Failure(wanted):
            pytest.fail(wanted)


async def reason(server: ValkeyServer) -> str:
    """Why the server cannot be read; it is closed then."""
    try:
        await server.read()
    except Exception as error:  # noqa: BLE001 - whatever it is
        return reason_of(error)
    finally:
        await server.aclose()
    return "none"


@pytest.fixture
async def running() -> AsyncGenerator[ScriptedValkey, None]:
    async with ScriptedValkey() as server:
        yield server


@pytest.mark.rule("shared_health.1")
@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("valkey://h.example", "h.example:6379"),
        ("VALKEY://h.example", "h.example:6379"),
        ("redis://user:secret@h.example:7000/3", "h.example:7000"),
        ("valkeys://h.example:7001", "h.example:7001"),
        ("rediss://:secret@[::1]:7001", "[::1]:7001"),
        ("redis://user:raw@secret@h.example", "h.example:6379"),
        ("redis://user:%2F%3F%23%40secret@h.example", "h.example:6379"),
        ("unix://user:secret@/run/valkey.sock", "/run/valkey.sock"),
        ("unix:///run/valkey.sock?db=2&password=secret", "/run/valkey.sock"),
        ("valkey://h.example?max_connections=1&decode_responses=1", "h.example:6379"),
        ("valkey://?host=h.example&port=7000", "h.example:7000"),
        ("valkey://h.example/", "h.example:6379"),
        ("unix:?path=/run/valkey.sock", "/run/valkey.sock"),
    ],
)
def test_these_urls_are_understood(url: str, place: str) -> None:
    """Valkey's schemes and those of Redis, TLS and sockets; what is shown has no password."""
    assert at(url).place == place
    assert "secret" not in repr(at(url))


@pytest.mark.rule("shared_health.11", "shared_health.14")
@pytest.mark.parametrize(
    "url",
    [
        "redis://user:1234/secret@cache:6379/0",
        "redis://secret/x@cache:6379",
        "redis://:12#secret@h.example:1",
        "redis://:12#secret",
        "redis://user:99?secret@h.example",
        "redis://user:99?x=secret@h.example",
        "redis://user%3Asecret%40h.example",
        "redis://h.example%0asecret:1",
        "redis://h.example%20secret",
        "unix://user:12/secret@/run/valkey.sock",
        "unix:user:secret@/run/valkey.sock",
        "unix:///run/valkey%0asecret",
    ],
)
def test_a_url_whose_host_may_be_a_piece_of_a_password_is_refused(url: str) -> None:
    """It would be asked for in public, and be in the log; the way out is said instead."""
    match valkey_server(url, KEY, SECONDS):
        case Failure(wanted):
            assert "`/`, `?`, `#` and `@`" in wanted
            assert "percent-encoded" in wanted
            assert "secret" not in wanted
        case Success(server):
            pytest.fail(server.place)


@pytest.mark.rule("shared_health.1")
async def test_a_unix_socket_is_reached(tmp_path: Path, running: ScriptedValkey) -> None:
    """The client's own way of naming one."""
    path = tmp_path / "s"
    accept = running._server._accept
    async with await asyncio.start_unix_server(accept, path):
        server = at(f"unix://{path}")
        assert (await server.read()).document == b""
        await server.aclose()


@pytest.mark.rule("shared_health.12")
class TestConnections:
    """How many there are, and when they end."""

    async def test_a_loop_opens_one(self, running: ScriptedValkey) -> None:
        """However many ask at once; the others wait a moment."""
        server = at(running.url)
        await asyncio.gather(*(server.read() for _each in range(50)))
        assert len(running.questions) == 50
        assert running.connections == 1
        await server.aclose()
        assert await running.idle()

    async def test_closing_waits_for_open_questions(self, running: ScriptedValkey) -> None:
        """They are answered, nothing is opened anew, and later questions open new connections."""
        server = at(running.url)
        await server.read()
        asking = asyncio.gather(*(server.read() for _each in range(20)))
        await asyncio.sleep(0)
        await server.aclose()
        await asking
        assert await running.idle()
        await server.read()
        await server.aclose()

    def test_each_loop_has_its_own_and_closes_it(self) -> None:
        """Two runs in a row, without `aclose`, and a thread beside them; nothing is left open."""
        servers: list[ValkeyServer] = []

        async def run() -> bool:
            async with ScriptedValkey() as running:
                server = at(running.url)
                servers.append(server)
                thread = threading.Thread(target=lambda: asyncio.run(server.read()))
                thread.start()
                await server.read()
                await asyncio.to_thread(thread.join)
                return running.connections == 2

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert asyncio.run(run())
            assert asyncio.run(run())
            gc.collect()
        assert [str(one.message) for one in caught] == []

    def test_a_loop_that_was_closed_bluntly_is_forgotten(self) -> None:
        """In the middle of a question, too: closing does not wait for what cannot end."""

        async def read(running: ScriptedValkey, server: ValkeyServer) -> None:
            running.always = Silence()
            reading = asyncio.create_task(server.read())
            await asyncio.wait({reading}, timeout=0.2)
            reading.cancel()
            await asyncio.wait({reading})

        loop = asyncio.new_event_loop()
        running = ScriptedValkey()
        loop.run_until_complete(running.__aenter__())
        server = at(running.url)
        loop.run_until_complete(read(running, server))
        loop.run_until_complete(running.__aexit__(None, None, None))
        loop.close()
        asyncio.run(asyncio.wait_for(server.aclose(), SECONDS))


@pytest.mark.rule("shared_health.16")
class TestTls:
    """Whose certificates are good."""

    async def test_a_server_with_its_name_in_its_certificate_is_trusted(
        self, authority: tuple[Path, SSLContext]
    ) -> None:
        """A private CA is an option of the URL."""
        file, context = authority
        async with ScriptedValkey(tls=context) as running:
            assert await reason(at(f"{running.url}?ssl_ca_certs={file}")) == "none"

    @pytest.mark.parametrize("options", ["", "ssl_check_hostname=false&ssl_ca_certs={}"])
    async def test_a_stranger_gets_no_password(
        self, authority: tuple[Path, SSLContext], options: str
    ) -> None:
        """Another name, or an authority that nobody knows, ends the connection at once."""
        file, context = authority
        async with ScriptedValkey(tls=context) as running:
            url = running.url.replace("127.0.0.1", "localhost")
            said = await reason(at(f"{url}?{options.format(file)}"))
            assert "certificate verify failed" in said
            assert running.questions == []

    async def test_certificates_can_be_done_without(
        self, authority: tuple[Path, SSLContext]
    ) -> None:
        """For who says so in the client's own words."""
        _file, context = authority
        async with ScriptedValkey(tls=context) as running:
            assert await reason(at(f"{running.url}?ssl_cert_reqs=none")) == "none"


@pytest.mark.rule("shared_health.11")
class TestReasons:
    """Why there is no answer, in few words of our own."""

    async def test_nobody_listens(self) -> None:
        """The system's own reason."""
        async with ScriptedValkey() as gone:
            url = gone.url
        assert await reason(at(url)) == "Connection refused"

    async def test_a_socket_is_not_there(self, tmp_path: Path) -> None:
        """The path of a socket is no secret."""
        assert await reason(at(f"unix://{tmp_path}/none")) == "No such file or directory"

    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (gaierror(-2, "Name or service not known"), "Name or service not known"),
            (OSError("Multiple exceptions: [Errno 111] ..., [Errno 111] ..."), "no connection"),
        ],
    )
    def test_a_name_is_not_known_or_has_many_addresses(self, error: OSError, said: str) -> None:
        """The reason that the system gives, if it gives one."""
        lost = NoConnection()
        lost.__context__ = error
        assert reason_of(lost) == said

    async def test_no_password_was_given(self) -> None:
        """As little as a wrong one."""
        async with ScriptedValkey("pw-CANARY-0123456789") as running:
            assert await reason(at(running.url)) == "it refuses the user name or password"

"""Several event loops and threads, and nothing left open, in processes that would tell."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.providers.body import WholeBody
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.outcome import Success
from native_web_search.ports.http import HttpRequest

SHORT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

# Each way to end twice on one transport: first with `aclose`, then without.
PROGRAM = r"""
import asyncio, contextlib
from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.providers.body import WholeBody
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.ports.http import HttpRequest

RESPONSES = {
    "success": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "failure": b"HTTP/1.1 nonsense\r\n\r\n",
    "timeout": b"HTTP/1.1 200 OK\r\n\r\nand so on",
    "cancel": b"HTTP/1.1 200 OK\r\n\r\nand so on",
}

async def run(transport, how, close):
    async def served(connection):
        await connection.request()
        await connection.send(RESPONSES[how])
        await connection.client_closed()

    async with RawServer(served) as server:
        request = HttpRequest(server.url, (), b"{}")
        send = transport.send(request, WholeBody(lambda head, body: body), lane="lane")
        sending = asyncio.create_task(send)
        if how == "cancel":
            await asyncio.sleep(0.1)
            sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            print(how, type(await sending).__name__)
        if close:
            await transport.aclose()

for how in RESPONSES:
    transport = AiohttpTransport(timeout=0.2)
    asyncio.run(run(transport, how, True))
    asyncio.run(run(transport, how, False))
"""

PRINTED = """\
success Success
success Success
failure Failure
failure Failure
timeout Failure
timeout Failure
"""


@pytest.mark.rule("transport.27")
def test_nothing_is_left_open() -> None:
    """Success, failure, timeout and cancellation end without a single warning, closed or not."""
    strict = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", PROGRAM]
    done = subprocess.run(strict, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stderr, done.stdout, done.returncode) == ("", PRINTED, 0)


async def send(transport: AiohttpTransport, url: str) -> object:
    decoder = WholeBody(lambda _, body: body)
    return await transport.send(HttpRequest(url, (), b"{}"), decoder, lane="lane")


async def echo(connection: RawConnection) -> None:
    while True:
        await connection.request()
        await connection.send(SHORT)


@pytest.mark.rule("transport.26")
async def test_threads_share_a_transport() -> None:
    """Each thread with its own loop is served, at the same time, over its own connection."""
    transport = AiohttpTransport(timeout=5)

    async def twice(url: str) -> list[object]:
        return [await send(transport, url), await send(transport, url)]

    async with RawServer(echo) as server:
        with ThreadPoolExecutor(4) as threads:
            runs = [
                asyncio.get_running_loop().run_in_executor(threads, asyncio.run, twice(server.url))
                for _ in range(4)
            ]
            assert await asyncio.gather(*runs) == [[Success(b"ok")] * 2] * 4
    assert server.connections == 4
    await transport.aclose()


@pytest.mark.rule("transport.26")
async def test_a_closed_transport_opens_again() -> None:
    """`aclose` closes the kept connections; the next request makes new ones."""
    transport, gone = AiohttpTransport(timeout=5), asyncio.Event()

    async def script(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(SHORT)
        await connection.client_closed()
        gone.set()

    async with RawServer(script) as server:
        for _ in range(2):
            assert await send(transport, server.url) == Success(b"ok")
            assert not gone.is_set()
            await transport.aclose()
            await asyncio.wait_for(gone.wait(), 1)
            gone.clear()
    assert server.connections == 2


@pytest.mark.rule("transport.27")
def test_a_loop_that_was_closed_bluntly_leaves_no_session_behind() -> None:
    """Its session is closed by the next loop, without a warning about an unclosed one."""
    transport = AiohttpTransport(timeout=5)

    async def run() -> object:
        async def script(connection: RawConnection) -> None:
            await connection.request()
            await connection.send(b"HTTP/1.1 200 OK\r\n\r\nok")  # ends with its connection

        async with RawServer(script) as server:
            return await send(transport, server.url)

    loop = asyncio.new_event_loop()
    assert loop.run_until_complete(run()) == Success(b"ok")
    loop.close()
    assert asyncio.run(run()) == Success(b"ok")
    asyncio.run(transport.aclose())

"""Connections that die, queue or stay open, in whole calls."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.adapters.testing.speakers import (
    DEEPSEEK,
    JSON,
    OLLAMA,
    OPENAI,
    Speaker,
)
from native_web_search.adapters.testing.stubs import response
from native_web_search.application.web_search import WebSearch

Opened = Callable[..., WebSearch]

PAGE = b'{"title":"T","content":"c"}'


def kept_alive(body: bytes, content_type: str) -> bytes:
    """A response that leaves its connection open."""
    return response(body, f"Content-Length: {len(body)}", content_type=content_type)


@pytest.mark.case("H05")
@pytest.mark.parametrize("end", ["close", "reset", "idle"])
async def test_a_kept_connection_that_died_is_no_outage(
    opened: Opened, speaker: Speaker, end: str
) -> None:
    """The second search succeeds over a new connection, and nobody cools."""
    said, dropped = kept_alive(speaker.answer, speaker.content_type), asyncio.Event()

    async def script(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(said)
        if end != "idle":
            await connection.request()
        if end == "reset":
            connection.writer.transport.abort()
        dropped.set()

    async with RawServer(script) as server, opened(speaker.at(server.url)) as web:
        assert not (await web.call({"query": "q"})).is_error
        if end == "idle":
            await dropped.wait()
        assert not (await web.call({"query": "q"})).is_error
        assert not (await web.health.ledger()).cooldowns
    assert server.connections == 2


@pytest.mark.case("H05")
async def test_a_connection_that_dies_at_each_first_request_is_an_outage(opened: Opened) -> None:
    """A new connection that is dropped is no stale one: the attempt failed, after one request."""

    async def script(connection: RawConnection) -> None:
        await connection.request()

    async with RawServer(script) as server, opened(OPENAI.at(server.url)) as web:
        assert (await web.call({"query": "q"})).is_error
        assert (await web.health.ledger()).cooldowns
    assert len(server.requests) == 1


@pytest.mark.case("H06")
@pytest.mark.parametrize(
    ("speaker", "concurrency"),
    [(DEEPSEEK, None), (OLLAMA, None), (DEEPSEEK, 2), (DEEPSEEK, 20)],
    ids=str,
)
async def test_waiting_for_a_slot_is_no_part_of_the_timeout(
    opened: Opened, speaker: Speaker, concurrency: int | None
) -> None:
    """Twenty pages of 0.2 s all come with a timeout of 1 s, however few go at a time."""

    async def slow(connection: RawConnection) -> None:
        await connection.request()
        await asyncio.sleep(0.2)
        await connection.send(response(PAGE, content_type=JSON))

    urls = [f"https://e.example/{at}" for at in range(20)]
    async with (
        RawServer(slow) as server,
        opened(speaker.at(server.url), timeout_ms=1_000, concurrency=concurrency) as web,
    ):
        result = await web.call({"urls": urls})
    assert list(result.document or {}) == ["fetched"]
    assert '"error"' not in result.text
    assert len(server.requests) == 20


ENDING = """
import asyncio, sys
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import DEEPSEEK, OPENAI, logged_in
from native_web_search.adapters.testing.stubs import response

_, how, preferences = sys.argv
STREAM = response(OPENAI.answer)
SAID = {
    "success": STREAM,
    "failure": response(b"no", "Content-Length: 2", status=500),
    "timeout": STREAM[:-20],
    "cancel": STREAM[:-20],
    "deadline": STREAM[:-20],
}
asked = None

async def served(connection):
    await connection.request()
    await connection.send(SAID[how])
    asked.set()
    await connection.client_closed()

async def main(closing):
    global asked
    asyncio.get_running_loop().slow_callback_duration = 60  # a busy machine is no warning
    asked = asyncio.Event()
    async with RawServer(served) as server:
        web = open_web_search(
            logged_in(OPENAI.at(server.url)), environ={}, preference_file=preferences,
            timeout_ms=300 if how == "timeout" else 60_000,
            deadline_ms=300 if how == "deadline" else 0,
        )
        calling = asyncio.create_task(web.call({"query": "q"}))
        if how == "cancel":
            await asked.wait()
            calling.cancel()
        try:
            print((await calling).is_error)
        except asyncio.CancelledError:
            print("cancelled")
        if closing:
            await web.aclose()

for closing in (True, False):
    asyncio.run(main(closing))
"""

ENDINGS = {
    "success": "False",
    "failure": "True",
    "timeout": "True",
    "cancel": "cancelled",
    "deadline": "True",
}


@pytest.mark.case("H08")
@pytest.mark.parametrize("how", ENDINGS)
def test_every_ending_is_silent(tmp_path: Path, how: str) -> None:
    """A process of its own that would tell of anything left open is silent, closed or not."""
    strict = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", ENDING]
    done = subprocess.run(
        [*strict, how, str(tmp_path / "p.json")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stderr, done.stdout, done.returncode) == ("", f"{ENDINGS[how]}\n" * 2, 0)

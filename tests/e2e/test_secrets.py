"""Whatever a provider echoes, no process shows a key."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from native_web_search.adapters.testing.raw_server import RawConnection, RawServer

KEY = "sk-CANARY-4f1d7b20c6a8"

HOST = """
import asyncio, logging, sys
from native_web_search.adapters import open_web_search

async def main():
    logging.basicConfig(level=logging.DEBUG)
    async with open_web_search() as web:
        print(web, web.registry, web.searcher, await web.exposure())
        for arguments in ({"query": "a"}, {"urls": ["https://a.example/"]}, {"query": None}):
            print(repr(await web.call(arguments)))

asyncio.run(main(), debug=True)
"""


async def echo(connection: RawConnection) -> None:
    """Refuse, and say everything back that came."""
    while True:
        received = await connection.request()
        said = json.dumps({"error": {"message": (received.head + received.body).decode("latin-1")}})
        head = f"HTTP/1.1 401 Unauthorized\r\nContent-Length: {len(said)}\r\n\r\n"
        await connection.send(head.encode() + said.encode())


@pytest.fixture
async def echoing() -> AsyncIterator[RawServer]:
    async with RawServer(echo) as server:
        yield server


def contents(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.rule("secrets.1")
@pytest.mark.parametrize(
    "command",
    [
        ("native-web-search", "search", "cooldown"),
        ("native-web-search", "search", "cooldown", "--json"),
        ("native-web-search", "search", "--url", "https://a.example/"),
        ("native-web-search", "doctor"),
        ("python", "-X", "dev", "-c", HOST),
    ],
    ids=["search", "json", "url", "doctor", "host"],
)
async def test_no_process_shows_a_key(
    command: tuple[str, ...], echoing: RawServer, tmp_path: Path
) -> None:
    """Neither on its standard output nor in its log, at any level, nor in a file it leaves."""
    models = {"deepseek": {"baseUrl": echoing.url}, "google": {"baseUrl": echoing.url}}
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"providers": models}))
    environ = {
        "PATH": str(Path(sys.executable).parent),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "DEEPSEEK_API_KEY": KEY,
        "GEMINI_API_KEY": KEY,
        "NATIVE_WEB_SEARCH_MODELS": str(file),
    }
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=environ, stdout=pipe, stderr=pipe)
    out, err = await process.communicate()
    assert out + err
    assert echoing.requests or "doctor" in command
    assert b"CANARY" not in out + err
    assert b"CANARY" not in contents(tmp_path)

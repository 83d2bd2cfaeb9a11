"""The MCP server as a real process, its clients and providers at the ends of real pipes."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from native_web_search.adapters.hosts.mcp import DETAILS_KEY
from native_web_search.adapters.simulator.faults import Hang, Status
from native_web_search.adapters.simulator.simulator import Simulator

ROOT = Path(__file__).parents[2]
COMMAND = str(Path(sys.executable).parent / "native-web-search")
SERVE = str(ROOT / "tests" / "mcp" / "serve.py")
SOON = 30.0  # seconds; starting a process on a loaded machine takes its time

ASKED = {"query": "output guard"}
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "by hand", "version": "1"},
}

both_eras = pytest.mark.parametrize("mode", ["auto", "legacy"])


@pytest.fixture
async def simulator() -> AsyncGenerator[Simulator]:
    async with Simulator() as running:
        yield running


@pytest.fixture
def environ(simulator: Simulator, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who is logged in to DeepSeek, which lives in the simulator."""
    models = tmp_path / "models.json"
    base_url = {"baseUrl": simulator.base_url("deepseek")}
    models.write_text(json.dumps({"providers": {"deepseek": base_url}}))
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "DEEPSEEK_API_KEY": simulator.credential("deepseek").key or "",
        "NATIVE_WEB_SEARCH_MODELS": str(models),
        "NATIVE_WEB_SEARCH_CACHE": str(tmp_path / "preferences.json"),
    }


@asynccontextmanager
async def process(
    *command: str, environ: dict[str, str]
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A process with pipes, which is gone at the end of the block."""
    pipe = asyncio.subprocess.PIPE
    running = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=pipe, env=environ
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
        await running.communicate()


async def line(running: asyncio.subprocess.Process) -> str:
    assert running.stdout is not None
    async with asyncio.timeout(SOON):
        return (await running.stdout.readline()).decode()


async def seen_by(simulator: Simulator, number: int) -> None:
    """Wait until so many requests have arrived."""
    async with asyncio.timeout(SOON):
        while len(simulator.requests) < number:  # noqa: ASYNC110 - a list tells nobody
            await asyncio.sleep(0.01)


async def story(connected: Client, simulator: Simulator) -> None:
    """What a client does in a day: list, search, be refused, give up."""
    simulator.requests.clear()
    (tool,) = (await connected.list_tools()).tools
    assert sorted(tool.input_schema["properties"]) == ["query", "urls"]

    await searches(connected)
    simulator.script("deepseek", Status(402))
    refused = await connected.call_tool("web_search", ASKED)
    assert refused.is_error
    assert text_of(refused).startswith("The web search failed:\n- deepseek: ")

    simulator.script("deepseek", Hang())
    call = asyncio.create_task(connected.call_tool("web_search", ASKED))
    await seen_by(simulator, 3)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await simulator.idle(SOON)
    assert [seen.aborted for seen in simulator.requests] == [False, False, True]


async def searches(connected: Client) -> None:
    messages: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        messages.append(message)

    found = await connected.call_tool("web_search", ASKED, progress_callback=note)
    assert not found.is_error
    assert json.loads(text_of(found))["search"]["results"]
    assert messages == ["Searching with deepseek"]


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.mark.rule("mcp.16", "mcp.26")
@both_eras
async def test_a_day_over_standard_input_and_output(
    mode: str, simulator: Simulator, environ: dict[str, str]
) -> None:
    """The official client, with the settings that the documentation gives to paste."""
    page = (ROOT / "docs" / "hosts" / "mcp.md").read_text("utf-8")
    settings = json.loads(page.partition("```json\n")[2].partition("```")[0])
    (entry,) = settings["mcpServers"].values()
    path = f"{Path(COMMAND).parent}{os.pathsep}{environ['PATH']}"
    started = StdioServerParameters(**entry, env={**environ, "PATH": path})
    async with Client(started, mode=mode) as connected:
        await story(connected, simulator)


@pytest.mark.rule("mcp.16", "mcp.17")
async def test_only_the_protocol_is_on_the_standard_output(
    simulator: Simulator, environ: dict[str, str]
) -> None:
    """Log lines go elsewhere; when the input ends, so do a running call and the process."""
    simulator.script("deepseek", Status(402), Hang())
    call = {"name": "web_search", "arguments": {"query": "q"}}
    async with process(COMMAND, "mcp", environ=environ) as running:
        assert running.stdin is not None
        for number, (method, params) in enumerate(
            [("initialize", HANDSHAKE), ("tools/call", call), ("tools/call", call)]
        ):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            running.stdin.write(json.dumps(request).encode() + b"\n")
            if number < 2:
                assert json.loads(await line(running))["id"] == number
        await seen_by(simulator, 2)
        async with asyncio.timeout(SOON):
            out, err = await running.communicate(b"")
    assert running.returncode == 0
    assert all(json.loads(text)["jsonrpc"] == "2.0" for text in out.splitlines())
    assert b"Traceback" not in err
    assert await simulator.idle(SOON)
    assert simulator.requests[-1].aborted


@pytest.mark.rule("mcp.3", "mcp.4")
async def test_the_options_of_the_command(environ: dict[str, str]) -> None:
    """A fixed form, a current model, and the simulator in place of the providers."""
    options = ["--schema", "query", "--model", "xai/grok-4.7", "--simulate"]
    started = StdioServerParameters(command=COMMAND, args=["mcp", *options], env=environ)
    async with Client(started) as connected:
        (tool,) = (await connected.list_tools()).tools
        found = await connected.call_tool("web_search", ASKED)
    assert list(tool.input_schema["properties"]) == ["query"]
    assert (found.meta or {})[DETAILS_KEY]["search"]["provider"] == "xai"


@pytest.mark.rule("mcp.17")
async def test_an_interrupt_ends_a_server_that_waits_for_input(environ: dict[str, str]) -> None:
    """Ctrl-C at a terminal works at once, without a traceback."""
    async with process(COMMAND, "mcp", environ={**environ, "DEEPSEEK_API_KEY": ""}) as running:
        assert running.stderr is not None
        async with asyncio.timeout(SOON):
            said = await running.stderr.readline()
            assert b"web_search is hidden. There is no credential" in said
            await asyncio.sleep(0.5)
            running.send_signal(signal.SIGINT)
            _out, err = await running.communicate()
    assert running.returncode == -signal.SIGINT
    assert b"Traceback" not in err


@pytest.mark.rule("mcp.18", "mcp.19")
async def test_a_day_over_http(simulator: Simulator, environ: dict[str, str]) -> None:
    """One server on loopback serves clients of both eras, and nobody who calls it otherwise."""
    async with process(COMMAND, "mcp", "--http", "--port", "0", environ=environ) as running:
        url = (await line(running)).strip()
        assert url.startswith("http://127.0.0.1:")
        assert url.endswith("/mcp")
        for mode in ("auto", "legacy"):
            async with Client(url, mode=mode) as connected:
                await story(connected, simulator)
                simulator.clear("deepseek")
        await refuses_strangers(url)
        await says_goodbye(url, running)
        async with asyncio.timeout(SOON):
            out, err = await running.communicate()
    assert running.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert b"ERROR" not in err


async def says_goodbye(url: str, running: asyncio.subprocess.Process) -> None:
    """A subscription ends in order, for its client too, when the server is told to end."""
    async with Client(url) as connected, connected.listen(tools_list_changed=True) as changes:
        running.send_signal(signal.SIGINT)
        async with asyncio.timeout(SOON):
            assert [change async for change in changes] == []


async def refuses_strangers(url: str) -> None:
    """A page that points its own name here, or calls from another origin, gets nowhere."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE}
    accept = {"Accept": "application/json, text/event-stream"}
    port = url.rpartition(":")[2].partition("/")[0]
    cases = [
        ({"Host": "evil.example"}, 421),
        ({"Host": f"evil.example:{port}"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}, 200),
    ]
    async with aiohttp.ClientSession() as session:
        for headers, status in cases:
            async with session.post(url, json=body, headers={**accept, **headers}) as response:
                assert response.status == status, headers
        async with session.post(url.replace("/mcp", "/"), json=body) as response:
            assert response.status == 404


@pytest.mark.rule("mcp.12", "mcp.16")
@both_eras
async def test_a_login_is_announced_over_standard_input_and_output(
    mode: str, simulator: Simulator, tmp_path: Path
) -> None:
    """URLs appear while the client is connected, and it hears of it."""
    models = tmp_path / "models.json"
    log_in(models, simulator, "openai")
    started = StdioServerParameters(command=sys.executable, args=[SERVE, str(models)])
    await hears_of_a_login(started, mode, models, simulator)


@pytest.mark.rule("mcp.12", "mcp.18")
async def test_a_login_is_announced_over_http(simulator: Simulator, tmp_path: Path) -> None:
    """To clients of both eras that the same server serves."""
    models = tmp_path / "models.json"
    log_in(models, simulator, "openai")
    command = (sys.executable, SERVE, str(models), "--http")
    async with process(*command, environ=dict(os.environ)) as running:
        url = (await line(running)).strip()
        for mode in ("auto", "legacy"):
            log_in(models, simulator, "openai")
            await hears_of_a_login(url, mode, models, simulator)


def log_in(models: Path, simulator: Simulator, *providers: str) -> None:
    fresh = models.with_suffix(".new")
    fresh.write_text(json.dumps({"url": simulator.url, "providers": providers}))
    fresh.replace(models)


async def hears_of_a_login(
    target: StdioServerParameters | str, mode: str, models: Path, simulator: Simulator
) -> None:
    heard = asyncio.Event()

    async def note(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            heard.set()

    async with Client(target, mode=mode, message_handler=note) as connected:
        (before,) = (await connected.list_tools()).tools
        assert list(before.input_schema["properties"]) == ["query"]
        if mode == "legacy":
            await logs_in_until_heard(heard, models, simulator)
        else:
            async with connected.listen(tools_list_changed=True):
                await logs_in_until_heard(heard, models, simulator)
        (after,) = (await connected.list_tools()).tools
        assert list(after.input_schema["properties"]) == ["query", "urls"]


async def logs_in_until_heard(heard: asyncio.Event, models: Path, simulator: Simulator) -> None:
    """A client of the handshake era opens its way to be told some time after the handshake."""
    await asyncio.sleep(0.3)
    log_in(models, simulator, "openai", "deepseek")
    async with asyncio.timeout(SOON):
        await heard.wait()

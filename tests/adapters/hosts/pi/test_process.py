"""The process that the extension starts, with its pipes and without pi."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from native_web_search.adapters.simulator.faults import Hang
from native_web_search.adapters.simulator.simulator import Simulator

MODULE = "native_web_search.adapters.hosts.pi"
SECONDS = 30
SHELL = "import os, sys; os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])"


@asynccontextmanager
async def started(home: Path, *arguments: str, **environ: str) -> AsyncGenerator[Process, None]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *(arguments or ("-P", "-m", MODULE, "1")),
        env={"HOME": str(home), "PI_CODING_AGENT_DIR": str(home), **environ},
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=2**24,
    )
    try:
        async with asyncio.timeout(SECONDS):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.rule("pi.15")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
async def test_without_its_streams_it_says_so_and_ends(closed: str, tmp_path: Path) -> None:
    """One line, exit code 1."""
    script = f"exec {sys.executable} -P -m {MODULE} 1 {closed}"
    async with started(tmp_path, "-c", SHELL, script) as process:
        _out, said = await process.communicate()
    assert process.returncode == 1
    assert said == b"pi's extension talks over standard streams, which are closed\n"


def say(process: Process, kind: str, **fields: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"type": kind, **fields}).encode() + b"\n")


async def hear(process: Process, kind: str) -> dict[str, Any]:
    """The next message of this kind; every line is a message."""
    assert process.stdout is not None
    async for line in process.stdout:
        message: dict[str, Any] = json.loads(line)
        if message["type"] == kind:
            return message
    pytest.fail(f"it ended before {kind}")


def deepseek(simulator: Simulator) -> dict[str, object]:
    return {
        "provider": "deepseek",
        "id": "deepseek-flash",
        "api": "openai-completions",
        "baseUrl": simulator.base_url("deepseek"),
    }


@pytest.mark.rule("pi.3", "pi.14")
async def test_a_call_from_line_to_line(tmp_path: Path) -> None:
    """The tool is brought, the credential is asked for, the answer comes, Ctrl-C is pi's."""
    async with Simulator() as simulator, started(tmp_path) as process:
        models = {"available": [deepseek(simulator)]}
        say(process, "sync", id=1, active=["read"], **models)
        assert (await hear(process, "register"))["tool"]["name"] == "web_search"
        assert (await hear(process, "activate"))["on"] is True
        await hear(process, "synced")
        process.send_signal(signal.SIGINT)
        say(process, "call", id=2, arguments={"query": "cooldown"}, **models)
        question = await hear(process, "credential")
        key = simulator.credential("deepseek").key
        say(process, "auth", id=question["id"], ok=True, apiKey=key)
        answer = await hear(process, "answer")
    assert answer["isError"] is False
    assert json.loads(answer["text"].removesuffix("\n[truncated]"))["search"]["results"]
    assert (tmp_path / "better-web-search.json").exists()


@pytest.mark.rule("pi.11")
async def test_it_ends_with_its_input_and_takes_its_requests_along(tmp_path: Path) -> None:
    """In the middle of a call, without a word."""
    async with Simulator(faults={"deepseek": [Hang()]}) as simulator, started(tmp_path) as process:
        call = {"arguments": {"query": "cooldown"}, "available": [deepseek(simulator)]}
        say(process, "call", id=2, **call)
        question = await hear(process, "credential")
        say(process, "auth", id=question["id"], ok=True, apiKey="k")
        await hear(process, "progress")
        while not simulator.requests:  # noqa: ASYNC110 - the simulator has no event for it
            await asyncio.sleep(0.01)
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0
        assert await simulator.idle()
        assert process.stderr is not None
        assert await process.stderr.read() == b""
    assert simulator.requests[0].aborted


@pytest.mark.rule("pi.15")
async def test_the_standard_output_is_for_the_protocol_alone(tmp_path: Path) -> None:
    """What anything else prints goes to the standard error."""
    script = (
        "import atexit; atexit.register(print, 'stray'); "
        f"from {MODULE}.__main__ import main; raise SystemExit(main(['1']))"
    )
    async with started(tmp_path, "-c", script) as process:
        out, err = await process.communicate(b"")
    assert (out, err, process.returncode) == (b"", b"stray\n", 0)


@pytest.mark.rule("pi.21")
async def test_warnings_are_for_the_user_of_pi(tmp_path: Path) -> None:
    """A setting that makes no sense is told of, as everywhere."""
    async with started(tmp_path, NATIVE_WEB_SEARCH_TIMEOUT_MS="soon") as process:
        notice = await hear(process, "notice")
    assert "NATIVE_WEB_SEARCH_TIMEOUT_MS is ignored" in notice["text"]


@pytest.mark.rule("pi.22")
@pytest.mark.parametrize("arguments", [(), ("0",), ("1", "2")])
async def test_an_extension_of_another_version_is_told_what_to_do(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """The last line of its standard error is what the user sees."""
    async with started(tmp_path, "-P", "-m", MODULE, *arguments) as process:
        out, err = await process.communicate(b"")
    assert (out, process.returncode) == (b"", 2)
    assert b"native-web-search pi install" in err

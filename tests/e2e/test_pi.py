"""The extension in a real pi, with a chat model and providers on loopback."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from attrs import define, field

from native_web_search.adapters.hosts.pi.installation import COMMAND, PACKAGE, Installation
from native_web_search.adapters.simulator.faults import Hang, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.domain.outcome import Success

pytestmark = pytest.mark.full

CACHE = Path(__file__).parents[2] / ".cache" / "pi"
PI, NODE = CACHE / "node_modules/.bin/pi", CACHE / "node/node_modules/.bin"
SECONDS = 60

# What a user could do with any other extension.
HANDS = """
export default function (pi) {
  const offered = () => pi.getActiveTools().filter((name) => name !== "web_search");
  const command = (name, handler) => pi.registerCommand(name, { description: name, handler });
  command("take-away", async () => pi.setActiveTools(offered()));
  command("give-back", async () => pi.setActiveTools([...offered(), "web_search"]));
  command("list", async (_arguments, ctx) => ctx.ui.notify(pi.getActiveTools().join(" ")));
  command("load-anew", async (_arguments, ctx) => await ctx.reload());
}
"""


@define
class Chat:
    """A chat model that calls the tool for a prompt `search: QUERY`, and then says what it got."""

    url: str = ""
    requests: list[dict[str, Any]] = field(factory=list)

    def offered(self) -> list[bool]:
        """Whether the tool was on offer, request by request."""
        return ["web_search" in _tools(request) for request in self.requests]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.requests.append(asked)
        delta, reason = _turn(asked)
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        for piece in ({"delta": delta}, {"delta": {}, "finish_reason": reason}):
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
            data = json.dumps({**chunk, "choices": [{"index": 0, **piece}]})
            await response.write(f"data: {data}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response


def _turn(asked: dict[str, Any]) -> tuple[dict[str, Any], str]:
    last = asked["messages"][-1]
    text = last["content"]
    if not isinstance(text, str):
        text = "".join(part["text"] for part in text)
    if last["role"] == "tool":
        return {"role": "assistant", "content": f"I read: {text}"}, "stop"
    if text.startswith("search: ") and "web_search" in _tools(asked):
        arguments = json.dumps({"query": text.removeprefix("search: ")})
        call = {"name": "web_search", "arguments": arguments}
        calls = [{"index": 0, "id": "call-1", "type": "function", "function": call}]
        return {"role": "assistant", "tool_calls": calls}, "tool_calls"
    return {"role": "assistant", "content": "I have no such tool."}, "stop"


def _tools(asked: dict[str, Any]) -> dict[str, Any]:
    functions = [tool["function"] for tool in asked.get("tools", ())]
    return {function["name"]: function for function in functions}


@pytest.fixture
async def chat() -> AsyncIterator[Chat]:
    model, app = Chat(), web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    model.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield model
    await runner.cleanup()


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    async with Simulator() as running:
        yield running


@define
class User:
    """Somebody with a home and an agent folder, who has the extension installed."""

    home: Path
    environ: Mapping[str, str]

    async def start(self, *arguments: str) -> Process:
        command = [str(PI), "--no-session", "--model", "mock/one", *arguments]
        return await asyncio.create_subprocess_exec(
            *command,
            env=self.environ,
            cwd=self.home,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=2**24,
        )

    async def asks(self, prompt: str) -> str:
        """What pi prints."""
        process = await self.start("-p", prompt)
        async with asyncio.timeout(SECONDS):
            out, _err = await process.communicate(b"")
        assert process.returncode == 0
        return out.decode()

    @asynccontextmanager
    async def session(self, *arguments: str) -> AsyncIterator["Session"]:
        process = await self.start("--mode", "rpc", *arguments)
        try:
            async with asyncio.timeout(SECONDS):
                yield Session(process)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()


@define
class Session:
    """A running pi that is told what to do."""

    process: Process

    async def does(self, kind: str, **fields: object) -> None:
        """Carry out a command, to the end of what it started."""
        await self.begin(kind, **fields)
        answer = await self.until("response")
        assert answer["success"], answer
        if answer.get("data", {}).get("disposition") == "started":
            await self.until("agent_settled")

    async def tools(self) -> list[str]:
        """The tools that are offered now."""
        await self.begin("prompt", message="/list")
        told = await self.until("extension_ui_request")
        await self.until("response")
        return str(told["message"]).split()

    async def begin(self, kind: str, **fields: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"type": kind, **fields}).encode() + b"\n")
        await self.process.stdin.drain()

    async def until(self, kind: str) -> dict[str, Any]:
        """The next record of this kind."""
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            record: dict[str, Any] = json.loads(line)
            if record.get("type") == kind:
                return record
        pytest.fail(f"pi ended before {kind}")


@pytest.fixture
def pi(tmp_path: Path, chat: Chat, simulator: Simulator) -> User:
    """Logged in to DeepSeek and Ollama Cloud, and to a chat model that cannot search."""
    return at_home(tmp_path, chat, simulator, "deepseek", "ollama-cloud")


def at_home(home: Path, chat: Chat, simulator: Simulator, *providers: str) -> User:
    if not (PI.exists() and (NODE / "node").exists()):
        pytest.fail("pi is missing: run .ci/prepare-pi")
    agent = home / "agent"
    (agent / "extensions").mkdir(parents=True)
    (agent / "extensions" / "hands.ts").write_text(HANDS)
    models = {
        "mock": {
            "baseUrl": chat.url,
            "api": "openai-completions",
            "apiKey": "mock-key",
            "models": [{"id": "one"}, {"id": "two"}],
        },
        "deepseek": {"baseUrl": simulator.base_url("deepseek")},
        "ollama-cloud": {
            "baseUrl": simulator.base_url("ollama-cloud"),
            "api": "openai-completions",
            "models": [{"id": "gpt-oss:120b"}],
        },
    }
    (agent / "models.json").write_text(json.dumps({"providers": models}))
    keys = {name: {"type": "api_key", "key": simulator.credential(name).key} for name in providers}
    (agent / "auth.json").write_text(json.dumps(keys))
    environ = {
        "HOME": str(home),
        "PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}",
        "PI_CODING_AGENT_DIR": str(agent),
        "PI_OFFLINE": "1",
    }
    assert isinstance(Installation.of(environ, sys.executable).install(), Success)
    return User(home, environ)


@pytest.mark.rule("pi.2", "pi.3")
async def test_a_model_that_cannot_search_does(pi: User, chat: Chat, simulator: Simulator) -> None:
    """It is offered the tool, calls it, one provider fails, the next serves, the answer is raw."""
    simulator.script("deepseek", Status(503))
    said = await pi.asks("search: output guard")
    assert [seen.provider for seen in simulator.requests] == ["deepseek", "ollama-cloud"]
    document = json.loads(said.partition("I read: ")[2].removesuffix("[truncated]\n"))
    assert document["query"] == "output guard"
    assert document["search"]["results"][0]["url"].startswith("https://")
    tool = _tools(chat.requests[0])["web_search"]
    assert tool["description"] == "Search the web or analyze specified URLs"
    assert set(tool["parameters"]["properties"]) == {"query", "urls"}
    stored = json.loads((pi.home / "agent" / "better-web-search.json").read_text())
    assert stored["search"] == {"provider": "ollama-cloud", "model": "gpt-oss:120b"}


@pytest.mark.rule("pi.4")
async def test_details_come_with_the_result_and_progress_before_it(
    pi: User, simulator: Simulator
) -> None:
    """Who was asked is in the details; the user sees who is being asked."""
    simulator.script("deepseek", Status(503))
    async with pi.session() as session:
        await session.begin("prompt", message="search: cooldown")
        progress = await session.until("tool_execution_update")
        ended = await session.until("tool_execution_end")
    assert progress["partialResult"]["content"][0]["text"] == "Searching with deepseek"
    assert ended["isError"] is False
    attempts = ended["result"]["details"]["attempts"]
    assert [(one["provider"], one["outcome"]) for one in attempts] == [
        ("deepseek", "provider"),
        ("ollama-cloud", "success"),
    ]


@pytest.mark.rule("pi.5")
async def test_an_error_is_an_error_and_keeps_its_details(pi: User, simulator: Simulator) -> None:
    """Every provider refuses: the result is an error with all attempts, and no key is shown."""
    for provider in ("deepseek", "ollama-cloud"):
        simulator.script_always(provider, Status(401))
    async with pi.session() as session:
        await session.begin("prompt", message="search: cooldown")
        ended = await session.until("tool_execution_end")
    assert ended["isError"] is True
    assert len(ended["result"]["details"]["attempts"]) == 2
    assert "simulated-" not in json.dumps(ended)


@pytest.mark.rule("pi.6")
async def test_without_a_provider_the_tool_is_hidden(
    tmp_path: Path, chat: Chat, simulator: Simulator
) -> None:
    """It is registered and not offered."""
    nobody = at_home(tmp_path, chat, simulator)
    assert "no such tool" in await nobody.asks("search: cooldown")
    assert chat.offered() == [False]


@pytest.mark.rule("pi.2")
async def test_the_tool_is_there_when_pi_has_started(pi: User) -> None:
    """Nobody needs to have said anything."""
    async with pi.session() as session:
        assert await session.tools() == ["read", "bash", "edit", "write", "web_search"]


@pytest.mark.rule("pi.30")
async def test_another_model_changes_what_is_offered_at_once(pi: User) -> None:
    """Here the policy allows the current model alone."""
    alone = User(pi.home, {**pi.environ, "NATIVE_WEB_SEARCH_FALLBACK": "current"})
    async with alone.session() as session:
        offered = ["web_search" in await session.tools()]
        for provider, model in (("deepseek", "deepseek-flash"), ("mock", "two")):
            await session.does("set_model", provider=provider, modelId=model)
            offered.append("web_search" in await session.tools())
    assert offered == [False, True, False]


@pytest.mark.rule("pi.7")
async def test_a_removal_survives_what_pi_does(pi: User, chat: Chat) -> None:
    """Neither another model nor /reload brings the tool back; giving it back does."""
    async with pi.session() as session:
        await session.does("prompt", message="hello")
        await session.does("prompt", message="/take-away")
        await session.does("prompt", message="/load-anew")
        await session.does("prompt", message="hello")
        await session.does("set_model", provider="mock", modelId="two")
        await session.does("prompt", message="hello")
        await session.does("prompt", message="/give-back")
        await session.does("prompt", message="/load-anew")
        await session.does("set_model", provider="mock", modelId="one")
        await session.does("prompt", message="hello")
    assert [request["model"] for request in chat.requests] == ["one", "one", "two", "one"]
    assert chat.offered() == [True, False, False, True]


@pytest.mark.rule("pi.29")
async def test_what_the_command_line_excludes_stays_excluded(pi: User, chat: Chat) -> None:
    """Neither the start nor another model brings the tool in."""
    async with pi.session("--exclude-tools", "web_search") as session:
        await session.does("prompt", message="hello")
        await session.does("set_model", provider="mock", modelId="two")
        await session.does("prompt", message="hello")
    assert chat.offered() == [False, False]


@pytest.mark.rule("pi.8")
async def test_a_new_session_starts_anew(pi: User, chat: Chat) -> None:
    """A removal lasts as long as the session in which it was made."""
    async with pi.session() as session:
        await session.does("prompt", message="hello")
        await session.does("prompt", message="/take-away")
        await session.does("prompt", message="hello")
        await session.does("new_session")
        await session.does("prompt", message="hello")
    assert chat.offered() == [True, False, True]


@pytest.mark.rule("pi.9")
async def test_two_sessions_do_not_meet(pi: User, chat: Chat) -> None:
    """Each has its own process; what one user takes away is still there for the other."""
    async with pi.session() as one, pi.session() as other:
        await asyncio.gather(*(each.does("prompt", message="hello") for each in (one, other)))
        await one.does("prompt", message="/take-away")
        await one.does("prompt", message="hello")
        await other.begin("prompt", message="search: cooldown")
        ended = await other.until("tool_execution_end")
    assert chat.offered()[:4] == [True, True, False, True]
    assert ended["isError"] is False
    assert json.loads(ended["result"]["content"][0]["text"])["query"] == "cooldown"


@pytest.mark.rule("pi.10")
async def test_a_cancelled_call_closes_its_request(pi: User, simulator: Simulator) -> None:
    """The provider sees the connection go, nobody else is asked, and the session goes on."""
    simulator.script("deepseek", Hang())
    async with pi.session() as session:
        await session.begin("prompt", message="search: cooldown")
        await session.until("tool_execution_update")
        await arrived(simulator)
        await session.begin("abort")
        ended = await session.until("tool_execution_end")
        assert await simulator.idle(SECONDS)
        await session.until("agent_settled")
        await session.begin("prompt", message="search: again")
        again = await session.until("tool_execution_end")
    assert ended["isError"] is True
    assert simulator.requests[0].aborted
    assert [seen.provider for seen in simulator.requests] == ["deepseek", "deepseek"]
    assert again["isError"] is False


@pytest.mark.rule("pi.11")
@pytest.mark.parametrize("violently", [True, False])
async def test_the_process_ends_with_pi(pi: User, simulator: Simulator, *, violently: bool) -> None:
    """Killed or closed in the middle of a call, pi leaves no process and no request behind."""
    simulator.script("deepseek", Hang())
    async with pi.session() as session:
        await session.begin("prompt", message="search: cooldown")
        await arrived(simulator)
        (python,) = await processes(session.process.pid)
        if violently:
            session.process.kill()
        else:
            assert session.process.stdin is not None
            session.process.stdin.close()
        await gone(python)
        assert await simulator.idle(SECONDS)
    assert simulator.requests[0].aborted


@pytest.mark.rule("pi.12")
async def test_a_process_that_cannot_start_leaves_pi_alone(pi: User, chat: Chat) -> None:
    """The tool is not offered, the user is told why, and pi works."""
    extension = pi.home / "agent/extensions/native-web-search.ts"
    text = extension.read_text().replace(str(sys.executable), str(pi.home / "no-python"))
    extension.write_text(text)
    async with pi.session() as session:
        await session.begin("prompt", message="search: cooldown")
        told = await session.until("extension_error")
        await session.until("agent_settled")
    assert "no-python" in told["error"]
    assert chat.offered() == [False]


@pytest.mark.rule("pi.12")
async def test_a_process_that_cannot_start_again_takes_the_tool_along(pi: User, chat: Chat) -> None:
    """What nobody would answer is not offered; once it can start, the tool is back."""
    python = pi.home / "python"
    python.symlink_to("/bin/sh")
    extension = pi.home / "agent/extensions/native-web-search.ts"
    replaced = json.dumps([str(python), "-c", f'exec "{sys.executable}" -m {PACKAGE} 1'])
    extension.write_text(COMMAND.sub(f"const COMMAND = {replaced};", extension.read_text()))
    async with pi.session() as session:
        await session.does("prompt", message="hello")
        (pid,) = await processes(session.process.pid)
        python.unlink()
        os.kill(pid, signal.SIGKILL)
        await gone(pid)
        await session.does("prompt", message="hello")
        python.symlink_to("/bin/sh")
        await session.does("prompt", message="hello")
    assert chat.offered() == [True, False, True]


@pytest.mark.rule("pi.13")
async def test_a_process_that_was_killed_is_started_again(pi: User, chat: Chat) -> None:
    """It knows what the user took away in this session, and serves once that is given back."""
    async with pi.session() as session:
        await session.does("prompt", message="hello")
        await session.does("prompt", message="/take-away")
        await session.does("prompt", message="hello")
        (python,) = await processes(session.process.pid)
        os.kill(python, signal.SIGKILL)
        await gone(python)
        await session.does("prompt", message="hello")
        await session.does("prompt", message="/give-back")
        await session.begin("prompt", message="search: again")
        ended = await session.until("tool_execution_end")
    assert chat.offered()[:4] == [True, False, False, True]
    assert ended["isError"] is False


async def arrived(simulator: Simulator) -> None:
    """Return when a provider was asked."""
    async for _ in moments():
        if simulator.requests:
            return


async def gone(python: int) -> None:
    """Return when the process has ended."""
    async for _ in moments():
        if python not in await processes():
            return


async def moments() -> AsyncIterator[None]:
    while True:
        yield
        await asyncio.sleep(0.05)


async def processes(parent: int | None = None) -> list[int]:
    """Our processes in pi, all of them or those of one pi."""
    listing = await asyncio.create_subprocess_exec(
        "ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args=", stdout=PIPE
    )
    out, _err = await listing.communicate()
    rows = [line.split(None, 3) for line in out.decode().splitlines()]
    return [
        int(pid)
        for pid, ppid, state, arguments in (row for row in rows if len(row) == 4)
        if "native_web_search.adapters.hosts.pi" in arguments
        and not state.startswith("Z")
        and parent in {None, int(ppid)}
    ]

"""`native-web-search mcp`: what it prints for clients, and how it refuses to start."""

import json
import socket
import subprocess
import sys
import tomllib
from collections.abc import Generator
from pathlib import Path

import pytest

from native_web_search.adapters.cli import mcp
from native_web_search.adapters.cli.mcp_config import NO_KEY, Launch, snippets
from native_web_search.adapters.hosts.mcp_address import Address

ENVIRON = {
    "PATH": "/usr/bin",
    "DEEPSEEK_API_KEY": "sk-CANARY",
    "XAI_API_KEY": " ",
    "NATIVE_WEB_SEARCH_MAX_CHARS": "CANARY",
    "PI_BETTER_WEB_SEARCH_TIMEOUT_MS": "CANARY",
    "https_proxy": "CANARY",
    "UNRELATED_API_KEY": "CANARY",
}
NAMED = [
    "DEEPSEEK_API_KEY",
    "NATIVE_WEB_SEARCH_MAX_CHARS",
    "PI_BETTER_WEB_SEARCH_TIMEOUT_MS",
    "https_proxy",
]
OPTIONS = ("--schema", "full")


@pytest.fixture(autouse=True)
def _own_log_level() -> Generator[None]:
    """The command sets the level of our logger, for the rest of its process."""
    before = mcp.log.level
    yield
    mcp.log.setLevel(before)


def printed(launch: Launch) -> dict[str, str]:
    """The snippets by the client that their title names."""
    parts = [part for part in snippets(launch).split("# ") if part]
    return {part.partition(":")[0]: part.partition("\n")[2] for part in parts}


def entry(text: str, key: str = "mcpServers") -> dict[str, object]:
    (found,) = json.loads(text)[key].values()
    assert isinstance(found, dict)
    return found


@pytest.mark.rule("mcp.20")
def test_each_client_is_told_how_to_start_the_command() -> None:
    """The options come along, in the shape and file of each client."""
    said = printed(Launch(OPTIONS, {"DEEPSEEK_API_KEY": "k"}))
    assert list(said) == ["Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex"]
    started = {"command": "native-web-search", "args": ["mcp", "--schema", "full"]}
    for client in ("Claude Code", "Claude Desktop", "Cursor"):
        assert entry(said[client]).items() >= started.items()
    assert entry(said["VS Code"], "servers").items() >= {**started, "type": "stdio"}.items()
    (codex,) = tomllib.loads(said["Codex"])["mcp_servers"].values()
    assert codex == {**started, "env_vars": ["DEEPSEEK_API_KEY"], "tool_timeout_sec": 180}


@pytest.mark.rule("mcp.21")
def test_variables_are_named_and_never_shown() -> None:
    """Those that are set and mean something to us, each in its client's own notation."""
    said = printed(Launch(OPTIONS, ENVIRON))
    for client, key, form in (
        ("Claude Code", "mcpServers", "${{{}}}"),
        ("Claude Desktop", "mcpServers", "<{}>"),
        ("Cursor", "mcpServers", "${{env:{}}}"),
        ("VS Code", "servers", "${{env:{}}}"),
    ):
        assert entry(said[client], key)["env"] == {name: form.format(name) for name in NAMED}
    (codex,) = tomllib.loads(said["Codex"])["mcp_servers"].values()
    assert codex["env_vars"] == NAMED
    assert "CANARY" not in snippets(Launch(OPTIONS, ENVIRON))
    assert "CANARY" not in repr(Launch(OPTIONS, ENVIRON))


@pytest.mark.rule("mcp.21")
def test_a_missing_key_is_said_where_it_matters() -> None:
    """A server that is started needs one, unless it simulates; one that runs already has it."""
    assert snippets(Launch(environ={"PATH": "/"})).startswith(f"# {NO_KEY}\n")
    assert '"env"' not in snippets(Launch(environ={"PATH": "/"}))
    assert "env_vars" not in snippets(Launch(environ={"PATH": "/"}))
    assert NO_KEY not in snippets(Launch(("--simulate",)))
    assert NO_KEY not in snippets(Launch(url="http://127.0.0.1:1/mcp"))
    assert NO_KEY not in snippets(Launch(environ={"OLLAMA_API_KEY": "k"}))


@pytest.mark.rule("mcp.20")
def test_a_server_that_runs_is_an_address() -> None:
    """Claude Desktop takes none and is left out."""
    url = Address(port=1).url
    said = printed(Launch(url=url))
    assert list(said) == ["Claude Code", "Cursor", "VS Code", "Codex"]
    assert entry(said["Claude Code"]) == {"type": "http", "url": url}
    assert entry(said["Cursor"]) == {"url": url}
    assert entry(said["VS Code"], "servers") == {"type": "http", "url": url}
    (codex,) = tomllib.loads(said["Codex"])["mcp_servers"].values()
    assert codex == {"url": url, "tool_timeout_sec": 180}


@pytest.mark.rule("mcp.20")
def test_the_command_prints_its_own_options(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not the default is in the arguments."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-CANARY")
    mcp.show_config(mcp.Serve(None, "query", "xai/grok-4.7", simulate=True))
    said = capsys.readouterr().out
    arguments = ["mcp", "--schema", "query", "--model", "xai/grok-4.7", "--simulate"]
    assert f"args = {json.dumps(arguments)}" in said
    assert "sk-CANARY" not in said
    mcp.show_config(mcp.Serve(None, "auto", None, simulate=False))
    assert 'args = ["mcp"]' in capsys.readouterr().out


@pytest.mark.rule("mcp.22")
def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    """One line on the standard error and exit code 2; the settings are printed all the same."""
    for arguments, code in ((["mcp"], 2), (["mcp", "--http", "--print-config"], 0)):
        script = (
            "import sys; sys.modules['mcp_types'] = None; sys.argv[1:] = "
            f"{arguments!r}; from native_web_search.adapters.cli import main; main()"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code
        assert ("pip install 'native-web-search[cli,mcp]'" in done.stderr) is (code == 2)
        assert "Traceback" not in done.stderr


@pytest.mark.rule("mcp.23")
@pytest.mark.parametrize("simulate", [True, False])
@pytest.mark.parametrize("model", ["nobody/gpt-5", "gpt-5"])
async def test_a_model_that_nobody_has_is_refused(
    model: str, capsys: pytest.CaptureFixture[str], *, simulate: bool
) -> None:
    """Exit code 2, and a message that shows the name or the form that it should have."""
    assert await mcp.run(mcp.Serve(None, "auto", model, simulate)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "cannot start" in said.err
    assert model in said.err or "provider/id" in said.err


@pytest.mark.rule("mcp.23")
async def test_an_address_that_is_taken_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and a message that shows the address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = Address(port=taken.getsockname()[1])
        assert await mcp.run(mcp.Serve(address, "auto", None, simulate=True)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"cannot listen at {address.url}" in said.err


@pytest.mark.rule("mcp.27")
@pytest.mark.parametrize(("stderr", "said"), [("", f"{mcp.CLOSED}\n"), ("2>&-", "")])
def test_without_an_input_it_does_not_start(stderr: str, said: str) -> None:
    """One line and exit code 1, as for an output that is closed."""
    command = Path(sys.executable).parent / "native-web-search"
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {command} mcp --simulate <&- {stderr}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)

"""What the protocol's own tools say of the MCP server."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "mcp" / "fixtures.py"
BASELINE = ROOT / "tests" / "mcp" / "conformance-baseline.yml"
CACHE = ROOT / ".cache"
NODE = CACHE / "node22" / "node_modules" / ".bin"
CONFORMANCE = CACHE / "conformance" / "node_modules" / ".bin" / "conformance"
INSPECTOR = CACHE / "inspector" / "node_modules" / ".bin" / "mcp-inspector"
SERVER = (str(Path(sys.executable).parent / "native-web-search"), "mcp", "--simulate")

TOOL_IS_ERROR = 5  # the Inspector's exit code

pytestmark = pytest.mark.full


def run(tool: Path, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    for part in (NODE / "node", tool):
        if not part.exists():
            pytest.fail(f"{part.relative_to(ROOT)} is missing: run .ci/prepare-node")
    return subprocess.run(
        [str(tool), *arguments],
        env={"PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}", "HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def serving(*command: str) -> Generator[str]:
    """The URL of a server that runs for as long as the block lasts."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@pytest.mark.rule("mcp.24")
def test_the_conformance_suite_passes_but_for_what_we_do_not_have(tmp_path: Path) -> None:
    """The baseline names every scenario that fails, and none that passes."""
    with serving(sys.executable, str(FIXTURES)) as url:
        expected = ("--expected-failures", str(BASELINE))
        done = run(CONFORMANCE, "server", "--url", url, *expected, home=tmp_path)
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr
    for scenario in (
        "server-initialize: 1",
        "ping: 1",
        "tools-list: 1",
        "tools-call-simple-text: 1",
        "tools-call-error: 1",
        "tools-call-with-progress: 1",
        "server-sse-multiple-streams: 2",
        "dns-rebinding-protection: 2",
    ):
        assert f"✓ {scenario} passed, 0 failed" in done.stdout


@pytest.mark.rule("mcp.25")
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_a_portable_schema(era: str, tmp_path: Path) -> None:
    """Its strict check of schemas finds no fault, in both eras."""
    asked = ("--cli", "--protocol-era", era, "--method", "tools/list", "--strict")
    done = run(INSPECTOR, *asked, *SERVER, home=tmp_path)
    assert done.returncode == 0, done.stderr
    (tool,) = json.loads(done.stdout)["tools"]
    assert tool["name"] == "web_search"


@pytest.mark.rule("mcp.25")
def test_the_inspector_calls_the_tool(tmp_path: Path) -> None:
    """An answer is a success to it, a refused input a tool error, over HTTP as well."""
    asked = ("--method", "tools/call", "--tool-name", "web_search")
    done = run(
        INSPECTOR, "--cli", *SERVER, *asked, "--tool-arg", "query=output guard", home=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (content,) = json.loads(done.stdout)["content"]
    assert "output guard" in content["text"]
    with serving(*SERVER, "--http", "--port", "0") as url:
        refused = run(INSPECTOR, "--cli", "--server-url", url, *asked, home=tmp_path)
    assert refused.returncode == TOOL_IS_ERROR
    assert json.loads(refused.stdout)["isError"] is True

"""Every snippet and command of the documentation runs as it stands."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from attrs import fields

from native_web_search.application.settings import TABLE, Settings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def blocks(language: str) -> list[ParameterSet]:
    found: list[ParameterSet] = []
    for page in PAGES:
        for number, (kind, text) in enumerate(BLOCK.findall(page.read_text("utf-8"))):
            if kind == language:
                found.append(pytest.param(text, id=f"{page.name}-{number}"))
    return found


@pytest.fixture(scope="module")
def deepseek() -> Iterator[dict[str, str]]:
    """Where a simulator of DeepSeek is reached, in a process of its own, and the key to it."""
    script = ROOT / "tests" / "docs" / "serve.py"
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.kill()


@pytest.fixture
def environ(deepseek: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """The environment of a user who is logged in to DeepSeek and to nothing else."""
    models = tmp_path / "models.json"
    models.write_text(json.dumps({"providers": {"deepseek": {"baseUrl": deepseek["base_url"]}}}))
    usual = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    return {
        **usual,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{usual.get('PATH', '')}",
        "DEEPSEEK_API_KEY": deepseek["key"],
        "NATIVE_WEB_SEARCH_MODELS": str(models),
        "NATIVE_WEB_SEARCH_CACHE": str(tmp_path / "preferences.json"),
        "PI_CODING_AGENT_DIR": str(tmp_path / "pi"),
    }


def run(
    command: list[str], environ: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environ, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.rule("docs.1")
@pytest.mark.parametrize("text", blocks("python"))
def test_python_snippets_run(text: str, environ: dict[str, str], tmp_path: Path) -> None:
    """Each is a whole program that ends well and warns of nothing."""
    done = run([sys.executable, "-W", "error", "-c", text], environ, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.rule("docs.2")
@pytest.mark.parametrize("text", blocks("sh"))
def test_commands_run(text: str, environ: dict[str, str], tmp_path: Path) -> None:
    """Each line ends with exit code 0 and says something."""
    for line in text.splitlines():
        done = run(shlex.split(line), environ, tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout


@pytest.mark.rule("docs.3")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name files of the repository."""
    missing = [
        link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()
    ]
    assert missing == []


@pytest.mark.rule("docs.4")
def test_the_settings_table_is_the_code() -> None:
    """The README's rows are the settings there are, with their variables."""
    text = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)`( \*)? \|", text, re.MULTILINE)
    documented = {(name, variable): bool(star) for name, variable, star in rows}
    assert documented == {(row.attribute, row.variable): row.has_alias for row in TABLE}
    assert {name for name, _variable in documented} == {one.name for one in fields(Settings)}

"""Every snippet and command of the documentation runs as it stands."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def providers_on_loopback(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of a user who is logged in to DeepSeek, which lives in a simulator."""
    script = ROOT / "tests" / "docs" / "serve.py"
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        models = folder / "models.json"
        models.write_text(json.dumps({"providers": {"deepseek": {"baseUrl": told["base_url"]}}}))
        usual = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
        try:
            yield {
                **usual,
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{usual.get('PATH', '')}",
                "DEEPSEEK_API_KEY": told["key"],
                "NATIVE_WEB_SEARCH_MODELS": str(models),
                "NATIVE_WEB_SEARCH_CACHE": str(folder / "preferences.json"),
                "PI_CODING_AGENT_DIR": str(folder / "pi"),
            }
        finally:
            server.kill()


@pytest.mark.rule("docs.1")
@pytest.mark.parametrize("text", blocks("python"))
def test_python_snippets_run(text: str, tmp_path: Path) -> None:
    """Each is a whole program that ends well and warns of nothing."""
    with providers_on_loopback(tmp_path) as environ:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", text],
            env=environ,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.rule("docs.2")
@pytest.mark.parametrize("text", blocks("sh"))
def test_commands_run(text: str, tmp_path: Path) -> None:
    """Each line ends with exit code 0 and says something."""
    with providers_on_loopback(tmp_path) as environ:
        for line in text.splitlines():
            done = subprocess.run(
                shlex.split(line),
                env=environ,
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
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

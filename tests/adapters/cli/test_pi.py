"""The verbs for pi."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from native_web_search.adapters.cli.app import app

NEIGHBOUR = 'pi.registerTool({ name: "web_search" })'
DEEPSEEK = {"deepseek": {"type": "api_key", "key": "sk-CANARY"}}
NOBODY_THERE = {"providers": {"deepseek": {"baseUrl": "http://127.0.0.1:1"}}}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without any key; tests of the command line see no variable of ours."""
    for name in ("DEEPSEEK_API_KEY", "OLLAMA_API_KEY", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def written(home: Path, **files: object) -> Path:
    agent = home / ".pi" / "agent"
    agent.mkdir(parents=True)
    for name, content in files.items():
        (agent / f"{name}.json").write_text(json.dumps(content))
    return agent


@pytest.mark.rule("pi.23", "pi.25", "pi.28")
def test_install_status_uninstall(home: Path) -> None:
    """Each says what it did and where; the status is an exit code too."""
    extension = home / ".pi/agent/extensions/native-web-search.ts"
    assert run("pi", "status").exit_code == 1
    done = run("pi", "install")
    assert (done.exit_code, done.stderr) == (0, "")
    assert str(extension) in done.stdout
    assert json.dumps(sys.executable) in extension.read_text()
    status = run("pi", "status")
    assert status.exit_code == 0
    assert f"{extension}: installed\n" in status.stdout
    done = run("pi", "uninstall")
    assert (done.exit_code, done.stderr) == (0, "")
    assert not extension.exists()


@pytest.mark.rule("pi.24")
def test_a_refusal_is_exit_code_1(home: Path) -> None:
    """The other extension is named, here and in the status."""
    other = written(home) / "extensions" / "other.ts"
    other.parent.mkdir()
    other.write_text(NEIGHBOUR)
    refused = run("pi", "install")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert str(other) in refused.stderr
    assert str(other) in run("pi", "status").stdout
    assert run("pi", "install", "--force").exit_code == 0


@pytest.mark.rule("pi_files.17")
def test_the_doctor_reads_pis_files(home: Path) -> None:
    """It shows pi's logins by name and pi's place of the preference file, and no secret."""
    agent = written(home, auth=DEEPSEEK)
    done = run("doctor", "--pi")
    assert done.exit_code == 0
    assert "pi's auth.json" in done.stdout
    assert str(agent / "better-web-search.json") in done.stdout
    assert "CANARY" not in done.output
    assert "pi's auth.json" not in run("doctor").stdout


@pytest.mark.rule("pi_files.17")
def test_a_search_uses_pis_logins(home: Path) -> None:
    """Here at an address where nobody is: the attempt is made, and fails."""
    written(home, auth=DEEPSEEK, models=NOBODY_THERE)
    done = run("search", "q", "--pi", "--provider", "deepseek")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "- deepseek: " in done.stderr
    assert run("search", "q", "--provider", "deepseek").exit_code == 3


@pytest.mark.rule("pi_files.17")
@pytest.mark.parametrize("verb", [("search", "q"), ("doctor",)])
def test_pi_and_the_simulator_exclude_each_other(verb: tuple[str, ...], home: Path) -> None:
    """A wrong command line."""
    done = run(*verb, "--pi", "--simulate")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "exclude each other" in done.stderr

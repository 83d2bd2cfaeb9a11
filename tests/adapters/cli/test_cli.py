"""The command, as a real process."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from native_web_search.domain.version import __version__

COMMAND = str(Path(sys.executable).parent / "native-web-search")


def run(*arguments: str, home: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    usual = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    return subprocess.run(
        [COMMAND, *arguments],
        env={**usual, **environ},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.rule("cli.1")
def test_the_version(tmp_path: Path) -> None:
    """`--version` prints it and nothing else."""
    done = run("--version", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


@pytest.mark.rule("cli.2")
def test_a_simulated_search_prints_the_wrapper(tmp_path: Path) -> None:
    """The result goes to stdout, whole and alone."""
    done = run("search", "output guard", "--simulate", "--json", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "state").exists()  # the user's own preferences are left alone
    assert done.stdout.startswith('{\n  "query": "output guard",\n  "search": {\n')
    assert json.loads(done.stdout)["search"]["results"]


@pytest.mark.rule("cli.3")
@pytest.mark.parametrize(
    "provider",
    [
        "deepseek",
        "ollama-cloud",
        "google",
        "antigravity",
        "openai",
        "azure",
        "openai-codex",
        "github-copilot",
        "opencode",
        "xai",
        "anthropic",
    ],
)
def test_each_provider_can_be_asked_alone(provider: str, tmp_path: Path) -> None:
    """`--provider` narrows the search to one, and that one serves it."""
    done = run("search", "cooldown", "--simulate", "--provider", provider, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"search": {' in done.stdout


@pytest.mark.rule("cli.4")
def test_without_a_credential_it_says_so(tmp_path: Path) -> None:
    """Exit code 3, the variables by name, and the way to try it without any."""
    done = run("search", "q", home=tmp_path)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "DEEPSEEK_API_KEY" in done.stderr
    assert "--simulate" in done.stderr


@pytest.mark.rule("cli.4")
@pytest.mark.parametrize("asked", [("q",), ("--url", "https://a.example/")])
def test_a_stable_exposure_makes_nobody_available(asked: tuple[str, ...], tmp_path: Path) -> None:
    """What a model is shown is no matter of the command line, nor of what `doctor` finds."""
    stable = {"NATIVE_WEB_SEARCH_EXPOSURE": "stable"}
    done = run("search", *asked, home=tmp_path, **stable)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("There is no credential for any model.\n")
    report = run("doctor", home=tmp_path, **stable)
    assert report.returncode == 3
    assert "Exposure: query and urls. The exposure is set to stable.\n" in report.stdout
    assert "Were it dynamic: hidden. There is no credential for any model.\n" in report.stdout


@pytest.mark.rule("cli.5")
def test_a_refused_input_is_exit_code_1(tmp_path: Path) -> None:
    """The error goes to stderr."""
    done = run("search", "--url", "ftp://h/", "--simulate", home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "ftp://h/" in done.stderr


@pytest.mark.rule("cli.21")
@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        ((), 2, "There is nothing to do: give a QUERY, a page with --url, or both.\n"),
        ((" ",), 1, "Nothing to do: give a `query` that is not blank, or `urls`, or both.\n"),
        (("--url", "ftp://h/"), 1, "There is no `query`, and none of the `urls` can be fetched:"),
    ],
)
def test_what_cannot_be_asked_needs_no_login(
    asked: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    """A login would not help, so none is spoken of."""
    done = run("search", *asked, home=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(said)
    assert "_API_KEY" not in done.stderr


@pytest.mark.rule("cli.6")
def test_a_wrong_command_line_is_exit_code_2(tmp_path: Path) -> None:
    """So are an unknown verb and an unreadable scenario."""
    assert run("frobnicate", home=tmp_path).returncode == 2
    assert run("simulate", "--scenario", "none.json", home=tmp_path).returncode == 2


@pytest.mark.rule("cli.7")
def test_an_unknown_provider_is_exit_code_3(tmp_path: Path) -> None:
    """The message names it."""
    done = run("search", "q", "--simulate", "--provider", "nobody", home=tmp_path)
    assert done.returncode == 3
    assert "nobody" in done.stderr


@pytest.mark.rule("cli.8")
def test_doctor_shows_what_is_found_and_no_secret(tmp_path: Path) -> None:
    """Model, family, source of the credential, exposure and reason, order, file."""
    done = run("doctor", home=tmp_path, DEEPSEEK_API_KEY="sk-CANARY-1", XAI_API_KEY="xai-CANARY")
    assert done.returncode == 0
    for said in (
        "deepseek/",
        "environment variable DEEPSEEK_API_KEY",
        "Exposure: query and urls.",
        "A search tries",
        "Cooldowns: none",
        "better-web-search.json",
    ):
        assert said in done.stdout
    assert "CANARY" not in done.stdout + done.stderr


@pytest.mark.rule("cli.9")
def test_doctor_without_anything_tells_what_to_set(tmp_path: Path) -> None:
    """Exit code 3; settings that are ignored are named as well."""
    done = run("doctor", home=tmp_path, NATIVE_WEB_SEARCH_TIMEOUT_MS="soon")
    assert done.returncode == 3
    assert "hidden" in done.stdout
    assert "OLLAMA_API_KEY" in done.stdout
    assert "NATIVE_WEB_SEARCH_TIMEOUT_MS is ignored" in done.stdout
    assert "Nobody can search.\nNobody can analyze URLs.\n" in done.stdout


@pytest.mark.rule("cli.22")
@pytest.mark.parametrize("verb", [("doctor",), ("doctor", "--pi")])
def test_doctor_says_each_warning_once(verb: tuple[str, ...], tmp_path: Path) -> None:
    """In its report alone, whoever warned."""
    odd = {
        "TIMEOUT_MS": "soon",
        "FALLBACK": "deepsek",
        "MODEL": "openia/gpt-5",
        "HEALTH_URL": "gopher://h",
    }
    if "--pi" in verb:
        (tmp_path / "auth.json").write_text("no JSON")
        odd_files = {"PI_CODING_AGENT_DIR": str(tmp_path)}
    else:
        odd_files = {"NATIVE_WEB_SEARCH_MODELS": str(tmp_path / "none.json")}
    settings = {f"NATIVE_WEB_SEARCH_{name}": value for name, value in odd.items()}
    done = run(*verb, home=tmp_path, **settings, **odd_files)
    assert (done.returncode, done.stderr) == (3, "")
    warnings = [line for line in done.stdout.splitlines() if line.startswith("Warning: ")]
    assert len(warnings) == len(set(warnings)) == 5
    for said in ("TIMEOUT_MS is", "FALLBACK names", "MODEL, which", "health URL", ".json is ig"):
        assert done.stdout.count(said) == 1, said


@pytest.mark.rule("cli.22")
def test_a_report_that_cannot_be_made_loses_no_warning(tmp_path: Path) -> None:
    """They explain why: a current model that nobody has is no current model."""
    wanted = {"NATIVE_WEB_SEARCH_MODEL": "openia/x", "NATIVE_WEB_SEARCH_FALLBACK": "current"}
    done = run("doctor", home=tmp_path, **wanted)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("did you mean openai?\n") == 1
    assert "The settings make no sense" in done.stderr


@pytest.mark.rule("cli.23")
def test_doctor_shows_unusual_addresses(tmp_path: Path) -> None:
    """One line for each, with nothing in it that may be a key."""
    models = tmp_path / "m.json"
    own = {"baseUrl": "https://me:CANARY@gw.example/s/CANARY8fk39dk2m1q0/v1?key=CANARY"}
    models.write_text(json.dumps({"providers": {"deepseek": own}}))
    keys = {"DEEPSEEK_API_KEY": "sk-1", "XAI_API_KEY": "xai-1"}
    done = run("doctor", home=tmp_path, NATIVE_WEB_SEARCH_MODELS=str(models), **keys)
    assert done.returncode == 0
    addresses = [line for line in done.stdout.splitlines() if line.startswith("Address: ")]
    assert addresses == ["Address: deepseek is at https://...@gw.example/s/.../v1?..."]
    assert "CANARY" not in done.stdout + done.stderr


@pytest.mark.rule("cli.10")
def test_doctor_knows_all_simulated_families(tmp_path: Path) -> None:
    """Every family and dialect appears."""
    done = run("doctor", "--simulate", home=tmp_path)
    assert done.returncode == 0
    for family in ("deepseek", "ollama", "google", "openai", "xai", "anthropic"):
        assert f" {family} " in done.stdout
    for dialect in ("gemini", "antigravity", "azure", "codex", "copilot", "opencode"):
        assert f" {dialect} " in done.stdout


@pytest.mark.rule("cli.11")
def test_the_demo_tells_its_story(tmp_path: Path) -> None:
    """Search, fallback, URLs, guarded answer, rejected query; all as it should be."""
    done = run("demo", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for said in ("402", "nowhere.example", "200,000", "[truncated]", "The maximum is 128"):
        assert said in done.stdout
    assert "All went as it should." in done.stdout


@pytest.mark.rule("cli.20")
@pytest.mark.parametrize("verb", [("search", "x"), ("doctor",)])
async def test_a_simulator_is_no_news_for_a_fleet(verb: tuple[str, ...], tmp_path: Path) -> None:
    """What a real provider owes must not be forgiven because a simulated one answered."""
    asked = 0

    def count(_reader: object, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        writer.close()

    async with await asyncio.start_server(count, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = {"NATIVE_WEB_SEARCH_HEALTH_URL": f"redis://127.0.0.1:{port}"}
        done = await asyncio.to_thread(run, *verb, "--simulate", home=tmp_path, **url)
    assert (done.returncode, asked) == (0, 0)


@pytest.mark.rule("cli.20")
def test_the_current_model_may_be_a_simulated_one(tmp_path: Path) -> None:
    """So that a policy can be tried without a key."""
    wanted = {"NATIVE_WEB_SEARCH_MODEL": "xai/grok-4.7", "NATIVE_WEB_SEARCH_FALLBACK": "current"}
    done = run("doctor", "--simulate", home=tmp_path, **wanted)
    assert done.returncode == 0
    assert "tries, in this order: xai/grok-4.7" in done.stdout


@pytest.mark.rule("cli.12")
def test_the_simulator_runs_until_interrupted(tmp_path: Path) -> None:
    """It prints base URLs and keys when it listens, and ends quietly."""
    with subprocess.Popen(
        [COMMAND, "simulate", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "base URLs" in process.stdout.readline()
        assert "http://127.0.0.1:" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err


@pytest.mark.rule("cli.13")
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_a_result_is_utf_8_whatever_the_terminal_says(encoding: str, tmp_path: Path) -> None:
    """The promise of the output holds on a pipe of any encoding."""
    usual = run("search", "emoji", "--simulate", home=tmp_path, PYTHONIOENCODING="utf-8")
    odd = run("search", "emoji", "--simulate", home=tmp_path, PYTHONIOENCODING=encoding)
    assert (odd.returncode, odd.stderr, odd.stdout) == (0, "", usual.stdout)
    assert not odd.stdout.isascii()


@pytest.mark.rule("cli.14")
@pytest.mark.parametrize(
    ("redirection", "said"),
    [
        ("> /dev/full", "The output could not be written: No space left on device\n"),
        (">&-", "The output could not be written: standard output is closed\n"),
        ("| head -c 0", ""),
        ("2>&-", ""),
    ],
)
@pytest.mark.parametrize("verb", ["search emoji --simulate --json", "--version"])
def test_output_that_cannot_be_written_ends_quietly(
    verb: str, redirection: str, said: str, tmp_path: Path
) -> None:
    """Exit code 1 and at most one line, no traceback."""
    script = f"{COMMAND} {verb} {redirection}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["/bin/bash", "-c", script],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0 if redirection == "2>&-" else 1, said)


@pytest.mark.rule("cli.15")
def test_json_stays_json_when_it_is_truncated(tmp_path: Path) -> None:
    """The marker goes to stderr, in words."""
    limit = {"NATIVE_WEB_SEARCH_MAX_CHARS": "500"}
    done = run("search", "guard", "--simulate", "--json", home=tmp_path, **limit)
    assert done.returncode == 0
    assert json.loads(done.stdout)["query"] == "guard"
    assert done.stderr == "The result is truncated.\n"


@pytest.mark.rule("cli.16")
def test_what_makes_no_sense_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    """A policy without a current model, and a port that is taken or no port."""
    policy = run("search", "q", home=tmp_path, NATIVE_WEB_SEARCH_FALLBACK="current")
    assert policy.returncode == 2
    assert "NATIVE_WEB_SEARCH_MODEL" in policy.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        listening = run("simulate", "--port", port, home=tmp_path)
    assert listening.returncode == 2
    assert port in listening.stderr
    assert run("simulate", "--port", "99999", home=tmp_path).returncode == 2
    assert "Traceback" not in policy.stderr + listening.stderr


@pytest.mark.rule("cli.17")
def test_why_nobody_can_be_asked_is_said(tmp_path: Path) -> None:
    """A policy that permits nobody, and a models file whose variable is unset."""
    key = {"DEEPSEEK_API_KEY": "sk-1"}
    barred = run("search", "q", home=tmp_path, NATIVE_WEB_SEARCH_FALLBACK="currnt", **key)
    assert barred.returncode == 3
    assert "fallback policy permits no provider" in barred.stderr
    models = tmp_path / "models.json"
    models.write_text('{"providers": {"deepseek": {"apiKey": "$CORP_KEY"}}}')
    for verb in (("search", "q"), ("doctor",)):
        done = run(*verb, home=tmp_path, NATIVE_WEB_SEARCH_MODELS=str(models))
        assert done.returncode == 3
        assert "deepseek needs CORP_KEY" in done.stdout + done.stderr


ODD = "my[/x]:smile:[bold]"


@pytest.mark.rule("cli.18")
def test_names_are_printed_as_they_are(tmp_path: Path) -> None:
    """Brackets are no markup and `:smile:` is no picture, in an id, a path or a message."""
    models = tmp_path / "m.json"
    model = {"id": f"gpt{ODD}"}
    entry = {"baseUrl": "http://h/v1", "api": "openai-responses", "apiKey": "k", "models": [model]}
    models.write_text(json.dumps({"providers": {ODD: entry}}))
    kept = {"NATIVE_WEB_SEARCH_CACHE": str(tmp_path / f"{ODD}.json")}
    report = run("doctor", home=tmp_path, NATIVE_WEB_SEARCH_MODELS=str(models), **kept)
    assert (report.returncode, report.stderr) == (0, "")
    assert f" {ODD}/gpt{ODD} " in report.stdout
    assert f"in this order: {ODD}/gpt{ODD}\n" in report.stdout
    assert f"Preference file: {tmp_path}/{ODD}.json (not written yet)\n" in report.stdout
    nobody = run("search", "q", "--simulate", "--provider", ODD, home=tmp_path)
    said = f"No searchable model of provider {ODD} is available.\n"
    assert (nobody.returncode, nobody.stderr) == (3, said)
    missing = run("simulate", "--scenario", ODD, home=tmp_path)
    said = f"The scenario file cannot be used: {ODD}: it is not there; check the path\n"
    assert (missing.returncode, missing.stderr) == (2, said)


@pytest.mark.rule("cli.19")
def test_doctor_says_why_a_preference_file_does_not_count(tmp_path: Path) -> None:
    """A path that is too long, and one that leads to no file."""
    for path, why in (
        (str(tmp_path / ("x" * 300)), "it cannot be read: File name too long"),
        (str(tmp_path), "it is no regular file; name one that is"),
    ):
        done = run("doctor", "--simulate", home=tmp_path, NATIVE_WEB_SEARCH_CACHE=path)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"Preference file: {path} (counts as empty: {why})\n" in done.stdout


@pytest.mark.rule("small_file.4")
def test_a_models_file_that_is_none_is_ignored_with_words(tmp_path: Path) -> None:
    """A pipe that nobody writes to, and a device without an end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero"):
        done = run("search", "q", home=tmp_path, NATIVE_WEB_SEARCH_MODELS=path)
        assert done.returncode == 3
        said = f"the models file {path} is ignored: it is no regular file; name one that is\n"
        assert said in done.stderr

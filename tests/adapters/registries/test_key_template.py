"""Keys written as templates, in pi's notation."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from native_web_search.adapters.registries import key_template
from native_web_search.adapters.registries.key_template import expanded, missing_variables, resolve
from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Success


@pytest.mark.rule("keys.1")
@pytest.mark.parametrize(
    ("template", "key"),
    [
        ("plain", "plain"),
        ("$FOO", "foo"),
        ("${FOO}bar", "foobar"),
        ("pre-${FOO}-$$-$!x", "pre-foo-$-!x"),
        ("cost $5", "cost $5"),
        ("${", "${"),
        ("${1}", "${1}"),
        ("$", "$"),
        ("$$FOO", "$FOO"),
    ],
)
def test_variables_are_filled_in_and_the_rest_is_literal(template: str, key: str) -> None:
    """A lone dollar sign and a broken brace stay as they are."""
    assert expanded(template, {"FOO": "foo"}) == key


@pytest.mark.rule("keys.2")
async def test_an_unset_or_blank_variable_is_unresolved() -> None:
    """The message names the variable, never a value."""
    assert missing_variables("$A-${B}-$C", {"A": "a", "B": " "}) == ("B", "C")
    outcome = await resolve("$B", {"B": ""}, what="the key of p", may_run=False)
    assert outcome == Failure(
        CredentialUnresolved("the key of p needs the environment variable B, which is unset")
    )


@pytest.mark.rule("keys.3")
async def test_a_command_gives_its_trimmed_output() -> None:
    """With its standard input closed and its standard error dropped."""
    outcome = await resolve("!cat; echo ' key '; echo no >&2", {}, what="k", may_run=True)
    assert outcome == Success("key")


@pytest.mark.rule("keys.4")
@pytest.mark.parametrize("command", ["!false", "!true", "!echo secret; exit 3", "!no-such-command"])
async def test_a_command_that_fails_or_says_nothing_is_unresolved(command: str) -> None:
    """Its output does not appear in the message."""
    outcome = await resolve(command, {}, what="the key of p", may_run=True)
    assert outcome == Failure(CredentialUnresolved("the command of the key of p gave no key"))


@pytest.mark.rule("keys.5")
async def test_a_command_that_hangs_is_killed_with_its_children(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After its time nothing of it is left running."""
    monkeypatch.setattr(key_template, "COMMAND_SECONDS", 0.2)
    started = time.monotonic()
    outcome = await resolve("!sleep 60 & sleep 60", {}, what="k", may_run=True)
    assert isinstance(outcome, Failure)
    assert time.monotonic() - started < 5


@pytest.mark.rule("keys.6")
async def test_cancelling_kills_the_command() -> None:
    """A cancelled call leaves no process."""
    task = asyncio.create_task(resolve("!sleep 60", {}, what="k", may_run=True))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def _is_zombie(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


async def gone(pid: int) -> bool:
    """Whether the process ends within a second; a zombie that nobody reaped yet has ended."""
    for _time in range(50):
        try:
            os.kill(pid, 0)
            if _is_zombie(pid):
                return True
        except OSError:
            return True
        await asyncio.sleep(0.02)
    return False


@pytest.mark.rule("keys.7")
async def test_a_command_ends_with_its_shell_and_takes_its_children_along(tmp_path: Path) -> None:
    """A child in the background that holds the output open is neither waited for nor left."""
    started = time.monotonic()
    command = f"!sleep 77 & echo $! > {tmp_path}/pid; echo key"
    assert await resolve(command, {}, what="k", may_run=True) == Success("key")
    assert time.monotonic() - started < 5
    assert await gone(int((tmp_path / "pid").read_text()))


@pytest.mark.rule("keys.7")
async def test_a_child_that_left_the_group_is_not_waited_for() -> None:
    """It may keep the output open for as long as it likes."""
    started = time.monotonic()
    command = "!setsid sleep 8 & echo key"
    assert await resolve(command, {}, what="k", may_run=True) == Success("key")
    assert time.monotonic() - started < 5


@pytest.mark.rule("keys.6")
async def test_cancelling_ends_the_children_of_a_command(tmp_path: Path) -> None:
    """Those in the background as well."""
    command = f"!sleep 77 & echo $! > {tmp_path}/pid; sleep 60"
    task = asyncio.create_task(resolve(command, {}, what="k", may_run=True))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await gone(int((tmp_path / "pid").read_text()))


@pytest.mark.rule("keys.3")
async def test_a_long_output_is_read_whole() -> None:
    """More than a pipe holds, and what was written last."""
    command = "!head -c 300000 /dev/zero | tr '\\0' a; echo end"
    outcome = await resolve(command, {}, what="k", may_run=True)
    assert outcome == Success("a" * 300_000 + "end")


@pytest.mark.rule("keys.7")
def test_commands_leave_nothing_open() -> None:
    """Python in its strictest mode has nothing to say afterwards."""
    program = (
        "import asyncio\n"
        "from native_web_search.adapters.registries.key_template import resolve\n"
        "for c in ('!echo k', '!sleep 77 & echo k', '!setsid sleep 3 & echo k', '!false'):\n"
        "    asyncio.run(resolve(c, {}, what='k', may_run=True))\n"
    )
    strict = [sys.executable, "-X", "dev", "-W", "error", "-c", program]
    done = subprocess.run(strict, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")

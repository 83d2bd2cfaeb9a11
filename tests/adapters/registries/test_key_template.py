"""Keys written as templates, in pi's notation."""

import asyncio
import time

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

"""Keys that are written as templates, in pi's notation.

`$NAME` and `${NAME}` stand for a variable, `$$` for a dollar sign and `$!` for an exclamation
mark; anything else is literal, a lone `$` and a broken `${` included. A template that begins with
`!` is a shell command whose output is the key.
"""

import asyncio
import os
import re
import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import cast

from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Outcome, Success

COMMAND_SECONDS = 10.0  # as long as pi waits for a key command
DRAIN_SECONDS = 0.5  # for what a shell that ended left in its pipe; nobody should hold that by then

PLACE = re.compile(r"\$(?:\$|!|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")


def is_command(template: str) -> bool:
    """Whether resolving the template means running a command."""
    return template.startswith("!")


def missing_variables(template: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The variables that a template needs and the environment does not have, or has blank."""
    names = (first or second for first, second in PLACE.findall(template))
    return tuple(name for name in names if name and not environ.get(name, "").strip())


def expanded(template: str, environ: Mapping[str, str]) -> str:
    """The template with its variables filled in; the missing ones are empty."""

    def fill(place: re.Match[str]) -> str:
        name = place[1] or place[2]
        return environ.get(name, "") if name else place[0][1]

    return PLACE.sub(fill, template)


async def resolve(
    template: str, environ: Mapping[str, str], *, what: str, may_run: bool
) -> Outcome[str, CredentialUnresolved]:
    """The key that a template stands for; `what` names it in the message of a failure."""
    if is_command(template):
        return await _output(template[1:].strip(), what, may_run=may_run)
    missing = missing_variables(template, environ)
    if missing:
        return Failure(
            CredentialUnresolved(
                f"{what} needs the environment variable {missing[0]}, which is unset"
            )
        )
    return Success(expanded(template, environ).strip())


async def _output(command: str, what: str, *, may_run: bool) -> Outcome[str, CredentialUnresolved]:
    if not may_run:
        return Failure(CredentialUnresolved(f"{what} is a command, and running commands is off"))
    shell = await _started(command)
    try:
        async with asyncio.timeout(COMMAND_SECONDS):
            await shell.ended.wait()
    except TimeoutError:
        return Failure(CredentialUnresolved(f"the command of {what} did not end within 10 s"))
    finally:
        await _ended(shell)
    key = shell.output.decode("utf-8", "replace").strip()
    if shell.transport.get_returncode() != 0 or not key:
        return Failure(CredentialUnresolved(f"the command of {what} gave no key"))
    return Success(key)


class _Shell(asyncio.SubprocessProtocol):
    """A running command. It has ended when the shell has, whoever still holds its pipe."""

    transport: asyncio.SubprocessTransport

    def __init__(self) -> None:
        self.output = bytearray()
        self.ended = asyncio.Event()
        self.closed = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002 - asyncio's form
        self.output += data

    def process_exited(self) -> None:
        self.ended.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's form
        self.closed.set()


async def _started(command: str) -> _Shell:
    _transport, shell = await asyncio.get_running_loop().subprocess_shell(
        _Shell,
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    return shell


async def _ended(shell: _Shell) -> None:
    """Leave no process behind, the shell's children included, whatever ended the wait.

    Only then does the pipe come to its end, unless a child left the group and took it along.
    """
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(shell.transport.get_pid(), signal.SIGKILL)
        else:
            shell.transport.kill()
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            await shell.closed.wait()
    except TimeoutError:
        pass
    finally:
        shell.transport.close()
    await shell.closed.wait()

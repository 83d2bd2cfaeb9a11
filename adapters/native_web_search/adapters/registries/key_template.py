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

from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Outcome, Success

COMMAND_SECONDS = 10.0  # as long as pi waits for a key command

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
    process = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(COMMAND_SECONDS):
            output, _nothing = await process.communicate()
    except TimeoutError:
        return Failure(CredentialUnresolved(f"the command of {what} did not end within 10 s"))
    finally:
        await _ended(process)
    key = output.decode("utf-8", "replace").strip()
    if process.returncode != 0 or not key:
        return Failure(CredentialUnresolved(f"the command of {what} gave no key"))
    return Success(key)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Leave no process behind, the shell's children included, whatever ended the wait."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()

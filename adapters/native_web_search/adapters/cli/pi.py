"""`native-web-search pi`: our extension in pi's agent folder."""

import os
import sys
from typing import Annotated, NoReturn

import typer

from native_web_search.adapters.hosts.pi.installation import Installation, State
from native_web_search.domain.outcome import Failure, Outcome, Success

DONE, REFUSED = 0, 1

app = typer.Typer(help="Offer the tool in pi.", no_args_is_help=True)


@app.command()
def install(
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Even if another extension seems to bring the tool.")
    ] = False,
) -> None:
    """Put the extension where pi finds it; run it again after an upgrade."""
    _finish(_installation().install(force=force))


@app.command()
def uninstall() -> None:
    """Take the extension away again."""
    _finish(_installation().uninstall())


@app.command()
def status() -> None:
    """Say what is installed; the exit code says if pi has the tool."""
    here = _installation()
    state = here.state()
    print(f"Extension: {here.path}: {state.value}")
    print(f"Python: {here.python}")
    for other in here.others():
        print(f"Another extension seems to bring the tool: {other}")
    raise typer.Exit(DONE if state is State.CURRENT else REFUSED)


def _installation() -> Installation:
    return Installation.of(os.environ, sys.executable)


def _finish(outcome: Outcome[str, str]) -> NoReturn:
    match outcome:
        case Success(said):
            print(said)
            raise typer.Exit(DONE)
        case Failure(why_not):
            print(why_not, file=sys.stderr)
            raise typer.Exit(REFUSED)

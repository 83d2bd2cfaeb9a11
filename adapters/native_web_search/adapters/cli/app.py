"""The verbs of the command line, and nothing of what they do: that is imported when it is
asked for, so that no verb waits for what another one needs.
"""

import asyncio
from collections.abc import Coroutine
from typing import Annotated, NoReturn

import typer

from native_web_search.adapters.cli import pi as pi_extension
from native_web_search.adapters.cli.mcp_config import SchemaName
from native_web_search.adapters.compose import SettingsError
from native_web_search.adapters.hosts.mcp_address import LOOPBACK, PORT, Address
from native_web_search.domain.version import __version__

INTERRUPTED = 130  # what shells say of a program that was stopped by Ctrl-C
REFUSED = 2
PI_HELP = "Use the models and logins of pi, read from its files."

app = typer.Typer(
    help="One web search over the providers that you have already logged in to.",
    epilog=(
        "Exit codes: 0 an answer; 1 the search failed or the input was refused; 2 a wrong "
        "command line; 3 no provider is available; 130 interrupted."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)

app.add_typer(pi_extension.app, name="pi")


def _version(asked: bool) -> None:  # noqa: FBT001 - the form that typer calls back
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _main(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def _finish(work: Coroutine[object, object, int]) -> NoReturn:
    try:
        code = asyncio.run(work)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SettingsError as error:
        typer.echo(f"The settings make no sense: {error}", err=True)
        code = REFUSED
    raise typer.Exit(code)


def _not_both(*, pi: bool, simulate: bool) -> None:
    if pi and simulate:
        message = "--pi and --simulate exclude each other"
        raise typer.BadParameter(message)


@app.command()
def search(  # noqa: PLR0913 - one parameter for each option
    query: Annotated[str | None, typer.Argument(help="What to search for.")] = None,
    *,
    url: Annotated[
        list[str] | None, typer.Option("--url", help="A page to analyze; may be repeated.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result alone, without colours or a summary.")
    ] = False,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Ask the built-in simulator; no key, no network.")
    ] = False,
    provider: Annotated[
        str | None, typer.Option("--provider", help="Use this provider id alone.")
    ] = None,
    pi: Annotated[bool, typer.Option("--pi", help=PI_HELP)] = False,
) -> None:
    """Search the web, analyze URLs, or both."""
    from native_web_search.adapters.cli import search as searching

    _not_both(pi=pi, simulate=simulate)
    ask = searching.Ask(query, tuple(url or ()), as_json, simulate, provider, pi)
    _finish(searching.run(ask))


@app.command()
def doctor(
    *,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Report on the built-in simulator.")
    ] = False,
    pi: Annotated[bool, typer.Option("--pi", help=PI_HELP)] = False,
) -> None:
    """Show what is found: models, credentials, exposure, order, cooldowns, preferences."""
    from native_web_search.adapters.cli import doctor as doctor_report

    _not_both(pi=pi, simulate=simulate)
    _finish(doctor_report.run(simulate=simulate, pi=pi))


@app.command()
def mcp(  # noqa: PLR0913 - one parameter for each option
    *,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, not over standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(help="The name that clients use, with --http.")] = LOOPBACK,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="With --http; 0 picks a free one.")
    ] = PORT,
    schema: Annotated[
        SchemaName,
        typer.Option(help="The form of the tool: what can work now, or always the same."),
    ] = "auto",
    model: Annotated[
        str | None, typer.Option(help="The conversation's model, as provider/id.")
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Ask the built-in simulator; no key, no network.")
    ] = False,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print settings for MCP clients and end.")
    ] = False,
) -> None:
    """Serve the tool to an MCP client."""
    from native_web_search.adapters.cli import mcp as mcp_server

    address = Address(host, port) if http else None
    serve = mcp_server.Serve(address, schema, model, simulate)
    if print_config:
        mcp_server.show_config(serve)
    else:
        _finish(mcp_server.run(serve))


@app.command()
def simulate(
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="The port to listen on; 0 picks a free one.")
    ] = 8765,
    scenario: Annotated[
        str | None, typer.Option(help="A JSON file of scripted faults for each provider.")
    ] = None,
) -> None:
    """Run the provider simulator on loopback until interrupted."""
    from native_web_search.adapters.cli import simulate as simulating

    _finish(simulating.run(port, scenario))


@app.command()
def demo() -> None:
    """Tell the whole story of the tool against the simulator, in a few seconds."""
    from native_web_search.adapters.cli import demo as demo_story

    _finish(demo_story.run())

"""`native-web-search mcp`: the tool for MCP clients, and what to write into their settings."""

import logging
import os
import signal
import sys
from contextlib import AsyncExitStack
from importlib import import_module

from attrs import frozen

from native_web_search.adapters.cli.consoles import plain_console
from native_web_search.adapters.cli.mcp_config import Launch, SchemaName, snippets
from native_web_search.adapters.compose import Arguments, open_web_search
from native_web_search.adapters.hosts.mcp_address import Address
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.exposure import Exposure

SERVED, UNREADABLE, REFUSED = 0, 1, 2
EXTRA = frozenset({"mcp", "mcp_types", "uvicorn"})

CLOSED = "The input could not be read: standard input is closed"

log = logging.getLogger("native_web_search")
errors = plain_console(stderr=True)


@frozen
class Serve:
    """What the command line asked for; without an address, the standard input and output."""

    address: Address | None
    schema: SchemaName
    model: str | None
    simulate: bool


def show_config(serve: Serve) -> None:
    """Print what common clients want in their settings to start this server, or to reach it."""
    options = [] if serve.schema == "auto" else ["--schema", serve.schema]
    options += [] if serve.model is None else ["--model", serve.model]
    options += ["--simulate"] if serve.simulate else []
    url = None if serve.address is None else serve.address.url
    sys.stdout.write(snippets(Launch(tuple(options), os.environ, url)))


async def run(serve: Serve) -> int:
    """Serve until the client leaves or a signal comes; the exit code says if it could begin."""
    if not _installed():
        errors.print("The MCP server needs an extra: pip install 'native-web-search[cli,mcp]'")
        return REFUSED
    if serve.address is None and vars(sys)["stdin"] is None:  # it was closed before we started
        errors.print(CLOSED)
        return UNREADABLE
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    log.setLevel(logging.INFO)
    async with AsyncExitStack() as stack:
        try:
            web = await _opened(serve, stack)
        except ValueError as error:
            errors.print(f"The MCP server cannot start: {error}")
            return REFUSED
        return await _serve(serve, web)


def _installed() -> bool:
    try:
        import_module("native_web_search.adapters.hosts.mcp_serving")
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in EXTRA:
            raise
        return False
    return True


async def _opened(serve: Serve, stack: AsyncExitStack) -> WebSearch:
    """The tool over the user's providers, or over a simulator of its own."""
    if serve.simulate:
        from native_web_search.adapters.cli.simulated import APART, simulated_registry

        registry = await stack.enter_async_context(simulated_registry(serve.model))
        web = await stack.enter_async_context(open_web_search(registry, **APART))
    else:
        arguments: Arguments = {} if serve.model is None else {"model": serve.model}
        web = await stack.enter_async_context(open_web_search(**arguments))
    if serve.model is not None and web.registry.current() is None:
        message = f"nobody is known to have the model {serve.model}"
        raise ValueError(message)
    return web


async def _serve(serve: Serve, web: WebSearch) -> int:
    from native_web_search.adapters.hosts import mcp_serving  # an optional extra
    from native_web_search.adapters.hosts.mcp import Schema, ToolServer

    shown, reason = await web.exposure()
    if shown is Exposure.HIDDEN:
        log.warning("%s is hidden. %s Ask: native-web-search doctor", web.name, reason)
    tool = ToolServer(web, Schema(serve.schema))
    if serve.address is None:
        # The thread that reads the standard input cannot be cancelled: Ctrl-C ends the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        await mcp_serving.serve_stdio(tool)
        return SERVED
    try:
        await mcp_serving.serve_http(tool, serve.address, announcing=_announce)
    except OSError as error:
        errors.print(f"The MCP server cannot listen at {serve.address.url}: {error}")
        return REFUSED
    return SERVED


def _announce(url: str) -> None:
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()

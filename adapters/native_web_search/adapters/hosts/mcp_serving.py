"""The two ways to reach an MCP server: standard input and output, and HTTP."""

import asyncio
import logging
import socket
from collections.abc import Callable

import uvicorn
from attrs import evolve
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from native_web_search.adapters.hosts.mcp import ToolServer
from native_web_search.adapters.hosts.mcp_address import PATH, Address

LAST_WORDS_SECONDS = 2  # for calls still running when the server is told to end


async def serve_stdio(tool: ToolServer) -> None:
    """Serve one client until it closes the standard input, and cancel what it still asked for.

    While this runs, what others write to the standard output goes to the standard error.
    """
    async with stdio_server() as (incoming, outgoing):
        await tool.server.run(incoming, outgoing, tool.server.create_initialization_options())


async def serve_http(
    tool: ToolServer, address: Address, *, announcing: Callable[[str], None]
) -> None:
    """Serve any number of clients over streamable HTTP until cancelled or told by a signal.

    `announcing` is told the URL once connections are accepted. Raises `OSError` where one cannot
    listen. Nobody is asked who they are: whoever reaches the port uses the owner's providers.
    """
    security = TransportSecuritySettings(
        allowed_hosts=address.hosts, allowed_origins=address.origins
    )
    app = tool.server.streamable_http_app(streamable_http_path=PATH, transport_security=security)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=LAST_WORDS_SECONDS
    )
    with address.listen() as listening:
        announcing(evolve(address, port=listening.getsockname()[1]).url)
        await _Serving(config, tool).serve(sockets=[listening])
        # The interrupt that ended it is handed on now: here, and not amid the caller's clearing up.
        await asyncio.sleep(0)


class _Serving(uvicorn.Server):
    """Ends the event streams of its clients before it waits for the rest."""

    def __init__(self, config: uvicorn.Config, tool: ToolServer) -> None:
        super().__init__(config)
        self._tool = tool

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._tool.end_subscriptions()
        # Streams of the handshake era are cut off, which is no error worth a traceback.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)

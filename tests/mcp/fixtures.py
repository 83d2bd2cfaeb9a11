"""Serves the tool over HTTP under the names that the conformance suite calls.

The suite knows tools of its own, by name and without arguments. Here they are other names for
`web_search`, so that what it checks is our server all the way to a simulated provider. Two
providers fail before one serves: that makes the three steps of progress which it wants to see.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcp.server.context import CallNext, HandlerResult

from native_web_search.adapters.cli.simulated import simulated
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.hosts.mcp import Context, ToolServer
from native_web_search.adapters.hosts.mcp_address import Address
from native_web_search.adapters.hosts.mcp_serving import serve_http
from native_web_search.adapters.simulator.faults import Status
from native_web_search.adapters.simulator.simulator import Simulator

SEARCH = {"query": "output guard"}
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "test_simple_text": SEARCH,
    "test_tool_with_progress": SEARCH,
    "test_error_handling": {},
}


async def renamed(ctx: Context, call_next: CallNext) -> HandlerResult:
    params = dict(ctx.params or {})
    if ctx.method == "tools/call" and params.get("name") in ARGUMENTS:
        params |= {"name": "web_search", "arguments": ARGUMENTS[params["name"]]}
    return await call_next(replace(ctx, params=params))


def announce(url: str) -> None:
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()


async def main() -> None:
    async with Simulator() as simulator:
        for provider in ("deepseek", "ollama-cloud"):
            simulator.script_always(provider, Status(503))
        registry = simulated(simulator)
        async with open_web_search(
            registry, environ={}, preference_file=os.devnull, cooldown_ms=0
        ) as web:
            tool = ToolServer(web)
            tool.server.middleware.append(renamed)
            await serve_http(tool, Address(port=0), announcing=announce)


asyncio.run(main())

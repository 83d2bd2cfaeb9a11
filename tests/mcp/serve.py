"""Serves the tool over MCP for models that a file names, read anew at each request.

    python serve.py FILE [--http]

The file holds `url`, where a simulator listens, and `providers`, those that are logged in to.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.hosts.mcp import ToolServer
from native_web_search.adapters.hosts.mcp_address import Address
from native_web_search.adapters.hosts.mcp_serving import serve_http, serve_stdio
from native_web_search.adapters.simulator.catalogue import credential_at, models_at
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import Credential

POLL_SECONDS = 0.1


class FileRegistry:
    """Logged in to whom the file names at the moment."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def current(self) -> None:
        return None

    def available(self) -> tuple[ChatModel, ...]:
        told = json.loads(self._path.read_text("utf-8"))
        return tuple(one for one in models_at(told["url"]) if one.provider in told["providers"])

    async def credentials(self, model: ChatModel) -> Credential:
        return credential_at(json.loads(self._path.read_text("utf-8"))["url"], model.provider)


def announce(url: str) -> None:
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()


async def main() -> None:
    registry = FileRegistry(Path(sys.argv[1]))
    async with open_web_search(registry, environ={}, preference_file=os.devnull) as web:
        tool = ToolServer(web, poll_seconds=POLL_SECONDS)
        if "--http" in sys.argv:
            await serve_http(tool, Address(port=0), announcing=announce)
        else:
            await serve_stdio(tool)


asyncio.run(main())

"""What MCP clients want in their settings. Pure.

Most clients start a server with a handful of harmless variables and nothing else of their own
environment. So the settings name the variables that are set now, in each client's own way of
saying "the value that I have"; the values themselves are never shown.
"""

import json
from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.adapters.registries.variables import ALSO_NEEDED, variables_of
from native_web_search.application.settings import ALIAS, PREFIX

COMMAND = "native-web-search"
NAME = "web-search"
TOOL_SECONDS = 180  # what a call may take unless a setting says otherwise; Codex waits 60

OURS = (PREFIX, ALIAS, "AZURE_OPENAI_")
NETWORK = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file")

SchemaName: TypeAlias = Literal["auto", "full", "query"]

NO_KEY = "No key of a provider is set here. Set one first, and it will be named below."


@frozen
class Launch:
    """How a client gets to the server: by starting the command, or at `url`.

    `options` are those of the command; of `environ`, names are used and values are not.
    """

    options: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(factory=dict[str, str], repr=False)
    url: str | None = None

    @property
    def arguments(self) -> list[str]:
        return ["mcp", *self.options]

    @property
    def keys(self) -> list[str]:
        """The variables that are set and open a provider."""
        names = {name for model in catalogue() for name in variables_of(model.provider)}
        return sorted(name for name in names if self.environ.get(name, "").strip())

    @property
    def variables(self) -> list[str]:
        """The variables that are set and change what the server does, keys included."""
        needed = {name for names in ALSO_NEEDED.values() for name in names}
        others = (
            name
            for name, value in self.environ.items()
            if value.strip()
            and (name in needed or name.startswith(OURS) or name.lower() in NETWORK)
        )
        return sorted({*self.keys, *others})


@frozen
class Client:
    """A client with settings in JSON.

    `reference` is how it names a variable of its own environment; `command` and `http` are the
    types that it wants to be told, if any.
    """

    title: str
    key: str
    reference: str
    command: str | None = None
    http: str | None = None
    takes_url: bool = True

    def snippet(self, launch: Launch) -> str:
        entry = self._command(launch) if launch.url is None else self._url(launch.url)
        return json.dumps({self.key: {NAME: entry}}, indent=2)

    def _command(self, launch: Launch) -> dict[str, object]:
        entry: dict[str, object] = {"command": COMMAND, "args": launch.arguments}
        if launch.variables:
            entry["env"] = {name: self.reference.format(name) for name in launch.variables}
        return _typed(self.command, entry)

    def _url(self, url: str) -> dict[str, object]:
        return _typed(self.http, {"url": url})


CLIENTS = (
    Client("Claude Code: .mcp.json in the project", "mcpServers", "${{{}}}", http="http"),
    Client(
        "Claude Desktop: claude_desktop_config.json, with the values in place of <NAME>",
        "mcpServers",
        "<{}>",
        takes_url=False,
    ),
    Client("Cursor: .cursor/mcp.json or ~/.cursor/mcp.json", "mcpServers", "${{env:{}}}"),
    Client("VS Code: .vscode/mcp.json", "servers", "${{env:{}}}", command="stdio", http="http"),
)
CODEX = "Codex: ~/.codex/config.toml"


def snippets(launch: Launch) -> str:
    """A titled snippet for each client, to be merged into the file that its title names."""
    clients = [client for client in CLIENTS if client.takes_url or launch.url is None]
    parts = [(client.title, client.snippet(launch)) for client in clients]
    titled = [f"# {title}\n{text}\n" for title, text in [*parts, (CODEX, _codex(launch))]]
    return "\n".join([f"# {NO_KEY}\n"] * _lacks_key(launch) + titled)


def _lacks_key(launch: Launch) -> bool:
    return launch.url is None and "--simulate" not in launch.options and not launch.keys


def _codex(launch: Launch) -> str:
    """TOML, whose strings and lists of strings are written as in JSON."""
    pairs: dict[str, object] = {"command": COMMAND, "args": launch.arguments}
    if launch.url is not None:
        pairs = {"url": launch.url}
    elif launch.variables:
        pairs["env_vars"] = launch.variables
    pairs["tool_timeout_sec"] = TOOL_SECONDS
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs.items())
    return "\n".join([f"[mcp_servers.{NAME}]", *lines])


def _typed(kind: str | None, entry: dict[str, object]) -> dict[str, object]:
    return entry if kind is None else {"type": kind, **entry}

"""Where the MCP server listens over HTTP, and under which names it lets itself be called."""

import socket

from attrs import frozen

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = (LOOPBACK, "localhost", "[::1]")
PORT = 8766
PATH = "/mcp"
ANY_PORT = ":*"  # behind a forwarded port, clients name another one than we listen at


@frozen
class Address:
    """A name or address to listen at, and a port; port 0 is any free one.

    Requests under other names than the loopback's and this one are refused, so that no web page
    can reach the server by pointing a name of its own here. So `host` is the name that clients
    use, not a wildcard.
    """

    host: str = LOOPBACK
    port: int = PORT

    @property
    def url(self) -> str:
        """Where clients find the server."""
        return f"http://{self._name}:{self.port}{PATH}"

    @property
    def hosts(self) -> list[str]:
        """The Host headers to accept."""
        return [form for name in self._names for form in (name, name + ANY_PORT)]

    @property
    def origins(self) -> list[str]:
        """The Origin headers to accept, from pages of the same names."""
        return [f"{scheme}://{host}" for host in self.hosts for scheme in ("http", "https")]

    def listen(self) -> socket.socket:
        """A socket that takes connections from now on. Raises `OSError` where that cannot be."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        return socket.create_server((self.host, self.port), family=family)

    @property
    def _name(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*LOOPBACK_NAMES, self._name)))

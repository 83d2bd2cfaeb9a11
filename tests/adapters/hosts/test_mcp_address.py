"""Where the MCP server listens, and for whom."""

import pytest

from native_web_search.adapters.hosts.mcp_address import Address


@pytest.mark.rule("mcp.19")
def test_loopback_is_the_default() -> None:
    """One has to ask for anything else."""
    assert Address().url == "http://127.0.0.1:8766/mcp"


@pytest.mark.rule("mcp.19")
def test_the_names_are_those_of_the_loopback_and_its_own() -> None:
    """With and without a port, and never a wildcard for names."""
    address = Address("search.lan", 80)
    assert address.url == "http://search.lan:80/mcp"
    for name in ("127.0.0.1", "localhost", "[::1]", "search.lan"):
        assert {name, f"{name}:*"} <= set(address.hosts)
        assert {f"http://{name}", f"https://{name}:*"} <= set(address.origins)
    assert not any(host.startswith("*") for host in address.hosts + address.origins)
    assert "search.lan" not in Address().hosts


@pytest.mark.rule("mcp.19")
def test_an_ipv6_address_is_written_in_brackets() -> None:
    """As a URL and a Host header have it."""
    address = Address("::1", 1)
    assert address.url == "http://[::1]:1/mcp"
    assert address.hosts == Address().hosts


@pytest.mark.rule("mcp.19")
def test_it_listens_where_it_says() -> None:
    """On the address alone, at a free port if that is wanted."""
    with Address(port=0).listen() as listening:
        host, port = listening.getsockname()
    assert host == "127.0.0.1"
    assert port > 0

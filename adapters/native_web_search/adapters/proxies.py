"""Which proxy a request goes through.

The usual variables (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case) or the
system's settings, as the standard library finds them. Looked up here and not by the HTTP library,
whose own lookup also reads `~/.netrc` and sends passwords from it.
"""

import os
import re
from base64 import b64encode
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, getproxies_environment, proxy_bypass

from native_web_search.adapters.masking import LEAST
from native_web_search.adapters.outgoing import HOST, PORT, is_address
from native_web_search.domain.failure import Unreachable
from native_web_search.domain.outcome import Failure, Outcome, Success

# A password with a bare slash would make a host of the user name, and show it.
USER = r"(?:(?![/?#])[!-~])*@"
SUFFIX = b"_proxy"
PROXY = re.compile(rf"(?i:https?)://(?:{USER})?{HOST}{PORT}/?")


def proxy_for(url: str) -> Outcome[str | None, Unreachable]:
    """The proxy for an address that has been checked, or none; a setting that is no address of
    an HTTP proxy fails, and is not shown, since it may hold a password.
    """
    address = urlsplit(url)
    proxies = _proxies()
    name = address.scheme if address.scheme in proxies else "all"
    proxy = proxies.get(name)
    if proxy is None or _is_exempt(address.hostname or "", address.netloc, proxies.get("no", "")):
        return Success(None)
    if is_address(PROXY, proxy):
        return Success(proxy)
    message = f"{name.upper()}_PROXY is not usable: set it to http://host:port, or unset it"
    return Failure(Unreachable(f"{message}; other kinds of proxies, such as SOCKS, do not work"))


def proxy_secrets() -> tuple[str, ...]:
    """User names with their passwords, and passwords, in all forms in which a proxy that repeats
    what it was sent may show them.
    """
    found = (form for proxy in _proxies().values() for form in _forms(proxy))
    return tuple(secret for secret in dict.fromkeys(found) if len(secret) >= LEAST)


def _proxies() -> dict[str, str]:
    """What the standard library finds. It reads the whole environment four times; where nothing
    but that counts, a look at the names saves it a tenth of a small search.
    """
    if getproxies is getproxies_environment and os.supports_bytes_environ:
        return getproxies() if SUFFIX in b" ".join(os.environb).lower() else {}
    return getproxies()


def _forms(proxy: str) -> Iterator[str]:
    both = proxy.rpartition("@")[0].rpartition("//")[2]
    for written in (both, unquote(both)):
        yield written
        yield written.partition(":")[2]
        yield b64encode(written.encode("latin-1", "replace")).decode()


def _is_exempt(host: str, netloc: str, no_proxy: str) -> bool:
    """By name, name and port, or domain, as the standard library does; by address range, too."""
    if proxy_bypass(netloc):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(_covers(entry.strip(), address) for entry in no_proxy.split(","))


def _covers(entry: str, address: object) -> bool:
    try:
        return address in ip_network(entry, strict=False)
    except ValueError:
        return False

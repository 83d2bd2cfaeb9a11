"""One document on a Valkey or Redis server, read and replaced as a whole.

Everything is one small script, so that each question is one round trip on a connection that is in
no particular state before and after it: whoever is cancelled or late leaves nothing watched, locked
or half sent. A refused swap brings back what is there instead, with the time, so that the next try
needs no reading. The script is sent with each question; one that was loaded before would be
unknown to a server that was restarted or flushed.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from socket import gaierror
from ssl import SSLError
from typing import Any, Final, Protocol, cast

from attrs import define, field, frozen
from valkey.asyncio import ConnectionPool, Valkey
from valkey.asyncio.connection import (
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,
)
from valkey.exceptions import AuthenticationError, ValkeyError
from valkey.exceptions import ConnectionError as NoConnection
from valkey.exceptions import TimeoutError as NoAnswer

from native_web_search.adapters.aiohttp_failures import place
from native_web_search.adapters.per_loop import PerLoop
from native_web_search.adapters.stores.dated_ledger import MAX_BYTES
from native_web_search.adapters.stores.health_url import (
    HOST,
    NO_PLACE,
    PORTS,
    UNKNOWN,
    flaw_in,
    wanted,
)
from native_web_search.domain.outcome import Failure, Outcome, Success

# What is under the key but is no string, or longer than any document, reads as `!`, which is no
# document: it is not sent, and its like is not even copied. An empty value is gone at once.
SCRIPT: Final = f"""
local held = redis.pcall('GETRANGE', KEYS[1], 0, {MAX_BYTES})
if type(held) == 'table' then
  if not string.find(held.err, 'WRONGTYPE', 1, true) then return held end
  held = '!'
end
if #held > {MAX_BYTES} then held = '!' end
local swapped = 0
if ARGV[1] == held then
  local life = ARGV[2] == '' and 1 or ARGV[3]
  redis.call('SET', KEYS[1], ARGV[2], 'PX', life)
  swapped = 1
end
local time = redis.call('TIME')
return {{swapped, time[1], time[2], held}}
"""


@frozen
class Held:
    """What the server held when its clock said so many microseconds; empty if nothing.

    `swapped` if it was replaced just then.
    """

    document: bytes
    server: int
    swapped: bool


class Client(Protocol):
    """The part of the Valkey client that is used."""

    async def execute_command(self, *arguments: bytes | str | int) -> object: ...

    async def aclose(self) -> None: ...


@frozen(eq=False)
class Link:
    """The connection of one event loop, and who may ask on it."""

    client: Client
    free: asyncio.Lock


@define(eq=False)
class ValkeyServer:
    """A server, for any number of event loops and threads. Raises whatever its client raises.

    `place` is the address without user and password. No step takes longer than `seconds`.
    """

    place: str
    key: str
    seconds: float
    _options: dict[str, Any] = field(repr=False)
    _links: PerLoop[Link] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._links = PerLoop(self._open, self._close)

    async def read(self) -> Held:
        """One round trip."""
        return await self._run()

    async def swap(self, held: bytes, wanted: bytes, milliseconds: int) -> Held:
        """Replace what is held, if that is still so, for so long; one round trip."""
        return await self._run(held, wanted, milliseconds)

    async def prove(self) -> None:
        """Raise unless the server lets us write. What is there stays; one round trip."""
        await self._command("SET", self.key, "", "NX", "PX", 1)

    async def aclose(self) -> None:
        """Close all connections once their questions are answered. Asking again opens new ones."""
        await self._links.aclose()

    async def _run(self, *arguments: bytes | int) -> Held:
        match await self._command("EVAL", SCRIPT, 1, self.key, *arguments):
            case [int(swapped), bytes(seconds), bytes(microseconds), bytes(document)]:
                server = int(seconds) * 1_000_000 + int(microseconds)
                return Held(document, server, swapped == 1)
            case _:
                message = "the script was not run"
                raise TypeError(message)

    async def _command(self, *words: bytes | str | int) -> object:
        link = await self._links.here()
        async with link.free:
            return await link.client.execute_command(*words)

    def _open(self) -> Link:
        client = cast("Client", Valkey.from_pool(ConnectionPool(**self._options)))
        return Link(client, asyncio.Lock())

    async def _close(self, link: Link) -> None:
        """Wait for the questions that are still open; new ones go elsewhere."""
        with suppress(TimeoutError, RuntimeError):
            async with asyncio.timeout(self.seconds):
                await link.free.acquire()
        with suppress(ValkeyError, OSError, RuntimeError):  # it is gone, or so is its loop
            await link.client.aclose()


def valkey_server(url: str, key: str, seconds: float) -> Outcome[ValkeyServer, str]:
    """The server at this URL, not connected yet; a failure says what is wrong with the URL.

    Options in the query are the client's own, `ssl_ca_certs` for example. A certificate must have
    the name of the host, unless `ssl_cert_reqs=none` asks for no certificate at all.
    """
    if flaw := flaw_in(url):
        return Failure(wanted(flaw))
    try:
        given = dict(cast("dict[str, Any]", parse_url(url)))
        kind: Callable[..., object] = given.pop("connection_class", Connection)
        given.pop("max_connections", None)  # there is one
        options = {**given, **_ours(kind, given, seconds)}
        kind(**options)  # connects to nobody, but tells what it does not know
    except (ValueError, TypeError, AttributeError, ValkeyError):
        return Failure(wanted(UNKNOWN))
    where = _place(kind, given)
    if where is None:
        return Failure(wanted(NO_PLACE))
    return Success(ValkeyServer(where, key, seconds, {"connection_class": kind, **options}))


def _place(kind: object, given: Mapping[str, Any]) -> str | None:
    """Where that is, for a line of the log; None if it is no place."""
    if kind is UnixDomainSocketConnection:
        path = str(given.get("path", ""))
        return path if path and path.isprintable() else None
    host, port = str(given.get("host", "localhost")), int(given.get("port", 6379))
    return place(host, port) if HOST.fullmatch(host) and port in PORTS else None


def reason_of(error: BaseException) -> str:
    """Why the server gave no answer, without a word that it or a URL may have said."""
    match error:
        case TimeoutError() | NoAnswer():
            return "no answer in time"
        case AuthenticationError():
            return "it refuses the user name or password"
        case NoConnection(__cause__=Exception() as cause):  # through a socket
            return reason_of(cause)
        case NoConnection(__context__=OSError() as reason):
            return _of_the_system(reason)
        case _:
            return type(error).__name__


def _of_the_system(error: OSError) -> str:
    """Errors of TLS and of names have texts, but no numbers, of their own."""
    if isinstance(error, SSLError | gaierror):
        return error.strerror or type(error).__name__
    return os.strerror(error.errno) if error.errno else "no connection"


def _ours(kind: object, given: dict[str, Any], seconds: float) -> dict[str, Any]:
    """What a URL cannot change.

    A kept connection may have died since: `retry_on_error` allows one more try on a fresh one.
    """
    fixed: dict[str, Any] = {
        "socket_timeout": None,  # it would send in a `wait_for`, which loses cancellations in 3.11
        "socket_connect_timeout": seconds,
        "retry": None,
        "retry_on_timeout": False,
        "retry_on_error": [NoConnection],
        "decode_responses": False,
        "protocol": 2,
        "lib_name": None,  # saves what each new connection would have to say first
        "lib_version": None,
    }
    if kind is SSLConnection:
        fixed["ssl_check_hostname"] = given.get("ssl_cert_reqs") != "none"
    return fixed

"""The one way to the network.

One request is one POST, in one slot of its lane, under one clock that starts with the slot:

    refusal -> proxy -> slot -> [ connect -> send -> head -> pieces -> answer ] -> hang up
                                 the clock, or a cancellation, may end this

What the network throws becomes a failure by one table; what a decoder throws is a bug and passes
through. Either way the connection is closed, unless the body was read to its end. aiohttp is kept
from everything that it would do on its own: redirects, cookies, `~/.netrc`, its timeouts,
decompression, rewriting of addresses, headers of its own.
"""

import asyncio
import io
import ssl
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import aiohttp
from attrs import define, field, frozen, validators
from yarl import URL

from native_web_search.adapters.aiohttp_failures import (
    FOREIGN,
    failure_of,
    is_dead_connection,
    place,
)
from native_web_search.adapters.content_coding import OFFERED, DecodedBody, coding_of
from native_web_search.adapters.lanes import Lanes, default_slots
from native_web_search.adapters.outgoing import FRAMING_HEADERS, refusal_of
from native_web_search.adapters.per_loop import PerLoop
from native_web_search.adapters.proxies import proxy_for
from native_web_search.adapters.reading import answer
from native_web_search.domain.failure import AttemptFailure, TimedOut, Unreachable, Unreadable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import HttpRequest, ResponseDecoder, ResponseHead

A = TypeVar("A")

TIMEOUT_SECONDS = 60.0
MAX_BYTES = 33_554_432  # 32 MiB: far above any real answer, far below what hurts
MAX_FIELD_BYTES = 65_536  # one response header; gateways send policies of many kilobytes
# A kept connection that the far side closed while it lay idle says so within one round trip. Who
# ends it later may have worked on the request, and is paid once.
STALE_SECONDS = 1.0
PROXY_REFUSES = 407  # its body may repeat the password
LARGE_BODY_BYTES = 1_048_576  # above it, aiohttp asks for a file, which it writes in turns


@define(eq=False)
class AiohttpTransport:
    """An `HttpTransport` for any number of event loops and threads.

    `timeout` is seconds for one request, from the moment that it has its slot; `max_bytes` is
    what one body may hold after decompression; `slots` gives the size of a lane.
    """

    timeout: float = field(
        default=TIMEOUT_SECONDS, validator=[validators.gt(0), validators.lt(float("inf"))]
    )
    max_bytes: int = field(default=MAX_BYTES, validator=validators.ge(1))
    slots: Callable[[str], int] = default_slots
    _homes: "PerLoop[_Home]" = field(init=False, repr=False)
    _certificates: ssl.SSLContext | None = field(init=False, default=None, repr=False)

    def __attrs_post_init__(self) -> None:
        self._homes = PerLoop(lambda: _Home(Lanes(self.slots)), _Home.aclose)

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        refused = refusal_of(request, lane)
        if refused is not None:
            return Failure(refused)
        match proxy_for(request.url):
            case Failure(unusable):
                return Failure(unusable)
            case Success(proxy):
                call = _Call(request, proxy, self._tls(request.url, proxy))
                home = await self._homes.here()
                async with home.lanes.slot(lane):
                    return await self._in_time(home, call, decoder)

    async def aclose(self) -> None:
        """Close the sessions of all loops; what is in flight fails, a later `send` opens a new
        one. A loop that ends the way `asyncio.run` ends it has closed its session already.
        """
        await self._homes.aclose()

    async def _in_time(
        self, home: "_Home", call: "_Call", decoder: ResponseDecoder[A]
    ) -> Outcome[A, AttemptFailure]:
        clock = asyncio.timeout(self.timeout)
        try:
            async with clock:
                return await self._exchange(home, call, decoder, clock)
        except TimeoutError:
            if not clock.expired():
                raise
            message = f"no complete answer from {call.where} within {self.timeout:g} seconds"
            return Failure(TimedOut(message))

    async def _exchange(
        self, home: "_Home", call: "_Call", decoder: ResponseDecoder[A], clock: asyncio.Timeout
    ) -> Outcome[A, AttemptFailure]:
        response = await _post(home, call)
        if not isinstance(response, aiohttp.ClientResponse):
            return Failure(response)
        try:
            if response.status == PROXY_REFUSES and call.proxy:
                return Failure(Unreachable(f"HTTP 407: the proxy {call.via} refused the request"))
            coding = coding_of(",".join(response.headers.getall("Content-Encoding", ())))
            if coding is None:
                message = f"HTTP {response.status} in a compression that was not offered"
                return Failure(Unreadable(message))
            pull = partial(_pull, response, call)
            body = DecodedBody(pull, coding, self.max_bytes)
            return await answer(_head(response), body, decoder, clock)
        finally:
            if not response.closed:  # as it is once it was read to its end
                response.close()

    def _tls(self, *addresses: str | None) -> ssl.SSLContext | bool:
        """Whom to trust, read when it is first needed: aiohttp reads it at import, and a program
        may set `SSL_CERT_FILE` later.
        """
        if not any(address and address.lower().startswith("https:") for address in addresses):
            return True
        self._certificates = self._certificates or ssl.create_default_context()
        return self._certificates


@frozen(eq=False)
class _Home:
    """What belongs to one event loop. `fresh` shares no connection with any other request."""

    lanes: Lanes
    pooled: aiohttp.ClientSession = field(factory=lambda: _session(force_close=False), init=False)
    fresh: aiohttp.ClientSession = field(factory=lambda: _session(force_close=True), init=False)

    async def aclose(self) -> None:
        await self.pooled.close()
        await self.fresh.close()


class _Response(aiohttp.ClientResponse):
    """A response whose `close` is final, if its connection is not back in the pool already:
    closing gently waits for the far side, with TLS for half a minute.
    """

    def close(self) -> None:
        transport = self.connection and self.connection.transport
        if transport:
            transport.abort()
        super().close()


def _session(*, force_close: bool) -> aiohttp.ClientSession:
    traces = aiohttp.TraceConfig()
    traces.on_connection_reuseconn.append(_note_reuse)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, force_close=force_close),  # lanes limit
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),  # our clock alone
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("Accept", "Content-Type", "User-Agent"),
        auto_decompress=False,
        trust_env=False,
        max_line_size=MAX_FIELD_BYTES,
        max_field_size=MAX_FIELD_BYTES,
        trace_configs=[traces],
        response_class=_Response,
    )


@define
class _Seen:
    """What aiohttp told us about one sending: when, by the loop's clock, it took a kept connection,
    if it did.
    """

    reused_at: float | None = None

    def is_stale(self, error: Exception) -> bool:
        """Whether this error, met just now, means that the connection was taken when dead."""
        if self.reused_at is None or not is_dead_connection(error):
            return False
        return asyncio.get_running_loop().time() - self.reused_at <= STALE_SECONDS


async def _note_reuse(_session: object, context: object, _parameters: object) -> None:
    seen = getattr(context, "trace_request_ctx", None)
    if isinstance(seen, _Seen):
        seen.reused_at = asyncio.get_running_loop().time()


@frozen
class _Call:
    """A request, the way that it takes, and whom to trust on it."""

    request: HttpRequest = field(repr=False)
    proxy: str | None = field(repr=False)
    tls: ssl.SSLContext | bool

    @property
    def url(self) -> URL:
        return URL(self.request.url, encoded=True)  # not yarl's idea of it: byte for byte

    @property
    def where(self) -> str:
        return _place(self.url)

    @property
    def via(self) -> str:
        return _place(URL(self.proxy or ""))

    async def post(self, session: aiohttp.ClientSession, seen: _Seen) -> aiohttp.ClientResponse:
        body = self.request.body
        ours = [pair for pair in self.request.headers if pair[0].lower() not in FRAMING_HEADERS]
        return await session.post(
            self.url,
            data=body if len(body) <= LARGE_BODY_BYTES else io.BytesIO(body),
            headers=[*ours, ("Accept-Encoding", OFFERED)],
            proxy=self.proxy,
            ssl=self.tls,
            allow_redirects=False,
            trace_request_ctx=seen,
        )


async def _post(home: _Home, call: _Call) -> aiohttp.ClientResponse | AttemptFailure:
    """Send, and once more on a fresh connection if a kept one turned out to be dead."""
    seen = _Seen()
    try:
        return await call.post(home.pooled, seen)
    except FOREIGN as error:
        if not seen.is_stale(error):
            return failure_of(error, call.where)
    try:
        return await call.post(home.fresh, seen)
    except FOREIGN as error:
        return failure_of(error, call.where)


def _place(url: URL) -> str:
    return place(url.raw_host, url.port)  # as it is written: not every host can be decoded


def _head(response: aiohttp.ClientResponse) -> ResponseHead:
    headers: dict[str, str] = {}
    for name, value in response.headers.items():
        key, text = name.lower(), value.encode(errors="surrogateescape").decode(errors="replace")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return ResponseHead(response.status, headers)


async def _pull(response: aiohttp.ClientResponse, call: _Call) -> bytes | AttemptFailure:
    try:
        return await response.content.readany()
    except FOREIGN as error:
        return failure_of(error, call.where)

"""What the network raises, as failures.

One table, most specific first. The texts of these exceptions hold whole addresses, headers or the
answer's bytes, so none of them is passed on: we say what happened in our own words, with the host
and the port, and the operating system's or the TLS library's reason where there is one.
"""

import os
import socket
import ssl

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from attrs import frozen

from native_web_search.domain.failure import AttemptFailure, Unreachable, Unreadable


@frozen
class _Row:
    error: type[Exception]
    says: str
    kind: type[Unreachable | Unreadable] = Unreachable


TABLE = (
    _Row(aiohttp.ClientConnectorDNSError, "cannot find the host of {peer}: {reason}"),
    _Row(aiohttp.ClientProxyConnectionError, "cannot connect to the proxy {peer}: {reason}"),
    _Row(
        aiohttp.ClientConnectorCertificateError,
        "the certificate of {peer} is not trusted: {reason}; SSL_CERT_FILE can name a private CA",
    ),
    _Row(aiohttp.ClientSSLError, "no TLS connection to {peer}: {reason}"),
    _Row(aiohttp.ClientConnectorError, "cannot connect to {peer}: {reason}"),
    _Row(aiohttp.ClientHttpProxyError, "the proxy does not connect to {peer}: {reason}"),
    _Row(aiohttp.ServerDisconnectedError, "{peer} closed the connection without an answer"),
    _Row(aiohttp.ClientPayloadError, "the answer of {peer} broke off in the middle"),
    _Row(aiohttp.ClientResponseError, "the answer of {peer} is not valid HTTP", Unreadable),
    _Row(HttpProcessingError, "the answer of {peer} is not valid HTTP", Unreadable),
    _Row(aiohttp.InvalidURL, "the address of {peer} is not usable"),
    _Row(OSError, "the connection to {peer} failed: {reason}"),
    _Row(aiohttp.ClientError, "the connection to {peer} failed: {reason}"),
    _Row(ValueError, "cannot talk to {peer}: {reason}"),
    _Row(RuntimeError, "cannot talk to {peer}: {reason}"),
)
FOREIGN = tuple(row.error for row in TABLE)


def failure_of(error: Exception, where: str) -> AttemptFailure:
    """The failure for one of `FOREIGN`, met while talking to `where` (host and port)."""
    row = next(row for row in TABLE if isinstance(error, row.error))
    if isinstance(error, aiohttp.ClientConnectorError):
        where = place(error.host, error.port)  # perhaps a proxy
    return row.kind(row.says.format(peer=where, reason=_reason(error)))


def place(host: str | None, port: int | None) -> str:
    return f"[{host}]:{port}" if host and ":" in host else f"{host}:{port}"


def is_dead_connection(error: Exception) -> bool:
    """Whether this is how a connection ends before any byte of an answer has come."""
    match error:
        case aiohttp.ServerDisconnectedError():
            return isinstance(error.message, str)  # otherwise the piece that has come
        case aiohttp.ClientOSError() | aiohttp.ClientConnectionResetError():
            return True
        case _:
            return False


def _reason(error: BaseException) -> str:
    match error:
        case aiohttp.ClientHttpProxyError():
            return f"HTTP {error.status}"
        case (
            aiohttp.ClientConnectorCertificateError(certificate_error=inner)
            | aiohttp.ClientConnectorError(os_error=inner)
        ):
            return _reason(inner)
        case (
            ssl.SSLCertVerificationError(verify_message=str() as text)
            | ssl.SSLError(reason=str() as text)
            | socket.gaierror(strerror=str() as text)
        ):
            return text
        case OSError(errno=int() as number) if number > 0 and not isinstance(error, ssl.SSLError):
            return os.strerror(number)
        case _:
            return type(error).__name__

"""Every exception of the network has its words, and none of them holds a secret."""

import errno
import socket
import ssl
import traceback

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.http_exceptions import BadStatusLine, LineTooLong, TransferEncodingError
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from native_web_search.adapters.aiohttp_failures import (
    FOREIGN,
    TABLE,
    failure_of,
    is_dead_connection,
    place,
)
from native_web_search.domain.failure import AttemptFailure, Unreachable, Unreadable

WHERE = "api.example:443"
SECRET = URL("https://api.example/v1?key=CANARY")
REASON = ssl.SSLError(1, "CANARY")
REASON.reason = "WRONG_VERSION_NUMBER"
KEY = ConnectionKey(
    "api.example", 443, is_ssl=True, ssl=True, proxy=None, proxy_auth=None, proxy_headers_hash=None
)
INFO = aiohttp.RequestInfo(SECRET, "POST", CIMultiDictProxy(CIMultiDict({"x-api-key": "CANARY"})))


def refused() -> OSError:
    return ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('CANARY', 443)")


def untrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "CANARY")
    error.verify_message = "self-signed certificate"
    return error


CASES: list[tuple[Exception, AttemptFailure]] = [
    (
        aiohttp.ClientConnectorDNSError(KEY, socket.gaierror(-2, "Name or service not known")),
        Unreachable("cannot find the host of api.example:443: Name or service not known"),
    ),
    (
        aiohttp.ClientProxyConnectionError(KEY, refused()),
        Unreachable("cannot connect to the proxy api.example:443: Connection refused"),
    ),
    (
        aiohttp.ClientConnectorCertificateError(KEY, untrusted()),
        Unreachable(
            "the certificate of api.example:443 is not trusted: self-signed certificate; "
            "SSL_CERT_FILE can name a private CA"
        ),
    ),
    (
        aiohttp.ClientConnectorSSLError(KEY, REASON),
        Unreachable("no TLS connection to api.example:443: WRONG_VERSION_NUMBER"),
    ),
    (
        aiohttp.ClientConnectorError(KEY, refused()),
        Unreachable("cannot connect to api.example:443: Connection refused"),
    ),
    (
        aiohttp.ClientConnectorError(KEY, OSError("Multiple exceptions: CANARY")),
        Unreachable("cannot connect to api.example:443: OSError"),
    ),
    (
        aiohttp.ClientHttpProxyError(INFO, (), status=407, message="CANARY"),
        Unreachable("the proxy does not connect to api.example:443: HTTP 407"),
    ),
    (
        aiohttp.ServerDisconnectedError(),
        Unreachable("api.example:443 closed the connection without an answer"),
    ),
    (
        aiohttp.ClientPayloadError("CANARY"),
        Unreachable("the answer of api.example:443 broke off in the middle"),
    ),
    (
        aiohttp.ClientResponseError(INFO, (), status=400, message="CANARY"),
        Unreadable("the answer of api.example:443 is not valid HTTP"),
    ),
    (
        LineTooLong(b"CANARY", 8190),
        Unreadable("the answer of api.example:443 is not valid HTTP"),
    ),
    (
        TransferEncodingError("CANARY"),
        Unreadable("the answer of api.example:443 is not valid HTTP"),
    ),
    (
        BadStatusLine("CANARY"),
        Unreadable("the answer of api.example:443 is not valid HTTP"),
    ),
    (
        aiohttp.InvalidURL(SECRET),
        Unreachable("the address of api.example:443 is not usable"),
    ),
    (
        aiohttp.ClientOSError(errno.ECONNRESET, "Can not write request body for CANARY"),
        Unreachable("the connection to api.example:443 failed: Connection reset by peer"),
    ),
    (
        aiohttp.ClientConnectionResetError("CANARY"),
        Unreachable("the connection to api.example:443 failed: ClientConnectionResetError"),
    ),
    (
        ssl.SSLError(1, "CANARY"),
        Unreachable("the connection to api.example:443 failed: SSLError"),
    ),
    (
        TimeoutError("CANARY"),
        Unreachable("the connection to api.example:443 failed: TimeoutError"),
    ),
    (
        BrokenPipeError(errno.EPIPE, "CANARY"),
        Unreachable("the connection to api.example:443 failed: Broken pipe"),
    ),
    (
        aiohttp.ClientConnectionError("Connection closed CANARY"),
        Unreachable("the connection to api.example:443 failed: ClientConnectionError"),
    ),
    (
        ValueError("CANARY"),
        Unreachable("cannot talk to api.example:443: ValueError"),
    ),
    (
        UnicodeError("CANARY"),
        Unreachable("cannot talk to api.example:443: UnicodeError"),
    ),
    (
        RuntimeError("Session is closed CANARY"),
        Unreachable("cannot talk to api.example:443: RuntimeError"),
    ),
]


@pytest.mark.rule("transport.22")
class TestTheTable:
    """One row for each kind of trouble."""

    @pytest.mark.parametrize(
        ("error", "failure"), CASES, ids=[type(error).__name__ for error, _ in CASES]
    )
    def test_says_what_happened_and_shows_nothing_else(
        self, error: Exception, failure: AttemptFailure
    ) -> None:
        """Our words, the host, the port and the system's reason; no address, header or answer."""
        assert failure_of(error, WHERE) == failure

    def test_puts_the_special_before_the_general(self) -> None:
        """No row is hidden behind one above it."""
        for index, row in enumerate(TABLE):
            assert not any(issubclass(row.error, above.error) for above in TABLE[:index])

    @pytest.mark.parametrize(
        "kind", [aiohttp.ClientError, OSError, ssl.SSLError, ValueError, UnicodeError]
    )
    def test_has_a_row_for_every_exception_of_the_network(self, kind: type[Exception]) -> None:
        """Whatever the library or the system raises next is an attempt's failure."""
        assert issubclass(kind, FOREIGN)

    @pytest.mark.parametrize("kind", [KeyError, TypeError, AssertionError, AttributeError])
    def test_has_none_for_bugs(self, kind: type[Exception]) -> None:
        """A mistake in a program is not reported as trouble with a provider."""
        assert not issubclass(kind, FOREIGN)

    def test_takes_no_cancellation_for_trouble(self) -> None:
        """Cancellation, and the end of the process, belong to the caller."""
        for kind in (BaseException, KeyboardInterrupt, GeneratorExit):
            assert not issubclass(kind, FOREIGN)


@pytest.mark.rule("transport.18")
@pytest.mark.parametrize(
    ("error", "dead"),
    [
        (aiohttp.ServerDisconnectedError(), True),
        (aiohttp.ClientOSError(errno.ECONNRESET, "reset"), True),
        (aiohttp.ClientOSError(errno.EPIPE, "pipe"), True),
        (aiohttp.ClientConnectionResetError("closing"), True),
        (aiohttp.ClientPayloadError("in the middle"), False),
        (aiohttp.ClientResponseError(INFO, (), status=400), False),
        (TimeoutError(), False),
    ],
)
def test_a_dead_connection_is_told_from_other_trouble(error: Exception, *, dead: bool) -> None:
    """Only what happens before the first byte of an answer counts."""
    assert is_dead_connection(error) == dead


def test_an_ipv6_host_is_shown_in_brackets() -> None:
    """Host and port are told apart, whatever the host."""
    assert place("::1", 80) == "[::1]:80"
    assert place("h", 443) == "h:443"


def test_the_canary_is_in_the_exceptions() -> None:
    """The exceptions above do hold what must not get out, so these tests can fail."""
    texts = "".join(map("".join, (traceback.format_exception(error) for error, _ in CASES)))
    assert texts.count("CANARY") > 10

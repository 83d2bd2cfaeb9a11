"""Redirects and cookies: what would take a key, or a trace of the user, elsewhere."""

from collections.abc import Iterator
from itertools import product

from native_web_search.adapters.testing.raw_server import RawConnection
from native_web_search.domain.family import Operation
from tests.matrix.faults import PAGE, End, Fault, Header, response, says
from tests.matrix.places import Place
from tests.matrix.stage import NO_CASE
from tests.matrix.statuses import end_of, turn_of

REDIRECTS = (300, 301, 302, 303, 305, 307, 308)

# Another host, as far as a client can tell. It is the same server, which knows its paths, and
# would notice a request that belongs to no case.
ELSEWHERE = "localhost:{port}/" + NO_CASE

TARGETS = (
    ("another host", f"http://{ELSEWHERE}/v1/responses"),
    ("another host, without a scheme", f"//{ELSEWHERE}"),
    ("another host, with a login", f"http://user:pass@{ELSEWHERE}"),
    ("another host, over TLS", f"https://{ELSEWHERE}"),
    ("the same host", f"/{NO_CASE}"),
    ("a path beside it", f"{NO_CASE}?again=1"),
    ("nowhere", ""),
    ("a script", "javascript:alert(1)"),
    ("a file", "file:///etc/passwd"),
    ("no address", "http://[::1"),
)

COOKIE: Header = ("Set-Cookie", "session=1234567890; Path=/; Max-Age=3600")


DEALT = 3  # each cell has every third of the pairs, another third than the next cell


def redirects(place: Place, operation: Operation) -> Iterator[Fault]:
    """Redirects to every kind of place are unreadable answers."""
    pairs = tuple(product(REDIRECTS, TARGETS))
    for status, (name, target) in pairs[turn_of(place, operation) % DEALT :: DEALT]:
        yield Fault(f"{status} to {name}", End.PROVIDER, _Sends(status, target))
    yield Fault("307 without a location", End.PROVIDER, says(response(307)))
    refresh = response(200, PAGE, "text/html", [("Refresh", f"0; url=/{NO_CASE}")])
    yield Fault("a page that leads elsewhere", End.PROVIDER, says(refresh))


class _Sends:
    """Answers with a redirect; the port is known when it is asked."""

    def __init__(self, status: int, target: str) -> None:
        self.status, self.target = status, target

    async def __call__(self, connection: RawConnection) -> None:
        target = self.target.format(port=connection.server.port)
        await connection.send(response(self.status, b"", None, [("Location", target)]))


def cookies(place: Place, operation: Operation) -> Iterator[Fault]:
    """Cookies with every kind of answer; no later request may bring one back."""
    good = place.good[operation]
    bulk = [("Set-Cookie", f"c{number}={'v' * 200}") for number in range(60)]
    yield Fault("a cookie", End.SERVED, says(response(200, good, place.kind, [COOKIE])))
    yield Fault("sixty cookies", End.SERVED, says(response(200, good, place.kind, bulk)))
    for status in (307, 401, 413, 500):
        end = end_of(place, operation, status)
        yield Fault(f"a cookie with {status}", end, says(response(status, headers=[COOKIE])))
    broken = [("Set-Cookie", "\x80\xff=;;;===")]
    yield Fault("a broken cookie", End.SERVED, says(response(200, good, place.kind, broken)))

"""Every status that is no success, with a body that says nothing special."""

from collections.abc import Iterator

from native_web_search.domain.family import Operation
from tests.matrix.faults import HTML, JSON, PAGE, End, Fault, as_json, head, response, says
from tests.matrix.places import CELLS, PLACES, Place, Wire

BODIES = (
    ("an empty body", b"", JSON),
    ("a page", PAGE, HTML),
    ("a JSON error", as_json({"error": {"message": "Something went wrong."}}), JSON),
)

# What says something about the page alone, where one request carries one page.
ABOUT_THE_PAGE = frozenset({400, 403, 404, 413, 422})  # DeepSeek
ABOUT_THE_ACCOUNT = frozenset({401, 402, 429, 503})  # Ollama: these, and no other error

TOO_LARGE = 413
FIRST, LAST = 300, 599
ERROR = 400


def end_of(place: Place, operation: Operation, status: int) -> End:
    """What a status means by itself."""
    if operation is Operation.FETCH and place.wire is Wire.DEEPSEEK and status in ABOUT_THE_PAGE:
        return End.URL
    if operation is Operation.FETCH and place.wire is Wire.OLLAMA and status >= ERROR:
        return End.PROVIDER if status in ABOUT_THE_ACCOUNT else End.URL
    return End.REQUEST if status == TOO_LARGE else End.PROVIDER


def status_says(place: Place, case: str) -> bytes:
    """A status with one of the bodies. Each place begins elsewhere, so that the places together
    have everything.
    """
    status = int(case)
    _name, body, kind = BODIES[(status + PLACES.index(place)) % len(BODIES)]
    return response(status, body, kind, closing=False)


def turn_of(place: Place, operation: Operation) -> int:
    """The place of a cell in the row, for tables that are dealt out to the cells."""
    return CELLS.index((place, operation))


def odd_statuses(place: Place, operation: Operation) -> Iterator[Fault]:
    """Interim answers that are not followed by any, successes without a body, and no statuses."""
    half = place.good[operation][:40]
    for status in (100, 101, 102, 103, 199):
        yield Fault(f"status {status} as the last word", End.PROVIDER, says(head(status, [])))
    for status in (200, 201, 202, 203, 204, 205, 207, 226, 299):
        empty = says(head(status, [("Connection", "close")]))
        yield Fault(f"status {status} without a body", End.PROVIDER, empty)
    yield Fault("a part of the answer", End.PROVIDER, says(response(206, half, place.kind)))
    for status in (600, 777, 999):
        end = end_of(place, operation, status)
        yield Fault(f"status {status}", end, says(response(status, b"", place.kind)))
    for line in (b"HTTP/1.1 99 Low", b"HTTP/1.1 abc", b"HTTP/1.1 2000 High", b"HTTP/9.9 200 New"):
        yield Fault(f"the line {line.decode()}", End.PROVIDER, says(line + b"\r\n\r\n"))

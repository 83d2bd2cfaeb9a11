"""Successes whose body is not what the interface promises, and some that are odd and good."""

from collections.abc import Iterator

from native_web_search.domain.family import Operation
from tests.matrix.answers import RESPONSES, REST
from tests.matrix.faults import EVENTS, HTML, JSON, PAGE, TEXT, Delivery, End, Fault, response, says
from tests.matrix.places import Place

DEEP = 10_000  # levels, past any parser
LONG_NUMBER = b"9" * 4_301  # digits, one more than Python reads
UMLAUT = "ü".encode()

NO_OBJECTS = (b'"text"', b"null", b"7", b"true", b"[]", b"[1,2]", b'["a"]', b"[null]", b"[[]]")
UNREADABLE = (
    ("JSON that breaks off", b'{"results": [{"title": "a'),
    ("JSON with a stray comma", b'{"results": [],}'),
    ("two documents", b'{"results": []} {"results": []}'),
    ("single quotes", b"{'results': []}"),
    ("lists nested past the parser", b"[" * DEEP + b"]" * DEEP),
    ("objects nested past the parser", b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    ("a number of 4301 digits", b'{"results": [' + LONG_NUMBER + b"]}"),
    ("NaN", b'{"results": [NaN]}'),
    ("Infinity", b'{"results": [Infinity]}'),
    ("minus Infinity", b'{"results": [-Infinity]}'),
    ("a control character in a string", b'{"results": ["a\x01"]}'),
    ("an unknown escape", b'{"results": ["\\q"]}'),
)


def bodies(place: Place, operation: Operation) -> Iterator[Fault]:
    """Bodies that are no answer at all."""
    good = place.good[operation]

    def fault(name: str, body: bytes, kind: str | None = None) -> Fault:
        return Fault(name, End.PROVIDER, _whole(body, kind or place.kind))

    yield fault("a page", PAGE, HTML)
    yield fault("a page called an answer", PAGE)
    yield fault("a page behind blanks and a mark", b"\xef\xbb\xbf \r\n" + PAGE)
    yield fault("an empty body", b"")
    yield fault("blank lines alone", b"\n \r\n\t\n")
    yield fault("a byte order mark alone", b"\xef\xbb\xbf")
    yield fault("plain words", b"Service temporarily unavailable", TEXT)
    yield fault("half the answer", good[: len(good) // 2])
    yield fault("all but the end", good.rstrip()[:-8])
    yield fault("bytes that are no text", b"\xff\xfe\x00\x81" * 50)
    yield fault("zeros", b"\0" * 2_000)
    yield fault("the answer in UTF-16", good.decode().encode("utf-16"))
    for name, body in UNREADABLE:
        yield fault(name, body)
    for body in NO_OBJECTS:
        yield fault(f"the document {body.decode()}", body)
    yield fault("an empty object", b"{}")
    yield from _in_events(place) if place.is_streamed else _in_a_document(good)


def _whole(body: bytes, kind: str | None) -> Delivery:
    return says(response(200, body, kind))


def _in_events(place: Place) -> Iterator[Fault]:
    """What an event stream alone can have."""
    for name, body in UNREADABLE:
        yield Fault(f"{name}, as an event", End.PROVIDER, _whole(_event(body), EVENTS))
    for body in NO_OBJECTS:
        answer = _whole(_event(body), EVENTS)
        yield Fault(f"the event {body.decode()} alone", End.PROVIDER, answer)
    search = REST[Operation.SEARCH]
    yield Fault("a JSON document", End.PROVIDER, _whole(search, JSON))
    yield Fault("a JSON document called a stream", End.PROVIDER, _whole(search, EVENTS))
    yield Fault("the end mark alone", End.PROVIDER, _whole(b"data: [DONE]\n\n", EVENTS))
    yield Fault("comments alone", End.PROVIDER, _whole(b": one\n\n: two\n\n", EVENTS))
    yield Fault("unknown events alone", End.PROVIDER, _whole(_event(b'{"type":"x"}'), EVENTS))
    yield Fault("names without data", End.PROVIDER, _whole(b"event: a\nid: 1\n\n", EVENTS))


def _in_a_document(good: bytes) -> Iterator[Fault]:
    """What a JSON document alone can have."""
    broken = good.replace(UMLAUT, b"\xfc")
    yield Fault("broken UTF-8", End.PROVIDER, _whole(broken, JSON))
    stream = RESPONSES[Operation.SEARCH]
    yield Fault("an event stream", End.PROVIDER, _whole(stream, EVENTS))
    yield Fault("an event stream called JSON", End.PROVIDER, _whole(stream, JSON))
    yield Fault("the answer as an event", End.PROVIDER, _whole(_event(good), EVENTS))
    yield Fault("the answer in a list", End.PROVIDER, _whole(b"[" + good + b"]", JSON))


def odd_bodies(place: Place, operation: Operation) -> Iterator[Fault]:
    """Bodies that are odd, and an answer all the same."""
    good = place.good[operation]

    def served(name: str, body: bytes, kind: str | None) -> Fault:
        return Fault(name, End.SERVED, _whole(body, kind))

    yield served("the answer called a page", good, HTML)
    yield served("the answer called plain text", good, TEXT)
    yield served("the answer without a content type", good, None)
    yield served("the answer called an image", good, "image/png")
    yield served("a byte order mark before the answer", b"\xef\xbb\xbf" + good, place.kind)
    yield served("blank lines before the answer", b"\n\r\n\n" + good, place.kind)
    yield served("blank lines after the answer", good + b"\n\n\n", place.kind)
    if place.is_streamed:
        yield served("the answer called JSON", good, JSON)
        yield served("broken UTF-8 in the answer", good.replace(UMLAUT, b"\xfc"), EVENTS)
        yield served("the answer with CRLF", good.replace(b"\n", b"\r\n"), EVENTS)
        yield served("comments in the answer", b": hello\n\n" + good, EVENTS)
        for body in NO_OBJECTS:
            event = _event(body)
            yield served(f"the event {body.decode()} before the answer", event + good, EVENTS)
        yield served("the end mark before the answer", b"data: [DONE]\n\n" + good, EVENTS)
        yield served("rubbish after the answer", good + b"data: {no\n\n", EVENTS)


def _event(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"

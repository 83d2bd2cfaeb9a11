"""Bytes of event streams that other readers cut in the wrong places."""

import json
from collections.abc import Iterable

import pytest

from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.speakers import Speaker, stream_of
from native_web_search.domain.family import candidate_of
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome


def told(pieces: Iterable[bytes]) -> list[str]:
    """The data of the events that are told before the connection closes."""
    stream = EventStream()
    return [data for piece in pieces for data in stream.feed(piece)]


def bytewise(body: bytes) -> list[bytes]:
    return [body[at : at + 1] for at in range(len(body))]


def searched(speaker: Speaker, *pieces: bytes) -> SearchOutcome:
    """What the speaker's decoder makes of a stream."""
    candidate = candidate_of(speaker.at("http://127.0.0.1").model)
    assert candidate is not None
    return decoded(codec_of(candidate).search.decoder(), *pieces)


def succeeded(outcome: SearchOutcome) -> bool:
    return isinstance(outcome, Success)


@pytest.mark.case("S02")
@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b'data: {"a":1}\r\rdata: {"b":2}\r\r', ['{"a":1}', '{"b":2}']),
        (b"data: 1\r\r", ["1"]),
        (b"\r\r\rdata: 1\r\r", ["1"]),
        (b"data: 1\r\r\r\rdata: 2\r\r", ["1", "2"]),
        (b"data: 1\rdata: 2\r\r", ["1\n2"]),
        (b": beat\rdata: 1\r: beat\r\r", ["1"]),
        (b"\xef\xbb\xbfdata: 1\r\r", ["1"]),
        (b"data: 1\r\n\rdata: 2\n\rdata: 3\r\r\ndata: 4\n\r\n", ["1", "2", "3", "4"]),
        (b"data: 1\n\n\rdata: 2\r\n\n\r", ["1", "2"]),
        (b"data: 1\r", []),
        (b"data: 1\r\n", []),
    ],
)
def test_a_carriage_return_ends_a_line(body: bytes, events: list[str]) -> None:
    """Lone CRs, mixed line ends and CRs at the very end: each event is told at once."""
    assert told([body]) == told(bytewise(body)) == events


@pytest.mark.case("S02")
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_dialect_reads_every_line_end(streaming: Speaker, end: bytes) -> None:
    """A stream in any one kind of line end is the same answer, whole and byte by byte."""
    body = stream_of(*streaming.events, end=end)
    answer = searched(streaming, streaming.answer)
    assert succeeded(answer)
    assert searched(streaming, body) == searched(streaming, *bytewise(body)) == answer


@pytest.mark.case("S06")
@pytest.mark.parametrize(
    "noise",
    [
        b":\n\n: PROCESSING\n\nid: 7\nevent: ping\n\nretry: 10\n\n",
        b":\r\n\r\n:\r\r::::\n\n",
        b': data: {"a":2}\n\n:data: 3\n\n',
        b"id\n\nid:\n\nid: \x00\n\nevent\n\nevent:\n\n",
        b"retry: soon\n\nretry: -1\n\nretry:\n\n",
        b"data\n\ndata:\n\ndata: \n\ndata\r\r",
        b"\n\n\n\r\r\r\r\n\r\n",
        b"id: 1\nevent: ping\nretry: 5\n: and\nfoo\n\n",
    ],
)
def test_what_holds_no_data_is_no_event(noise: bytes) -> None:
    """Heartbeats and fields without data are passed over, before, between and behind events."""
    event = b'data: {"a":1}\n\n'
    assert told([noise + event]) == ['{"a":1}']
    assert told([event + noise + event + noise]) == ['{"a":1}'] * 2


@pytest.mark.case("S06")
def test_every_dialect_survives_heartbeats(streaming: Speaker) -> None:
    """Comments and pings around every event and inside of it change nothing."""
    noise = b":\n\n: PROCESSING\n\nid: 7\nevent: ping\n\nretry: 10\n\n"
    inside = stream_of(*streaming.events).replace(b"data: ", b": beat\nid: 1\ndata: ")
    around = b"".join(noise + stream_of(event) for event in streaming.events)
    assert searched(streaming, around) == searched(streaming, streaming.answer)
    assert searched(streaming, inside) == searched(streaming, streaming.answer)


@pytest.mark.case("S07")
def test_exactly_one_blank_is_dropped() -> None:
    """No blank, two blanks, no value: what remains is the value, and an empty one is no event."""
    assert told([b'data:{"a":1}\n\ndata:  x\n\ndata\n\n']) == ['{"a":1}', " x"]


@pytest.mark.case("S07")
@pytest.mark.parametrize(
    ("line", "events"),
    [
        (b"data:x", ["x"]),
        (b"data: x ", ["x "]),
        (b"data:   x", ["  x"]),
        (b"data:\tx", ["\tx"]),
        (b"data: \tx", ["\tx"]),
        (b"data:\xc2\xa0x", ["\u00a0x"]),
        (b"data::x", [":x"]),
        (b"data: : x", [": x"]),
        (b"data:  ", [" "]),
        (b"data : x", []),
        (b" data: x", []),
        (b"\tdata: x", []),
        (b"Data: x", []),
        (b"data2: x", []),
        (b"dat: x", []),
        (b"data: ", []),
    ],
)
def test_a_value_keeps_all_but_its_first_blank(line: bytes, events: list[str]) -> None:
    """Only a blank, only the first, and only of the field that is called `data`."""
    assert told([line + b"\n\n"]) == events


@pytest.mark.case("S07")
def test_every_dialect_reads_values_without_a_blank(streaming: Speaker) -> None:
    """`data:{` and `data:  {` are the same answer as `data: {`."""
    for start in (b"data:", b"data:  ", b"data: \t "):
        body = streaming.answer.replace(b"data: ", start)
        assert searched(streaming, body) == searched(streaming, streaming.answer)


@pytest.mark.case("S08")
@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'event: message\ndata: {"a":\ndata: [1,\ndata: 2]}\nfoo: bar\n\n', {"a": [1, 2]}),
        (b'data: {\r\ndata: "a"\r\ndata: :\r\ndata:1}\r\n\r\n', {"a": 1}),
        (b'data: {"a":\rdata:\rdata\rdata: 1}\r\r', {"a": 1}),
        (b"data: [1\n: beat\nid: 3\nretry: 1\ndata: ,2]\n\n", [1, 2]),
        (b'foo: {"b":2}\ndata: {"a":1}\ndata:\n\n', {"a": 1}),
        (b"data: tr\n\ndata: 1\n\n", None),
    ],
)
def test_data_lines_of_one_event_are_one_document(body: bytes, value: object) -> None:
    """Joined by a line feed, whatever stands between them; an event's end still parts them."""
    for pieces in ([body], bytewise(body)):
        events = told(pieces)
        assert len(events) == (2 if value is None else 1)
        assert value is None or json.loads(events[0]) == value
    assert told([b"data: a\ndata:  b\n\n"]) == ["a\n b"]


@pytest.mark.case("S08")
def test_every_dialect_reads_documents_over_many_lines(streaming: Speaker) -> None:
    """An event that was indented by a gateway is the same event."""
    lines = [
        "".join(f"data: {line}\n" for line in json.dumps(event, indent=2).split("\n"))
        for event in streaming.events
    ]
    body = "\n".join([*lines, ""]).encode()
    assert searched(streaming, body) == searched(streaming, streaming.answer)


@pytest.mark.case("S08")
def test_a_line_feed_inside_a_string_is_no_json(streaming: Speaker) -> None:
    """Lines that were broken inside a word cannot be put together, and are not guessed at."""
    assert isinstance(searched(streaming, b'data: {"type": "mes\ndata: sage"}\n\n'), Failure)

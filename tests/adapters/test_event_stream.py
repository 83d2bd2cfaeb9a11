"""How server-sent events are cut out of bytes."""

import json
from time import process_time

import pytest

from native_web_search.adapters.event_stream import EventStream


def events(*pieces: bytes) -> list[str]:
    """The data of the events in these pieces, the unfinished last one left out."""
    stream = EventStream()
    return [data for piece in pieces for data in stream.feed(piece)]


def events_to_the_end(*pieces: bytes) -> list[str]:
    """The data of all events, once the connection is closed."""
    stream = EventStream()
    return [data for piece in pieces for data in stream.feed(piece)] + stream.end()


@pytest.mark.case("S02")
@pytest.mark.rule("event_stream.1")
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_each_line_end_ends_lines(end: bytes) -> None:
    """LF, CR and CRLF end lines alike."""
    assert events(b'data: {"a":1}' + end * 2 + b'data: {"b":2}' + end * 2) == ['{"a":1}', '{"b":2}']


@pytest.mark.rule("event_stream.1")
def test_no_other_separator_ends_a_line() -> None:
    """Separators that only Unicode calls line ends stay inside the data."""
    data = "a\x0b\x0c\x1c\x85\u2028\u2029b"
    assert events(f"data: {data}\n\n".encode()) == [data]


@pytest.mark.rule("event_stream.2")
def test_a_line_feed_in_the_next_piece_belongs_to_its_carriage_return() -> None:
    """CRLF cut in its middle is one line end, also if an empty piece comes between."""
    assert events(b"data: a\r", b"\ndata: b\r", b"", b"\ndata: c\r\n\r", b"\n") == ["a\nb\nc"]


@pytest.mark.rule("event_stream.3")
def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    """A BOM at the start is dropped, in however many pieces it comes."""
    assert events(b"\xef", b"\xbb", b"\xbfdata: a\n\n") == ["a"]


@pytest.mark.rule("event_stream.3")
def test_a_byte_order_mark_elsewhere_is_data() -> None:
    """A second BOM, or one at the start of a later line, is an ordinary character."""
    assert events(b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n\xef\xbb\xbfdata: b\n\n") == []
    assert events("data: \ufeffa\n\n".encode()) == ["\ufeffa"]


@pytest.mark.rule("event_stream.4")
def test_comments_and_other_fields_say_nothing() -> None:
    """Heartbeats, ids, names, retry times and unknown fields make no event."""
    noise = b":\n\n: PROCESSING\n\nid: 7\nevent: ping\n\nretry: 10\n\n data: x\n\nDATA: x\n\n"
    assert events(noise + b'foo: bar\ndata: {"a":1}\n: inside\n\n') == ['{"a":1}']


@pytest.mark.rule("event_stream.5")
def test_one_blank_after_the_colon_is_dropped() -> None:
    """Exactly one blank goes; a value without it, or with two, keeps the rest."""
    assert events(b'data:{"a":1}\n\ndata:  x\n\ndata:\ty\n\n') == ['{"a":1}', " x", "\ty"]


@pytest.mark.rule("event_stream.6")
def test_several_data_lines_are_one_value() -> None:
    """The data lines of an event are joined by LF."""
    assert events(b'data: {"a":\ndata: [1,\ndata\ndata: 2]}\n\n') == ['{"a":\n[1,\n\n2]}']


@pytest.mark.rule("event_stream.7")
def test_events_with_empty_data_are_left_out() -> None:
    """An event whose data is empty is as good as none."""
    assert events(b"data\n\ndata:\n\ndata: \n\n\n\n\n") == []


@pytest.mark.rule("event_stream.8")
@pytest.mark.parametrize("tail", [b"", b"\n", b"\r", b"\r\n"])
def test_the_last_event_counts_without_its_empty_line(tail: bytes) -> None:
    """A gateway that closes right after the last data line loses nothing."""
    assert events_to_the_end(b'data: 1\n\ndata: {"a":1}' + tail) == ["1", '{"a":1}']


@pytest.mark.rule("event_stream.8")
@pytest.mark.parametrize(
    "cut", [b'data: {"type":"resp', b"data: [DONE]", b'data: {"a": NaN}', b"d"]
)
def test_a_cut_last_event_does_not_count(cut: bytes) -> None:
    """What is no whole JSON when the connection closes is dropped."""
    assert events_to_the_end(cut) == []


@pytest.mark.rule("event_stream.8")
def test_a_torn_line_after_whole_data_does_no_harm() -> None:
    """Data that is whole counts even if the line behind it was cut."""
    assert events_to_the_end(b'data: {"a":1}\nda') == ['{"a":1}']


@pytest.mark.rule("event_stream.23")
@pytest.mark.parametrize("lines", ['{"a":1}', '{\n "a": 1\n}\n\n', '{"a":\r\n1}\r\n'])
def test_an_object_on_lines_of_its_own_is_the_last_event(lines: str) -> None:
    """A stream that breaks off with bare JSON has said it, and nothing less than whole JSON."""
    told = events_to_the_end(b"data: 1\n\n" + lines.encode())
    assert [json.loads(data) for data in told] == [1, {"a": 1}]
    assert events_to_the_end(lines.encode().rstrip()[:-1]) == []


@pytest.mark.rule("event_stream.9")
@pytest.mark.parametrize("size", [1, 1_000])
def test_a_megabyte_on_one_line_takes_linear_time(size: int) -> None:
    """A very long line is read in well under the time that copying it at each piece would take."""
    body = b"data: " + b"x" * 1_000_000 + b"\n\n"
    stream, started = EventStream(), process_time()
    found = [data for at in range(0, len(body), size) for data in stream.feed(body[at : at + size])]
    assert [len(data) for data in found] == [1_000_000]
    assert process_time() - started < 15


@pytest.mark.rule("event_stream.10")
def test_an_event_is_told_with_the_piece_that_finishes_it() -> None:
    """No event waits for the next piece, not even one whose line end could still become CRLF."""
    stream = EventStream()
    assert stream.feed(b"data: a\r") == []
    assert stream.feed(b"\r") == ["a"]
    assert stream.feed(b"\ndata: b\r\r") == ["b"]


@pytest.mark.rule("event_stream.11")
def test_bytes_that_are_no_utf8_are_replaced() -> None:
    """Broken bytes become the replacement character, once the event is whole."""
    assert events(b"data: \xc3", b"\xa9 \xff\n\n") == ["é \ufffd"]

"""What all dialects of event streams share."""

import json
from collections.abc import Mapping

import pytest
from attrs import define, field

from native_web_search.adapters.providers.classify import Rule
from native_web_search.adapters.providers.streamed import Streamed
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    ProviderRefused,
    Scope,
    Unreachable,
    Unreadable,
)
from native_web_search.ports.http import Appetite, ResponseHead

RULES = (Rule(Scope.MODEL, signs=frozenset({"no_model"})),)


@define
class Spelling:
    """A reading of a dialect that spells a word; `stop` ends it, `pause` waits for a reason."""

    letters: list[object] = field(factory=list)

    def read(self, event: Mapping[str, object]) -> Appetite:
        """Take one letter."""
        self.letters.append(event.get("say"))
        ends = {"stop": Appetite.DONE, "pause": Appetite.LINGER}
        return ends.get(str(event.get("type")), Appetite.MORE)

    def answer(self) -> object:
        """The word."""
        return self.letters

    def failed(self, failure: AttemptFailure) -> object:
        """The failure itself."""
        return failure


def streamed() -> Streamed[object]:
    """A fresh decoder."""
    return Streamed(Spelling(), RULES)


def body(*events: object) -> bytes:
    """The events as a stream."""
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def answer(*pieces: bytes, head: ResponseHead | None = None) -> object:
    """What the decoder makes of a response in these pieces."""
    return decoded(streamed(), *pieces, head=head or ResponseHead(200))


A = {"say": "a"}
STOP = {"say": "!", "type": "stop"}
PAUSE = {"say": "?", "type": "pause"}


@pytest.mark.rule("event_stream.12")
@pytest.mark.parametrize("status", [400, 401, 429, 500, 503])
def test_another_status_is_a_refusal(status: int) -> None:
    """The body of an error response is never read as a stream, and its message is kept."""
    told = answer(body(A, STOP), head=ResponseHead(status))
    assert isinstance(told, ProviderRefused)
    error = json.dumps({"error": {"message": "no such", "code": "no_model"}}).encode()
    head = ResponseHead(status, {"retry-after": "7"})
    assert answer(error, head=head) == ModelRefused(f"HTTP {status}: no such", status, 7.0)


@pytest.mark.rule("event_stream.12")
def test_a_redirect_is_unreadable() -> None:
    """A redirect is not followed and not an answer."""
    assert isinstance(answer(b"", head=ResponseHead(302)), Unreadable)


@pytest.mark.rule("event_stream.13")
def test_the_content_type_does_not_matter() -> None:
    """A stream that is labelled as JSON is read as a stream."""
    head = ResponseHead(200, {"content-type": "application/json"})
    assert answer(body(A, STOP), head=head) == ["a", "!"]


@pytest.mark.rule("event_stream.13")
@pytest.mark.parametrize("blank", [b"", b"\r\n\t ", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_document_is_told_by_its_first_byte(blank: bytes) -> None:
    """A JSON object in place of a stream is read as its one event, in whatever pieces it comes."""
    document = blank + json.dumps(STOP, indent=1).encode()
    assert answer(document) == ["!"]
    assert answer(*(document[at : at + 1] for at in range(len(document)))) == ["!"]


@pytest.mark.rule("event_stream.2")
def test_a_blank_before_the_first_field_counts_in_any_pieces() -> None:
    """What was held back until the first telling byte is part of the stream."""
    for pieces in ((b" data: {}\n\n",), (b" ", b"data: {}\n\n")):
        assert answer(*pieces, body(A, STOP)) == ["a", "!"]
    assert isinstance(answer(b" ", b"data: {\n\n"), Unreachable)


@pytest.mark.rule("event_stream.13")
def test_a_list_is_read_as_its_events() -> None:
    """A JSON list in place of a stream holds the events."""
    assert answer(json.dumps([A, STOP]).encode()) == ["a", "!"]


@pytest.mark.rule("event_stream.14")
@pytest.mark.parametrize("document", [b"{}", b"[]", b'{"say":"a"}', b'[{"say":"a"}, 5]', b'{"say"'])
def test_a_document_without_an_ending_is_unreadable(document: bytes) -> None:
    """JSON that amounts to no answer, or is no JSON, is not what the interface promises."""
    assert isinstance(answer(document), Unreadable)


@pytest.mark.rule("event_stream.14")
def test_a_page_is_unreadable_and_said_to_be_one() -> None:
    """The login page of a proxy is told from an answer."""
    told = answer(b"\n<html>Sign", b" in</html>")
    assert told == Unreadable("an HTML page instead of an event stream")


@pytest.mark.rule("event_stream.19")
@pytest.mark.parametrize("pieces", [(), (b"",), (b"\n\n", b" ")])
def test_an_empty_answer_is_a_broken_connection(pieces: tuple[bytes, ...]) -> None:
    """A body without a word is a stream that ended before it began."""
    assert answer(*pieces) == Unreachable("the answer is empty")


@pytest.mark.rule("event_stream.15")
@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "code": "no_model", "message": "gone"},
        {"type": "error", "error": {"code": "no_model", "message": "gone"}},
        {"error": {"type": "no_model", "message": "gone"}},
        {"code": "no_model", "error": "gone"},
        {"type": "whatever", "error": {"code": "no_model", "message": "gone"}},
    ],
)
def test_an_error_ends_the_attempt_in_every_shape(event: dict[str, object]) -> None:
    """Flat, nested, without a type: the code is classified, the message kept, the text dropped."""
    assert answer(body(A, event, STOP)) == ModelRefused("gone")


@pytest.mark.rule("event_stream.15")
def test_an_error_without_a_message_has_one_all_the_same() -> None:
    """The message of a failure is never empty."""
    told = answer(body({"type": "error", "error": {"code": "x"}}), body({"error": {}}))
    assert isinstance(told, ProviderRefused)
    assert "x" in told.message


@pytest.mark.rule("event_stream.15")
@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "status": 429, "error": {"message": "slow"}},
        {"type": "error", "status_code": 429, "error": {"message": "slow"}},
        {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "slow"}},
    ],
)
def test_the_status_that_an_error_speaks_of_is_kept(event: dict[str, object]) -> None:
    """An error that should have been an HTTP status is judged by it."""
    assert answer(body(event)) == ProviderRefused("slow", 429)


@pytest.mark.rule("event_stream.15")
@pytest.mark.parametrize("error", [None, "", {}, False])
def test_an_error_that_says_nothing_is_none(error: object) -> None:
    """Providers send `error: null` in every event of a healthy stream."""
    assert answer(body(A, STOP | {"error": error})) == ["a", "!"]


@pytest.mark.rule("event_stream.15")
def test_an_error_document_is_an_error() -> None:
    """A JSON error under status 200 fails with its message."""
    assert answer(b'{"error":{"message":"quota used up","code":429}}') == ProviderRefused(
        "quota used up", 429
    )


@pytest.mark.rule("event_stream.16")
def test_the_end_mark_says_nothing() -> None:
    """`[DONE]` is neither an event nor an ending."""
    assert answer(b"data: [DONE]\n\n" + body(A, STOP)) == ["a", "!"]
    assert isinstance(answer(body(A) + b"data: [DONE]\n\n"), Unreachable)


@pytest.mark.rule("event_stream.16")
def test_the_end_mark_is_a_whole_value() -> None:
    """Data that only begins like the end mark is broken JSON."""
    assert isinstance(answer(b"data: [DONE] and more\n\n" + body(STOP)), Unreadable)


@pytest.mark.rule("event_stream.17")
def test_data_that_is_no_object_is_skipped() -> None:
    """Words, numbers, lists, null and blanks in place of an event are passed over."""
    odd = b'data: "busy"\n\ndata: null\n\ndata: 5\n\ndata: [{"error":1}]\n\ndata:   \n\n'
    assert answer(odd + body(A, STOP)) == ["a", "!"]


@pytest.mark.rule("event_stream.18")
@pytest.mark.parametrize(
    "data", [b"{", b'{"a": NaN}', b"9" * 5_000, b"[" * 200_000, b'{"a":"\\ud8"}'], ids=len
)
def test_data_that_json_cannot_read_fails_the_attempt(data: bytes) -> None:
    """Something was lost, so the rest is not trusted."""
    assert isinstance(answer(b"data: " + data + b"\n\n" + body(STOP)), Unreadable)


@pytest.mark.rule("event_stream.19")
@pytest.mark.parametrize("end", [b"", b"data: {", b'data: {"say":"b"}', b": bye\n\n"])
def test_an_end_before_the_last_event_is_a_broken_connection(end: bytes) -> None:
    """However far a stream had come, without its terminal event it was cut."""
    assert answer(body(A) + end) == Unreachable("the stream ended before its last event")


@pytest.mark.rule("event_stream.8")
def test_a_terminal_event_without_its_empty_line_ends_the_stream() -> None:
    """The last event of a closed connection counts if it is whole."""
    assert answer(body(A, STOP).rstrip(b"\n")) == ["a", "!"]


@pytest.mark.rule("event_stream.20")
def test_nothing_is_wanted_or_used_after_the_terminal_event() -> None:
    """The decoder is done with the terminal event, also if more came in the same piece."""
    decoder = streamed()
    decoder.begin(ResponseHead(200))
    assert decoder.feed(body(A)) is Appetite.MORE
    assert decoder.feed(body(STOP, A, {"type": "error", "message": "late"})) is Appetite.DONE
    assert decoder.end() == ["a", "!"]


@pytest.mark.rule("event_stream.21")
def test_after_a_pause_only_an_error_counts() -> None:
    """A finished reading sees no more events; whatever is no error changes nothing."""
    decoder = streamed()
    decoder.begin(ResponseHead(200))
    assert decoder.feed(body(A, PAUSE)) is Appetite.LINGER
    assert decoder.feed(body(A, STOP) + b"data: {\n\n: ping\n\n") is Appetite.LINGER
    assert decoder.end() == ["a", "?"]


@pytest.mark.rule("event_stream.21")
@pytest.mark.parametrize("cut", [0, 2])
def test_after_a_pause_an_error_explains(cut: int) -> None:
    """The error that follows takes the place of the answer, even as an unfinished last event."""
    error = body({"type": "error", "code": "no_model", "message": "gone"})
    assert answer(body(PAUSE), error[: len(error) - cut]) == ModelRefused("gone")

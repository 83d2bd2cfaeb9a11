"""Bodies that are one JSON document."""

import json

import pytest

from native_web_search.adapters.providers.body import WholeBody, json_body, parse_json
from native_web_search.domain.failure import Unreadable
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.http import Appetite, ResponseHead


def complaint(body: bytes | str) -> str:
    """What `parse_json` says about a body that it cannot read."""
    match parse_json(body):
        case Failure(Unreadable(message)):
            return message
        case Success(value):
            pytest.fail(f"read as {value!r}")


@pytest.mark.rule("body.1")
def test_a_request_body_is_compact_and_keeps_every_character_as_itself() -> None:
    """No blank after a separator, and no escape where UTF-8 can say it."""
    assert (
        json_body({"query": "你好 é 😀", "count": 10})
        == '{"query":"你好 é 😀","count":10}'.encode()
    )


@pytest.mark.rule("body.1")
def test_a_lone_surrogate_is_written_as_its_escape() -> None:
    """What UTF-8 cannot say is escaped, and the characters around it are not."""
    assert json_body({"q": "é\ud800\\ud800"}) == b'{"q":"\xc3\xa9\\ud800\\\\ud800"}'
    assert json.loads(json_body({"q": "é\ud800"})) == {"q": "é\ud800"}


@pytest.mark.rule("body.2")
def test_a_whole_body_is_decoded_once_at_the_end_with_its_head() -> None:
    """The pieces are joined in order, and may be of any size."""
    decoder = WholeBody(lambda head, body: (head.status, body))

    assert decoder.begin(ResponseHead(207)) is Appetite.ALL
    assert [decoder.feed(piece) for piece in (b"ab", b"", b"c")] == [Appetite.ALL] * 3
    assert decoder.end() == (207, b"abc")


@pytest.mark.rule("body.3")
@pytest.mark.parametrize(
    "body", [b'\n\n \r\n{"a":[1,null]}\n', '{"a":[1,null]}', b'\xef\xbb\xbf{"a":[1,null]}']
)
def test_blank_lines_and_a_byte_order_mark_are_no_part_of_the_document(body: bytes | str) -> None:
    """A provider under load sends empty lines first; an editor's mark means nothing either."""
    assert parse_json(body) == Success({"a": [1, None]})


@pytest.mark.rule("body.3")
def test_numbers_keep_their_digits_and_the_last_of_two_equal_keys_counts() -> None:
    """Fidelity is what Python's `json` reads: whole integers, floats as floats, the last key."""
    body = b'{"a":1,"big":123456789012345678901234567890,"f":1.0,"a":2}'
    assert str(parse_json(body)) == str(
        Success({"a": 2, "big": 123456789012345678901234567890, "f": 1.0})
    )


@pytest.mark.rule("body.4")
@pytest.mark.parametrize(
    "body",
    [
        b'{"results":[],"n":NaN}',
        b"[-Infinity]",
        b'{"n":' + b"1" * 4_301 + b"}",
        b"[" * 200_000,
        b'{"results":[]} and more',
        b'{"results":[]}{}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\x80"}',
        b'{"a":',
        b"null null",
        '{"a":1}'.encode("utf-16"),
        "nonsense",
    ],
    ids=[
        "nan",
        "infinity",
        "digits",
        "nesting",
        "text behind",
        "two objects",
        "utf8",
        "surrogate",
        "cut",
        "two",
        "utf16",
        "text",
    ],
)
def test_what_is_no_strict_json_is_unreadable(body: bytes | str) -> None:
    """Neither an exception nor a guess, whatever the parser stumbles over."""
    assert complaint(body) == "the answer is not readable as JSON"


@pytest.mark.rule("body.4")
@pytest.mark.parametrize("body", [b"", b" \r\n", b"\xef\xbb\xbf\n", ""])
def test_an_empty_body_is_called_empty(body: bytes | str) -> None:
    """The message tells an answer without a body from a broken one."""
    assert complaint(body) == "the answer is empty"


@pytest.mark.rule("body.4")
def test_a_page_is_called_a_page() -> None:
    """A login page of a gateway is named for what it is, and not quoted."""
    for start in (b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n "):
        said = complaint(start + b"<html>Sign in \xff</html>")
        assert said == "the answer is an HTML page instead of JSON"

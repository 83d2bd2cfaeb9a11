"""Answers that are no good although their status is 200, over real sockets."""

import gzip
import json
import zlib
from collections.abc import Callable

import pytest

from native_web_search.adapters.providers.classify import MAX_MESSAGE
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import (
    ANTHROPIC,
    DEEPSEEK,
    EVENT_STREAM,
    GEMINI,
    JSON,
    OPENAI,
    RESPONSES,
    Event,
    Speaker,
    stream_of,
)
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.family import Family

Opened = Callable[..., WebSearch]

HEALTHY = response(stream_of(*RESPONSES))
ANSWERED = {"provider": "healthy", "model": "gpt-5.6-luna"}


async def after(opened: Opened, speaker: Speaker, said: bytes) -> tuple[ToolResult, RawServer]:
    """The result of a search that asks the speaker, who says this, and then somebody healthy."""
    async with RawServer(answering(said)) as first, RawServer(answering(HEALTHY)) as second:
        logins = speaker.at(first.url), OPENAI.at(second.url, provider="healthy")
        async with opened(*logins) as web:
            return await web.call({"query": "q"}), first


def first_attempt(result: ToolResult) -> dict[str, object]:
    attempts = result.details["attempts"]
    assert isinstance(attempts, list)
    found = attempts[0]
    assert isinstance(found, dict)
    return found


def failed_over(result: ToolResult) -> str:
    """The message of the first attempt, which failed and was fallen back from."""
    assert not result.is_error
    assert result.details["search"] == ANSWERED
    attempt = first_attempt(result)
    assert attempt["outcome"] in {"provider", "model", "request"}
    message = attempt["message"]
    assert isinstance(message, str)
    assert 0 < len(message) <= MAX_MESSAGE
    return message


async def assert_failed_over(
    opened: Opened, speaker: Speaker, content_type: str, body: bytes, reason: str
) -> None:
    said = response(body, content_type=content_type)
    message = failed_over((await after(opened, speaker, said))[0])
    assert reason in message
    assert len(message) <= 2_000


@pytest.mark.case("S12")
@pytest.mark.parametrize(
    ("content_type", "body", "reason"),
    [
        ("text/html", b"<html>Sign in</html>", "an HTML page"),
        (JSON, b'{"error":{"message":"quota used up","code":429}}', "quota used up"),
        (EVENT_STREAM, b"", "empty"),
    ],
)
async def test_what_is_no_answer_is_a_failed_attempt(
    opened: Opened, speaker: Speaker, content_type: str, body: bytes, reason: str
) -> None:
    """A page, an error or nothing in place of an answer is named, and the next one is asked."""
    await assert_failed_over(opened, speaker, content_type, body, reason)


@pytest.mark.case("S12")
@pytest.mark.parametrize("speaker", [DEEPSEEK, GEMINI, OPENAI, ANTHROPIC], ids=str)
@pytest.mark.parametrize(
    ("content_type", "body", "reason"),
    [
        ("text/html", b"\xef\xbb\xbf\r\n <!DOCTYPE html><p>data: {}</p>", "an HTML page"),
        (EVENT_STREAM, b"<html>\n\ndata: {}\n\n</html>", "an HTML page"),
        (JSON, b'{"error":"' + b"x " * 20_000 + b'"}', "x x x"),
        ("text/plain", b'\n {"error": {"detail": "no seat"}}', "no seat"),
        (EVENT_STREAM, b'{"message":"no seat","error":{"message":"no seat"}}', "no seat"),
        (JSON, b"{}", ""),
        (JSON, b"[]", ""),
        (JSON, b"", "empty"),
        (EVENT_STREAM, b"\r\n\r\n  ", "empty"),
        (EVENT_STREAM, b"data: [DONE]\n\n", ""),
        (EVENT_STREAM, b": beat\n\n: beat\n\n", ""),
        ("text/plain", b"upstream connect error", ""),
    ],
)
async def test_other_things_that_are_no_answer(
    opened: Opened, speaker: Speaker, content_type: str, body: bytes, reason: str
) -> None:
    """Whatever the label says: pages behind marks, long errors, blanks, and marks of an end."""
    await assert_failed_over(opened, speaker, content_type, body, reason)


FAILED: Event = {
    "type": "response.failed",
    "response": {"status": "failed", "error": {"code": "server_error", "message": "x"}},
}
UNFINISHED: Event = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
ERROR: Event = {"type": "error", "error": {"type": "api_error", "message": "x"}}
ENDINGS: dict[Family, tuple[Event, ...]] = {
    Family.OPENAI: (
        FAILED,
        {"type": "response.completed", "response": FAILED["response"]},
        {"type": "response.done", "response": {"status": "cancelled"}},
        {"type": "response.failed", "response": {"status": "failed", "error": None}},
        {"type": "response.incomplete", "response": UNFINISHED},
        {"type": "error", "code": "server_error", "message": "x"},
        ERROR,
    ),
    Family.ANTHROPIC: (ERROR, {"type": "message_stop"}),
    Family.GOOGLE: (
        {"error": {"code": 500, "status": "INTERNAL", "message": "x"}},
        {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]},
        {"candidates": [{"finishReason": "STOP"}]},
        {"promptFeedback": {"blockReason": "OTHER"}},
    ),
}
ENDINGS[Family.XAI] = ENDINGS[Family.OPENAI]


@pytest.mark.case("S14")
async def test_a_stream_that_ends_badly_is_a_failed_attempt(
    opened: Opened, streaming: Speaker
) -> None:
    """Failed, cut off by a limit or blocked, and nothing searched: never a success."""
    for event in ENDINGS[streaming.family]:
        failed_over((await after(opened, streaming, response(stream_of(event))))[0])


@pytest.mark.case("S14")
async def test_a_stream_that_just_stops_is_a_failed_attempt(
    opened: Opened, streaming: Speaker
) -> None:
    """After its first event, before its last, behind a mark of the end: no ending, no answer."""
    for count in (1, len(streaming.events) - 1):
        said = response(stream_of(*streaming.events[:count]))
        failed_over((await after(opened, streaming, said))[0])
    marked = streaming.answer[: streaming.answer.rindex(b"data: ")] + b"data: [DONE]\n\n"
    failed_over((await after(opened, streaming, response(marked)))[0])


@pytest.mark.case("S14")
@pytest.mark.parametrize("event", ENDINGS[Family.OPENAI][:4])
async def test_a_failure_counts_after_a_search_too(opened: Opened, event: Event) -> None:
    """Items that came before a failed ending do not make an answer of it."""
    said = response(stream_of(*RESPONSES[:-1], event))
    failed_over((await after(opened, OPENAI, said))[0])


@pytest.mark.case("S15")
@pytest.mark.parametrize(
    ("coding", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("GZip", gzip.compress)],
)
async def test_a_packed_stream_is_read(
    opened: Opened, streaming: Speaker, coding: str, pack: Callable[[bytes], bytes]
) -> None:
    """What we offered to unpack is unpacked, and nothing else was offered."""
    said = response(pack(streaming.answer), f"Content-Encoding: {coding}")
    result, server = await after(opened, streaming, said)
    assert first_attempt(result)["outcome"] == "success"
    offered = server.requests[0].header(b"accept-encoding") or b""
    assert set(offered.split(b", ")) == {b"gzip", b"deflate"}


@pytest.mark.case("S15")
@pytest.mark.parametrize("coding", ["zstd", "br", "compress", "gzip, zstd", "gzip, gzip", "x"])
async def test_a_packing_that_was_not_offered_is_no_status(opened: Opened, coding: str) -> None:
    """The failure speaks of the compression, never of a status 400 that nobody sent."""
    said = response(OPENAI.answer, f"Content-Encoding: {coding}")
    message = failed_over((await after(opened, OPENAI, said))[0])
    assert "compression" in message
    assert "400" not in message


@pytest.mark.case("S15")
async def test_a_packed_answer_that_is_cut_is_no_answer(opened: Opened, speaker: Speaker) -> None:
    """Half of it, its first byte, none, or all but the last one: the connection broke off."""
    packed = gzip.compress(speaker.answer)
    cuts = [1, len(packed) // 2] + ([] if speaker.events else [0, len(packed) - 1])
    for cut in cuts:
        said = response(packed[:cut], "Content-Encoding: gzip")
        failed_over((await after(opened, speaker, said))[0])


@pytest.mark.case("S15")
async def test_a_packed_stream_may_lose_what_follows_its_last_event(
    opened: Opened, streaming: Speaker
) -> None:
    """Once the terminal event has come, the checksum behind it is not missed."""
    said = response(gzip.compress(streaming.answer)[:-8], "Content-Encoding: gzip")
    assert first_attempt((await after(opened, streaming, said))[0])["outcome"] == "success"


ODD = b'data: "busy"\n\ndata: null\n\ndata: 5\n\ndata: [{"error":{"message":"m"}}]\n\n'
MORE_ODD = b'data: true\n\ndata: 1.5\n\ndata: ""\n\ndata: []\n\ndata: [[]]\n\ndata: {}\n\n'


@pytest.mark.case("S16")
async def test_json_that_is_no_object_fails_the_attempt(opened: Opened, speaker: Speaker) -> None:
    """Words, numbers and lists in place of events are no crash, and the next one is asked."""
    for body in (ODD, ODD.replace(b"data: ", b"").partition(b"\n")[0]):
        assert "unexpected" not in failed_over((await after(opened, speaker, response(body)))[0])


@pytest.mark.case("S16")
@pytest.mark.parametrize("speaker", [DEEPSEEK, GEMINI, OPENAI, ANTHROPIC], ids=str)
@pytest.mark.parametrize("body", [MORE_ODD, b"null", b"5", b'[{"a":"b"}]', b"true", b"[[[]]]"])
async def test_no_kind_of_json_is_a_crash(opened: Opened, speaker: Speaker, body: bytes) -> None:
    """As an event or as the whole body, with any content type."""
    for content_type in (JSON, EVENT_STREAM):
        said = response(body, content_type=content_type)
        assert "unexpected" not in failed_over((await after(opened, speaker, said))[0])


@pytest.mark.case("S16")
async def test_json_that_is_no_object_is_passed_over(opened: Opened, streaming: Speaker) -> None:
    """Between good events it costs nothing."""
    said = b"".join(ODD + MORE_ODD + stream_of(event) for event in streaming.events)
    result, _server = await after(opened, streaming, response(said))
    assert first_attempt(result)["outcome"] == "success"
    assert json.loads(result.text)["search"]["answer"]

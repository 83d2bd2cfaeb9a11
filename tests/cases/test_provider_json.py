"""Providers' JSON that is hard to pass on: numbers, characters and keys, in whole calls."""

import json
from collections.abc import Callable, Mapping
from typing import cast

import pytest

from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import DEEPSEEK, GEMINI, OLLAMA, OPENAI, Speaker
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch

Opened = Callable[..., WebSearch]

HEALTHY = response(OPENAI.answer)


def refuse(constant: str) -> object:
    raise AssertionError(constant)


async def answer_to(opened: Opened, speaker: Speaker, body: str) -> ToolResult:
    """The result of a call to a speaker that says this, with somebody healthy behind it."""
    said = response(body.encode(), content_type=speaker.content_type)
    async with RawServer(answering(said)) as first, RawServer(answering(HEALTHY)) as second:
        logins = speaker.at(first.url), OPENAI.at(second.url, provider="healthy")
        async with opened(*logins) as web:
            return await web.call({"query": "q"})


def attempts(result: ToolResult) -> list[str]:
    made = cast("list[Mapping[str, str]]", result.details["attempts"])
    return [attempt["outcome"] for attempt in made]


@pytest.mark.case("J04")
@pytest.mark.parametrize("speaker", [DEEPSEEK, OLLAMA], ids=str)
@pytest.mark.parametrize(
    ("number", "written"),
    [
        *[("1e400", None), ("-1e400", None), ("1E+400", None), ("9" * 400 + ".5", None)],
        *[("1e-400", 0.0), ("1.7976931348623157e308", 1.7976931348623157e308), ("-0.0", -0.0)],
    ],
)
async def test_a_number_beyond_all_numbers_is_null(
    opened: Opened, speaker: Speaker, number: str, written: object
) -> None:
    """What other languages read as infinity is `null`, and the rest of the answer stands."""
    body = f'{{"results":[{{"score":{number},"n":1}}],"deep":[[{number}]]}}'
    result = await answer_to(opened, speaker, body)
    search = json.loads(result.text, parse_constant=refuse)["search"]
    assert search == {"results": [{"score": written, "n": 1}], "deep": [[written]]}
    assert result.details["truncated"] is False


@pytest.mark.case("J04")
@pytest.mark.parametrize("speaker", [DEEPSEEK, OLLAMA], ids=str)
@pytest.mark.parametrize(
    "body",
    [
        '{"results":[{"score":1e400,"n":NaN}]}',
        '{"results":[{"n":Infinity}]}',
        '{"results":[],"n":-Infinity}',
        '{"results":[],"NaN":[[[NaN]]]}',
    ],
)
async def test_what_json_has_no_word_for_is_no_answer(
    opened: Opened, speaker: Speaker, body: str
) -> None:
    """A body with a bare NaN or Infinity is unreadable, and the next provider is asked."""
    result = await answer_to(opened, speaker, body)
    assert attempts(result) == ["provider", "success"]
    json.loads(result.text, parse_constant=refuse)


@pytest.mark.case("J04")
@pytest.mark.case("J06")
async def test_a_stream_that_json_cannot_read_is_no_answer(
    opened: Opened, streaming: Speaker
) -> None:
    """The same inside an event, be it the first or the last one."""
    for event, bad in ((0, "NaN"), (-1, "1" * 4_301)):
        lines = streaming.answer.decode().split("\n\n")[:-1]
        lines[event] = lines[event][:-1] + f',"more":{bad}}}'
        result = await answer_to(opened, streaming, "\n\n".join([*lines, ""]))
        assert attempts(result) == ["provider", "success"]


@pytest.mark.case("J06")
@pytest.mark.parametrize("speaker", [DEEPSEEK, OLLAMA], ids=str)
@pytest.mark.parametrize(
    ("number", "readable"),
    [
        ("1" * 4_301, False),
        ("-" + "1" * 4_301, False),
        ("9" * 100_000, False),
        ("1" * 4_300, True),
        ("-" + "1" * 4_300, True),
        ("123456789012345678901", True),
    ],
)
async def test_endless_integers_are_no_answer_and_long_ones_keep_their_digits(
    opened: Opened, speaker: Speaker, number: str, *, readable: bool
) -> None:
    """One digit beyond what can be read is a failed attempt; up to there each digit is kept."""
    result = await answer_to(opened, speaker, f'{{"results":[],"n":{number}}}')
    assert attempts(result) == (["success"] if readable else ["provider", "success"])
    assert (number in result.text) == readable


@pytest.mark.case("J11")
@pytest.mark.parametrize("speaker", [DEEPSEEK, GEMINI], ids=str)
async def test_escapes_of_a_provider_are_undone(opened: Opened, speaker: Speaker) -> None:
    """What came as an escape goes out as its character; half a pair alone stays an escape."""
    body = speaker.answer.decode().replace('"T"', r'"\u65e5\ud83d\ude00\u00e9\ud83d"')
    result = await answer_to(opened, speaker, body)
    assert "日😀é\\ud83d" in result.text
    assert result.text.encode()


@pytest.mark.case("J18")
@pytest.mark.parametrize("speaker", [DEEPSEEK, OLLAMA, GEMINI], ids=str)
async def test_keys_come_out_as_they_came_in(opened: Opened, speaker: Speaker) -> None:
    """Through a whole call, at every depth: neither sorted, nor numbers first."""
    keys = ["2", "1", "b", "a", "__proto__", "10", "constructor", "ä", "", "A"]
    entry = json.dumps(dict.fromkeys(keys, 1), separators=(",", ":"), ensure_ascii=False)
    body = speaker.answer.decode().replace('"T"', f'"T", "x": {entry}')
    result = await answer_to(opened, speaker, body)
    document = json.loads(result.text)["search"]
    found = document["results"] if "results" in document else document["groundingMetadata"]
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    assert entry in text

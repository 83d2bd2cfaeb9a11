"""What whole streams of Anthropic's Messages interface amount to, however the network cuts them.

`NATIVE_WEB_SEARCH_ALL_CUTS=1` cuts at every place; otherwise the places are those around line
ends, inside characters of several bytes, and some at random.
"""

import json
import os
from pathlib import Path

import pytest

from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.testing.cuts import cuts
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import (
    AttemptFailure,
    NotSearched,
    ProviderRefused,
    RequestRefused,
    Unreachable,
)
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import SearchOutcome

STREAMS = Path(__file__).parents[2] / "streams"
ALL_CUTS = os.environ.get("NATIVE_WEB_SEARCH_ALL_CUTS") == "1"
NAMES = sorted(path.stem for path in STREAMS.glob("anthropic-*.sse"))

RETURNED_BLOCKS = ("server_tool_use", "web_search_tool_result")


def body_of(name: str) -> bytes:
    """The bytes of a stream."""
    return (STREAMS / f"{name}.sse").read_bytes()


def searched(name: str, *pieces: bytes) -> SearchOutcome:
    """The outcome of a stream, of its whole body unless pieces are given."""
    return decoded(anthropic.CODEC.search.decoder(), *(pieces or (body_of(name),)))


def events_of(name: str) -> list[dict[str, object]]:
    """The events on the wire, in order, read by nothing of ours."""
    lines = body_of(name).decode().replace("\r\n", "\n").split("\n")
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def blocks_of(name: str) -> list[dict[str, object]]:
    """The blocks of searches as they started on the wire."""
    blocks = [event.get("content_block") for event in events_of(name)]
    return [b for b in blocks if isinstance(b, dict) and b["type"] in RETURNED_BLOCKS]


def citations_of(name: str) -> list[object]:
    """The citations on the wire."""
    deltas = [event.get("delta") for event in events_of(name)]
    return [d["citation"] for d in deltas if isinstance(d, dict) and "citation" in d]


# Answer, hits of each search (the code of one that failed), queries.
ANSWERS: dict[str, tuple[str, list[int | str], list[str]]] = {
    "anthropic-search-ok": (
        "I’ll look that up.Voici ce que j’ai trouvé : the event drew about 910 000 people 🎆.",
        [3],
        ['隅田川花火大会 2026 "attendance"'],
    ),
    "anthropic-search-two-searches": ("Answer.", [1, 1], ["first", "second"]),
    "anthropic-search-input-in-start": ("Answer.", [1], ["given up front"]),
    "anthropic-search-empty-results": ("Nothing found.", [0], ["zxqv"]),
    "anthropic-search-ok-then-max-uses": (
        "Partial answer.",
        [3, "max_uses_exceeded"],
        ["first", "second"],
    ),
    "anthropic-pause-turn": ("Searching…", [1], ["first", "second"]),
    "anthropic-max-tokens": ("The answer is cu", [3], ["q"]),
    "anthropic-thinking-first": ("Answer.", [1], ["q"]),
    "anthropic-unknown-events": ("Answer.", [1], ["q"]),
    "anthropic-padded": ("Réponse complète.", [3], ["q"]),
    "anthropic-crlf": ("Réponse complète.", [3], ["q"]),
}


@pytest.mark.rule("anthropic.9")
@pytest.mark.rule("anthropic.12")
@pytest.mark.rule("anthropic.13")
@pytest.mark.rule("anthropic.15")
@pytest.mark.rule("anthropic.20")
@pytest.mark.parametrize("name", ANSWERS)
def test_a_good_stream_brings_answer_hits_and_queries(name: str) -> None:
    """The text without thoughts, every search with its hits, every query, in order."""
    answer, hits, queries = ANSWERS[name]
    payload = searched(name).unwrap()
    contents = [block.get("content") for block in list_of(payload["results"])]
    counts = [
        len(content) if isinstance(content, list) else dict_of(content)["error_code"]
        for content in contents
        if content is not None
    ]
    assert (payload["answer"], counts, payload["searchQueries"]) == (answer, hits, queries)


def list_of(value: object) -> list[dict[str, object]]:
    """A list of objects in the payload."""
    assert isinstance(value, list)
    return value


def dict_of(value: object) -> dict[str, object]:
    """An object in the payload."""
    assert isinstance(value, dict)
    return value


@pytest.mark.rule("anthropic.10")
@pytest.mark.parametrize("name", ANSWERS)
def test_blocks_are_those_of_the_wire(name: str) -> None:
    """Every call and every result is returned raw and in order, an error block among them."""
    returned = list_of(searched(name).unwrap()["results"])
    wire = blocks_of(name)
    assert [{**block, "input": None} for block in returned] == [
        {**block, "input": None} for block in wire
    ]


@pytest.mark.rule("anthropic.10")
def test_a_call_carries_its_query() -> None:
    """The input that came in pieces stands in the raw block."""
    call, result = list_of(searched("anthropic-search-ok").unwrap()["results"])
    assert call["input"] == {"query": '隅田川花火大会 2026 "attendance"'}
    assert "input" not in result


@pytest.mark.rule("anthropic.11")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("anthropic-search-ok", 2),
        ("anthropic-search-two-searches", 1),
        ("anthropic-search-ok-then-max-uses", 1),
        ("anthropic-padded", 1),
        ("anthropic-crlf", 1),
    ],
)
def test_citations_are_those_of_the_wire(name: str, count: int) -> None:
    """Every citation is returned raw and in order."""
    citations = searched(name).unwrap()["citations"]
    assert citations == citations_of(name)
    assert len(list_of(citations)) == count


@pytest.mark.rule("anthropic.10")
def test_duplicate_hits_stay() -> None:
    """The same page found twice is returned twice, in its place."""
    _call, result = list_of(searched("anthropic-search-ok").unwrap()["results"])
    first, second, third = list_of(result["content"])
    assert first == third != second


FAILURES: dict[str, AttemptFailure] = {
    "anthropic-search-error-max_uses_exceeded": NotSearched(
        "the web search failed: max_uses_exceeded"
    ),
    "anthropic-search-error-unavailable": NotSearched("the web search failed: unavailable"),
    "anthropic-search-not-used": NotSearched("no search was performed (stop reason end_turn)"),
    "anthropic-tool-use-without-result": NotSearched(
        "no search was performed (stop reason end_turn)"
    ),
    "anthropic-refusal": RequestRefused("the model refused to answer: bio"),
    "anthropic-error-first-event-200": ProviderRefused("Overloaded"),
    "anthropic-error-api-midstream": ProviderRefused("Internal server error"),
    "anthropic-cut-midjson": Unreachable("the stream ended before its last event"),
    "anthropic-cut-no-message-stop": Unreachable("the stream ended before its last event"),
}


@pytest.mark.rule("anthropic.13")
@pytest.mark.rule("anthropic.14")
@pytest.mark.rule("anthropic.16")
@pytest.mark.rule("anthropic.17")
@pytest.mark.rule("anthropic.19")
@pytest.mark.parametrize("name", FAILURES)
def test_a_bad_stream_fails_for_its_own_reason(name: str) -> None:
    """The failure is of the right kind and says why, and no text comes through with it."""
    assert searched(name) == Failure(FAILURES[name])


def test_every_stream_has_an_expectation() -> None:
    """No stream of the folder is forgotten here."""
    assert {*ANSWERS, *FAILURES} == set(NAMES)


@pytest.mark.rule("anthropic.20")
@pytest.mark.parametrize("name", NAMES)
def test_no_cut_changes_the_outcome(name: str) -> None:
    """One byte at a time, or in two pieces cut anywhere, the outcome is the same."""
    body = body_of(name)
    whole = searched(name)
    for pieces in cuts(body, every=ALL_CUTS):
        assert searched(name, *pieces) == whole

"""What whole streams of the Responses interfaces amount to, however they are cut.

`NATIVE_WEB_SEARCH_ALL_CUTS=1` cuts at every position; otherwise the positions are those around
line ends, inside characters of several bytes, and some at random.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    NotSearched,
    ProviderRefused,
    RequestRefused,
    Unreachable,
)
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import SearchOutcome, SearchPayload

STREAMS = Path(__file__).parents[2] / "streams"
NAMES = sorted(
    path.name for family in ("openai", "codex", "xai") for path in STREAMS.glob(f"{family}-*.sse")
)

ALL_CUTS = os.environ.get("NATIVE_WEB_SEARCH_ALL_CUTS") == "1"
RANDOM_CUTS = 200
SEED = 20_260_101

# Code points of the answer, search items, citations.
LENGTHS = {
    "codex-response-done.sse": (491, 1, 3),
    "openai-citations-only.sse": (29, 0, 1),
    "openai-incomplete-maxtokens.sse": (40, 1, 0),
    "openai-noise-crlf-bom.sse": (68, 1, 1),
    "openai-normal.sse": (491, 4, 3),
    "openai-tiny.sse": (45, 1, 1),
    "openai-two-messages.sse": (17, 1, 0),
    "xai-normal.sse": (72, 2, 2),
}

FAILURES: dict[str, AttemptFailure] = {
    "codex-error-model.sse": ModelRefused(
        "The 'gpt-5.9' model is not supported when using Codex with a ChatGPT account.", 400
    ),
    "openai-cut-no-terminal.sse": Unreachable("the stream ended before its last event"),
    "openai-error-nested.sse": ProviderRefused(
        "You exceeded your current quota, please check your plan and billing details."
    ),
    "openai-failed-midstream.sse": ProviderRefused(
        "An error occurred while processing your request. (request ID req_abc)"
    ),
    "openai-no-search.sse": NotSearched("the model answered without searching the web"),
    "openai-search-call-failed.sse": NotSearched("the provider's web search failed"),
}


def body_of(name: str) -> bytes:
    """The bytes of a stream."""
    return (STREAMS / name).read_bytes()


def outcome_of(*pieces: bytes) -> SearchOutcome:
    """What the codec makes of a response."""
    return decoded(OPENAI.search.decoder(), *pieces)


def payload_of(name: str) -> SearchPayload:
    """What a stream brings, when it is a success."""
    return outcome_of(body_of(name)).unwrap()


def lengths(payload: SearchPayload) -> tuple[int, int, int]:
    """The measures of `LENGTHS`."""
    results, citations = list_of(payload, "results"), list_of(payload, "citations")
    return len(str(payload["answer"])), len(results), len(citations)


def list_of(payload: SearchPayload, name: str) -> list[dict[str, object]]:
    """A list of objects in the payload."""
    value = payload[name]
    assert isinstance(value, list)
    return value


@pytest.mark.rule("responses.20")
@pytest.mark.parametrize(("name", "expected"), LENGTHS.items())
def test_a_good_stream_brings_all_of_its_parts(name: str, expected: tuple[int, int, int]) -> None:
    """Answer, search items and citations are all there, and nothing twice."""
    assert lengths(payload_of(name)) == expected


@pytest.mark.rule("responses.20")
@pytest.mark.parametrize("name", FAILURES)
def test_a_bad_stream_fails_for_its_own_reason(name: str) -> None:
    """The failure is of the right kind and carries the provider's words; no text comes through."""
    assert outcome_of(body_of(name)) == Failure(FAILURES[name])


@pytest.mark.rule("responses.20")
def test_a_rate_limit_that_names_a_model_is_the_models() -> None:
    """The siblings of a model at its own limit stay."""
    failure = outcome_of(body_of("openai-failed-ratelimit.sse")).failure()
    assert isinstance(failure, ModelRefused)
    assert failure.message.startswith("Rate limit reached for gpt-5-mini")


@pytest.mark.rule("responses.20")
def test_a_refusal_is_about_the_request() -> None:
    """What the model said instead of an answer is the message."""
    failure = outcome_of(body_of("openai-refusal.sse")).failure()
    assert isinstance(failure, RequestRefused)
    assert failure.message.startswith("the model refused to answer: ")


@pytest.mark.rule("responses.21")
def test_items_and_citations_are_raw_and_in_order() -> None:
    """Failed items, duplicates, tracking parameters and nulls come back as they came."""
    payload = payload_of("openai-normal.sse")
    results, citations = list_of(payload, "results"), list_of(payload, "citations")
    assert [item["id"] for item in results] == [
        "ws_0a1b2c3d",
        "ws_0a1b2c3e",
        "ws_0a1b2c3f",
        "ws_0a1b2c40",
    ]
    assert results[3]["status"] == "failed"
    assert results[3]["action"] == {"type": "open_page", "url": None}
    assert citations[0]["url"] == citations[2]["url"]
    assert "utm_source=openai" in str(citations[0]["url"])
    assert payload["searchQueries"] == [
        "KI Nachrichten 今天",
        "latest AI model release november 2026",
    ]


@pytest.mark.rule("responses.21")
def test_separators_inside_strings_survive() -> None:
    """Line separators that only Unicode knows stay in the answer."""
    answer = str(payload_of("openai-normal.sse")["answer"])
    assert {"\u2028", "\u2029", "\x85"} <= set(answer)


@pytest.mark.rule("responses.21")
def test_groks_numbered_citations_stay_as_they_are() -> None:
    """Only search items are results, and a citation's title may be a number."""
    payload = payload_of("xai-normal.sse")
    assert [item["type"] for item in list_of(payload, "results")] == ["web_search_call"] * 2
    assert [citation["title"] for citation in list_of(payload, "citations")] == ["1", "2"]
    assert payload["searchQueries"] == ["xAI news"]


def test_every_stream_is_spoken_for() -> None:
    """No stream lies about untested."""
    others = {"openai-failed-ratelimit.sse", "openai-refusal.sse"}
    assert set(NAMES) == LENGTHS.keys() | FAILURES.keys() | others


@pytest.mark.rule("event_stream.2")
@pytest.mark.parametrize("name", NAMES)
def test_single_bytes_change_nothing(name: str) -> None:
    """One byte at a time gives the same outcome."""
    body = body_of(name)
    assert outcome_of(*(body[at : at + 1] for at in range(len(body)))) == outcome_of(body)


@pytest.mark.rule("event_stream.2")
@pytest.mark.parametrize("name", NAMES)
def test_no_cut_in_two_changes_anything(name: str) -> None:
    """Two pieces give the same outcome, wherever the cut is."""
    body = body_of(name)
    whole = outcome_of(body)
    for cut in sorted(set(cuts(body))):
        assert outcome_of(body[:cut], body[cut:]) == whole, cut


def cuts(body: bytes) -> Iterator[int]:
    """Where to cut a stream in two."""
    if ALL_CUTS:
        yield from range(len(body) + 1)
        return
    yield from random.Random(SEED).choices(range(len(body)), k=RANDOM_CUTS)  # noqa: S311 - no secret
    for at, byte in enumerate(body):
        if byte in b"\r\n":
            yield from (at, at + 1)
        elif byte >= 0x80:
            yield at

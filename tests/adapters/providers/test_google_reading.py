"""What the events of Google's streams come to."""

from time import perf_counter

import pytest

from native_web_search.adapters.providers import gemini
from native_web_search.adapters.providers.google_reading import Told
from native_web_search.adapters.providers.google_urls import fetched
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.google_events import (
    event,
    google_stream,
    url_entry,
    url_metadata,
)
from native_web_search.domain.failure import NotSearched, Unreachable
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import Appetite, ResponseHead

A = "https://a.example/x"
B = "https://b.example/ü?q=1#part"


def searched(*events: object) -> SearchOutcome:
    """The outcome of a search that was answered with these events."""
    return decoded(gemini.CODEC.search.decoder(), google_stream(*events))


@pytest.mark.rule("gemini.9")
def test_only_text_is_the_answer() -> None:
    """Thoughts, tool parts and what nobody knows yet are left out; odd values do no harm."""
    parts: list[object] = [
        {"text": "a thought", "thought": True},
        {"text": "a"},
        {"toolCall": {"text": "no"}},
        {"executableCode": {"code": "no"}},
        {"text": 5},
        None,
        {"text": "b", "thoughtSignature": "s"},
    ]
    candidate = {"content": {"parts": parts}, "groundingMetadata": {"webSearchQueries": ["q"]}}
    outcome = searched({"candidates": [candidate]}, event())
    assert outcome.unwrap()["answer"] == "ab"


@pytest.mark.rule("gemini.10")
@pytest.mark.parametrize("later", [{}, {"groundingChunks": []}, None, "no object"])
def test_empty_metadata_overwrite_nothing(later: object) -> None:
    """What was there stays."""
    grounding = {"webSearchQueries": ["q"], "unknown": [1, {"a": None}]}
    outcome = searched(event("a", None, grounding=grounding), event("b", grounding=later))
    assert outcome.unwrap() == {
        "answer": "ab",
        "groundingMetadata": grounding,
        "searchQueries": ["q"],
    }


@pytest.mark.rule("gemini.10")
def test_snake_case_is_understood_and_returned_as_it_is() -> None:
    """Both spellings of a name mean the same."""
    grounding = {"web_search_queries": ["q"]}
    outcome = searched({"candidates": [{"finish_reason": "STOP", "grounding_metadata": grounding}]})
    assert outcome.unwrap() == {"groundingMetadata": grounding, "searchQueries": ["q"]}


@pytest.mark.rule("gemini.10")
def test_grounding_of_the_candidate_beats_grounding_beside_it() -> None:
    """Metadata at the top level only stand in."""
    inner, outer = {"webSearchQueries": ["in"]}, {"webSearchQueries": ["out"]}
    told = event("a", grounding=inner) | {"groundingMetadata": outer}
    assert searched(told).unwrap()["groundingMetadata"] == inner


@pytest.mark.rule("gemini.11")
def test_earlier_url_entries_are_joined_to_later_ones() -> None:
    """A later list that lacks entries gets them back; one that has them all stays as it is."""
    first, second = url_metadata(url_entry(A)), url_metadata(url_entry(B)) | {"other": 1}
    outcome = searched(
        event("a", None, urls=first),
        event("b", None, urls=second),
        event("c", grounding={"groundingChunks": [{}]}),
    )
    assert outcome.unwrap()["urlContextMetadata"] == {
        "urlMetadata": [url_entry(A), url_entry(B)],
        "other": 1,
    }


@pytest.mark.rule("gemini.11")
def test_a_growing_list_stays_as_it_is() -> None:
    """Duplicates in it are Google's and stay."""
    first, second = (
        url_metadata(url_entry(A)),
        url_metadata(url_entry(A), url_entry(B), url_entry(B)),
    )
    outcome = searched(
        event("a", None, urls=first),
        event("b", urls=second, grounding={"groundingChunks": [1]}),
    )
    assert outcome.unwrap()["urlContextMetadata"] == second


@pytest.mark.rule("gemini.12")
@pytest.mark.parametrize("evidence", [{"webSearchQueries": ["q"]}, {"groundingChunks": [{}]}])
def test_evidence_in_any_event_is_evidence(evidence: dict[str, object]) -> None:
    """Later metadata without it take nothing back."""
    outcome = searched(
        event("a", None, grounding=evidence),
        event("b", grounding={"searchEntryPoint": {"renderedContent": "<p>"}}),
    )
    assert outcome.unwrap()["answer"] == "ab"


@pytest.mark.rule("gemini.12")
@pytest.mark.parametrize(
    "grounding", [{}, {"searchEntryPoint": {}}, {"webSearchQueries": [], "groundingChunks": []}]
)
def test_an_answer_without_evidence_is_no_search(grounding: object) -> None:
    """An answer from memory is worse than none."""
    failure = searched(event("I know that", grounding=grounding)).failure()
    assert isinstance(failure, NotSearched)


@pytest.mark.rule("gemini.14")
def test_nothing_is_read_after_the_finish() -> None:
    """The first finish reason is the end."""
    decoder = gemini.CODEC.search.decoder()
    decoder.begin(ResponseHead(200))
    told = event("a", grounding={"webSearchQueries": ["q"]})
    assert decoder.feed(google_stream(told, event("b"))) is Appetite.DONE
    assert decoder.end().unwrap()["answer"] == "a"


@pytest.mark.rule("gemini.14")
@pytest.mark.parametrize("told", [{}, {"candidates": []}, {"candidates": [{}]}, event("a", "")])
def test_a_stream_without_a_finish_ended_early(told: object) -> None:
    """Everything in an event is optional, but not in all of them."""
    assert isinstance(searched(told).failure(), Unreachable)


@pytest.mark.rule("gemini.12")
def test_an_odd_finish_reason_is_shown_on_one_line() -> None:
    """What Google calls the end is part of the message, line breaks are not."""
    failure = searched(event("a", "NEWS\nTO ME")).failure()
    assert failure == NotSearched("no search was performed (finish reason NEWS TO ME)")


@pytest.mark.rule("gemini.29")
def test_many_url_entries_take_linear_time() -> None:
    """Two long lists that have nothing in common are joined at once."""
    first, second = ([url_entry(f"{page}/{n}") for n in range(6_000)] for page in (A, B))
    events = (event("", None, urls=url_metadata(*entries)) for entries in (first, second))
    begun = perf_counter()
    outcome = searched(*events, event(grounding={"groundingChunks": [{}]}))
    assert perf_counter() - begun < 3
    assert outcome.unwrap()["urlContextMetadata"] == url_metadata(*first, *second)


@pytest.mark.rule("gemini.29")
def test_many_url_entries_are_matched_in_linear_time() -> None:
    """Twenty pages are looked up among thousands of entries, not compared with each of them."""
    entries = (url_entry(f"https://c.example/{n}") for n in range(20_000))
    told = Told("a", {}, url_metadata(*entries), searched=True, finish="STOP")
    urls = tuple(f"https://d.example/{n}" for n in range(20))
    begun = perf_counter()
    answer = fetched(urls, told, is_video=lambda _: False)
    assert perf_counter() - begun < 3
    assert len(answer.entries) == len(urls)

"""What whole streams of Gemini and Antigravity amount to, however the network cuts them.

`NATIVE_WEB_SEARCH_ALL_CUTS=1` cuts at every place; otherwise the places are those around line
ends, inside characters of several bytes, and some at random.
"""

import json
import os
from pathlib import Path

import pytest

from native_web_search.adapters.providers import antigravity, gemini
from native_web_search.adapters.testing.cuts import cuts
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
from native_web_search.domain.payload import (
    FetchAnswer,
    Fetched,
    SearchOutcome,
    UrlAnswer,
    UrlFailure,
)

STREAMS = Path(__file__).parents[2] / "streams"
ALL_CUTS = os.environ.get("NATIVE_WEB_SEARCH_ALL_CUTS") == "1"
NAMES = sorted(
    path.stem for family in ("google", "antigravity") for path in STREAMS.glob(f"{family}-*.sse")
)

TEXT = (
    "Tōkyō’s 隅田川花火大会 was held on 25 July 2026. About 20 000 fireworks were launched 🎆, "
    "and organisers counted 910 000 visitors."
)
QUERIES = ["隅田川花火大会 2026 日程", "Sumida fireworks 2026 attendance"]
A = "https://example.com/ä?q=1"
B = "https://example.org/missing"
C = "https://news.example.net/paid"
D = "https://bad.example/malware"
E = "https://example.com/never-tried"
VIDEO = "https://youtu.be/AAAAAAAAAAA"


def body_of(name: str) -> bytes:
    """The bytes of a stream."""
    return (STREAMS / f"{name}.sse").read_bytes()


def searched(name: str, *pieces: bytes) -> SearchOutcome:
    """The outcome of the stream as a search, of its whole body unless pieces are given."""
    codec = antigravity.CODEC if name.startswith("antigravity") else gemini.CODEC
    return decoded(codec.search.decoder(), *(pieces or (body_of(name),)))


def fetched(name: str, *urls: str, pieces: tuple[bytes, ...] = ()) -> FetchAnswer:
    """The answer of the stream as an analysis of these URLs."""
    codec = antigravity.CODEC if name.startswith("antigravity") else gemini.CODEC
    assert codec.fetch is not None
    return decoded(codec.fetch.decoder(urls), *(pieces or (body_of(name),)))


def candidates_of(name: str) -> list[dict[str, object]]:
    """The candidates on the wire, in order, read by nothing of ours."""
    lines = [line for line in body_of(name).decode().split("\n") if line.startswith("data:")]
    events = [json.loads(line.removeprefix("data:")) for line in lines]
    return [
        candidate
        for event in events
        for candidate in event.get("response", event).get("candidates", [])
    ]


def metadata_of(name: str, field: str) -> object:
    """The last metadata on the wire that hold something."""
    return [c[field] for c in candidates_of(name) if c.get(field)][-1]


def data_of(answer: UrlAnswer) -> object:
    """The data of a URL that was answered."""
    assert isinstance(answer, Fetched)
    return answer.data


def errors_of(answer: FetchAnswer) -> dict[int, str]:
    """The messages of the URLs that were not answered, by index."""
    return {
        index: entry.message
        for index, entry in answer.entries.items()
        if isinstance(entry, UrlFailure)
    }


@pytest.mark.rule("gemini.9")
@pytest.mark.rule("gemini.10")
@pytest.mark.rule("gemini.13")
@pytest.mark.rule("antigravity.6")
@pytest.mark.parametrize(
    "name",
    [
        "google-search-ok",
        "google-search-empty-intermediate",
        "google-search-metadata-midstream",
        "google-search-thoughts",
        "google-search-space-in-uri",
        "google-no-space-comment",
        "antigravity-search-ok",
        "antigravity-search-thoughts",
        "antigravity-trailer-no-response",
    ],
)
def test_a_grounded_answer_is_returned_untouched(name: str) -> None:
    """The answer is the text without thoughts, the metadata are those of the wire."""
    payload = searched(name).unwrap()
    assert payload["answer"] == TEXT
    assert payload["groundingMetadata"] == metadata_of(name, "groundingMetadata")
    assert payload["searchQueries"] == QUERIES
    assert payload.keys() == {"answer", "groundingMetadata", "searchQueries"}


@pytest.mark.rule("gemini.10")
@pytest.mark.parametrize("name", ["google-lf-only", "google-multiline-data"])
def test_the_way_a_stream_is_written_does_not_matter(name: str) -> None:
    """One event on one line and the same event on many lines say the same."""
    assert searched(name) == searched("google-no-space-comment")


@pytest.mark.rule("gemini.13")
def test_duplicate_chunks_stay() -> None:
    """The same page found twice is returned twice, in its place."""
    payload = searched("google-search-ok").unwrap()
    metadata = payload["groundingMetadata"]
    assert isinstance(metadata, dict)
    first, second, third = metadata["groundingChunks"]
    assert first == third != second


@pytest.mark.rule("gemini.13")
def test_an_address_with_blanks_stays_as_it_is() -> None:
    """A link that no standard would allow is none of our business."""
    assert "San Francisco, CA,+US" in json.dumps(
        searched("google-search-space-in-uri").unwrap()["groundingMetadata"]
    )


@pytest.mark.rule("gemini.12")
def test_a_search_without_hits_is_a_search() -> None:
    """Queries without any page are evidence."""
    payload = searched("google-search-queries-only").unwrap()
    assert payload["answer"] == "I could not find anything about that."
    assert payload["searchQueries"] == ["zxqv nonexistent"]


@pytest.mark.rule("gemini.10")
def test_grounding_beside_the_candidates_counts_if_they_have_none() -> None:
    """Metadata at the top level of an event are used and returned."""
    payload = searched("google-toplevel-grounding").unwrap()
    assert payload["answer"] == TEXT
    assert payload["searchQueries"] == QUERIES


@pytest.mark.rule("gemini.15")
def test_a_grounded_answer_that_was_cut_short_stands() -> None:
    """Evidence outweighs the missing end, and offsets behind it do no harm."""
    payload = searched("google-finish-max-tokens").unwrap()
    assert payload["answer"] == TEXT[:50]
    assert payload["groundingMetadata"] == metadata_of(
        "google-finish-max-tokens", "groundingMetadata"
    )


@pytest.mark.rule("gemini.13")
def test_both_kinds_of_metadata_are_returned() -> None:
    """A search that opened pages as well says both."""
    payload = searched("google-combined").unwrap()
    assert payload["answer"] == TEXT
    for field in ("groundingMetadata", "urlContextMetadata"):
        assert payload[field] == metadata_of("google-combined", field)


FAILURES: dict[str, AttemptFailure] = {
    "google-search-ungrounded": NotSearched("no search was performed (finish reason STOP)"),
    "google-empty-stop": NotSearched("no search was performed (finish reason STOP)"),
    "google-prompt-blocked": RequestRefused("the request was blocked with PROHIBITED_CONTENT"),
    "google-finish-safety": RequestRefused("the answer ended with SAFETY"),
    "google-finish-malformed-call": ModelRefused(
        "the answer ended with MALFORMED_FUNCTION_CALL: Malformed function call: "
        'print(google_search.search(queries=["x"]))'
    ),
    "google-empty-nothing": Unreachable("the answer is empty"),
    "google-error-midstream-data": ModelRefused(
        "This model is currently experiencing high demand. Please try again later.", 503
    ),
    "google-error-first-event-200": ProviderRefused(
        "Resource has been exhausted (e.g. check quota).", 429
    ),
    "google-cut-midjson": Unreachable("the stream ended before its last event"),
    "google-cut-no-finish": Unreachable("the stream ended before its last event"),
    "antigravity-error-midstream": ModelRefused(
        "You have exhausted your capacity on this model. Your quota will reset after 41s.", 429
    ),
    "antigravity-prompt-blocked": RequestRefused("the request was blocked with SAFETY"),
    "antigravity-cut": Unreachable("the stream ended before its last event"),
}


@pytest.mark.rule("gemini.12")
@pytest.mark.rule("gemini.14")
@pytest.mark.rule("gemini.15")
@pytest.mark.rule("gemini.16")
@pytest.mark.rule("gemini.17")
@pytest.mark.parametrize("name", FAILURES)
def test_a_bad_stream_fails_for_its_own_reason(name: str) -> None:
    """The failure is of the right kind and says why, and no text comes through with it."""
    assert searched(name) == Failure(FAILURES[name])


@pytest.mark.rule("gemini.15")
@pytest.mark.rule("gemini.16")
@pytest.mark.rule("gemini.17")
@pytest.mark.parametrize("name", sorted(FAILURES.keys() - {"google-search-ungrounded"}))
def test_a_bad_stream_answers_no_url(name: str) -> None:
    """A failed analysis leaves every URL pending; one that merely proved nothing says so."""
    answer = fetched(name, A)
    if isinstance(FAILURES[name], NotSearched):
        assert answer.failure is None
        assert "not verified" in errors_of(answer)[0]
    else:
        assert answer == FetchAnswer({}, FAILURES[name])


@pytest.mark.rule("gemini.19")
def test_a_page_that_was_opened_is_data() -> None:
    """The entry holds the answer and both kinds of metadata."""
    name = "google-urlcontext-ok"
    assert fetched(name, A).entries == {
        0: Fetched(
            {
                "answer": "The page describes naïve café pricing: 3 €.",
                "groundingMetadata": metadata_of(name, "groundingMetadata"),
                "urlContextMetadata": metadata_of(name, "urlContextMetadata"),
            }
        )
    }


@pytest.mark.rule("gemini.19")
def test_grounding_stands_beside_the_url_metadata() -> None:
    """An analysis that searched as well returns both, whichever came first."""
    name = "google-combined"
    assert data_of(fetched(name, A).entries[0]) == {
        "answer": TEXT,
        "groundingMetadata": metadata_of(name, "groundingMetadata"),
        "urlContextMetadata": metadata_of(name, "urlContextMetadata"),
    }


@pytest.mark.rule("gemini.19")
def test_what_was_not_opened_is_an_error_of_that_url() -> None:
    """Each status is named, an unmentioned URL is not verified, and the attempt did not fail."""
    answer = fetched("google-urlcontext-partial", A, B, C, D, E)
    data = data_of(answer.entries[0])
    errors = errors_of(answer)
    assert answer.failure is None
    assert isinstance(data, dict)
    assert data["answer"] == "Only the first URL could be read."
    assert list(errors) == [1, 2, 3, 4]
    for index, word in enumerate(("ERROR", "PAYWALL", "UNSAFE"), start=1):
        assert f"URL_RETRIEVAL_STATUS_{word}" in errors[index]
    assert errors[4].startswith("not verified")


@pytest.mark.rule("gemini.23")
def test_no_url_opened_is_no_failure_of_the_attempt() -> None:
    """The pages are at fault, not the provider."""
    answer = fetched("google-urlcontext-allfail", B)
    assert answer.failure is None
    assert "URL_RETRIEVAL_STATUS_ERROR" in errors_of(answer)[0]


@pytest.mark.rule("gemini.19")
def test_a_plausible_answer_without_metadata_is_not_verified() -> None:
    """The model may have answered from memory."""
    answer = fetched("google-urlcontext-nometa", A)
    assert answer.failure is None
    assert "not verified" in errors_of(answer)[0]


@pytest.mark.rule("gemini.20")
def test_a_lone_entry_belongs_to_the_lone_url() -> None:
    """Google's spelling of the address does not matter when there is nothing to confuse."""
    answer = fetched("google-urlcontext-normalised-url", "https://www.example.com/a")
    data = data_of(answer.entries[0])
    assert isinstance(data, dict)
    assert data["answer"] == "Summary."


@pytest.mark.rule("gemini.21")
def test_a_video_is_answered_by_a_clean_end() -> None:
    """A video has no metadata; text up to a proper end is its success."""
    answer = fetched("google-urlcontext-youtube", VIDEO)
    assert answer.entries == {0: Fetched({"answer": "The video shows a lighthouse."})}


@pytest.mark.rule("antigravity.5")
def test_antigravity_proves_a_video_like_any_page() -> None:
    """There a video is only a URL in the text, so that nothing proves it here."""
    fetch = antigravity.CODEC.fetch
    assert fetch is not None
    answer = decoded(fetch.decoder((VIDEO,)), body_of("google-urlcontext-youtube"))
    assert "not verified" in errors_of(answer)[0]


@pytest.mark.rule("gemini.19")
def test_antigravity_tells_what_it_opened() -> None:
    """The envelope changes nothing about the entries."""
    answer = fetched("antigravity-urlcontext-camel", A, B)
    data = data_of(answer.entries[0])
    assert isinstance(data, dict)
    assert data["answer"] == "Only one page opened."
    assert "URL_RETRIEVAL_STATUS_ERROR" in errors_of(answer)[1]


@pytest.mark.rule("gemini.13")
def test_a_line_longer_than_any_buffer_is_read_whole() -> None:
    """600 000 characters on one line are one event, in small pieces as well."""
    candidate = candidates_of("google-lf-only")[0]
    metadata = candidate["groundingMetadata"]
    assert isinstance(metadata, dict)
    rendered = "<div>" + "x" * 600_000 + "</div>"
    metadata["searchEntryPoint"] = {"renderedContent": rendered}
    event = json.dumps({"candidates": [candidate]}, ensure_ascii=False)
    body = f"data: {event}\r\n\r\n".encode()
    pieces = [body[at : at + 4_096] for at in range(0, len(body), 4_096)]
    payload = searched("google-big-line", *pieces).unwrap()
    assert payload["answer"] == TEXT
    assert payload["groundingMetadata"] == metadata


@pytest.mark.rule("gemini.17")
@pytest.mark.parametrize("indent", [None, 2])
def test_an_error_on_lines_of_its_own_is_understood(indent: int | None) -> None:
    """Google may break off with a bare JSON error, on one line or on many."""
    text = {"candidates": [{"content": {"parts": [{"text": "half"}]}}]}
    error = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}
    body = f"data: {json.dumps(text)}\n\n{json.dumps(error, indent=indent)}\n".encode()
    expected = Failure(ModelRefused("The model is overloaded.", 503))
    assert [searched("google", *pieces) for pieces in cuts(body, every=True)] == [expected] * (
        len(body) + 2
    )


@pytest.mark.rule("gemini.24")
@pytest.mark.rule("antigravity.6")
@pytest.mark.parametrize("name", NAMES)
def test_no_cut_changes_the_outcome(name: str) -> None:
    """One byte at a time, or in two pieces cut anywhere, the outcome is the same."""
    body = body_of(name)
    whole = searched(name)
    for pieces in cuts(body, every=ALL_CUTS):
        assert searched(name, *pieces) == whole


@pytest.mark.rule("gemini.24")
@pytest.mark.parametrize("name", [name for name in NAMES if "urlcontext" in name])
def test_no_cut_changes_the_entries(name: str) -> None:
    """The same for the analysis of URLs."""
    body = body_of(name)
    whole = fetched(name, A, B, VIDEO)
    for pieces in cuts(body, every=ALL_CUTS):
        assert fetched(name, A, B, VIDEO, pieces=pieces) == whole

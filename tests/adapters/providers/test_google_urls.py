"""Which of the requested URLs an answer of Google's stands on."""

import pytest

from native_web_search.adapters.providers import gemini
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.google_events import (
    RETRIEVED,
    event,
    google_stream,
    url_entry,
    url_metadata,
)
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlFailure

A = "https://a.example/x"
B = "https://b.example/ü?q=1#part"
VIDEO = "https://youtu.be/AAAAAAAAAAA"


def fetched(urls: tuple[str, ...], *events: object) -> FetchAnswer:
    """The answer for URLs that were answered with these events."""
    assert gemini.CODEC.fetch is not None
    return decoded(gemini.CODEC.fetch.decoder(urls), google_stream(*events))


@pytest.mark.rule("gemini.19")
@pytest.mark.parametrize(
    ("told", "word"),
    [
        ({"retrievedUrl": A}, "no status"),
        (url_entry(A, ""), "no status"),
        (url_entry(A, "URL_RETRIEVAL_STATUS_UNSPECIFIED"), "UNSPECIFIED"),
        (url_entry(A, "SUCCESS"), "SUCCESS"),
    ],
)
def test_only_the_status_of_success_is_success(told: object, word: str) -> None:
    """An entry without a status, or with any other, is an error of that URL."""
    answer = fetched((A,), event("text", urls=url_metadata(told)))
    failure = answer.entries[0]
    assert isinstance(failure, UrlFailure)
    assert word in failure.message
    assert answer.failure is None


@pytest.mark.rule("gemini.20")
def test_entries_are_paired_by_url_and_not_by_order() -> None:
    """Google lists them as it likes."""
    metadata = url_metadata(url_entry(B), url_entry(A, "URL_RETRIEVAL_STATUS_ERROR"))
    answer = fetched((A, B), event("t", urls=metadata))
    assert isinstance(answer.entries[0], UrlFailure)
    assert isinstance(answer.entries[1], Fetched)


@pytest.mark.rule("gemini.20")
@pytest.mark.parametrize(
    "spelling",
    [
        "https://B.example/%C3%BC?q=1",
        "https://b.example:443/ü?q=1#other",
        "https://b.example/./ü?q=1",
    ],
)
def test_another_spelling_of_the_address_is_the_same_page(spelling: str) -> None:
    """As a browser would see it."""
    metadata = url_metadata(url_entry(A), url_entry(spelling))
    answer = fetched((A, B), event("t", urls=metadata))
    assert isinstance(answer.entries[1], Fetched)


@pytest.mark.rule("gemini.20")
def test_a_slash_at_the_end_makes_no_other_page() -> None:
    """Google adds or drops it."""
    metadata = url_metadata(url_entry(B), url_entry(f"{A}/"))
    answer = fetched((A, B), event("t", urls=metadata))
    assert isinstance(answer.entries[0], Fetched)


@pytest.mark.rule("gemini.20")
def test_a_lone_entry_is_the_lone_page_whatever_it_is_called() -> None:
    """A page may have moved; the same page asked for twice is one page."""
    metadata = url_metadata(url_entry("https://moved.example/"))
    answer = fetched((A, A), event("t", urls=metadata))
    assert all(isinstance(each, Fetched) for each in answer.entries.values())


@pytest.mark.rule("gemini.20")
def test_the_entry_of_another_requested_url_is_not_borrowed() -> None:
    """Of two URLs that mean one page, each needs its own entry."""
    answer = fetched((A, f"{A}/"), event("t", urls=url_metadata(url_entry(A))))
    assert isinstance(answer.entries[0], Fetched)
    assert isinstance(answer.entries[1], UrlFailure)


@pytest.mark.rule("gemini.20")
def test_a_different_page_proves_nothing() -> None:
    """One entry for two URLs belongs to the one it names, and to none if it names neither."""
    metadata = url_metadata(url_entry("https://c.example/"), url_entry("no address"))
    answer = fetched((A, B), event("t", urls=metadata))
    assert all(isinstance(each, UrlFailure) for each in answer.entries.values())


@pytest.mark.rule("gemini.20")
def test_one_success_among_several_entries_is_enough() -> None:
    """A page that was tried twice was opened if it was opened once."""
    failed = url_entry(A, "URL_RETRIEVAL_STATUS_ERROR")
    answer = fetched((A,), event("t", urls=url_metadata(failed, url_entry(A), failed)))
    assert isinstance(answer.entries[0], Fetched)


@pytest.mark.rule("gemini.20")
def test_both_spellings_of_the_entries_are_read() -> None:
    """Snake case inside camel case, as Antigravity has sent it."""
    told = {"retrieved_url": A, "url_retrieval_status": RETRIEVED}
    for outer in ("urlContextMetadata", "url_context_metadata"):
        for inner in ("urlMetadata", "url_metadata"):
            answer = fetched(
                (A,), {"candidates": [{"finishReason": "STOP", outer: {inner: [told]}}]}
            )
            assert answer.entries == {0: Fetched({"urlContextMetadata": {inner: [told]}})}


@pytest.mark.rule("gemini.22")
def test_the_answer_is_given_once() -> None:
    """The first URL that was answered carries everything, the others their own entry only."""
    metadata = url_metadata(
        url_entry(A, "URL_RETRIEVAL_STATUS_ERROR"), url_entry(B), url_entry("https://c.example/")
    )
    urls = (A, B, "https://c.example/", B)
    answer = fetched(urls, event("t", urls=metadata))
    assert isinstance(answer.entries[0], UrlFailure)
    assert answer.entries[1] == Fetched({"answer": "t", "urlContextMetadata": metadata})
    assert answer.entries[2] == Fetched(
        {"urlContextMetadata": url_metadata(url_entry("https://c.example/"))}
    )
    assert answer.entries[3] == Fetched({"urlContextMetadata": url_metadata(url_entry(B))})


@pytest.mark.rule("gemini.21")
@pytest.mark.parametrize(
    ("told", "word"),
    [(event("t", "MAX_TOKENS"), "MAX_TOKENS"), (event(""), "no text")],
)
def test_an_unfinished_video_is_an_error_of_that_url(told: object, word: str) -> None:
    """Without a clean end or without text it was not watched."""
    answer = fetched((VIDEO,), told)
    failure = answer.entries[0]
    assert isinstance(failure, UrlFailure)
    assert word in failure.message


@pytest.mark.rule("gemini.21")
def test_a_video_beside_a_page() -> None:
    """The video needs no entry, and an entry about it proves nothing about the page."""
    told = event("t", urls=url_metadata(url_entry(VIDEO)))
    answer = fetched((A, VIDEO), told)
    assert isinstance(answer.entries[0], UrlFailure)
    assert answer.entries[1] == Fetched(
        {"answer": "t", "urlContextMetadata": url_metadata(url_entry(VIDEO))}
    )


@pytest.mark.rule("gemini.22")
def test_a_second_video_has_nothing_of_its_own() -> None:
    """There is no entry for it, and the answer is not repeated."""
    answer = fetched((VIDEO, f"{VIDEO}?t=1"), event("t"))
    assert answer.entries == {0: Fetched({"answer": "t"}), 1: Fetched({})}

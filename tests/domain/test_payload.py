"""The document that is made of what providers returned."""

import pytest

from native_web_search.domain.payload import Fetched, FetchedEntry, UrlFailure, document


@pytest.mark.rule("payload.1")
def test_parts_that_nobody_asked_for_are_absent() -> None:
    """A search alone has no `fetched`, URLs alone have neither `query` nor `search`."""
    page = FetchedEntry("https://a.example/", Fetched("text"))

    assert document("q", {"answer": "a"}, ()) == {"query": "q", "search": {"answer": "a"}}
    assert document(None, None, (page,)) == {
        "fetched": [{"url": "https://a.example/", "data": "text"}]
    }
    assert list(document("q", {}, (page,))) == ["query", "search", "fetched"]


@pytest.mark.rule("payload.2")
def test_an_entry_holds_data_or_an_error() -> None:
    """Each URL has its own entry in the order of the call, twice if it was given twice."""
    entries = (
        FetchedEntry("https://a.example/", Fetched(None)),
        FetchedEntry("https://b.example/", UrlFailure("HTTP 404")),
        FetchedEntry("https://a.example/", Fetched({"content": "x"})),
    )

    assert document(None, None, entries)["fetched"] == [
        {"url": "https://a.example/", "data": None},
        {"url": "https://b.example/", "error": "HTTP 404"},
        {"url": "https://a.example/", "data": {"content": "x"}},
    ]


@pytest.mark.rule("payload.3")
def test_what_the_provider_returned_is_passed_on_as_it_is() -> None:
    """Payloads are neither copied nor opened: duplicates, odd links and unknown keys stay."""
    search = {"results": [{"url": "u", "new": 1}, {"url": "u", "new": 1}], "answer": ""}
    page = {"title": "", "content": "x", "unknown": [None]}

    made = document("q", search, (FetchedEntry("https://a.example/", Fetched(page)),))

    assert made["search"] is search
    assert made["fetched"] == [{"url": "https://a.example/", "data": page}]

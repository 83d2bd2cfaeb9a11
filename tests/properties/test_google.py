"""Laws of the codecs for Gemini and Antigravity."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.providers import antigravity, gemini
from native_web_search.adapters.testing.asking import ask_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.google_events import RETRIEVED, url_metadata
from native_web_search.adapters.testing.strategies.arguments import web_urls
from native_web_search.adapters.testing.strategies.google import (
    google_events,
    grounding_metadata,
    url_entries,
)
from native_web_search.adapters.testing.strategies.rest import bodies, heads, written
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure
from native_web_search.ports.http import ResponseHead

GEMINI = ChatModel("google", "gemini-3.5-flash", base_url="https://google.example/v1beta")
PAGES = ("https://a.example/x", "https://b.example/y", "https://c.example/z")


def stream(events: list[object]) -> bytes:
    """The events as a stream."""
    return b"".join(b"data: " + written(event) + b"\r\n\r\n" for event in events)


def searched(body: bytes, head: ResponseHead | None = None) -> SearchOutcome:
    """The outcome of a search with this response."""
    return decoded(gemini.CODEC.search.decoder(), body, head=head or ResponseHead(200))


def fetched(body: bytes, urls: tuple[str, ...], head: ResponseHead | None = None) -> FetchAnswer:
    """The answer for these URLs with this response."""
    assert gemini.CODEC.fetch is not None
    return decoded(gemini.CODEC.fetch.decoder(urls), body, head=head or ResponseHead(200))


@pytest.mark.rule("gemini.26")
class TestEveryResponseIsAnOutcome:
    """Nothing that a server sends raises."""

    @given(bodies(), heads())
    def test_of_any_bytes(self, body: bytes, head: ResponseHead) -> None:
        """Whatever the status."""
        assert isinstance(searched(body, head), Success | Failure)
        assert isinstance(fetched(body, PAGES, head), FetchAnswer)

    @given(st.lists(google_events(), max_size=4))
    def test_of_any_events(self, events: list[object]) -> None:
        """Whatever stands under the names that mean something; a success can be written down."""
        outcome = searched(stream(events))
        assert isinstance(outcome, Failure) or json.dumps(outcome.unwrap())
        for entry in fetched(stream(events), PAGES).entries.values():
            assert isinstance(entry, UrlFailure) or json.dumps(entry.data)


@pytest.mark.rule("gemini.10")
class TestMetadataAreReturnedAsTheyCame:
    """Nothing is dropped, renamed, sorted or merged."""

    @given(grounding_metadata(), st.lists(st.text(max_size=20), max_size=4))
    def test_with_the_text_of_all_events(self, metadata: object, texts: list[str]) -> None:
        """Unknown fields, numbers and order survive, and the answer is all the text there is."""
        told: list[object] = [
            {"candidates": [{"content": {"parts": [{"text": text}]}}]} for text in texts
        ]
        last = {"candidates": [{"finishReason": "STOP", "groundingMetadata": metadata}]}
        payload = searched(stream([*told, last])).unwrap()
        assert json.dumps(payload["groundingMetadata"]) == json.dumps(json.loads(written(metadata)))
        assert payload.get("answer", "") == "".join(texts)


@pytest.mark.rule("gemini.19")
@pytest.mark.rule("gemini.22")
class TestEveryUrlIsJudgedByItsEntries:
    """The metadata decide, URL by URL."""

    @given(
        st.lists(st.sampled_from(PAGES), min_size=2, max_size=6),
        url_entries(st.sampled_from([*PAGES, "https://d.example/"])),
    )
    def test_opened_means_data(self, urls: list[str], entries: list[dict[str, object]]) -> None:
        """A URL has data if an entry of its own reports success, and the answer is given once."""
        candidate = {
            "content": {"parts": [{"text": "t"}]},
            "finishReason": "STOP",
            "urlContextMetadata": url_metadata(*entries),
        }
        answer = fetched(stream([{"candidates": [candidate]}]), tuple(urls))
        opened = {e["retrievedUrl"] for e in entries if e["urlRetrievalStatus"] == RETRIEVED}
        if len(set(urls)) > 1:  # a lone URL takes a lone entry, whatever it names
            assert [isinstance(answer.entries[at], Fetched) for at in range(len(urls))] == [
                url in opened for url in urls
            ]
        data = [e.data for e in answer.entries.values() if isinstance(e, Fetched)]
        assert [isinstance(each, dict) and "answer" in each for each in data] == [
            at == 0 for at in range(len(data))
        ]
        assert answer.failure is None


@pytest.mark.rule("gemini.3")
class TestUrlsAreSentAsGiven:
    """Byte for byte, in order, duplicates included."""

    @given(st.lists(web_urls(), min_size=1, max_size=20), st.text(max_size=10))
    def test_one_a_line(self, urls: list[str], query: str) -> None:
        """Below the query; what is no video for Gemini is never one for Antigravity."""
        for codec in (gemini.CODEC, antigravity.CODEC):
            assert codec.fetch is not None
            request = codec.fetch.encode(ask_of(GEMINI), tuple(urls), query).unwrap()
            body = json.loads(request.body)
            (part,) = body.get("request", body)["contents"][0]["parts"]
            assert part["text"].endswith("\n\nURLs:\n" + "\n".join(urls))

"""Laws of the codecs of DeepSeek and Ollama Cloud, and of the classification under them."""

import json
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.providers import deepseek, ollama
from native_web_search.adapters.providers.classify import (
    JOINERS,
    MAX_MESSAGE,
    message_in,
    refusal_of_error,
    refusal_of_response,
    retry_after,
    signs_in,
)
from native_web_search.adapters.providers.codec import Ask, Codec
from native_web_search.adapters.providers.headers import merged
from native_web_search.adapters.testing.strategies.rest import (
    bodies,
    errors,
    heads,
    json_values,
    pages,
    search_answers,
    written,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import QueryTooLong, Skipped
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure
from native_web_search.domain.request import TRIMMED
from native_web_search.ports.http import HttpRequest, ResponseDecoder, ResponseHead
from native_web_search.ports.registry import Credential

A = TypeVar("A")

CODECS = st.sampled_from([deepseek.CODEC, ollama.CODEC])
HEADERS = st.lists(st.tuples(st.sampled_from("aAbBcC"), st.text(max_size=5)))
KEY = "sk-CANARY-0123456789"


def asks(base_url: str = "https://api.example/v1", key: str | None = KEY) -> Ask:
    """An attempt that holds the key wherever a key can be."""
    model = ChatModel("p", "m", base_url=base_url, headers=(("X-Model-Key", KEY),))
    candidate = Candidate(model, Family.DEEPSEEK, Dialect.NATIVE)
    credential = Credential("a test", key, (("X-Other-Key", KEY),))
    return Ask(candidate, credential, "session", "native-web-search/1")


def fed(decoder: ResponseDecoder[A], head: ResponseHead, *pieces: bytes) -> A:
    """What a decoder makes of a response in these pieces."""
    decoder.begin(head)
    for piece in pieces:
        decoder.feed(piece)
    return decoder.end()


def searched(codec: Codec, head: ResponseHead, *pieces: bytes) -> SearchOutcome:
    """The decoded response of a search."""
    return fed(codec.search.decoder(), head, *pieces)


def fetched(codec: Codec, head: ResponseHead, *pieces: bytes) -> FetchAnswer:
    """The decoded response of a fetch."""
    assert codec.fetch is not None
    return fed(codec.fetch.decoder(("https://e.org/",)), head, *pieces)


def fetch_request(codec: Codec, url: str) -> HttpRequest:
    """The request for one URL."""
    assert codec.fetch is not None
    return codec.fetch.encode(asks(), (url,), None).unwrap()


def is_shown_safely(message: str) -> bool:
    """One bounded line that any terminal and any file can take, with something in it."""
    safe = all(each.isprintable() or each in JOINERS for each in message)
    return safe and 0 < len(message) <= MAX_MESSAGE + len("HTTP 999: ")


@pytest.mark.rule("rest.12")
class TestAnyBytesGiveAnAnswer:
    """Whatever comes back, decoding ends in an answer and never in an exception."""

    @given(CODECS, heads(), bodies())
    def test_a_search_ends_in_a_payload_or_a_failure(
        self, codec: Codec, head: ResponseHead, body: bytes
    ) -> None:
        """A payload holds a list of results; a failure says something and ends no call."""
        match searched(codec, head, body):
            case Success(payload):
                assert isinstance(payload["results"], list)
                assert head.status in range(200, 300)
            case Failure(failure):
                assert is_shown_safely(failure.message)
                assert not isinstance(failure, QueryTooLong | Skipped)

    @given(CODECS, heads(), bodies())
    def test_a_fetch_ends_in_one_entry_or_one_failure(
        self, codec: Codec, head: ResponseHead, body: bytes
    ) -> None:
        """The one URL is answered, refused or pending; exactly one of these."""
        match fetched(codec, head, body):
            case FetchAnswer({0: Fetched(data)}, None):
                assert isinstance(data, dict)
            case FetchAnswer({0: UrlFailure(message)}, None):
                assert is_shown_safely(message)
            case FetchAnswer(entries, failure):
                assert not entries
                assert failure is not None
                assert is_shown_safely(failure.message)

    @given(CODECS, heads(), bodies(), st.integers(0, 200), st.integers(0, 200))
    def test_where_the_body_is_cut_does_not_matter(
        self, codec: Codec, head: ResponseHead, body: bytes, one: int, two: int
    ) -> None:
        """Pieces of any size, empty ones included, say the same as the whole."""
        first, second = sorted((one, two))
        pieces = body[:first], body[first:second], body[second:]

        assert str(searched(codec, head, *pieces)) == str(searched(codec, head, body))
        assert str(fetched(codec, head, *pieces)) == str(fetched(codec, head, body))


@pytest.mark.rule("rest.5")
class TestPayloadsAreUntouched:
    """What the provider said survives as it came, fields that nobody knows included."""

    @given(CODECS, search_answers())
    def test_a_search_answer_is_the_payload(self, codec: Codec, answer: dict[str, object]) -> None:
        """Equal to the last digit, in the same order."""
        payload = searched(codec, ResponseHead(200), written(answer)).unwrap()
        assert json.dumps(payload) == json.dumps(json.loads(written(answer)))

    @given(CODECS, pages())
    def test_a_page_is_the_data_of_the_entry(self, codec: Codec, page: dict[str, object]) -> None:
        """Equal to the last digit, in the same order."""
        match fetched(codec, ResponseHead(200), written(page)).entries[0]:
            case Fetched(data):
                assert json.dumps(data) == json.dumps(json.loads(written(page)))
            case UrlFailure(message):
                pytest.fail(message)


@pytest.mark.rule("rest.10")
class TestQuestionsAreSentWhole:
    """A query and a URL reach the provider as they were asked."""

    @given(CODECS, st.text(st.characters(), max_size=140))
    def test_a_query_is_trimmed_and_nothing_else(self, codec: Codec, query: str) -> None:
        """Any text can be written as a body; what is too long for the provider is not cut."""
        match codec.search.encode(asks(), query):
            case Success(request):
                assert json.loads(request.body)["query"] == query.strip(TRIMMED)
            case Failure(failure):
                assert codec is deepseek.CODEC
                assert isinstance(failure, QueryTooLong)
                assert len(query.strip(TRIMMED)) > 128

    @given(CODECS, st.text(st.characters(exclude_categories=[]), max_size=40))
    def test_any_text_at_all_can_be_sent(self, codec: Codec, text: str) -> None:
        """Lone surrogates become escapes, and two of them may meet."""
        as_json = json.loads(json.dumps(text))
        assert json.loads(fetch_request(codec, text).body) == {"url": as_json}

    @given(
        CODECS,
        st.sampled_from(["", "/", "//", "/v1", "/v1/", "/v1//"]),
        st.sampled_from(["", "/ds", "/a/b", "/v2beta"]),
        st.sampled_from(["", "?team=a/b"]),
    )
    def test_equal_addresses_lead_to_the_same_place(
        self, codec: Codec, ending: str, prefix: str, query: str
    ) -> None:
        """Slashes and the version of the chat route at the end of a base URL change nothing."""
        bases = (f"http://h:1{prefix}{query}", f"http://h:1{prefix}{ending}{query}")
        plain, configured = (codec.search.encode(asks(base), "q").unwrap() for base in bases)
        assert configured.url == plain.url


@pytest.mark.rule("rest.4")
class TestNoCredentialIsShown:
    """Nothing that is printed or reported on the way out holds a key."""

    @given(CODECS, st.text(max_size=200), st.text(max_size=12), st.none() | st.just(KEY))
    def test_neither_a_repr_nor_a_failure_holds_the_key(
        self, codec: Codec, query: str, base: str, key: str | None
    ) -> None:
        """Whether the request could be made or not."""
        for address in (base, f"https://h/{base}", f"ftp://u:{KEY}@h/{base}"):
            asked = asks(address, key)
            encoded = codec.search.encode(asked, query)
            assert "CANARY" not in repr(encoded)
            if KEY not in address:
                assert "CANARY" not in repr(asked)


@pytest.mark.rule("headers.2")
class TestHeadersAreMerged:
    """Every name once, the strongest word wins."""

    @given(st.tuples(HEADERS, HEADERS, HEADERS))
    def test_one_header_for_each_name_with_the_last_word(
        self, places: tuple[list[tuple[str, str]], ...]
    ) -> None:
        """The same as writing all of them, in order, into a mapping without case."""
        said = {name.lower(): (name, value) for place in places for name, value in place}
        assert merged(places[0], places[1], places[2]) == tuple(said.values())


@pytest.mark.rule("classify.10")
class TestErrorsAreOpenedSafely:
    """Whatever an error holds, it becomes one bounded line and a few signs."""

    @given(errors() | json_values())
    def test_an_error_inside_a_success_gives_a_line(self, error: object) -> None:
        """The signs are lower-case, and the message can be shown anywhere."""
        refusal = refusal_of_error(error)
        assert is_shown_safely(refusal.message)
        assert all(sign == sign.lower() for sign in signs_in(error))

    @given(heads(), bodies())
    def test_an_error_response_names_its_status(self, head: ResponseHead, body: bytes) -> None:
        """However little is known besides."""
        refusal = refusal_of_response(head, body)
        assert is_shown_safely(refusal.message)
        assert refusal.message.startswith(f"HTTP {head.status}")

    @given(st.text(max_size=20).map(str.strip).filter(bool), st.sampled_from(["message", "detail"]))
    def test_the_words_of_the_provider_are_found(self, words: str, field: str) -> None:
        """At the top, under `error`, or as the error itself."""
        for body in (words, {"error": words}, {field: words}, {"error": {field: words, "code": 1}}):
            assert message_in(body) == words

    @given(st.text(max_size=40), st.text(max_size=40))
    def test_a_waiting_time_is_none_or_finite(self, value: str, date: str) -> None:
        """No header can make a wait negative or endless."""
        seconds = retry_after({"retry-after": value, "date": date})
        assert seconds is None or 0 <= seconds < 10**10

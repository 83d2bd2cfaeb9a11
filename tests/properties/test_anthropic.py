"""Laws of the codec for Anthropic's Messages interface."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.testing.asking import ask_of, request_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.strategies.anthropic import (
    anthropic_events,
    call_blocks,
    result_blocks,
)
from native_web_search.adapters.testing.strategies.rest import bodies, heads, json_values, written
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import ResponseHead

STOP: Mapping[str, object] = {"type": "message_stop"}


def stream(*events: object) -> bytes:
    """The events as a stream, up to its end."""
    return b"".join(b"data: " + written(event) + b"\n\n" for event in (*events, STOP))


def searched(body: bytes, head: ResponseHead | None = None) -> SearchOutcome:
    """The outcome of a search with this response."""
    return decoded(anthropic.CODEC.search.decoder(), body, head=head or ResponseHead(200))


def start(index: int, block: Mapping[str, object]) -> Mapping[str, object]:
    """A block begins."""
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: object) -> Mapping[str, object]:
    """A block goes on."""
    return {"type": "content_block_delta", "index": index, "delta": fields}


@pytest.mark.rule("anthropic.21")
class TestEveryResponseIsAnOutcome:
    """Nothing that a server sends raises."""

    @given(bodies(), heads())
    def test_of_any_bytes(self, body: bytes, head: ResponseHead) -> None:
        """Whatever the status."""
        assert isinstance(searched(body, head), Success | Failure)

    @given(st.lists(anthropic_events(), max_size=5))
    def test_of_any_events(self, events: list[Mapping[str, object]]) -> None:
        """Whatever stands under the names that mean something; a success can be written down."""
        outcome = searched(stream(*events))
        assert isinstance(outcome, Failure) or json.dumps(outcome.unwrap())


@pytest.mark.rule("anthropic.10")
class TestBlocksAreReturnedAsTheyCame:
    """Nothing is dropped, renamed, sorted or merged."""

    @given(st.lists(result_blocks(), min_size=1, max_size=3))
    def test_results(self, blocks: list[Mapping[str, object]]) -> None:
        """Unknown fields, numbers and order survive."""
        payload = searched(stream(*map(start, range(9), blocks))).unwrap()
        assert json.dumps(payload["results"]) == json.dumps(json.loads(written(blocks)))

    @given(call_blocks(), st.text(min_size=1, max_size=20), st.data())
    def test_calls_with_their_query(
        self, block: Mapping[str, object], query: str, data: st.DataObject
    ) -> None:
        """However the input is cut, it is all that is added."""
        text = json.dumps({"query": query})
        cut = data.draw(st.integers(0, len(text)))
        pieces = (
            delta(0, type="input_json_delta", partial_json=piece)
            for piece in ("", text[:cut], text[cut:])
        )
        result = {"type": "web_search_tool_result", "content": [{}]}
        payload = searched(stream(start(0, block), *pieces, start(1, result))).unwrap()
        assert payload["results"] == [{**block, "input": {"query": query}}, result]
        assert payload["searchQueries"] == [query]


@pytest.mark.rule("anthropic.9")
@pytest.mark.rule("anthropic.11")
class TestTextAndCitationsAreReturnedAsTheyCame:
    """Pieces are joined by nothing, citations are listed."""

    @given(
        st.lists(st.lists(st.text(max_size=8), max_size=3), max_size=3),
        st.lists(st.dictionaries(st.text(max_size=8), json_values(), min_size=1), max_size=3),
    )
    def test_over_any_blocks(self, texts: list[list[str]], citations: list[object]) -> None:
        """The answer is all text in order, and every citation is there once."""
        events = [start(0, {"type": "web_search_tool_result", "content": []})]
        for index, pieces in enumerate(texts, start=1):
            events.append(start(index, {"type": "text", "text": ""}))
            events += [delta(index, type="text_delta", text=piece) for piece in pieces]
        events.append(start(9, {"type": "text", "text": ""}))
        events += [delta(9, type="citations_delta", citation=each) for each in citations]
        payload = searched(stream(*events)).unwrap()
        assert payload.get("answer", "") == "".join("".join(pieces) for pieces in texts)
        assert payload.get("citations", []) == citations


@pytest.mark.rule("anthropic.2")
class TestTheQueryIsSentAsGiven:
    """Any text is one message."""

    @given(st.text(st.characters(), min_size=1, max_size=40))
    def test_whatever_it_holds(self, query: str) -> None:
        """Lone surrogates included; two that make a pair are one character ever after."""
        model = ChatModel("anthropic", "claude-sonnet-5-5", base_url="https://anthropic.example")
        request = request_of(anthropic.CODEC, ask_of(model), query)
        (message,) = json.loads(request.body.decode("utf-8"))["messages"]
        paired = query.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        assert message == {"role": "user", "content": paired}

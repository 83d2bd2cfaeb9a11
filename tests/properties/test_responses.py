"""Laws of the Responses codecs."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.strategies.event_stream import (
    WrittenStream,
    cuts,
    written_streams,
)
from native_web_search.domain.failure import Skipped, Unreachable
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import ResponseHead

plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
extras = st.dictionaries(st.text(), plain_values, max_size=3)
search_items = extras.map(lambda extra: {**extra, "type": "web_search_call", "status": "completed"})

# The names that the reading looks at, with anything under them.
NAMES = [
    "type",
    "item",
    "output_index",
    "response",
    "error",
    "message",
    "status",
    "output",
    "object",
    "content",
    "annotations",
    "action",
    "queries",
    "incomplete_details",
    "reason",
]
KINDS = [
    "response.completed",
    "response.failed",
    "response.incomplete",
    "error",
    "message",
    "response.output_item.done",
    "response.web_search_call.searching",
    "web_search_call",
    "output_text",
    "refusal",
    "url_citation",
    "response",
    "failed",
    "content_filter",
]
nearly_events = st.recursive(
    st.sampled_from(KINDS) | st.integers() | st.none() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6)
    ),
    max_leaves=20,
)


def stream_of(*events: object) -> bytes:
    """The events as a stream."""
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def completed(output: list[Any]) -> dict[str, object]:
    """The terminal event of a response with this output."""
    return {"type": "response.completed", "response": {"status": "completed", "output": output}}


def outcome(*pieces: bytes, status: int = 200) -> SearchOutcome:
    """What the codec makes of a response."""
    return decoded(OPENAI.search.decoder(), *pieces, head=ResponseHead(status))


def is_well_formed(told: SearchOutcome) -> bool:
    """A payload, or a failure that says something."""
    match told:
        case Success(payload):
            return {"answer", "results", "citations"} <= payload.keys()
        case Failure(failure):
            return not isinstance(failure, Skipped) and bool(failure.message.strip())


@pytest.mark.rule("responses.21")
class TestProviderDataSurvives:
    """Search items come back as they came, unknown fields included."""

    @given(st.lists(search_items, min_size=1, max_size=4))
    def test_in_the_terminal_event(self, items: list[Any]) -> None:
        """Equal after parsing, in order."""
        assert outcome(stream_of(completed(items))).unwrap()["results"] == items

    @given(st.lists(search_items, min_size=1, max_size=4), st.randoms(use_true_random=False))
    def test_as_finished_items_in_any_order(self, items: list[Any], random: Random) -> None:
        """Their index puts them in order again."""
        events = [
            {"type": "response.output_item.done", "output_index": index, "item": item}
            for index, item in enumerate(items)
        ]
        random.shuffle(events)
        assert outcome(stream_of(*events, completed([]))).unwrap()["results"] == items


@pytest.mark.rule("event_stream.22")
class TestAnyBytesGiveAnOutcome:
    """Nothing that a server sends raises an exception."""

    @given(st.binary(), st.sampled_from([200, 204, 302, 400, 429, 500]))
    def test_noise(self, body: bytes, status: int) -> None:
        """Bytes without any order."""
        assert is_well_formed(outcome(body, status=status))

    @given(st.lists(nearly_events, max_size=5))
    def test_a_stream_of_the_right_words_in_the_wrong_places(self, events: list[object]) -> None:
        """Events that are nearly good."""
        assert is_well_formed(outcome(stream_of(*events)))

    @given(nearly_events | st.lists(nearly_events, max_size=5))
    def test_a_document_of_the_right_words_in_the_wrong_places(self, document: object) -> None:
        """The same as one JSON document."""
        assert is_well_formed(outcome(json.dumps(document).encode()))

    @given(nearly_events, st.sampled_from([400, 401, 429, 500]))
    def test_error_bodies(self, body: object, status: int) -> None:
        """Any JSON as the body of an error."""
        assert is_well_formed(outcome(json.dumps(body).encode(), status=status))


@pytest.mark.rule("responses.31")
class TestNoTerminalEventIsNeverASuccess:
    """What was cut is a failure of the connection, whatever came before."""

    @given(st.lists(search_items, max_size=3), st.data())
    def test_items_alone_are_not_enough(self, items: list[Any], data: st.DataObject) -> None:
        """Finished items without an ending, however cut."""
        body = stream_of(
            {"type": "response.created"},
            *(
                {"type": "response.output_item.done", "output_index": index, "item": item}
                for index, item in enumerate(items)
            ),
        )
        told = outcome(*data.draw(cuts(body)))
        assert isinstance(told.failure(), Unreachable)

    @given(st.lists(search_items, min_size=1, max_size=3), st.data())
    def test_any_shorter_stream(self, items: list[Any], data: st.DataObject) -> None:
        """A good stream that loses its end, up to the last brace, fails."""
        body = stream_of({"type": "response.created"}, completed(items))
        end = data.draw(st.integers(0, len(body) - 3))
        assert isinstance(outcome(body[:end]).failure(), Unreachable)

    @given(written_streams())
    def test_streams_of_something_else(self, stream: WrittenStream) -> None:
        """A stream that is no Responses stream does not succeed either."""
        assert isinstance(outcome(stream.body), Failure)

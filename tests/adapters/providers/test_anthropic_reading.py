"""What the events of Anthropic's stream come to."""

import json

import pytest

from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import NotSearched, RequestRefused, Unreachable
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import Appetite, ResponseHead

HIT = {"type": "web_search_result", "url": "https://a.example/", "title": None, "new": [1, None]}
ERROR = {"type": "web_search_tool_result_error", "error_code": "too_many_requests"}
STOP = {"type": "message_stop"}


def start(index: object, kind: str, **fields: object) -> dict[str, object]:
    """A block begins."""
    block = {"type": kind, **fields}
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: object, kind: str, **fields: object) -> dict[str, object]:
    """A block goes on."""
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def result(index: int, content: object) -> dict[str, object]:
    """The result of a search."""
    return start(index, "web_search_tool_result", tool_use_id=f"srvtoolu_{index}", content=content)


def stopped(reason: object, **fields: object) -> dict[str, object]:
    """Why the message stops."""
    return {"type": "message_delta", "delta": {"stop_reason": reason, **fields}}


def stream(*events: object) -> bytes:
    """The events as the interface writes them, without their names, as gateways do."""
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def searched(*events: object) -> SearchOutcome:
    """The outcome of a message of these events, up to its end."""
    return decoded(anthropic.CODEC.search.decoder(), stream(*events, STOP))


@pytest.mark.rule("anthropic.9")
def test_the_answer_is_all_text_in_order_of_the_blocks() -> None:
    """Without separators; text in a start counts; thoughts and unknown deltas do not."""
    outcome = searched(
        start(3, "text", text="d"),
        start(0, "thinking", thinking="no"),
        delta(0, "thinking_delta", thinking="no"),
        start(1, "text", text="a"),
        result(2, [HIT]),
        delta(1, "text_delta", text="b"),
        delta(1, "new_delta", text="no"),
        delta(1, "text_delta", text="c"),
        delta(3, "text_delta", text="e"),
        delta(9, "text_delta", text="of no block"),
    )
    assert outcome.unwrap()["answer"] == "abcde"


@pytest.mark.rule("anthropic.10")
def test_raw_blocks_keep_what_nobody_knows() -> None:
    """Unknown fields, nulls and order survive."""
    call = start(0, "server_tool_use", id="1", name="web_search", input={}, caller={"type": "x"})
    found = result(1, [HIT, HIT])
    outcome = searched(call, delta(0, "input_json_delta", partial_json='{"query":"q"}'), found)
    payload = outcome.unwrap()
    assert payload == {
        "results": [
            {
                "type": "server_tool_use",
                "id": "1",
                "name": "web_search",
                "input": {"query": "q"},
                "caller": {"type": "x"},
            },
            found["content_block"],
        ],
        "searchQueries": ["q"],
    }


@pytest.mark.rule("anthropic.10")
@pytest.mark.parametrize(
    ("given", "pieces", "expected"),
    [
        ({}, ['{"query":', ' "q"}'], {"query": "q"}),
        ({"query": "given"}, ['{"query": "other"}'], {"query": "given"}),
        ({}, ['{"query": "cut'], {}),
        ({}, ["", ""], {}),
        ({}, [], {}),
        (None, ['{"n": 1.0}'], {"n": 1.0}),
    ],
)
def test_the_input_of_a_call(given: object, pieces: list[str], expected: object) -> None:
    """An input in the start is the input; else the pieces, if they are whole."""
    outcome = searched(
        start(0, "server_tool_use", name="web_search", input=given),
        *(delta(0, "input_json_delta", partial_json=piece) for piece in pieces),
        result(1, [HIT]),
    )
    results = outcome.unwrap()["results"]
    assert isinstance(results, list)
    assert results[0]["input"] == expected


@pytest.mark.rule("anthropic.11")
def test_every_citation_is_returned() -> None:
    """Those of a start before those of its deltas, duplicates included, others' not."""
    citation = {"type": "web_search_result_location", "url": "u", "title": None, "new": 1}
    outcome = searched(
        result(0, [HIT]),
        start(1, "text", text="", citations=[{"first": 1}]),
        delta(1, "citations_delta", citation=citation),
        delta(1, "citations_delta", citation=citation),
        delta(1, "citations_delta", citation=None),
    )
    assert outcome.unwrap()["citations"] == [{"first": 1}, citation, citation]


@pytest.mark.rule("anthropic.12")
def test_queries_are_those_of_web_searches() -> None:
    """Other tools have queries as well; a call without one has none."""
    outcome = searched(
        start(0, "server_tool_use", name="code_execution", input={"query": "no"}),
        start(1, "server_tool_use", name="web_search", input={"query": "a"}),
        start(2, "server_tool_use", name="web_search", input={"query": 5}),
        start(3, "server_tool_use", name="web_search", input=["odd"]),
        result(4, [HIT]),
    )
    assert outcome.unwrap()["searchQueries"] == ["a"]


@pytest.mark.rule("anthropic.13")
def test_an_empty_list_is_a_search() -> None:
    """No hits are an honest answer; what the provider did not give is absent."""
    found = result(0, [])
    assert searched(found).unwrap() == {"results": [found["content_block"]]}


@pytest.mark.rule("anthropic.13")
def test_text_and_a_call_are_no_evidence() -> None:
    """Only a result is."""
    outcome = searched(
        start(0, "server_tool_use", name="web_search", input={"query": "q"}),
        start(1, "text", text="I remember"),
        stopped("end_turn"),
    )
    assert isinstance(outcome.failure(), NotSearched)


@pytest.mark.rule("anthropic.14")
@pytest.mark.parametrize(
    "contents", [[ERROR], [[], ERROR], [ERROR, []], [None], ["odd"], [ERROR, ERROR]]
)
def test_a_failed_search_fails_the_attempt(contents: list[object]) -> None:
    """Unless a search of the same answer found something."""
    failure = searched(*(result(at, each) for at, each in enumerate(contents))).failure()
    assert isinstance(failure, NotSearched)
    if ERROR in contents:
        assert failure.message == "the web search failed: too_many_requests"


@pytest.mark.rule("anthropic.14")
@pytest.mark.parametrize("contents", [[[HIT], ERROR], [ERROR, [HIT]]])
def test_a_failed_search_beside_a_good_one_stays_raw(contents: list[object]) -> None:
    """Good results are not thrown away."""
    outcome = searched(*(result(at, each) for at, each in enumerate(contents)))
    results = outcome.unwrap()["results"]
    assert isinstance(results, list)
    assert [block["content"] for block in results] == contents


@pytest.mark.rule("anthropic.15")
@pytest.mark.parametrize(
    "reason",
    [
        "end_turn",
        "stop_sequence",
        "max_tokens",
        "pause_turn",
        "model_context_window_exceeded",
        "tool_use",
        "news_to_me",
        None,
        7,
    ],
)
def test_evidence_outweighs_the_reason_to_stop(reason: object) -> None:
    """With a result the answer stands, without one no search was performed."""
    text = start(1, "text", text="a")
    assert searched(result(0, [HIT]), text, stopped(reason)).unwrap()["answer"] == "a"
    assert isinstance(searched(text, stopped(reason)).failure(), NotSearched)


@pytest.mark.rule("anthropic.16")
@pytest.mark.parametrize(
    ("details", "message"),
    [
        (None, "the model refused to answer"),
        ({"category": "bio", "explanation": None}, "the model refused to answer: bio"),
        ({"category": None, "explanation": "no\nway"}, "the model refused to answer: no way"),
        ({"category": "bio", "explanation": "no"}, "the model refused to answer: bio: no"),
    ],
)
def test_a_refusal_is_about_the_request(details: object, message: str) -> None:
    """Also after results and text."""
    outcome = searched(
        result(0, [HIT]), start(1, "text", text="a"), stopped("refusal", stop_details=details)
    )
    assert outcome.failure() == RequestRefused(message)


@pytest.mark.rule("anthropic.19")
def test_nothing_counts_before_the_last_event() -> None:
    """A stop reason is no end."""
    body = stream(result(0, [HIT]), stopped("end_turn"))
    failure = decoded(anthropic.CODEC.search.decoder(), body).failure()
    assert isinstance(failure, Unreachable)


@pytest.mark.rule("anthropic.19")
def test_nothing_is_read_after_the_last_event() -> None:
    """`message_stop` is the end."""
    decoder = anthropic.CODEC.search.decoder()
    decoder.begin(ResponseHead(200))
    late = start(1, "text", text="late")
    assert decoder.feed(stream(result(0, [HIT]), STOP, late)) is Appetite.DONE
    assert "answer" not in decoder.end().unwrap()


@pytest.mark.rule("anthropic.20")
@pytest.mark.parametrize(
    "odd",
    [
        {"type": "ping"},
        {"type": "future_event"},
        {"type": None},
        {},
        {"type": "content_block_start"},
        {"type": "content_block_start", "index": [], "content_block": "odd"},
        {"type": "content_block_delta", "index": {}, "delta": []},
        {"type": "message_delta", "delta": "odd"},
        start("x", "future_block", content=1),
        delta(None, "text_delta", text=1),
    ],
)
def test_what_nobody_knows_is_passed_over(odd: object) -> None:
    """Odd and unknown events change nothing."""
    good = (result(0, [HIT]), start(1, "text", text="a"))
    assert searched(good[0], odd, good[1]) == searched(*good)

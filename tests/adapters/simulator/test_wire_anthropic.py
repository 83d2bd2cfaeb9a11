"""The Messages API: what it answers, and what it refuses."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from native_web_search.adapters.simulator.anthropic_checks import LOGIN_SYSTEM
from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.exchange import Answer, SeenRequest, compact
from native_web_search.adapters.simulator.keys import ANTHROPIC_LOGIN, key_of
from native_web_search.adapters.simulator.wire_anthropic import anthropic

TOOL: Mapping[str, object] = {
    "type": "web_search_20260209",
    "name": "web_search",
    "max_uses": 10,
    "allowed_callers": ["direct"],
}
BODY: Mapping[str, object] = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 8_192,
    "stream": True,
    "messages": [{"role": "user", "content": "how long is a cooldown"}],
    "tools": [TOOL],
}
KEY = {"x-api-key": key_of("anthropic"), "anthropic-version": "2023-06-01"}
LOGIN = {
    "authorization": f"Bearer {ANTHROPIC_LOGIN}",
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "claude-code-20250219,oauth-2025-04-20",
    "user-agent": "claude-cli/2.1.251",
}
SYSTEM = [{"type": "text", "text": LOGIN_SYSTEM}]


def _ask(
    changes: Mapping[str, object] = {},
    *,
    headers: Mapping[str, str] = KEY,
    path: str = "/anthropic/v1/messages",
) -> Answer:
    """Send the good request with some changes; a change to None takes something away."""
    merged = {**BODY, **changes}
    raw = compact({name: value for name, value in merged.items() if value is not None})
    seen = SeenRequest("anthropic", "POST", path, {}, headers, json.loads(raw), raw)
    return anthropic(seen, bundled())


def _events(answer: Answer) -> list[dict[str, Any]]:
    assert (answer.status, answer.content_type) == (200, "text/event-stream")
    events = []
    for block in answer.body.decode().removesuffix("\n\n").split("\n\n"):
        name, _, data = block.partition("\ndata: ")
        events.append(json.loads(data))
        assert name == f"event: {events[-1]['type']}"
    return events


def _deltas(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    return [delta for delta in deltas if delta["type"] == kind]


def _error(answer: Answer) -> dict[str, Any]:
    body = json.loads(answer.body)
    assert list(body) == ["type", "error", "request_id"]
    error: dict[str, Any] = body["error"]
    return error


@pytest.mark.rule("simulator.2")
class TestStream:
    """What a search looks like on the wire."""

    def test_blocks_come_in_order(self) -> None:
        """Text, the call, its results, and cited text, between start and stop."""
        events = _events(_ask())
        assert [events[0]["type"], events[1]["type"]] == ["message_start", "ping"]
        assert [event["type"] for event in events[-2:]] == ["message_delta", "message_stop"]
        starts = [e["content_block"] for e in events if e["type"] == "content_block_start"]
        kinds = [block["type"] for block in starts]
        assert kinds[:4] == ["text", "server_tool_use", "web_search_tool_result", "text"]
        assert [
            event["index"] for event in events if event["type"] == "content_block_stop"
        ] == list(range(len(starts)))

    def test_the_query_comes_only_in_pieces(self) -> None:
        """The call starts with an empty input, whose pieces add up to the query."""
        events = _events(_ask())
        call = events[next(i for i, e in enumerate(events) if e.get("index") == 1)]
        assert call["content_block"]["input"] == {}
        pieces = [delta["partial_json"] for delta in _deltas(events, "input_json_delta")]
        assert pieces[0] == ""
        assert len(pieces) > 2
        assert json.loads("".join(pieces)) == {"query": "how long is a cooldown"}

    def test_results_come_whole(self) -> None:
        """Address, title, age and sealed text, the latter as long as the page makes it."""
        blocks = [e.get("content_block", {}) for e in _events(_ask())]
        (block,) = [each for each in blocks if each.get("type") == "web_search_tool_result"]
        assert 1 < len(block["content"]) <= 10
        sizes = [len(result["encrypted_content"]) for result in block["content"]]
        assert (min(sizes) >= 276, max(sizes) <= 6_684) == (True, True)
        assert len(set(sizes)) > 1
        ages = {result["url"]: result["page_age"] for result in block["content"]}
        assert ages["https://docs.example/cooldown"] == "September 21, 2026"

    def test_citations_precede_the_text_they_support(self) -> None:
        """A cited block starts with an empty list, then citations, then text."""
        events = _events(_ask())
        index = next(
            event["index"]
            for event in events
            if event["type"] == "content_block_start" and "citations" in event["content_block"]
        )
        kinds = [e["delta"]["type"] for e in events if e.get("index") == index and "delta" in e]
        assert kinds[0] == "citations_delta"
        assert set(kinds[1:]) == {"text_delta"}

    def test_data_is_padded(self) -> None:
        """Blanks stand before the last brace of some event."""
        assert b'"}  ' in _ask().body or b" }\n" in _ask().body

    def test_a_call_that_does_not_stream_has_everything_at_once(self) -> None:
        """The blocks are complete, the query included."""
        message = json.loads(_ask({"stream": None}).body)
        assert message["content"][1]["input"] == {"query": "how long is a cooldown"}
        assert message["stop_reason"] == "end_turn"
        assert message["usage"]["server_tool_use"]["web_search_requests"] == 1

    @pytest.mark.rule("simulator.5")
    def test_nothing_found_is_an_empty_list(self) -> None:
        """A search without hits has a result without entries."""
        message = json.loads(_ask({"stream": None, "messages": [{"content": "xyzzy"}]}).body)
        assert message["content"][2]["content"] == []

    @pytest.mark.rule("simulator.14")
    def test_without_the_tool_nobody_searches(self) -> None:
        """A model without the tool answers in one block from memory."""
        message = json.loads(_ask({"stream": None, "tools": None}).body)
        assert [block["type"] for block in message["content"]] == ["text"]
        assert message["usage"]["server_tool_use"]["web_search_requests"] == 0


@pytest.mark.rule("simulator.3")
class TestDoors:
    """Who may come in, and how."""

    @pytest.mark.parametrize("version", ["2023-06-01", "2026-10-21"])
    @pytest.mark.parametrize(
        "key",
        [
            {"x-api-key": key_of("anthropic")},
            {"authorization": f"Bearer {key_of('anthropic')}"},
        ],
    )
    def test_a_key_opens_in_either_header(self, key: dict[str, str], version: str) -> None:
        """Both versions of the interface take both spellings."""
        assert _ask(headers={**key, "anthropic-version": version}).status == 200

    @pytest.mark.parametrize(
        ("headers", "status", "said"),
        [
            ({"anthropic-version": "2023-06-01"}, 401, "header is required"),
            ({**KEY, "x-api-key": "wrong"}, 401, "invalid x-api-key"),
            ({"x-api-key": key_of("anthropic")}, 400, "anthropic-version: header is required"),
            ({**KEY, "anthropic-version": "2024-01-01"}, 400, "is not a valid version"),
        ],
    )
    def test_a_wrong_key_or_version_is_refused(
        self, headers: dict[str, str], status: int, said: str
    ) -> None:
        """Keys with 401, versions with 400."""
        answer = _ask(headers=headers)
        assert answer.status == status
        assert said in _error(answer)["message"]

    def test_a_login_opens_with_everything_it_needs(self) -> None:
        """Bearer, beta, agent and the first line of the system prompt."""
        assert _ask({"system": SYSTEM}, headers=LOGIN).status == 200

    @pytest.mark.parametrize(
        ("headers", "system", "status", "kind"),
        [
            ({"authorization": f"Bearer {ANTHROPIC_LOGIN}x"}, SYSTEM, 401, "authentication_error"),
            ({"anthropic-beta": "claude-code-20250219"}, SYSTEM, 401, "authentication_error"),
            ({"user-agent": "claude-cli/2.1.250"}, SYSTEM, 400, "invalid_request_error"),
            ({"user-agent": "python"}, SYSTEM, 400, "invalid_request_error"),
            ({}, None, 429, "rate_limit_error"),
            ({}, [{"type": "text", "text": "Hi"}, *SYSTEM], 429, "rate_limit_error"),
        ],
    )
    def test_a_login_misses_something(
        self, headers: dict[str, str], system: object, status: int, kind: str
    ) -> None:
        """Each missing part has its own refusal; the prompt's is the opaque one."""
        answer = _ask({"system": system}, headers={**LOGIN, **headers})
        assert (answer.status, _error(answer)["type"]) == (status, kind)

    def test_an_old_agent_is_told_by_a_code(self) -> None:
        """The error has a code beside its type."""
        answer = _ask({"system": SYSTEM}, headers={**LOGIN, "user-agent": "claude-cli/1.0.0"})
        assert _error(answer)["details"] == {"error_code": "claude_code_version_too_old"}


@pytest.mark.rule("simulator.4")
class TestRefused:
    """Requests that somebody got wrong."""

    @pytest.mark.parametrize(
        ("changes", "status", "said"),
        [
            ({"model": None}, 400, "model: Field required"),
            ({"max_tokens": None}, 400, "max_tokens: Field required"),
            ({"max_tokens": 0}, 400, "greater than or equal to 1"),
            ({"max_tokens": "many"}, 400, "max_tokens"),
            ({"messages": None}, 400, "messages: Field required"),
            ({"messages": []}, 400, "at least one message"),
            ({"query": "q"}, 400, "query: Extra inputs are not permitted"),
            ({"model": "gpt-5"}, 404, "model: gpt-5"),
            ({"model": "claude-3-7-sonnet-20250219"}, 404, "model: claude-3-7-sonnet"),
            (
                {"tools": [{**TOOL, "type": "web_search"}]},
                400,
                "does not match any of the expected",
            ),
            ({"tools": [{**TOOL, "name": "search"}]}, 400, "name: Input should be 'web_search'"),
            ({"tools": [{**TOOL, "count": 1}]}, 400, "count: Extra inputs are not permitted"),
            (
                {"tools": [{**TOOL, "allowed_domains": ["a"], "blocked_domains": ["b"]}]},
                400,
                "only one of",
            ),
            (
                {
                    "model": "claude-haiku-4-5-20251001",
                    "tools": [{"type": "web_search_20260209", "name": "web_search"}],
                },
                400,
                "does not support programmatic tool calling",
            ),
        ],
    )
    def test_it_says_what_is_wrong(
        self, changes: dict[str, object], status: int, said: str
    ) -> None:
        """The message names the field."""
        answer = _ask(changes)
        assert answer.status == status
        assert said in _error(answer)["message"]

    def test_haiku_searches_when_called_directly(self) -> None:
        """With direct callers, or with the older tool, there is nothing to program."""
        assert _ask({"model": "claude-haiku-4-5"}).status == 200
        old = {"type": "web_search_20250305", "name": "web_search"}
        assert _ask({"model": "claude-haiku-4-5", "tools": [old]}).status == 200

    def test_the_newer_version_takes_no_sampling(self) -> None:
        """A temperature is fine under the old version only."""
        assert _ask({"temperature": 1}).status == 200
        assert (
            _ask({"temperature": 1}, headers={**KEY, "anthropic-version": "2026-10-21"}).status
            == 400
        )

    @pytest.mark.parametrize("path", ["/anthropic/messages", "/anthropic/v1/v1/messages"])
    def test_another_path_is_not_found(self, path: str) -> None:
        """With an error in the usual shape."""
        answer = _ask(path=path)
        assert (answer.status, _error(answer)["type"]) == (404, "not_found_error")

    def test_a_body_that_is_no_object_is_refused(self) -> None:
        """Status 400, not an exception."""
        seen = SeenRequest("anthropic", "POST", "/anthropic/v1/messages", {}, KEY, [1])
        assert anthropic(seen, bundled()).status == 400

"""Anthropic's own client takes the simulator for the Messages API."""

import json
import os
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anthropic
import pytest
from anthropic.types import (
    RawMessageStreamEvent,
    ServerToolUseBlock,
    WebSearchToolResultBlock,
)
from pydantic import TypeAdapter

from native_web_search.adapters.simulator.anthropic_checks import LOGIN_SYSTEM
from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.faults import Replay, Status
from native_web_search.adapters.simulator.keys import ANTHROPIC_LOGIN
from native_web_search.adapters.simulator.simulator import Simulator

QUERY = "冷却时间 how long is a cooldown?"
BODY: dict[str, Any] = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 4_096,
    "messages": [{"role": "user", "content": QUERY}],
    "tools": [
        {
            "type": "web_search_20260209",
            "name": "web_search",
            "max_uses": 10,
            "allowed_callers": ["direct"],
        }
    ],
}

# Without certificates: loopback is plain HTTP, and loading them takes longer than a test.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

# What the client knows of a stream.
EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or proxy of the machine gets in the way."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """A simulator without faults."""
    async with Simulator() as running:
        yield running


@pytest.fixture
async def client(simulator: Simulator) -> AsyncIterator[anthropic.AsyncAnthropic]:
    """The client, with the simulator's key."""
    async with _client(simulator, api_key=simulator.credential("anthropic").key) as client:
        yield client


def _client(
    simulator: Simulator,
    api_key: str | None = None,
    auth_token: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(
        api_key=api_key,
        auth_token=auth_token,
        base_url=simulator.base_url("anthropic"),
        default_headers=headers,
        http_client=anthropic.DefaultAsyncHttpxClient(verify=NO_TLS),
        max_retries=0,
        timeout=8,
    )


async def _events(client: anthropic.AsyncAnthropic, **changes: object) -> list[Any]:
    body: dict[str, Any] = {**BODY, **changes}
    return [event async for event in await client.messages.create(**body, stream=True)]


@pytest.mark.rule("simulator.2")
async def test_every_event_is_what_the_client_expects(
    simulator: Simulator, client: anthropic.AsyncAnthropic
) -> None:
    """Each event satisfies the client's own type for it, and the stream is whole."""
    events = await _events(client)
    for event in events:
        EVENT.validate_python(event.to_dict())
    assert (events[0].type, events[-1].type) == ("message_start", "message_stop")
    assert (await simulator.idle(), simulator.requests[0].aborted) == (True, False)


@pytest.mark.rule("simulator.2")
async def test_the_query_arrives_in_deltas(client: anthropic.AsyncAnthropic) -> None:
    """The call begins empty; joined, its `input_json_delta`s are the query."""
    events = await _events(client)
    (call,) = [
        event.content_block
        for event in events
        if event.type == "content_block_start" and event.content_block.type == "server_tool_use"
    ]
    assert call.input == {}
    deltas = [event.delta for event in events if event.type == "content_block_delta"]
    pieces = [delta.partial_json for delta in deltas if delta.type == "input_json_delta"]
    assert json.loads("".join(pieces)) == {"query": QUERY}


@pytest.mark.rule("simulator.2")
async def test_the_helper_assembles_a_cited_answer(client: anthropic.AsyncAnthropic) -> None:
    """The final message has the call, its results and text with citations of them."""
    async with client.messages.stream(**BODY) as stream:
        message = await stream.get_final_message()
    assert message.stop_reason == "end_turn"
    call, result = message.content[1:3]
    assert isinstance(call, ServerToolUseBlock)
    assert isinstance(result, WebSearchToolResultBlock)
    assert (call.input, result.tool_use_id) == ({"query": QUERY}, call.id)
    assert isinstance(result.content, list)
    found = {each.url for each in result.content}
    assert found <= {page.url for page in bundled().pages}
    cited = [
        citation
        for block in message.content
        if block.type == "text"
        for citation in block.citations or []
    ]
    assert len(cited) > 1
    for citation in cited:
        assert citation.type == "web_search_result_location"
        assert citation.url in found
    assert message.usage.server_tool_use is not None
    assert message.usage.server_tool_use.web_search_requests == 1


@pytest.mark.rule("simulator.2")
async def test_a_call_that_does_not_stream_is_the_same_message(
    client: anthropic.AsyncAnthropic,
) -> None:
    """The blocks of one document are those that the stream adds up to, apart from the ids."""
    whole = await client.messages.create(**BODY)
    async with client.messages.stream(**BODY) as stream:
        streamed = await stream.get_final_message()
    texts = [block.text for block in whole.content if block.type == "text"]
    assert texts == [block.text for block in streamed.content if block.type == "text"]
    assert [block.type for block in whole.content] == [block.type for block in streamed.content]


@pytest.mark.rule("simulator.3")
async def test_a_login_is_accepted_with_all_that_belongs_to_it(simulator: Simulator) -> None:
    """A bearer token, the betas, the agent and the first system line open the door."""
    headers: Mapping[str, str] = {
        "anthropic-beta": "claude-code-20250219,oauth-2025-04-20",
        "user-agent": "claude-cli/2.1.251",
    }
    async with _client(simulator, auth_token=ANTHROPIC_LOGIN, headers=headers) as client:
        events = await _events(client, system=[{"type": "text", "text": LOGIN_SYSTEM}])
        assert events[-1].type == "message_stop"
        with pytest.raises(anthropic.RateLimitError):
            await _events(client)


@pytest.mark.rule("simulator.4")
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"model": "claude-3-opus-20240229"}, anthropic.NotFoundError),
        ({"tools": [{"type": "web_search", "name": "web_search"}]}, anthropic.BadRequestError),
        ({"extra_body": {"temperature": 1.0}}, anthropic.BadRequestError),
    ],
)
async def test_a_refused_request_raises_the_right_error(
    client: anthropic.AsyncAnthropic,
    changes: dict[str, object],
    error: type[anthropic.APIStatusError],
) -> None:
    """Unknown models, unknown tools, and sampling under the client's version."""
    with pytest.raises(error) as raised:
        await _events(client, **changes)
    assert raised.value.request_id


@pytest.mark.rule("simulator.3")
async def test_a_wrong_key_is_an_authentication_error(simulator: Simulator) -> None:
    """The client raises what it raises for the real service."""
    async with _client(simulator, api_key="wrong") as client:
        with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
            await _events(client)


@pytest.mark.rule("simulator.8")
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (402, "billing_error"),
        (413, "request_too_large"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (529, "overloaded_error"),
    ],
)
async def test_a_status_fault_has_the_type_that_belongs_to_it(
    simulator: Simulator, client: anthropic.AsyncAnthropic, status: int, error: str
) -> None:
    """The provider's own word for each status reaches the caller."""
    simulator.script("anthropic", Status(status))
    with pytest.raises(anthropic.APIStatusError) as raised:
        await _events(client)
    assert (raised.value.status_code, raised.value.type) == (status, error)


@pytest.mark.rule("simulator.8")
async def test_a_replayed_error_event_is_seen_as_one(
    simulator: Simulator, client: anthropic.AsyncAnthropic
) -> None:
    """A recorded stream is read like any other."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    simulator.script(
        "anthropic", Replay(b"event: error\ndata: %b\n\n" % json.dumps(error).encode())
    )
    with pytest.raises(anthropic.APIStatusError) as raised:
        await _events(client)
    assert (raised.value.status_code, raised.value.type) == (200, "overloaded_error")

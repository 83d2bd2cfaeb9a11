"""Our Messages requests against those of Anthropic's own client, and its view of our streams.

Both are asked for the same search; method, path, query, body and content type have to be equal, and
so has the kind of authentication where both use the same. What differs on purpose:

- an API key: the client sends it as a bearer token since its version 2, we send `x-api-key`, which
  every version of the interface and every gateway takes;
- `anthropic-version`: the client names the newest; nothing we send changed its meaning since ours;
- `accept`: the client says `application/json` although it streams, we say what we want;
- `user-agent`, `x-stainless-*`: each names itself; and what belongs to the transport.
"""

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import anthropic as theirs
import pytest
from anthropic.types import RawMessageStreamEvent
from pydantic import TypeAdapter

from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.http import HttpRequest

RETURNED = ("server_tool_use", "web_search_tool_result")
STREAMS = Path(__file__).parents[1] / "streams"
QUERY = "Tōkyō fireworks 2026 🎆"
SUBSCRIPTION = "sk-ant-oat01-not-real"

GOOD = sorted(
    {path.stem for path in STREAMS.glob("anthropic-*.sse")}
    - {"anthropic-error-first-event-200", "anthropic-error-api-midstream"}
    - {"anthropic-cut-midjson", "anthropic-cut-no-message-stop"}
)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client reads many variables; here it shall know only what it is told."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def answering(name: str) -> RawServer:
    """A server that answers one request with a stream."""
    body = (STREAMS / f"{name}.sse").read_bytes()

    async def answer(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body),
            body,
        )

    return RawServer(answer)


def model(base_url: str) -> ChatModel:
    """The model of both requests."""
    name = "claude-sonnet-5-5"
    return ChatModel("anthropic", name, "anthropic-messages", base_url, max_tokens=64_000)


def arguments_of(request: HttpRequest) -> dict[str, Any]:
    """What the client has to be told to ask for the same."""
    body: dict[str, Any] = json.loads(request.body)
    return body


@pytest.fixture(scope="module")
def connections() -> Iterator[theirs.DefaultHttpxClient]:
    """The client's way to the network, made once, because that takes long."""
    with theirs.DefaultHttpxClient() as shared:
        yield shared


def client(
    shared: theirs.DefaultHttpxClient, url: str, key: str | None = "key-1", token: str | None = None
) -> theirs.Anthropic:
    """The official client of that address."""
    return theirs.Anthropic(
        base_url=url, api_key=key, auth_token=token, http_client=shared, max_retries=0, timeout=8
    )


async def seen(server: RawServer, sdk: theirs.Anthropic, request: HttpRequest) -> None:
    """Let the client ask, and compare what arrived with our request."""
    await asyncio.to_thread(lambda: list(sdk.messages.create(**arguments_of(request))))
    (received,) = server.requests
    method, target, _version = received.line.decode().split(" ")
    ours = headers_of(request)
    assert method == "POST"
    assert server.url + target == request.url
    assert json.loads(received.body) == json.loads(request.body)
    assert (received.header(b"content-type") or b"").decode() == ours["content-type"]


@pytest.mark.rule("anthropic.22")
async def test_the_same_request_with_an_api_key(connections: theirs.DefaultHttpxClient) -> None:
    """Everything but the listed headers is equal."""
    async with answering("anthropic-search-ok") as server:
        request = request_of(anthropic.CODEC, ask_of(model(server.url)), QUERY)
        await seen(server, client(connections, server.url), request)
        assert server.requests[0].header(b"authorization") == b"Bearer key-1"
        assert headers_of(request)["x-api-key"] == "key-1"


@pytest.mark.rule("anthropic.22")
async def test_the_same_request_with_a_subscription(connections: theirs.DefaultHttpxClient) -> None:
    """A token is a bearer token for both, and the betas are where the client puts its own."""
    async with answering("anthropic-search-ok") as server:
        ask = ask_of(model(server.url), key=SUBSCRIPTION)
        request = request_of(anthropic.CODEC, ask, QUERY)
        ours = headers_of(request)
        sdk = client(connections, server.url, None, SUBSCRIPTION).with_options(
            default_headers={"anthropic-beta": ours["anthropic-beta"]}
        )
        await seen(server, sdk, request)
        for name in ("authorization", "anthropic-beta"):
            assert (server.requests[0].header(name.encode()) or b"").decode() == ours[name]


@pytest.mark.rule("anthropic.23")
@pytest.mark.parametrize("name", GOOD)
def test_our_streams_are_made_of_the_clients_events(name: str) -> None:
    """Each event has the form that the official types ask for, but for those of the future."""
    stream = EventStream()
    told = stream.feed((STREAMS / f"{name}.sse").read_bytes()) + stream.end()
    events: TypeAdapter[RawMessageStreamEvent] = TypeAdapter(RawMessageStreamEvent)
    for event in map(json.loads, told):
        if event["type"] not in ("ping", "future_event") and "future_" not in json.dumps(event):
            events.validate_python(event)


@pytest.mark.rule("anthropic.23")
@pytest.mark.parametrize("name", [name for name in GOOD if name != "anthropic-unknown-events"])
async def test_the_client_reads_what_we_read(
    name: str, connections: theirs.DefaultHttpxClient
) -> None:
    """Its message has the same text, the same calls and the same hits as our payload."""
    async with answering(name) as server:
        request = request_of(anthropic.CODEC, ask_of(model(server.url)), QUERY)
        arguments = arguments_of(request)
        del arguments["stream"]
        sdk = client(connections, server.url)
        message = await asyncio.to_thread(final_message, sdk, arguments)
    blocks = [block.to_dict() for block in message.content]
    outcome = decoded(anthropic.CODEC.search.decoder(), (STREAMS / f"{name}.sse").read_bytes())
    payload: Mapping[str, object] = outcome.value_or({})
    if payload:
        assert payload["answer"] == "".join(str(block.get("text", "")) for block in blocks)
        assert payload["results"] == [b for b in blocks if b["type"] in RETURNED]
        assert payload.get("citations", []) == [
            citation for block in blocks for citation in list_of(block.get("citations"))
        ]


def final_message(sdk: theirs.Anthropic, arguments: dict[str, Any]) -> theirs.types.Message:
    """The message that the client puts together."""
    with sdk.messages.stream(**arguments) as stream:
        return stream.get_final_message()


def list_of(value: object) -> list[object]:
    """A list, or an empty one where there is none."""
    return value if isinstance(value, list) else []


@pytest.mark.rule("anthropic.23")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("anthropic-error-first-event-200", "overloaded_error"),
        ("anthropic-error-api-midstream", "api_error"),
    ],
)
async def test_the_client_fails_where_we_fail(
    name: str, kind: str, connections: theirs.DefaultHttpxClient
) -> None:
    """An error event inside a success is an error for both."""
    async with answering(name) as server:
        request = request_of(anthropic.CODEC, ask_of(model(server.url)), QUERY)
        with pytest.raises(theirs.APIStatusError) as raised:
            await seen(server, client(connections, server.url), request)
    assert raised.value.type == kind

"""Our Gemini requests against those of Google's own client, and its view of our streams.

Both are asked for the same thing; method, path, query, content type, the header of the key and the
body have to be equal. What differs on purpose:

- names inside the body: the client writes most of them in camelCase, we in snake_case; the server
  takes both, so that they are compared as one;
- an empty `generationConfig` that the client adds;
- `accept`: the client says `*/*`, we say what we want;
- `user-agent`, `x-goog-api-client`: each names itself; and what belongs to the transport.

No official client speaks Antigravity's envelope; its events are unwrapped for the official types.
"""

import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from google import genai
from google.genai import errors, types

from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers import antigravity, gemini
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.http import HttpRequest

STREAMS = Path(__file__).parents[1] / "streams"
QUERY = "Tōkyō fireworks 2026 🎆"
MODEL = "gemini-3.5-flash"
KEY = "key-1"
UNUSED = httpx.AsyncClient()  # only given so that the client does not make another one

# Written as no official server writes, to try our own reading: comments, names, no blank.
NOT_GOOGLES = {"google-no-space-comment"}
FAILING = {"google-error-midstream-data", "google-error-first-event-200", "google-cut-midjson"}
READABLE = sorted(
    {path.stem for path in STREAMS.glob("google-*.sse")}
    - NOT_GOOGLES
    - FAILING
    - {"google-empty-nothing"}
)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client reads many variables; here it shall know only what it is told."""
    for name in list(os.environ):
        if name.startswith(("GOOGLE_", "GEMINI_")) or name.lower().endswith("_proxy"):
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


def model(server: RawServer) -> ChatModel:
    """The model of both requests."""
    return ChatModel("google", MODEL, "google-generative-ai", f"{server.url}/v1beta")


@pytest.fixture(scope="module")
def connections() -> Iterator[httpx.Client]:
    """The client's way to the network, made once, because that takes long."""
    with httpx.Client(timeout=8) as shared:
        yield shared


async def ask_theirs(
    server: RawServer, shared: httpx.Client, parts: list[types.Part], tool: types.Tool
) -> list[types.GenerateContentResponse]:
    """Let the official client ask, and return its chunks."""
    options = types.HttpOptions(
        base_url=server.url,
        api_version="v1beta",
        httpx_client=shared,
        httpx_async_client=UNUSED,
    )
    config = types.GenerateContentConfig(tools=[tool])

    def ask() -> list[types.GenerateContentResponse]:
        client = genai.Client(api_key=KEY, http_options=options)
        content = types.Content(role="user", parts=parts)
        return list(
            client.models.generate_content_stream(model=MODEL, contents=content, config=config)
        )

    return await asyncio.to_thread(ask)


def agree(server: RawServer, request: HttpRequest) -> None:
    """Everything that is not different on purpose is equal."""
    (received,) = server.requests
    method, target, _version = received.line.decode().split(" ")
    their_body = {name: value for name, value in json.loads(received.body).items() if value}
    assert method == "POST"
    assert server.url + target == request.url
    assert snake(their_body) == json.loads(request.body)
    for name in ("content-type", "x-goog-api-key"):
        assert (received.header(name.encode()) or b"").decode() == headers_of(request)[name]
    assert received.header(b"authorization") is None


def snake(value: object) -> object:
    """The same JSON with all names in snake_case."""
    if isinstance(value, dict):
        return {
            re.sub("[A-Z]", lambda m: "_" + m[0].lower(), name): snake(inner)
            for name, inner in value.items()
        }
    return [snake(each) for each in value] if isinstance(value, list) else value


@pytest.mark.rule("gemini.27")
async def test_the_same_search(connections: httpx.Client) -> None:
    """The query and the search tool."""
    async with answering("google-search-ok") as server:
        request = request_of(gemini.CODEC, ask_of(model(server), key=KEY), QUERY)
        tool = types.Tool(google_search=types.GoogleSearch())
        await ask_theirs(server, connections, [types.Part(text=QUERY)], tool)
        agree(server, request)


@pytest.mark.rule("gemini.27")
@pytest.mark.parametrize("urls", [("https://a.example/ü",), ("https://youtu.be/AAAAAAAAAAA",)])
async def test_the_same_analysis(urls: tuple[str, ...], connections: httpx.Client) -> None:
    """Pages in the text and videos as files, with the tool for URLs."""
    assert gemini.CODEC.fetch is not None
    async with answering("google-urlcontext-ok") as server:
        request = gemini.CODEC.fetch.encode(ask_of(model(server), key=KEY), urls, QUERY).unwrap()
        *videos, text = json.loads(request.body)["contents"][0]["parts"]
        files = [types.Part.from_uri(**video["file_data"]) for video in videos]
        tool = types.Tool(url_context=types.UrlContext())
        await ask_theirs(server, connections, [*files, types.Part(text=text["text"])], tool)
        agree(server, request)


@pytest.mark.rule("gemini.28")
@pytest.mark.parametrize("name", READABLE)
async def test_the_client_reads_what_we_read(name: str, connections: httpx.Client) -> None:
    """Its chunks join to the same answer, and the grounding says the same."""
    async with answering(name) as server:
        tool = types.Tool(google_search=types.GoogleSearch())
        chunks = await ask_theirs(server, connections, [types.Part(text=QUERY)], tool)
    body = (STREAMS / f"{name}.sse").read_bytes()
    payload = decoded(gemini.CODEC.search.decoder(), body).value_or({})
    if payload:
        assert payload["answer"] == "".join(chunk.text or "" for chunk in chunks)
        types.GroundingMetadata.model_validate(payload["groundingMetadata"])


@pytest.mark.rule("gemini.28")
@pytest.mark.parametrize("name", sorted(FAILING))
async def test_the_client_fails_where_we_fail(name: str, connections: httpx.Client) -> None:
    """An error inside a success, and a cut document, are errors for both."""
    tool = types.Tool(google_search=types.GoogleSearch())
    async with answering(name) as server:
        with pytest.raises((errors.APIError, errors.UnknownApiResponseError)):
            await ask_theirs(server, connections, [types.Part(text=QUERY)], tool)


@pytest.mark.rule("antigravity.10")
@pytest.mark.parametrize("name", sorted(path.stem for path in STREAMS.glob("antigravity-*.sse")))
def test_antigravitys_events_are_geminis_inside(name: str) -> None:
    """Unwrapped, they pass the official types and join to the answer that we read."""
    stream, body = EventStream(), (STREAMS / f"{name}.sse").read_bytes()
    responses = [json.loads(data).get("response", {}) for data in stream.feed(body)]
    chunks = [types.GenerateContentResponse.model_validate(response) for response in responses]
    payload = decoded(antigravity.CODEC.search.decoder(), body).value_or({})
    if payload:
        assert payload["answer"] == "".join(chunk.text or "" for chunk in chunks)

"""Our Responses requests against those of OpenAI's own client, and its view of our streams.

Both are asked for the same search; method, path, query, authentication, content type and body have
to be equal. What differs on purpose:

- `accept`: the client says `application/json` although it streams, we say what we want;
- `user-agent` and `x-stainless-*`: each names itself;
- `accept-encoding`, `connection`, `content-length`: the transport's, not the codec's.
"""

import json
import os
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, get_args

import openai
import pytest
from attrs import define, field, frozen
from openai.types.responses import Response
from openai.types.responses.response_stream_event import ResponseStreamEvent

from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.providers import copilot
from native_web_search.adapters.providers.azure import AZURE
from native_web_search.adapters.providers.codec import Ask, Codec
from native_web_search.adapters.providers.codex import CODEX
from native_web_search.adapters.providers.copilot import COPILOT
from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.providers.opencode import OPENCODE
from native_web_search.adapters.providers.xai import XAI
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.chat_model import ChatModel

STREAMS = Path(__file__).parents[1] / "streams"
QUERY = "今天的 AI 新闻 — what's new?"
KEY = "key-1"
ENTRA = "eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.signature"
AUTHENTICATION = ("authorization", "api-key")
OURS_ALONE = {"accept", "user-agent"}


@frozen
class Sent:
    """What reaches a server, as far as it has to agree."""

    target: str
    headers: Mapping[str, str]
    body: Any


@define
class Recorder:
    """A loopback server that answers every POST with a tiny stream and remembers the last one."""

    origin: str = ""
    sent: list[Sent] = field(factory=list)

    def last(self) -> Sent:
        """The one request since the last time."""
        (sent,) = self.sent
        self.sent.clear()
        return sent


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    """A recorder that listens."""
    recorder = Recorder()
    answer = (STREAMS / "openai-tiny.sse").read_bytes()

    class Handler(BaseHTTPRequestHandler):
        """Records, then answers."""

        def do_POST(self) -> None:
            """Take the request apart."""
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            recorder.sent.append(Sent(self.path, headers, json.loads(body)))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        recorder.origin = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield recorder
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client reads many variables; here it shall know only what it is told."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AZURE_OPENAI_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def ours(codec: Codec, ask: Ask) -> Sent:
    """Our request, as a server would see it."""
    request = request_of(codec, ask, QUERY)
    origin, slash, target = request.url.removeprefix("http://").partition("/")
    assert origin.startswith("127.0.0.1:")
    return Sent(slash + target, headers_of(request), json.loads(request.body))


def theirs(recorder: Recorder, client: openai.OpenAI, **arguments: object) -> Sent:
    """The request that the official client makes of the same search."""
    parts = [{"type": "input_text", "text": QUERY}]
    asked: dict[str, Any] = {
        "model": "m-1",
        "input": [{"role": "user", "content": parts}],
        "tools": [{"type": "web_search"}],
        "include": ["web_search_call.action.sources", "web_search_call.results"],
        "store": False,
        "stream": True,
    }
    with client, client.responses.create(**(asked | arguments)) as stream:
        assert [event.type for event in stream][-1] == "response.completed"
    return recorder.last()


def agree(our: Sent, their: Sent) -> None:
    """Everything that is not different on purpose is equal."""
    assert our.target == their.target
    assert our.body == their.body
    assert our.headers["content-type"] == their.headers["content-type"]
    for name in AUTHENTICATION:
        assert our.headers.get(name) == their.headers.get(name)
    for name in our.headers.keys() - OURS_ALONE:
        assert their.headers.get(name) == our.headers[name]


def model(base_url: str, compat: Mapping[str, object] | None = None) -> ChatModel:
    """The model of both requests."""
    return ChatModel("p", "m-1", "openai-responses", base_url, compat=compat or {})


def client(
    base_url: str, headers: Mapping[str, str] | None = None, key: str = KEY
) -> openai.OpenAI:
    """The official client of that address."""
    return openai.OpenAI(
        api_key=key, base_url=base_url, default_headers=headers, max_retries=0, timeout=8
    )


@pytest.mark.rule("responses.50")
def test_openai(recorder: Recorder) -> None:
    """The same request to OpenAI, also if the base URL ends in a slash."""
    base = f"{recorder.origin}/v1"
    agree(ours(OPENAI, ask_of(model(base))), theirs(recorder, client(base)))
    agree(ours(OPENAI, ask_of(model(base + "/"))), theirs(recorder, client(base + "/")))


@pytest.mark.rule("responses.50")
def test_xai(recorder: Recorder) -> None:
    """The same request to xAI, given Grok's plain input and its one value to include."""
    base = f"{recorder.origin}/v1"
    asked = {
        "input": [{"role": "user", "content": QUERY}],
        "include": ["web_search_call.action.sources"],
    }
    agree(ours(XAI, ask_of(model(base))), theirs(recorder, client(base), **asked))


@pytest.mark.rule("responses.50")
def test_codex(recorder: Recorder) -> None:
    """The same request to Codex, given its headers and demands."""
    headers = {"chatgpt-account-id": "account-1", "originator": "codex_cli_rs"}
    our = ours(
        CODEX,
        ask_of(
            model(f"{recorder.origin}/backend-api"), headers={"chatgpt-account-id": "account-1"}
        ),
    )
    asked = {
        "instructions": our.body["instructions"],
        "include": ["web_search_call.action.sources"],
        "tool_choice": "required",
        "parallel_tool_calls": True,
        "text": {"verbosity": "low"},
    }
    their = theirs(recorder, client(f"{recorder.origin}/backend-api/codex", headers), **asked)
    agree(our, their)


@pytest.mark.rule("responses.50")
def test_copilot(recorder: Recorder) -> None:
    """The same request to Copilot, given its headers."""
    their = theirs(recorder, client(recorder.origin, dict(copilot.HEADERS)))
    agree(ours(COPILOT, ask_of(model(recorder.origin))), their)


@pytest.mark.rule("responses.50")
def test_opencode(recorder: Recorder) -> None:
    """The same request to OpenCode, given its headers."""
    base = f"{recorder.origin}/zen/v1"
    headers = {"x-opencode-session": "session-1", "x-opencode-client": "native-web-search"}
    agree(ours(OPENCODE, ask_of(model(base))), theirs(recorder, client(base, headers)))


@frozen
class AzureCase:
    """One way to set up Azure: the client's arguments, and what they are for us."""

    client: Mapping[str, str]
    path: str
    compat: Mapping[str, object] = field(factory=dict)
    key: str = KEY
    model: str = "m-1"


AZURE_CASES = [
    AzureCase({"base_url": "/openai/v1", "api_version": "v1", "api_key": KEY}, "/openai/v1"),
    AzureCase(
        {"base_url": "/openai/v1", "api_version": "preview", "api_key": KEY},
        "/openai/v1",
        {"azureApiVersion": "preview"},
    ),
    AzureCase(
        {"azure_endpoint": "", "api_version": "2025-04-01-preview", "api_key": KEY},
        "/openai",
        {"azureApiVersion": "2025-04-01-preview"},
    ),
    AzureCase(
        {
            "azure_endpoint": "",
            "azure_deployment": "dep1",
            "api_version": "preview",
            "api_key": KEY,
        },
        "/openai",
        {"azureApiVersion": "preview", "azureDeployment": "dep1"},
        model="dep1",
    ),
    AzureCase(
        {"base_url": "/openai/v1", "api_version": "v1", "azure_ad_token": ENTRA},
        "/openai/v1",
        key=ENTRA,
    ),
]


@pytest.mark.rule("responses.50")
@pytest.mark.parametrize("case", AZURE_CASES)
def test_azure(recorder: Recorder, case: AzureCase) -> None:
    """The same request to Azure, whichever way it is set up, by key and by Entra token."""
    arguments: dict[str, Any] = {
        name: recorder.origin + value if name in ("base_url", "azure_endpoint") else value
        for name, value in case.client.items()
    }
    azure = openai.AzureOpenAI(max_retries=0, timeout=8, **arguments)
    our = ours(AZURE, ask_of(model(recorder.origin + case.path, case.compat), key=case.key))
    agree(our, theirs(recorder, azure, model=case.model))


EVENT_TYPES: dict[str, Any] = {
    get_args(kind.model_fields["type"].annotation)[0]: kind
    for kind in get_args(get_args(ResponseStreamEvent)[0])
}
DEVIATIONS = {
    "codex-error-model.sse": {"error"},
    "codex-response-done.sse": {"response.done"},
    "openai-error-nested.sse": {"error"},
    "openai-noise-crlf-bom.sse": {"keepalive", "response.some_future_event", "ping"},
}


def events_of(name: str) -> list[dict[str, Any]]:
    """The events of a stream, marks and comments left out."""
    stream = EventStream()
    told = stream.feed((STREAMS / name).read_bytes()) + stream.end()
    return [json.loads(data) for data in told if data != "[DONE]"]


STREAM_NAMES = sorted(
    path.name for kind in ("openai", "codex", "xai") for path in STREAMS.glob(f"{kind}-*.sse")
)


@pytest.mark.rule("responses.51")
@pytest.mark.parametrize("name", STREAM_NAMES)
def test_our_streams_are_made_of_the_clients_events(name: str) -> None:
    """Each event has the form that the official types ask for, but for known deviations."""
    for event in events_of(name):
        if event["type"] not in DEVIATIONS.get(name, set()):
            EVENT_TYPES[event["type"]].model_validate(event)


@pytest.mark.rule("responses.51")
@pytest.mark.parametrize(
    "name",
    [
        "openai-citations-only.sse",
        "openai-incomplete-maxtokens.sse",
        "openai-noise-crlf-bom.sse",
        "openai-normal.sse",
        "openai-two-messages.sse",
        "xai-normal.sse",
    ],
)
def test_our_answer_is_the_clients_output_text(name: str) -> None:
    """Where the terminal event is a whole response, the client joins the same text."""
    response = [event["response"] for event in events_of(name) if "response" in event][-1]
    told = decoded(OPENAI.search.decoder(), (STREAMS / name).read_bytes()).unwrap()
    assert told["answer"] == Response.model_validate(response).output_text

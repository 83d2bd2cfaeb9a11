"""OpenAI's own client takes the simulator for the Responses API, of all six providers."""

import os
import ssl
from collections.abc import AsyncIterator
from typing import Any, get_args

import openai
import pytest
from openai.types.responses.response_stream_event import ResponseStreamEvent

from native_web_search.adapters.simulator.catalogue import COPILOT_HEADERS
from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.faults import Cut, Status
from native_web_search.adapters.simulator.keys import CODEX_ACCOUNT
from native_web_search.adapters.simulator.simulator import Simulator

QUERY = "冷却时间 how long is a cooldown?"
INCLUDE = ["web_search_call.action.sources", "web_search_call.results"]
OPENAI: dict[str, Any] = {
    "model": "gpt-5.6-luna",
    "input": [{"role": "user", "content": [{"type": "input_text", "text": QUERY}]}],
    "tools": [{"type": "web_search"}],
    "include": INCLUDE,
    "store": False,
}
CODEX = {
    **OPENAI,
    "instructions": "Search the web.",
    "tool_choice": "required",
    "parallel_tool_calls": True,
    "text": {"verbosity": "low"},
    "include": INCLUDE[:1],
}
GROK = {
    **OPENAI,
    "model": "grok-4.7",
    "input": [{"role": "user", "content": QUERY}],
    "include": INCLUDE[:1],
}
BODIES: dict[str, dict[str, Any]] = {
    "openai": OPENAI,
    "azure": OPENAI,
    "openai-codex": CODEX,
    "github-copilot": OPENAI,
    "opencode": OPENAI,
    "xai": GROK,
}
HEADERS = {
    "openai-codex": {"chatgpt-account-id": CODEX_ACCOUNT, "originator": "codex_cli_rs"},
    "github-copilot": dict(COPILOT_HEADERS),
    "opencode": {"x-opencode-session": "session-1"},
}
EVERYONE = sorted(BODIES)

# Without certificates: loopback is plain HTTP, and loading them takes longer than a test.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

# What the client knows of a stream: a class for each type of event.
EVENTS = {
    get_args(model.model_fields["type"].annotation)[0]: model
    for model in get_args(get_args(ResponseStreamEvent)[0])
}


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or proxy of the machine gets in the way."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AZURE_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """A simulator without faults."""
    async with Simulator() as running:
        yield running


def _client(simulator: Simulator, provider: str, key: str | None = None) -> openai.AsyncOpenAI:
    """The client, pointed at a provider."""
    given: dict[str, Any] = {
        "api_key": key or simulator.credential(provider).key,
        "base_url": simulator.base_url(provider),
        "default_headers": HEADERS.get(provider),
        "http_client": openai.DefaultAsyncHttpxClient(verify=NO_TLS),
        "max_retries": 0,
        "timeout": 8,
    }
    if provider == "azure":
        return openai.AsyncAzureOpenAI(**given, api_version="v1")
    return openai.AsyncOpenAI(**given)


async def _events(simulator: Simulator, provider: str, **changes: object) -> list[Any]:
    """Every event of a stream, as the client reads it."""
    async with _client(simulator, provider) as client:
        body: dict[str, Any] = {**BODIES[provider], **changes}
        stream = await client.responses.create(**body, stream=True)
        return [event async for event in stream]


def _done(events: list[Any]) -> list[Any]:
    return [event.item for event in events if event.type == "response.output_item.done"]


@pytest.mark.rule("simulator.2")
@pytest.mark.parametrize("provider", EVERYONE)
async def test_every_event_is_what_the_client_expects(simulator: Simulator, provider: str) -> None:
    """Each event of each provider satisfies the client's own type for it, strictly.

    The one exception is OpenCode's price, which the vendor's gateway adds and the client's types
    do not know.
    """
    events = await _events(simulator, provider)
    known = [event for event in events if event.type != "ping"]
    assert len(events) - len(known) == (provider == "opencode")
    for event in known:
        EVENTS[event.type].model_validate(event.to_dict())
    assert known[-1].type == "response.completed"
    assert (await simulator.idle(), simulator.requests[0].aborted) == (True, False)


@pytest.mark.rule("simulator.2")
@pytest.mark.parametrize("provider", EVERYONE)
async def test_the_client_sees_searches_sources_and_citations(
    simulator: Simulator, provider: str
) -> None:
    """Search items with sources, an opened page, a message whose citations cut out its links."""
    items = _done(await _events(simulator, provider))
    search, opened = [item for item in items if item.type == "web_search_call"]
    assert (search.action.type, search.action.query) == ("search", QUERY)
    pages = {page.url for page in bundled().pages}
    assert {source.url for source in search.action.sources} <= pages
    assert opened.action.url == search.action.sources[0].url
    (part,) = items[-1].content
    assert len(part.annotations) > 1
    for citation in part.annotations:
        assert citation.type == "url_citation"
        assert citation.url in part.text[citation.start_index : citation.end_index]


@pytest.mark.rule("simulator.2")
@pytest.mark.parametrize("provider", [name for name in EVERYONE if name != "openai-codex"])
async def test_the_final_response_repeats_the_text_of_the_deltas(
    simulator: Simulator, provider: str
) -> None:
    """Deltas, finished items and the terminal response tell the same answer."""
    events = await _events(simulator, provider)
    told = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    (final,) = [event.response for event in events if event.type == "response.completed"]
    assert told == final.output_text == _done(events)[-1].content[0].text
    assert final.output == _done(events)


@pytest.mark.rule("simulator.2")
@pytest.mark.parametrize("provider", ["openai", "azure", "github-copilot", "xai"])
async def test_the_stream_helper_accepts_it(simulator: Simulator, provider: str) -> None:
    """The helper, which is stricter about order than real life, assembles the same response."""
    async with (
        _client(simulator, provider) as client,
        client.responses.stream(**BODIES[provider]) as stream,
    ):
        final = await stream.get_final_response()
    kinds = [item.type for item in final.output]
    assert kinds[-3:] == ["web_search_call", "web_search_call", "message"]


@pytest.mark.rule("simulator.2")
async def test_a_call_that_does_not_stream_is_a_whole_response(simulator: Simulator) -> None:
    """Without a stream the client reads one document."""
    async with _client(simulator, "openai") as client:
        response = await client.responses.create(**OPENAI)
    assert response.status == "completed"
    assert response.output_text.startswith("Here is what I found")


@pytest.mark.rule("simulator.2")
async def test_grok_has_its_addresses_at_the_top(simulator: Simulator) -> None:
    """The list of everything visited is an extra field that the client keeps."""
    events = await _events(simulator, "xai")
    citations = events[-1].response.citations
    assert citations == [source.url for source in _done(events)[0].action.sources]


@pytest.mark.rule("simulator.3")
@pytest.mark.parametrize(
    ("provider", "error"),
    [
        ("openai", openai.AuthenticationError),
        ("azure", openai.AuthenticationError),
        ("openai-codex", openai.AuthenticationError),
        ("github-copilot", openai.AuthenticationError),
        ("opencode", openai.AuthenticationError),
        ("xai", openai.BadRequestError),
    ],
)
async def test_a_wrong_key_raises_what_the_real_service_makes_it_raise(
    simulator: Simulator, provider: str, error: type[openai.APIStatusError]
) -> None:
    """An authentication error, and for xAI a bad request."""
    async with _client(simulator, provider, key="wrong-key-0000") as client:
        with pytest.raises(error):
            await client.responses.create(**BODIES[provider], stream=True)


@pytest.mark.rule("simulator.4")
async def test_an_error_has_its_signs(simulator: Simulator) -> None:
    """Code, type and parameter of a refusal reach the caller of the client."""
    async with _client(simulator, "openai") as client:
        with pytest.raises(openai.BadRequestError) as raised:
            await client.responses.create(**{**OPENAI, "include": ["nonsense"]})
    error = raised.value
    assert (error.code, error.type) == ("invalid_value", "invalid_request_error")
    assert error.param == "include[0]"


@pytest.mark.rule("simulator.8")
async def test_faults_look_like_the_real_thing(simulator: Simulator) -> None:
    """A status raises its error; a cut between events is what the client cannot see."""
    simulator.script("openai", Status(429), Cut(3_000, orderly=True), Cut(3_000))
    with pytest.raises(openai.RateLimitError):
        await _events(simulator, "openai")
    events = await _events(simulator, "openai", input="ladder")
    assert events[-1].type != "response.completed"
    with pytest.raises(openai.APIError):
        await _events(simulator, "openai")

"""Google's own client takes the simulator for the Gemini API."""

import json
import os
from collections.abc import AsyncIterator

import httpx
import pytest
from google import genai
from google.genai import errors, types

from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.faults import Cut, Status
from native_web_search.adapters.simulator.keys import ANTIGRAVITY_BEARER, ANTIGRAVITY_PROJECT
from native_web_search.adapters.simulator.simulator import Simulator

# The client itself subclasses aiohttp's session, which aiohttp does not like.
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning")

MODEL = "gemini-3.5-flash"
QUERY = "冷却时间 how long is a cooldown?"
PAGE = "https://docs.example/cooldown"
SEARCH = types.Tool(google_search=types.GoogleSearch())
READ = types.Tool(url_context=types.UrlContext())


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or proxy of the machine gets in the way."""
    for name in list(os.environ):
        if name.startswith(("GOOGLE_", "GEMINI_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """A simulator without faults."""
    async with Simulator() as running:
        yield running


@pytest.fixture
async def client(simulator: Simulator) -> AsyncIterator[genai.client.AsyncClient]:
    """The client, with the simulator's key."""
    async with _client(simulator, simulator.credential("google").key or "") as client:
        yield client


def _client(simulator: Simulator, key: str) -> genai.client.AsyncClient:
    base = simulator.base_url("google").removesuffix("/v1beta")
    options = types.HttpOptions(base_url=base, api_version="v1beta", timeout=8_000)
    return genai.Client(api_key=key, http_options=options).aio


async def _events(
    client: genai.client.AsyncClient, contents: types.ContentListUnion, *tools: types.Tool
) -> list[types.Candidate]:
    """The candidate of every event."""
    config = types.GenerateContentConfig(tools=list(tools))
    stream = await client.models.generate_content_stream(
        model=MODEL, contents=contents, config=config
    )
    return [_only_candidate(event) async for event in stream]


def _only_candidate(event: types.GenerateContentResponse) -> types.Candidate:
    assert event.candidates is not None
    (candidate,) = event.candidates
    return candidate


def _text(candidates: list[types.Candidate]) -> str:
    return "".join(
        part.text or ""
        for candidate in candidates
        if candidate.content is not None
        for part in candidate.content.parts or []
    )


@pytest.mark.rule("simulator.2")
async def test_a_search_is_grounded(simulator: Simulator, client: genai.client.AsyncClient) -> None:
    """The last event finishes and has queries, chunks, supports in bytes and a search entry."""
    events = await _events(client, QUERY, SEARCH)
    assert events[-1].finish_reason is types.FinishReason.STOP
    metadata = events[-1].grounding_metadata
    assert metadata is not None
    assert metadata.web_search_queries == [QUERY]
    assert metadata.search_entry_point is not None
    assert metadata.search_entry_point.rendered_content
    answer = _text(events).encode()
    assert metadata.grounding_chunks
    assert metadata.grounding_supports
    for support in metadata.grounding_supports:
        assert support.segment is not None
        assert support.segment.text is not None
        cut = answer[support.segment.start_index or 0 : support.segment.end_index]
        assert cut.decode() == support.segment.text
        assert all(
            index < len(metadata.grounding_chunks)
            for index in support.grounding_chunk_indices or []
        )
    assert (await simulator.idle(), simulator.requests[0].aborted) == (True, False)


@pytest.mark.rule("simulator.6")
async def test_pages_have_statuses(client: genai.client.AsyncClient) -> None:
    """Each address of the prompt has its status, and the pages that were read are in the text."""
    urls = [PAGE, "https://a.example/", "https://paywall.example/", "https://unsafe.example/"]
    events = await _events(client, "\n".join([QUERY, "", "URLs:", *urls]), READ)
    metadata = events[0].url_context_metadata
    assert metadata is not None
    statuses = {
        each.retrieved_url: each.url_retrieval_status for each in metadata.url_metadata or []
    }
    status = types.UrlRetrievalStatus
    assert statuses == {
        urls[0]: status.URL_RETRIEVAL_STATUS_SUCCESS,
        urls[1]: status.URL_RETRIEVAL_STATUS_ERROR,
        urls[2]: status.URL_RETRIEVAL_STATUS_PAYWALL,
        urls[3]: status.URL_RETRIEVAL_STATUS_UNSAFE,
    }
    page = next(page for page in bundled().pages if page.url == PAGE)
    assert page.text in _text(events)


@pytest.mark.rule("simulator.2")
async def test_both_tools_and_a_video_in_one_call(client: genai.client.AsyncClient) -> None:
    """Mixed spellings of the client's own request are understood."""
    video = types.Part(file_data=types.FileData(file_uri="https://youtu.be/AAAAAAAAAAA"))
    events = await _events(client, [video, f"cooldown\n\nURLs:\n{PAGE}"], READ, SEARCH)
    assert events[0].url_context_metadata is not None
    assert events[-1].grounding_metadata is not None
    assert "AAAAAAAAAAA" in _text(events)


@pytest.mark.rule("simulator.2")
async def test_a_call_that_does_not_stream_is_the_same_answer(
    client: genai.client.AsyncClient,
) -> None:
    """One document says what the events said."""
    config = types.GenerateContentConfig(tools=[SEARCH])
    whole = await client.models.generate_content(model=MODEL, contents=QUERY, config=config)
    events = await _events(client, QUERY, SEARCH)
    assert whole.text == _text(events)
    assert _only_candidate(whole).grounding_metadata == events[-1].grounding_metadata


@pytest.mark.rule("simulator.2")
async def test_antigravity_wraps_what_the_client_understands(simulator: Simulator) -> None:
    """No official client speaks the wrapper; what is inside satisfies Gemini's types."""
    body = {
        "project": ANTIGRAVITY_PROJECT,
        "model": "gemini-3.6-flash-low",
        "request": {
            "contents": [{"role": "user", "parts": [{"text": QUERY}]}],
            "tools": [{"google_search": {}}],
        },
        "requestType": "AGENT",
        "userAgent": "antigravity",
    }
    headers = {
        "authorization": f"Bearer {ANTIGRAVITY_BEARER}",
        "user-agent": "antigravity/hub/2.8.0 linux/x64",
    }
    url = f"{simulator.base_url('antigravity')}/v1internal:streamGenerateContent?alt=sse"
    async with httpx.AsyncClient(trust_env=False) as plain:
        response = await plain.post(url, json=body, headers=headers)
    inside = [
        types.GenerateContentResponse.model_validate(json.loads(line[6:])["response"])
        for line in response.text.split("\n")
        if line.startswith("data: ")
    ]
    metadata = _only_candidate(inside[-1]).grounding_metadata
    assert metadata is not None
    assert metadata.web_search_queries == [QUERY]


@pytest.mark.rule("simulator.3")
async def test_a_wrong_key_is_a_bad_request(simulator: Simulator) -> None:
    """Google answers a wrong key with 400 and a reason."""
    async with _client(simulator, "wrong") as client:
        with pytest.raises(errors.ClientError, match="API key not valid") as raised:
            await _events(client, QUERY, SEARCH)
    assert (raised.value.code, raised.value.status) == (400, "INVALID_ARGUMENT")


@pytest.mark.rule("simulator.4")
async def test_a_model_without_the_tool_is_refused(client: genai.client.AsyncClient) -> None:
    """Old models cannot read pages, and unknown ones are not found."""
    config = types.GenerateContentConfig(tools=[READ])
    with pytest.raises(errors.ClientError, match="Browse tool is not supported"):
        await client.models.generate_content(model="gemini-2.0-flash", contents=PAGE, config=config)
    with pytest.raises(errors.ClientError, match="is not found for API version") as raised:
        await client.models.generate_content(model="palm-2", contents=PAGE, config=config)
    assert raised.value.status == "NOT_FOUND"


@pytest.mark.rule("simulator.8")
async def test_faults_look_like_the_real_thing(
    simulator: Simulator, client: genai.client.AsyncClient
) -> None:
    """A status has Google's word for it; half an event cannot be read."""
    simulator.script("google", Status(503), Status(429), Cut(60, orderly=True))
    with pytest.raises(errors.ServerError, match="UNAVAILABLE"):
        await _events(client, QUERY, SEARCH)
    with pytest.raises(errors.ClientError, match="RESOURCE_EXHAUSTED"):
        await _events(client, QUERY, SEARCH)
    with pytest.raises(errors.UnknownApiResponseError):
        await _events(client, QUERY, SEARCH)

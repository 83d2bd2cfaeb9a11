"""An independent DeepSeek client as a witness: of our requests, our reading, and the simulator."""

import asyncio
from collections.abc import AsyncIterator
from importlib import import_module

import pytest

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.deepseek import CODEC
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator.corpus import Corpus, Page
from native_web_search.adapters.simulator.exchange import SeenRequest
from native_web_search.adapters.simulator.faults import Fault, Replay, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.domain.failure import ProviderRefused, QueryTooLong, Unreadable
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure

theirs = import_module("llm_deepseek_websearch")  # it has no type information

PROVIDER = "deepseek"
QUERY = '  tides 潮汐 😀 "new moon" site:moon.example '

TIDES = Page(
    "https://moon.example/潮汐?q=é", "Tides", "The tides follow the moon.", date="2026-01-31"
)
MOON = Page("https://moon.example/moon", "The moon", "A new moon pulls the tides.", authority=3)


@pytest.fixture
async def simulator(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Simulator]:
    """The simulator, with two pages about the moon, and their client led to it."""
    async with Simulator(corpus=Corpus.of([TIDES, MOON])) as running:
        monkeypatch.setattr(theirs, "API_ROOT", f"{running.base_url(PROVIDER)}/v1/tools/")
        monkeypatch.setattr(theirs, "_api_key", lambda: running.credential(PROVIDER).key)
        yield running


@pytest.fixture
async def ours(simulator: Simulator) -> AsyncIterator[ProviderClient]:
    """Our client, with the simulator's key."""
    transport = AiohttpTransport(timeout=5.0)
    credentials = {PROVIDER: simulator.credential(PROVIDER)}
    registry = StaticRegistry(simulator.models(), credentials)
    yield ProviderClient(registry, transport, lambda _: CODEC, lambda _: 5, "session")
    await transport.aclose()


async def no_progress(_line: str) -> None:
    """Nobody watches."""


def candidate(simulator: Simulator) -> Candidate:
    """The simulated model."""
    model = next(model for model in simulator.models() if model.provider == PROVIDER)
    return Candidate(model, Family.DEEPSEEK, Dialect.NATIVE)


async def our_search(
    ours: ProviderClient, simulator: Simulator, query: str = QUERY
) -> SearchOutcome:
    """What we make of a search."""
    return await ours.search(candidate(simulator), query, no_progress)


async def our_fetch(ours: ProviderClient, simulator: Simulator, url: str) -> FetchAnswer:
    """What we make of a page."""
    return await ours.fetch(
        candidate(simulator), (url,), None, no_progress, lambda _index, _answer: None
    )


async def their_search(query: str = QUERY) -> str:
    """What their client makes of a search: a text for a model."""
    search = theirs.deepseek_web_search
    return str(await asyncio.to_thread(search, query, count=10, need_content=True))


async def their_fetch(url: str) -> str:
    """What their client makes of a page: a text for a model."""
    return str(await asyncio.to_thread(theirs.deepseek_web_fetch, url))


def essence(seen: SeenRequest) -> tuple[object, ...]:
    """What makes a request the same request, down to the bytes of its body."""
    headers = [seen.headers.get(name) for name in ("authorization", "content-type")]
    return seen.method, seen.path, dict(seen.query), seen.raw, headers


@pytest.mark.rule("deepseek.9")
async def test_their_search_request_is_ours(simulator: Simulator, ours: ProviderClient) -> None:
    """Method, path, body and headers are equal, and both find the same pages."""
    text = await their_search()
    payload = (await our_search(ours, simulator)).unwrap()

    their_request, our_request = simulator.requests
    assert essence(our_request) == essence(their_request)
    results = payload["results"]
    assert isinstance(results, list)
    assert {result["url"] for result in results} == {TIDES.url, MOON.url}
    for result in results:
        assert {f"URL: {result['url']}", f"Content: {result['content']}"} <= {
            line.strip() for line in text.splitlines()
        }


@pytest.mark.rule("deepseek.9")
@pytest.mark.parametrize("page", [TIDES, MOON])
async def test_their_fetch_request_is_ours(
    simulator: Simulator, ours: ProviderClient, page: Page
) -> None:
    """The URL goes out as it is, and both read the same page."""
    text = await their_fetch(page.url)
    answer = await our_fetch(ours, simulator, page.url)

    their_request, our_request = simulator.requests
    assert essence(our_request) == essence(their_request)
    assert answer == FetchAnswer({0: Fetched({"title": page.title, "content": page.text})})
    assert text == f"Title: {page.title}\nURL: {page.url}\n\n{page.text}"


@pytest.mark.rule("deepseek.9")
@pytest.mark.parametrize(
    "fault",
    [
        Status(400),
        Status(401),
        Status(402),
        Status(403),
        Status(404, "404 page not found"),
        Status(422, {"error": {"message": {"odd": "é"}}}),
    ],
)
async def test_both_tell_the_same_error(
    simulator: Simulator, ours: ProviderClient, fault: Status
) -> None:
    """Their exception and our failure name the same status, and words that are text are equal."""
    simulator.script_always(PROVIDER, fault)

    with pytest.raises(theirs.DeepSeekError) as raised:
        await their_search()

    said = str(raised.value).replace("{'odd': 'é'}", '{"odd": "é"}')
    failed = await our_search(ours, simulator)
    assert failed == Failure(
        ProviderRefused(said.replace("DeepSeek Search API error", "HTTP"), fault.code)
    )


@pytest.mark.rule("deepseek.9")
@pytest.mark.parametrize("url", ["https://unsafe.example/", "https://moon.example/elsewhere"])
async def test_both_report_a_page_that_cannot_be_had(
    simulator: Simulator, ours: ProviderClient, url: str
) -> None:
    """Where they raise, we have an entry for this URL."""
    with pytest.raises(theirs.DeepSeekError) as raised:
        await their_fetch(url)

    said = str(raised.value).replace("DeepSeek Fetch API error", "HTTP")
    assert await our_fetch(ours, simulator, url) == FetchAnswer({0: UrlFailure(said)})


@pytest.mark.rule("deepseek.9")
@pytest.mark.parametrize(
    "fault",
    [
        Status(200, b""),
        Status(200, b"<html>"),
        Status(200, {}),
        Status(200, {"results": {}}),
        Replay(b"[]", "application/json"),
    ],
)
async def test_what_they_cannot_read_we_call_unreadable(
    simulator: Simulator, ours: ProviderClient, fault: Fault
) -> None:
    """Both say that this is no answer."""
    simulator.script_always(PROVIDER, fault)

    with pytest.raises(theirs.DeepSeekError):
        await their_search()

    outcome = await our_search(ours, simulator)
    assert isinstance(outcome.failure(), Unreadable)


@pytest.mark.rule("rest.6")
async def test_an_empty_list_is_an_answer_for_both(
    simulator: Simulator, ours: ProviderClient
) -> None:
    """Nobody takes honest zero hits for an error."""
    simulator.script_always(PROVIDER, Status(200, {"results": []}))

    assert await their_search() == "No results found"
    assert (await our_search(ours, simulator)).unwrap() == {"results": []}


@pytest.mark.rule("deepseek.3")
async def test_neither_sends_a_query_that_is_too_long(
    simulator: Simulator, ours: ProviderClient
) -> None:
    """Both count code points, and 128 pairs of surrogates are as long as 128 letters."""
    await their_search("😀" * 128)
    (await our_search(ours, simulator, "😀" * 128)).unwrap()
    assert len(simulator.requests) == 2

    with pytest.raises(theirs.DeepSeekError):
        await their_search("😀" * 129)
    outcome = await our_search(ours, simulator, "😀" * 129)
    assert isinstance(outcome.failure(), QueryTooLong)
    assert len(simulator.requests) == 2

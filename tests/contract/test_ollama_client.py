"""Ollama's own client as a witness: of our requests, of our reading, and of the simulator."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import ollama as theirs
import pytest

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.ollama import CODEC
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator.corpus import Corpus, Page
from native_web_search.adapters.simulator.exchange import SeenRequest
from native_web_search.adapters.simulator.faults import Fault, Replay, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.domain.failure import ProviderRefused, Unreadable
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure

PROVIDER = "ollama-cloud"
QUERY = 'tides 潮汐 😀 "new moon" site:moon.example'

TIDES = Page("https://moon.example/潮汐?q=é", "Tides", "The tides follow [it](https://m.example/).")
MOON = Page("https://moon.example/moon", "", "A new moon pulls the tides.")
ELSEWHERE = "https://moon.example/elsewhere"


class Loopback(httpx.HTTPTransport):
    """Leads what is meant for the cloud to the simulator."""

    def __init__(self, origin: str) -> None:
        super().__init__()
        self.origin = httpx.URL(origin)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request to the same path below the simulated provider."""
        path = f"/{PROVIDER}{request.url.path}"
        request.url = self.origin.copy_with(path=path)
        return super().handle_request(request)


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """The simulator, with two pages about the moon."""
    async with Simulator(corpus=Corpus.of([TIDES, MOON])) as running:
        yield running


@pytest.fixture
async def ours(simulator: Simulator) -> AsyncIterator[ProviderClient]:
    """Our client, with the simulator's key."""
    transport = AiohttpTransport(timeout=5.0)
    credentials = {PROVIDER: simulator.credential(PROVIDER)}
    registry = StaticRegistry(simulator.models(), credentials)
    yield ProviderClient(registry, transport, lambda _: CODEC, lambda _: 5, "session")
    await transport.aclose()


@pytest.fixture
def their_client(simulator: Simulator) -> Iterator[theirs.Client]:
    """Their client, with the simulator's key."""
    authorization = f"Bearer {simulator.credential(PROVIDER).key}"
    with Loopback(simulator.url) as transport:
        yield theirs.Client(headers={"Authorization": authorization}, transport=transport)


async def no_progress(_line: str) -> None:
    """Nobody watches."""


def candidate(simulator: Simulator) -> Candidate:
    """The simulated model."""
    model = next(model for model in simulator.models() if model.provider == PROVIDER)
    return Candidate(model, Family.OLLAMA, Dialect.NATIVE)


async def our_search(ours: ProviderClient, simulator: Simulator) -> SearchOutcome:
    """What we make of a search."""
    return await ours.search(candidate(simulator), QUERY, no_progress)


async def our_fetch(ours: ProviderClient, simulator: Simulator, url: str) -> FetchAnswer:
    """What we make of a page."""
    return await ours.fetch(
        candidate(simulator), (url,), None, no_progress, lambda _index, _answer: None
    )


async def their_search(client: theirs.Client) -> theirs.WebSearchResponse:
    """What their client makes of a search."""
    return await asyncio.to_thread(client.web_search, QUERY, max_results=10)


async def their_fetch(client: theirs.Client, url: str) -> theirs.WebFetchResponse:
    """What their client makes of a page."""
    return await asyncio.to_thread(client.web_fetch, url)


def essence(seen: SeenRequest) -> tuple[object, ...]:
    """What makes a request the same request, down to the bytes of its body."""
    headers = [seen.headers.get(name) for name in ("authorization", "content-type", "accept")]
    return seen.method, seen.path, dict(seen.query), seen.raw, headers


@pytest.mark.rule("ollama.7")
async def test_their_search_request_is_ours(
    simulator: Simulator, ours: ProviderClient, their_client: theirs.Client
) -> None:
    """Method, path, body and headers are equal, and so are the results that come back."""
    answer = await their_search(their_client)
    payload = (await our_search(ours, simulator)).unwrap()

    their_request, our_request = simulator.requests
    assert essence(our_request) == essence(their_request)
    assert [dict(result) for result in answer.results] == payload["results"]
    assert {result.url for result in answer.results} == {TIDES.url, MOON.url}


@pytest.mark.rule("ollama.7")
@pytest.mark.parametrize("page", [TIDES, MOON])
async def test_their_fetch_request_is_ours(
    simulator: Simulator, ours: ProviderClient, their_client: theirs.Client, page: Page
) -> None:
    """The URL goes out as it is, and both read the same page, with links or without."""
    answer = await their_fetch(their_client, page.url)
    entry = (await our_fetch(ours, simulator, page.url)).entries[0]

    their_request, our_request = simulator.requests
    assert essence(our_request) == essence(their_request)
    assert entry == Fetched(answer.model_dump(exclude_unset=True))
    assert answer.content == page.text


@pytest.mark.rule("ollama.7")
@pytest.mark.parametrize(
    "fault", [Status(401), Status(402), Status(429), Status(503), Status(500, "plain text")]
)
async def test_both_tell_the_same_error(
    simulator: Simulator, ours: ProviderClient, their_client: theirs.Client, fault: Status
) -> None:
    """Their exception and our failure have the same status and the same words."""
    simulator.script_always(PROVIDER, fault)

    with pytest.raises(theirs.ResponseError) as raised:
        await their_search(their_client)

    assert await our_search(ours, simulator) == Failure(
        ProviderRefused(f"HTTP {fault.code}: {raised.value.error}", fault.code)
    )


@pytest.mark.rule("ollama.7")
async def test_both_report_a_page_that_cannot_be_had(
    simulator: Simulator, ours: ProviderClient, their_client: theirs.Client
) -> None:
    """Where they raise, we have an entry for this URL."""
    with pytest.raises(theirs.ResponseError) as raised:
        await their_fetch(their_client, ELSEWHERE)

    assert await our_fetch(ours, simulator, ELSEWHERE) == FetchAnswer(
        {0: UrlFailure(f"HTTP {raised.value.status_code}: {raised.value.error}")}
    )


@pytest.mark.rule("ollama.7")
@pytest.mark.parametrize(
    "fault",
    [
        Status(200, b""),
        Status(200, b"<html>"),
        Status(200, {}),
        Status(200, {"results": None}),
        Replay(b"[]", "application/json"),
    ],
)
async def test_what_they_cannot_read_we_call_unreadable(
    simulator: Simulator, ours: ProviderClient, their_client: theirs.Client, fault: Fault
) -> None:
    """Their client raises one thing or another; ours says that there is no answer."""
    simulator.script_always(PROVIDER, fault)

    with pytest.raises((ValueError, TypeError)):
        await their_search(their_client)

    outcome = await our_search(ours, simulator)
    assert isinstance(outcome.failure(), Unreadable)


@pytest.mark.rule("rest.6")
async def test_an_empty_list_is_an_answer_for_both(
    simulator: Simulator, ours: ProviderClient, their_client: theirs.Client
) -> None:
    """Nobody takes honest zero hits for an error."""
    simulator.script_always(PROVIDER, Status(200, {"results": []}))

    assert (await their_search(their_client)).results == []
    assert (await our_search(ours, simulator)).unwrap() == {"results": []}

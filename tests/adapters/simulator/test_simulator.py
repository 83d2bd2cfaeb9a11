"""The script, the record, and the way in."""

import asyncio
import time
from collections.abc import Mapping

import httpx
import pytest

from native_web_search.adapters.simulator.catalogue import PROVIDERS
from native_web_search.adapters.simulator.corpus import Corpus, Page
from native_web_search.adapters.simulator.faults import Delay, Fault, Hang, Stall, Status, Trickle
from native_web_search.adapters.simulator.simulator import Simulator

ELEVEN = {
    "anthropic",
    "antigravity",
    "azure",
    "deepseek",
    "github-copilot",
    "google",
    "ollama-cloud",
    "openai",
    "openai-codex",
    "opencode",
    "xai",
}


async def _search(
    client: httpx.AsyncClient, simulator: Simulator, provider: str = "deepseek", **body: object
) -> int:
    """Search with DeepSeek or Ollama, and return the status."""
    path = "v1/tools/search" if provider == "deepseek" else "api/web_search"
    url = f"{simulator.base_url(provider).removesuffix('/v1')}/{path}?a=1"
    headers = {"authorization": f"Bearer {simulator.credential(provider).key}"}
    response = await client.post(url, json={"query": "ranking", **body}, headers=headers)
    return response.status_code


async def _arrived(simulator: Simulator, count: int) -> None:
    """Wait until so many requests have been recorded."""
    async with asyncio.timeout(5):
        while len(simulator.requests) < count:  # noqa: ASYNC110 - the record is a plain list
            await asyncio.sleep(0.01)


@pytest.mark.rule("simulator.7")
class TestScript:
    """Which request meets which fault."""

    async def test_faults_are_used_up_in_order(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Each request takes one fault, and afterwards the provider behaves."""
        simulator.script("deepseek", Status(500), Delay(0), Status(503))
        statuses = [await _search(client, simulator) for _ in range(4)]
        assert statuses == [500, 200, 503, 200]

    async def test_faults_belong_to_one_provider(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Another provider is not touched, and uses nothing up."""
        simulator.script("deepseek", Status(500))
        assert await _search(client, simulator, "ollama-cloud") == 200
        assert await _search(client, simulator) == 500

    async def test_faults_can_be_given_at_the_start(self, client: httpx.AsyncClient) -> None:
        """The argument is the script of each provider."""
        faults: Mapping[str, list[Fault]] = {"deepseek": [Status(500)]}
        async with Simulator(faults=faults) as simulator:
            assert [await _search(client, simulator) for _ in range(2)] == [500, 200]

    async def test_a_lasting_fault_comes_after_the_script(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """What is set for always fills in once the script is empty."""
        simulator.script_always("deepseek", Status(503))
        simulator.script("deepseek", Status(500))
        statuses = [await _search(client, simulator) for _ in range(3)]
        assert statuses == [500, 503, 503]

    async def test_clearing_forgets_both(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """A cleared provider behaves."""
        simulator.script_always("deepseek", Status(503))
        simulator.script("deepseek", Status(500))
        simulator.clear("deepseek")
        assert await _search(client, simulator) == 200

    def test_a_provider_that_does_not_exist_is_an_error(self) -> None:
        """A misspelt provider is noticed when the script is written, not by silence."""
        with pytest.raises(KeyError):
            Simulator(faults={"deepsek": [Hang()]})
        with pytest.raises(KeyError):
            Simulator().script_always("deepsek", Hang())


@pytest.mark.rule("simulator.9")
class TestRecord:
    """What is remembered of a request."""

    async def test_a_request_is_recorded_whole(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Provider, method, path, query, headers, body and the status of the answer."""
        await _search(client, simulator, count=2)
        (seen,) = simulator.requests
        assert (seen.provider, seen.method, seen.status) == ("deepseek", "POST", 200)
        assert (seen.path, seen.query) == ("/deepseek/v1/tools/search", {"a": "1"})
        assert seen.body == {"query": "ranking", "count": 2}
        assert seen.bearer == simulator.credential("deepseek").key
        assert seen.headers["content-type"] == "application/json"
        assert not seen.aborted

    async def test_requests_stand_in_the_order_of_arrival(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """The record is a list, refused requests included."""
        await _search(client, simulator, count=0)
        await _search(client, simulator, "ollama-cloud")
        recorded = [(seen.provider, seen.status) for seen in simulator.requests]
        assert recorded == [("deepseek", 400), ("ollama-cloud", 200)]

    @pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
    async def test_what_is_no_json_is_recorded_as_it_is(
        self, simulator: Simulator, client: httpx.AsyncClient, content: bytes
    ) -> None:
        """A body that cannot be parsed leaves its bytes and no value."""
        response = await client.post(f"{simulator.base_url('deepseek')}/x", content=content)
        (seen,) = simulator.requests
        assert (seen.body, seen.raw, response.status_code) == (None, content, 404)

    async def test_a_path_of_nobody_is_recorded_too(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Outside of the providers' prefixes there is only a 404."""
        response = await client.get(f"{simulator.url}/elsewhere/v1")
        assert (response.status_code, simulator.requests[0].provider) == (404, "")

    @pytest.mark.parametrize("fault", [Hang(), Stall(10), Delay(30), Trickle(1, 1.0)])
    async def test_a_client_that_leaves_early_is_recorded(
        self, simulator: Simulator, client: httpx.AsyncClient, fault: Fault
    ) -> None:
        """Going away before everything was sent counts as aborted, at whatever point."""
        simulator.script("deepseek", fault)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_search(client, simulator), 0.2)
        assert await simulator.idle()
        assert simulator.requests[0].aborted

    async def test_a_client_that_waits_is_not_recorded_as_gone(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """A slow answer that was received whole is not aborted."""
        simulator.script("deepseek", Delay(0.1), Trickle(50, 0.001))
        for _ in range(2):
            await _search(client, simulator)
        assert await simulator.idle()
        assert [seen.aborted for seen in simulator.requests] == [False, False]

    async def test_an_open_request_is_not_idle(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """As long as somebody waits, the simulator says so."""
        simulator.script("deepseek", Hang())
        waiting = asyncio.create_task(_search(client, simulator))
        await _arrived(simulator, 1)
        assert not await simulator.idle(within=0.05)
        waiting.cancel()
        assert await simulator.idle()


@pytest.mark.rule("simulator.15")
async def test_leaving_does_not_wait_for_those_who_hang(client: httpx.AsyncClient) -> None:
    """Closing ends open requests quickly, and that is not the client's doing."""
    async with Simulator(faults={"deepseek": [Hang(), Stall()]}) as simulator:
        waiting = [asyncio.create_task(_search(client, simulator)) for _ in range(2)]
        await _arrived(simulator, 2)
        started = time.monotonic()
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(outcome, httpx.TransportError) for outcome in outcomes)
    assert time.monotonic() - started < 1.5
    assert [seen.aborted for seen in simulator.requests] == [False, False]


@pytest.mark.rule("simulator.1")
class TestWayIn:
    """Models, addresses and credentials."""

    async def test_every_provider_has_a_model_an_address_and_a_credential(
        self, simulator: Simulator
    ) -> None:
        """There are eleven, and their models live here."""
        models = simulator.models()
        assert {model.provider for model in models} == ELEVEN == set(PROVIDERS)
        for model in models:
            assert model.base_url == simulator.base_url(model.provider)
            assert model.base_url.startswith(f"{simulator.url}/")
            assert simulator.credential(model.provider).key

    async def test_addresses_tell_the_providers_apart(self, simulator: Simulator) -> None:
        """No provider's prefix is another's."""
        prefixes = {
            simulator.base_url(provider).removeprefix(simulator.url).split("/")[1]
            for provider in ELEVEN
        }
        assert len(prefixes) == len(ELEVEN)

    async def test_only_fixed_addresses_come_with_the_credential(
        self, simulator: Simulator
    ) -> None:
        """Antigravity and Copilot do not go where the model says, the others do."""
        redirected = {
            provider for provider in ELEVEN if simulator.credential(provider).base_url is not None
        }
        assert redirected == {"antigravity", "github-copilot"}

    async def test_a_key_is_not_shown(self, simulator: Simulator) -> None:
        """The repr of a credential says where it is from, never what it is."""
        for provider in ELEVEN:
            credential = simulator.credential(provider)
            assert credential.key is not None
            assert credential.key not in repr(credential)

    async def test_a_port_of_ones_own_is_taken(self) -> None:
        """The port can be chosen, and two simulators can run side by side."""
        async with Simulator() as first:
            port = int(first.url.rpartition(":")[2])
        async with Simulator(port=port) as again, Simulator() as other:
            assert again.url.endswith(f":{port}")
            assert other.url != again.url

    async def test_pages_of_ones_own_are_searched(self, client: httpx.AsyncClient) -> None:
        """A corpus can be given instead of the one that comes along."""
        page = Page("https://a.example/", "On tides", "The moon makes the tides.")
        async with Simulator(corpus=Corpus.of([page])) as simulator:
            headers = {"authorization": f"Bearer {simulator.credential('deepseek').key}"}
            url = f"{simulator.base_url('deepseek')}/v1/tools/search"
            found = await client.post(url, json={"query": "tides"}, headers=headers)
        assert [result["url"] for result in found.json()["results"]] == ["https://a.example/"]

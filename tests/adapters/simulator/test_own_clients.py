"""This project's own codecs and transport, against every simulated model."""

from collections.abc import AsyncIterator

import pytest
from attrs import evolve, frozen

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import ModelRefused
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import Fetched, UrlFailure
from native_web_search.ports.registry import Credential

READABLE = ("https://docs.example/cooldown", "https://docs.example/路径/起步")
UNREADABLE = ("https://paywall.example/", "https://unsafe.example/", "https://docs.example/none")


@frozen
class Keyring:
    """A registry that knows the simulator's keys."""

    simulator: Simulator

    def current(self) -> ChatModel | None:
        return None

    def available(self) -> tuple[ChatModel, ...]:
        return self.simulator.models()

    async def credentials(self, model: ChatModel) -> Credential:
        return self.simulator.credential(model.provider)


@pytest.fixture
async def ours(simulator: Simulator) -> AsyncIterator[ProviderClient]:
    """Our client, logged in everywhere."""
    transport = AiohttpTransport(timeout=5.0)
    yield ProviderClient(Keyring(simulator), transport, codec_of, lambda _: 5, "session-1")
    await transport.aclose()


async def no_progress(_line: str) -> None:
    """Nobody watches."""


def _candidate(model: ChatModel) -> Candidate:
    candidate = candidate_of(model)
    assert candidate is not None
    return candidate


@pytest.mark.rule("simulator.17")
async def test_every_model_searches(simulator: Simulator, ours: ProviderClient) -> None:
    """Each listed model answers a search of ours, and nobody is recorded as gone too early."""
    for model in simulator.models():
        outcome = await ours.search(
            _candidate(model), "how does the cooldown work 冷却", no_progress
        )
        assert outcome.unwrap(), model
    assert await simulator.idle()
    assert {(seen.status, seen.aborted) for seen in simulator.requests} == {(200, False)}


@pytest.mark.rule("simulator.17")
@pytest.mark.parametrize("provider", ["azure", "github-copilot", "opencode"])
async def test_grok_searches_behind_a_gateway(
    simulator: Simulator, ours: ProviderClient, provider: str
) -> None:
    """Grok models are served by gateways in Grok's own dialect."""
    model = next(model for model in simulator.models() if model.provider == provider)
    candidate = _candidate(evolve(model, id="grok-4.6"))
    payload = (await ours.search(candidate, "cooldown", no_progress)).unwrap()
    assert payload["citations"]


@pytest.mark.rule("simulator.17")
async def test_claude_on_copilot_does_not(simulator: Simulator, ours: ProviderClient) -> None:
    """The refusal is about the model, so that its siblings stay."""
    model = next(model for model in simulator.models() if model.provider == "github-copilot")
    claude = evolve(model, id="claude-haiku-4-5", api="anthropic-messages")
    outcome = await ours.search(_candidate(claude), "cooldown", no_progress)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), ModelRefused)


@pytest.mark.rule("simulator.17")
async def test_every_fetcher_reads_pages(simulator: Simulator, ours: ProviderClient) -> None:
    """Each model that can fetch reads the pages that are there and says which are not."""
    fetchers = [_candidate(model) for model in simulator.models()]
    for candidate in (each for each in fetchers if each.can(Operation.FETCH)):
        answer = await ours.fetch(
            candidate, (*READABLE, *UNREADABLE), None, no_progress, lambda _index, _entry: None
        )
        kinds = [type(answer.entries[index]) for index in range(5)]
        assert kinds == [Fetched] * 2 + [UrlFailure] * 3, candidate
        assert answer.failure is None

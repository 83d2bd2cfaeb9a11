"""Our own searchers and fetchers, and those in memory, keep the promises of their ports."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar
from unittest import SkipTest

import pytest
from attrs import frozen

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.lanes import default_slots
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator.faults import Delay, Fault, Hang, Reset, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.contracts import (
    Behaviour,
    FetcherContract,
    FetchStage,
    SearcherContract,
    SearchStage,
)
from native_web_search.adapters.testing.memory import (
    NeverAnswers,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import AttemptFailure, ProviderRefused, Unreachable
from native_web_search.domain.family import Candidate, Dialect, Family, candidate_of
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import Fetched, UrlAnswer, UrlFailure
from native_web_search.ports.registry import Credential

PAGES = ("https://docs.example/ranking", "https://docs.example/cooldown")
MISSING = "https://docs.example/there-is-no-such-page"

ALWAYS: Mapping[Behaviour, Fault] = {
    Behaviour.REFUSES: Status(503),
    Behaviour.BREAKS: Reset(),
    Behaviour.HANGS: Hang(),
    Behaviour.REFUSES_LATER: Status(503),
    Behaviour.HANGS_LATER: Hang(),
}

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
CANDIDATE = Candidate(DEEPSEEK, Family.DEEPSEEK, Dialect.NATIVE)
REFUSED, RESET = ProviderRefused("HTTP 503", 503), Unreachable("reset")
FAILURES: Mapping[Behaviour, AttemptFailure] = {
    Behaviour.REFUSES: REFUSED,
    Behaviour.BREAKS: RESET,
}


@frozen
class Opened:
    """A client whose provider is simulated."""

    simulator: Simulator
    client: ProviderClient
    candidate: Candidate
    keys: dict[str, Credential]

    def asked(self) -> int:
        return len(self.simulator.requests)


@asynccontextmanager
async def simulated(provider: str, behaviour: Behaviour) -> AsyncGenerator[Opened, None]:
    async with Simulator() as simulator:
        if behaviour in {Behaviour.REFUSES_LATER, Behaviour.HANGS_LATER}:
            simulator.script(provider, Delay(0))
        simulator.script_always(provider, ALWAYS.get(behaviour, Delay(0)))
        model = next(each for each in simulator.models() if each.provider == provider)
        candidate = candidate_of(model)
        assert candidate is not None
        keys = {provider: simulator.credential(provider)}
        transport = AiohttpTransport(timeout=5)
        registry = StaticRegistry((model,), keys)
        client = ProviderClient(registry, transport, codec_of, default_slots, "session-1")
        try:
            yield Opened(simulator, client, candidate, keys)
        finally:
            await transport.aclose()


class Searching(SearcherContract):
    """The client over one simulated provider."""

    provider: ClassVar[str]

    @asynccontextmanager
    async def opened(self, behaviour: Behaviour) -> AsyncGenerator[SearchStage, None]:
        async with simulated(self.provider, behaviour) as opened:
            yield SearchStage(
                candidate=opened.candidate,
                asked=opened.asked,
                idle=opened.simulator.idle,
                log_out=opened.keys.clear,
                searcher=opened.client,
            )


class Fetching(FetcherContract):
    """The client over one simulated provider."""

    provider: ClassVar[str]

    @asynccontextmanager
    async def opened(self, behaviour: Behaviour) -> AsyncGenerator[FetchStage, None]:
        async with simulated(self.provider, behaviour) as opened:
            yield FetchStage(
                candidate=opened.candidate,
                asked=opened.asked,
                idle=opened.simulator.idle,
                log_out=opened.keys.clear,
                fetcher=opened.client,
                urls=PAGES,
                missing=MISSING,
            )


@pytest.mark.rule("testing.1")
class TestSearchingWithDeepSeek(Searching):
    """One document to each search."""

    provider = "deepseek"


@pytest.mark.rule("testing.1")
class TestSearchingWithOpenAI(Searching):
    """A stream of events."""

    provider = "openai"


@pytest.mark.rule("testing.1")
class TestSearchingWithGoogle(Searching):
    """Another stream."""

    provider = "google"


@pytest.mark.rule("testing.1")
class TestSearchingWithAnthropic(Searching):
    """And another."""

    provider = "anthropic"


@pytest.mark.rule("testing.1")
class TestFetchingWithDeepSeek(Fetching):
    """One request for each URL."""

    provider = "deepseek"


@pytest.mark.rule("testing.1")
class TestFetchingWithGoogle(Fetching):
    """One request for all URLs."""

    provider = "google"


@pytest.mark.rule("testing.1")
class TestSearchingByScript(SearcherContract):
    """The searchers in memory."""

    @asynccontextmanager
    async def opened(self, behaviour: Behaviour) -> AsyncGenerator[SearchStage, None]:
        silent = NeverAnswers()
        failure = FAILURES.get(behaviour)
        scripted = ScriptedSearcher({"deepseek": [Failure(failure)]} if failure else {})
        yield SearchStage(
            candidate=CANDIDATE,
            asked=lambda: silent.asked + len(scripted.asked),
            idle=Idle(silent),
            searcher=silent if behaviour is Behaviour.HANGS else scripted,
        )


@pytest.mark.rule("testing.1")
class TestFetchingByScript(FetcherContract):
    """The fetchers in memory."""

    @asynccontextmanager
    async def opened(self, behaviour: Behaviour) -> AsyncGenerator[FetchStage, None]:
        if behaviour is Behaviour.HANGS_LATER:
            raise SkipTest(behaviour.value)
        silent, scripted = NeverAnswers(), ScriptedFetcher({"deepseek": saying(behaviour)})
        yield FetchStage(
            candidate=CANDIDATE,
            asked=lambda: silent.asked + len(scripted.asked),
            idle=Idle(silent),
            fetcher=silent if behaviour is Behaviour.HANGS else scripted,
            urls=PAGES,
            missing=MISSING,
        )


@frozen
class Idle:
    """Whether all who were waiting have been cancelled."""

    silent: NeverAnswers

    async def __call__(self) -> bool:
        return self.silent.asked == self.silent.cancelled


def saying(behaviour: Behaviour) -> Callable[[str], UrlAnswer | ProviderRefused | Unreachable]:
    """What a scripted fetcher says of a URL."""

    def script(url: str) -> UrlAnswer | ProviderRefused | Unreachable:
        match behaviour:
            case Behaviour.BREAKS:
                return RESET
            case Behaviour.REFUSES:
                return REFUSED
            case Behaviour.REFUSES_LATER if url != PAGES[0]:
                return REFUSED
            case _:
                return UrlFailure("no such page") if url == MISSING else Fetched({"title": url})

    return script

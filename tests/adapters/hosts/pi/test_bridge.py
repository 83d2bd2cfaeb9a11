"""Our end of the pipe, with an extension that is played by hand."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest
from attrs import define, field

from native_web_search.adapters.hosts.pi.bridge import Bridge
from native_web_search.adapters.hosts.pi.to_pi import (
    Activate,
    Answer,
    CredentialQuestion,
    Failed,
    Progress,
    Synced,
    ToPi,
)
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    NeverAnswers,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.exposure import Exposure
from native_web_search.domain.exposure_sync import Register, SyncState
from native_web_search.ports.providers import Searcher
from native_web_search.ports.registry import Credential, CredentialAnswer, ModelRegistry

M = TypeVar("M")

FLASH = {"provider": "deepseek", "id": "deepseek-flash", "api": "openai-completions"}
LUNA = {"provider": "openai", "id": "gpt-5.6-luna", "api": "openai-responses"}
UNABLE = {"provider": "mock", "id": "one", "api": "openai-completions"}
SECONDS = 10
USUAL = ("read", "write")


@define(eq=False)
class Extension:
    """The far end: says lines, and keeps what it hears."""

    searcher: Searcher
    kind: type[WebSearch]
    heard: list[ToPi] = field(factory=list)
    lines: asyncio.StreamReader = field(init=False, factory=asyncio.StreamReader)
    registry: ModelRegistry | None = field(init=False, default=None)
    closed: bool = field(init=False, default=False)
    _news: asyncio.Event = field(init=False, factory=asyncio.Event)

    def hear(self, message: ToPi) -> None:
        self.heard.append(message)
        self._news.set()

    def say(self, kind: str, **fields: object) -> None:
        self.lines.feed_data(json.dumps({"type": kind, **fields}).encode() + b"\n")

    async def next(self, kind: type[M], matching: Callable[[M], bool] = lambda _: True) -> M:
        """The first message of this kind, which is taken off the list."""
        while True:
            for message in self.heard:
                if isinstance(message, kind) and matching(message):
                    self.heard.remove(message)
                    return message
            self._news.clear()
            await self._news.wait()

    async def sync(self, id_: int, active: tuple[str, ...] = USUAL, **fields: object) -> list[ToPi]:
        """What one sync brings, in order."""
        self.say("sync", id=id_, active=active, **{"available": [FLASH], **fields})
        synced = await self.next(Synced, lambda message: message.id == id_)
        brought = [*self.heard, synced]
        self.heard.clear()
        return brought

    def opening(self, registry: ModelRegistry) -> WebSearch:
        self.registry, clock = registry, ManualClock()

        async def closing() -> None:
            self.closed = True

        return self.kind(
            registry=registry,
            searcher=self.searcher,
            fetcher=ScriptedFetcher(),
            preferences=MemoryPreferences(),
            health=ProcessHealth(clock),
            clock=clock,
            closing=closing,
        )


@asynccontextmanager
async def talking(
    searcher: Searcher | None = None, kind: type[WebSearch] = WebSearch
) -> AsyncGenerator[Extension, None]:
    """An extension with a running bridge, until its last line."""
    extension = Extension(searcher or ScriptedSearcher(), kind)
    bridge = Bridge(extension.hear, extension.opening, {})
    running = asyncio.create_task(bridge.run(extension.lines))
    try:
        async with asyncio.timeout(SECONDS):
            yield extension
    finally:
        extension.lines.feed_eof()
        async with asyncio.timeout(SECONDS):
            await running


@pytest.mark.rule("pi.18")
async def test_the_first_sync_registers_and_activates() -> None:
    """In the form that the models of the message allow."""
    async with talking() as pi:
        register, activate, synced = await pi.sync(1, available=[LUNA])
    assert isinstance(register, Register)
    assert register.spec.exposure is Exposure.QUERY
    assert (activate, synced) == (Activate(on=True), Synced(1, opted_out=False))


@pytest.mark.rule("pi.18")
async def test_an_unchanged_exposure_gives_nothing_to_do() -> None:
    """A changed one gives the new form alone, and no usable model takes the tool away."""
    offered = (*USUAL, "web_search")
    async with talking() as pi:
        await pi.sync(1, available=[LUNA])
        assert await pi.sync(2, offered, available=[LUNA]) == [Synced(2, opted_out=False)]
        register, _synced = await pi.sync(3, offered, available=[LUNA, FLASH])
        assert isinstance(register, Register)
        assert register.spec.exposure is Exposure.QUERY_AND_URLS
        assert await pi.sync(4, offered, available=[UNABLE]) == [
            Activate(on=False),
            Synced(4, opted_out=False),
        ]


@pytest.mark.rule("pi.7", "pi.18")
async def test_a_removal_stays_until_the_user_gives_the_tool_back() -> None:
    """What pi restores is neither."""
    offered = (*USUAL, "web_search")
    async with talking() as pi:
        await pi.sync(1, restored=True)
        assert await pi.sync(2) == [Synced(2, opted_out=True)]
        assert await pi.sync(3, available=[FLASH, LUNA]) == [Synced(3, opted_out=True)]
        assert await pi.sync(4, offered, restored=True) == [
            Activate(on=False),
            Synced(4, opted_out=True),
        ]
        assert await pi.sync(5, offered) == [Synced(5, opted_out=False)]


@pytest.mark.rule("pi.19")
async def test_a_process_that_comes_later_hears_of_the_removal() -> None:
    """It begins opted out, and forgets it once the tool was given back."""
    offered = (*USUAL, "web_search")
    async with talking() as pi:
        register, synced = await pi.sync(1, optedOut=True)
        assert isinstance(register, Register)
        assert synced == Synced(1, opted_out=True)
        assert await pi.sync(2, offered, optedOut=True) == [Synced(2, opted_out=False)]


@pytest.mark.rule("pi.18")
async def test_syncs_wait_for_each_other() -> None:
    """A current model that is not available has to prove its login, which takes pi a while."""
    async with talking() as pi:
        pi.say("sync", id=1, active=USUAL, current=LUNA)
        question = await pi.next(CredentialQuestion)
        pi.say("sync", id=2, active=USUAL, current=LUNA, restored=True)
        await asyncio.sleep(0.01)
        assert pi.heard == []
        pi.say("auth", id=question.id, ok=True, apiKey="k")
        await pi.next(Synced, lambda message: message.id == 1)
        await pi.next(Register)
        assert await pi.next(Activate) == Activate(on=True)
        second = await pi.next(CredentialQuestion)
        pi.say("auth", id=second.id, ok=True)
        await pi.next(Synced, lambda message: message.id == 2)
        assert pi.heard == []
    assert (question.provider, question.model) == ("openai", "gpt-5.6-luna")


@pytest.mark.rule("pi.16")
async def test_credentials_are_asked_for_each_time() -> None:
    """Answers come in any order; one that nobody waits for is passed over."""
    async with talking() as pi:
        await pi.sync(1, available=[FLASH, LUNA])
        assert pi.registry is not None
        flash, luna = pi.registry.available()
        asking: list[asyncio.Task[CredentialAnswer]] = [
            asyncio.create_task(pi.registry.credentials(model)) for model in (flash, luna)
        ]
        one, other = await pi.next(CredentialQuestion), await pi.next(CredentialQuestion)
        pi.say("auth", id=99, ok=True)
        pi.say("auth", id=other.id, ok=True, apiKey=other.provider)
        pi.say("auth", id=one.id, ok=True, apiKey=one.provider)
        answers = await asyncio.gather(*asking)
        pi.say("auth", id=one.id, ok=True, apiKey="again")
    assert answers == [Credential("pi", "deepseek"), Credential("pi", "openai")]


@pytest.mark.rule("pi.20")
async def test_a_call_is_made_with_the_models_of_its_message() -> None:
    """The current one is asked first; progress comes before the answer."""
    searcher = ScriptedSearcher()
    async with talking(searcher=searcher) as pi:
        await pi.sync(1)
        arguments = {"query": "q"}
        pi.say("call", id=7, arguments=arguments, current=LUNA, available=[LUNA, FLASH])
        progress, answer = await pi.next(Progress), await pi.next(Answer)
    assert searcher.asked == [("openai/gpt-5.6-luna", "q")]
    assert (progress.id, answer.id) == (7, 7)
    assert answer.result.is_error is False


@pytest.mark.rule("pi.5")
async def test_refused_arguments_are_an_error_of_the_tool() -> None:
    """Whatever the model sends, it gets an answer."""
    async with talking() as pi:
        pi.say("call", id=7, arguments=[1], available=[FLASH])
        answer = await pi.next(Answer)
    assert answer.result.is_error is True


@pytest.mark.rule("pi.10")
async def test_a_cancelled_call_is_cancelled_and_not_answered() -> None:
    """Other calls go on; a call that is over, or never was, cannot be cancelled."""
    searcher = NeverAnswers()
    async with talking(searcher=searcher) as pi:
        for id_ in (7, 8):
            pi.say("call", id=id_, arguments={"query": "q"}, available=[FLASH])
        await until(lambda: searcher.asked == 2)
        pi.say("cancel", id=7)
        pi.say("cancel", id=99)
        await until(lambda: searcher.cancelled == 1)
        await pi.sync(9)
        assert pi.heard == []
    assert searcher.cancelled == 2


@pytest.mark.rule("pi.10")
async def test_a_call_that_is_cancelled_at_once_is_not_made() -> None:
    """Both lines may come in one piece."""
    searcher = ScriptedSearcher()
    async with talking(searcher=searcher) as pi:
        pi.say("call", id=7, arguments={"query": "q"}, available=[FLASH])
        pi.say("cancel", id=7)
        await pi.sync(8)
    assert searcher.asked == []


@pytest.mark.rule("pi.11")
async def test_the_last_line_ends_everything() -> None:
    """Calls in flight are cancelled, questions are forgotten, connections are closed."""
    searcher = NeverAnswers()
    async with talking(searcher=searcher) as pi:
        pi.say("call", id=7, arguments={"query": "q"}, available=[FLASH])
        pi.say("sync", id=8, active=USUAL, current=LUNA)
        await pi.next(CredentialQuestion)
        await until(lambda: searcher.asked == 1)
    assert searcher.cancelled == 1
    assert pi.closed
    assert pi.heard == []


@pytest.mark.rule("pi.14")
async def test_a_line_that_makes_no_sense_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    """It is warned of, without showing it."""
    async with talking() as pi:
        pi.lines.feed_data(b"SECRET\n")
        await pi.sync(1)
    assert "not understood" in caplog.text
    assert "SECRET" not in caplog.text


class Broken(WebSearch):
    """A tool with a bug."""

    async def sync(self, *arguments: object, **more: object) -> SyncState:
        raise KeyError


@pytest.mark.rule("pi.14")
async def test_a_mistake_of_ours_is_said(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody waits for an answer that will not come."""
    with caplog.at_level(logging.ERROR):
        async with talking(kind=Broken) as pi:
            pi.say("sync", id=1, active=USUAL)
            failed = await pi.next(Failed)
    assert failed == Failed(1, "unexpected KeyError")


async def until(condition: Callable[[], bool]) -> None:
    async for _ in moments():
        if condition():
            return


async def moments() -> AsyncGenerator[None, None]:
    while True:
        yield
        await asyncio.sleep(0.001)

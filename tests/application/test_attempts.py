"""What an attempt leaves behind, whatever strikes while it is told."""

import asyncio
import json

import pytest
from attrs import define, field

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    RecordingObserver,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.settings import Settings
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.cooldown import Failed, Ledger, Transition
from native_web_search.domain.failure import Unreachable
from native_web_search.domain.family import Candidate
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlAnswer
from native_web_search.domain.preference import Preference
from native_web_search.ports.providers import Arrived, Progress
from native_web_search.ports.registry import Credential

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
PLACE = {"provider": "deepseek", "model": "deepseek-flash"}
URLS = ["https://page.example/0", "https://page.example/1"]


@define
class NeverSettles:
    """A health store whose server hangs once it is to be told."""

    told: list[Transition] = field(factory=list)

    async def ledger(self) -> Ledger:
        return Ledger()

    async def settle(self, transition: Transition) -> None:
        self.told.append(transition)
        await asyncio.Event().wait()


@define
class SaysAllAtTheEnd(ScriptedFetcher):
    """Tells no answer before it returns them all."""

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        def unheard(_index: int, _answer: UrlAnswer) -> None:
            return

        return await super().fetch(candidate, urls, query, progress, unheard)


def tool(fetcher: ScriptedFetcher | None = None) -> WebSearch:
    return WebSearch(
        registry=StaticRegistry((DEEPSEEK,), {"deepseek": Credential("test", "k")}),
        searcher=ScriptedSearcher(),
        fetcher=fetcher or ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=NeverSettles(),
        clock=ManualClock(),
        settings=Settings(deadline_ms=30),
        observer=RecordingObserver(),
    )


@pytest.mark.rule("call.40")
async def test_a_search_that_was_paid_for_outlives_a_deadline_while_health_is_told() -> None:
    """It is returned and remembered, and the observer has heard of it."""
    web = tool()
    result = await web.call({"query": "q", "urls": URLS[:1]})
    assert not result.is_error
    late = "not answered within the 0.03 s of this call"
    assert result.document == {
        "query": "q",
        "search": {"results": []},
        "fetched": [{"url": URLS[0], "error": late}],
    }
    assert result.details["search"] == PLACE
    assert web.preferences.load().search == Preference("deepseek", "deepseek-flash")
    assert isinstance(web.observer, RecordingObserver)
    assert [what for what, *_rest in web.observer.seen] == ["attempting", "answered"]


@pytest.mark.rule("call.40")
@pytest.mark.parametrize("fetcher", [ScriptedFetcher(), SaysAllAtTheEnd()])
async def test_so_do_pages(fetcher: ScriptedFetcher) -> None:
    """Also those of a fetcher that tells its answers only when it returns them."""
    web = tool(fetcher)
    result = await web.call({"urls": URLS})
    assert not result.is_error
    fetched = json.loads(result.text)["fetched"]
    assert [entry["data"] for entry in fetched] == [{"title": url} for url in URLS]
    assert result.details["fetched"] == [PLACE, PLACE]
    assert web.preferences.load().fetch == Preference("deepseek", "deepseek-flash")


@pytest.mark.rule("call.40")
async def test_pages_before_a_failure_outlive_it_too() -> None:
    """What was answered stays while the failure is being told."""

    def first(url: str) -> Fetched | Unreachable:
        return Fetched(url) if url == URLS[0] else Unreachable("gone")

    fetcher = SaysAllAtTheEnd({"deepseek": first})
    web = tool(fetcher)
    result = await web.call({"urls": URLS})
    assert isinstance(web.health, NeverSettles)
    assert isinstance(web.health.told[0], Failed)
    assert json.loads(result.text)["fetched"][0] == {"url": URLS[0], "data": URLS[0]}
    assert result.details["fetched"] == [PLACE, None]

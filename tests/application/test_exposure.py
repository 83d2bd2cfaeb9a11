"""When the tool is shown, in which form, and how hosts hear of it."""

import asyncio

import pytest

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    RecordingHost,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.application.settings import ExposureMode, Settings
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import Exposure
from native_web_search.domain.policy import CurrentOnly
from native_web_search.ports.registry import Credential, CredentialAnswer

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
OPENAI = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
LOCAL = ChatModel("local", "llama", "openai-completions", "http://127.0.0.1:1/v1")


def tool(registry: StaticRegistry, settings: Settings | None = None) -> WebSearch:
    clock = ManualClock()
    return WebSearch(
        registry=registry,
        searcher=ScriptedSearcher(),
        fetcher=ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
        settings=settings or Settings(),
    )


def opened(*models: ChatModel, current: ChatModel | None = None) -> StaticRegistry:
    return StaticRegistry(
        models, {model.provider: Credential("test", "k") for model in models}, current
    )


@pytest.mark.rule("tool.1")
async def test_the_tool_is_hidden_while_nothing_is_usable() -> None:
    """No available model of a family, no tool; also for a current model that cannot search."""
    assert await tool(opened()).tool_spec() is None
    assert await tool(opened(LOCAL, current=LOCAL)).tool_spec() is None


@pytest.mark.rule("tool.2")
async def test_the_schema_follows_the_providers() -> None:
    """A search-only provider gives the query alone; a fetching one adds the URLs."""
    only_search = await tool(opened(OPENAI)).tool_spec()
    both = await tool(opened(OPENAI, DEEPSEEK)).tool_spec()
    assert only_search is not None
    assert only_search.exposure is Exposure.QUERY
    assert both is not None
    assert both.exposure is Exposure.QUERY_AND_URLS


@pytest.mark.rule("tool.3")
async def test_a_current_model_outside_the_available_ones_must_prove_its_credential() -> None:
    """It counts when its credential resolves, and not otherwise."""

    class Broken(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            raise OSError

    proven = StaticRegistry((), {"openai": Credential("login", "k")}, OPENAI)
    assert (await tool(proven).exposure())[0] is Exposure.QUERY
    for unproven in (StaticRegistry((), {}, OPENAI), Broken((), {}, OPENAI)):
        assert (await tool(unproven).exposure())[0] is Exposure.HIDDEN


@pytest.mark.rule("tool.10")
async def test_a_registry_that_hangs_proves_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """It gets the time of an attempt; then the model counts as without a credential."""

    class Hangs(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            await asyncio.Event().wait()
            return Credential("late", "k")

    web = tool(Hangs((), {}, OPENAI), Settings(timeout_ms=20))
    async with asyncio.timeout(5):
        assert await web.tool_spec() is None
        assert (await web.exposure())[0] is Exposure.HIDDEN
    assert "the registry did not answer in time" in caplog.text


@pytest.mark.rule("tool.4")
async def test_the_fallback_policy_is_applied_before_exposure() -> None:
    """A fetching provider that may not be used adds no URLs."""
    registry = opened(OPENAI, DEEPSEEK, current=OPENAI)
    shown, _reason = await tool(registry, Settings(fallback=CurrentOnly())).exposure()
    assert shown is Exposure.QUERY
    shown, reason = await tool(opened(OPENAI), Settings(fallback="other")).exposure()
    assert shown is Exposure.HIDDEN
    assert "policy" in reason
    shown, reason = await tool(opened(), Settings(fallback="other")).exposure()
    assert "policy" not in reason


@pytest.mark.rule("tool.5")
async def test_the_stable_mode_shows_both_fields_always() -> None:
    """For hosts whose prompt cache matters more, nothing is ever hidden."""
    spec = await tool(opened(), Settings(exposure=ExposureMode.STABLE)).tool_spec()
    assert spec is not None
    assert spec.exposure is Exposure.QUERY_AND_URLS


@pytest.mark.rule("tool.6")
async def test_the_name_is_the_hosts_choice() -> None:
    """A host that has a `web_search` of its own gives ours another name."""
    web = tool(opened(OPENAI))
    web.name = "native_search"
    spec = await web.tool_spec()
    assert spec is not None
    assert spec.name == "native_search"


@pytest.mark.case("T05")
@pytest.mark.rule("tool.7")
async def test_ten_syncs_with_unchanged_models_register_once() -> None:
    """Re-registering would spoil prompt caches."""
    web, host = tool(opened(OPENAI)), RecordingHost()
    state = await web.sync(host)
    for _again in range(9):
        state = await web.sync(host, state)
    assert len(host.registered) == 1
    assert host.active == ("read", "write", "web_search")
    assert len(host.changes) == 1


@pytest.mark.rule("tool.8")
async def test_a_users_removal_survives_a_change_of_models() -> None:
    """What the user took away is not silently given back, until the user does so."""
    web, host = tool(opened(OPENAI)), RecordingHost()
    state = await web.sync(host)
    host.active = ("read", "write")
    state = await web.sync(host, state)
    web.registry = opened(OPENAI, DEEPSEEK)
    state = await web.sync(host, state)
    assert "web_search" not in host.active
    host.active = ("read", "web_search")
    await web.sync(host, state)
    assert host.active == ("read", "web_search")


@pytest.mark.rule("tool.9")
async def test_a_sync_hides_and_shows_again_without_an_opt_out() -> None:
    """Our own hiding is no removal by the user."""
    web, host = tool(opened(OPENAI)), RecordingHost()
    state = await web.sync(host)
    web.registry = opened()
    state = await web.sync(host, state)
    assert host.active == ("read", "write")
    web.registry = opened(OPENAI)
    await web.sync(host, state)
    assert "web_search" in host.active

"""The tool without a network, for tests of what a host is told and tells."""

import pytest

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import Credential

MODELS = (
    ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://api.deepseek.com"),
    ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://api.openai.com/v1"),
    ChatModel("xai", "grok-4.7", "openai-responses", "https://api.x.ai/v1"),
    ChatModel("anthropic", "claude-sonnet-5-5", "anthropic-messages", "https://api.anthropic.com"),
)


@pytest.fixture
def searcher() -> ScriptedSearcher:
    """Answers everybody; who was asked first tells what the current model was."""
    return ScriptedSearcher()


@pytest.fixture
def offline(searcher: ScriptedSearcher) -> WebSearch:
    """A user who is logged in to four providers, of which DeepSeek is usually asked first."""
    clock = ManualClock()
    keys = {model.provider: Credential("test", "key-1") for model in MODELS}
    return WebSearch(
        registry=StaticRegistry(MODELS, keys),
        searcher=searcher,
        fetcher=ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
    )

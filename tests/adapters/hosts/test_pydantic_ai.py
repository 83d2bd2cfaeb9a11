"""What Pydantic AI says about its model, and what it does without a run."""

import pytest
from pydantic_ai import RunContext
from pydantic_ai.models import AbstractModel
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.providers.deepseek import DeepSeekProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import RunUsage

from native_web_search.adapters.hosts.pydantic_ai import web_search_tool
from native_web_search.adapters.testing.memory import ScriptedSearcher
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel

GROK = ChatModel("xai", "grok-4.7", "openai-responses", "https://api.x.ai/v1")

LUNA = OpenAIResponsesModel("gpt-5.6-luna", provider=OpenAIProvider(api_key="key-1"))
FLASH = OpenAIChatModel("deepseek-flash", provider=DeepSeekProvider(api_key="key-1"))
AT_XAI = OpenAIChatModel(
    "grok-4.7", provider=OpenAIProvider(base_url="https://api.x.ai/v1", api_key="key-1")
)
LOCAL = OpenAIChatModel(
    "gpt-oss", provider=OpenAIProvider(base_url="http://127.0.0.1:1/v1", api_key="key-1")
)


def context(model: AbstractModel) -> RunContext[object]:
    """A call from nowhere: there is no run, and so no stream of events."""
    return RunContext[object](deps=None, model=model, usage=RunUsage())


@pytest.mark.rule("pydantic_ai.10")
@pytest.mark.parametrize(
    ("model", "asked"),
    [
        (LUNA, "openai/gpt-5.6-luna"),
        (FLASH, "deepseek/deepseek-flash"),
        (AT_XAI, "xai/grok-4.7"),
        (WrapperModel(LUNA), "openai/gpt-5.6-luna"),
        (WrapperModel(FallbackModel(WrapperModel(AT_XAI), LUNA)), "xai/grok-4.7"),
        (LOCAL, "deepseek/deepseek-flash"),
        (TestModel(), "deepseek/deepseek-flash"),
    ],
    ids=["openai", "deepseek", "xai", "wrapped", "fallback", "local", "test"],
)
async def test_the_runs_model_is_recognised(
    offline: WebSearch, searcher: ScriptedSearcher, model: AbstractModel, asked: str
) -> None:
    """By its system, name and address, through whatever is wrapped around it."""
    await web_search_tool(offline).function_schema.call({"query": "q"}, context(model))
    assert searcher.asked[0][0] == asked


@pytest.mark.rule("pydantic_ai.10")
async def test_who_embeds_the_tool_may_say_what_is_current(
    offline: WebSearch, searcher: ScriptedSearcher
) -> None:
    """It stands in for the model of the run."""
    tool = web_search_tool(offline, current=lambda _ctx: GROK)
    await tool.function_schema.call({"query": "q"}, context(LUNA))
    assert searcher.asked[0][0] == "xai/grok-4.7"


@pytest.mark.rule("pydantic_ai.9")
async def test_progress_that_nobody_can_hear_fails_no_search(
    offline: WebSearch, searcher: ScriptedSearcher
) -> None:
    """Outside a run there is no stream, and the first provider serves all the same."""
    called = await web_search_tool(offline).function_schema.call({"query": "q"}, context(LUNA))
    assert called.metadata["search"]["provider"] == "openai"
    assert len(searcher.asked) == 1


@pytest.mark.rule("pydantic_ai.2")
async def test_the_prepared_schema_is_plain(offline: WebSearch) -> None:
    """Optional properties, no alternatives at the top; the name is the tool's own."""
    offline.name = "look_up"
    prepared = await web_search_tool(offline).prepare_tool_def(context(LUNA))
    assert prepared is not None
    assert prepared.name == "look_up"
    schema = prepared.parameters_json_schema
    assert sorted(schema) == ["properties", "type"]
    assert list(schema["properties"]) == ["query", "urls"]

"""Which model the Agents SDK is using, as far as it says so."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from agents import (
    Agent,
    FunctionTool,
    Model,
    ModelProvider,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    RunContextWrapper,
)
from agents.testing import ScriptedModel
from agents.tool_context import ToolContext
from openai import AsyncOpenAI

from native_web_search.adapters.hosts.openai_agents import web_search_tools
from native_web_search.adapters.testing.memory import ScriptedSearcher
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel

GROK = ChatModel("xai", "grok-4.7", "openai-responses", "https://api.x.ai/v1")


def living(model: type[OpenAIResponsesModel | OpenAIChatCompletionsModel], at: str) -> Model:
    """One of the SDK's own models, whose client talks to this address."""
    return model("grok-4.7", AsyncOpenAI(api_key="key-1", base_url=at))


class Routed(ScriptedModel):
    """A model of a router, as the SDK's extensions make them."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        super().__init__()
        self.model = model
        self.base_url = base_url


class Providing(ModelProvider):
    """Knows every name as a model at xAI, or none."""

    def __init__(self, *, failing: bool) -> None:
        self.failing = failing

    def get_model(self, model_name: str | None) -> Model:
        if self.failing:
            raise OSError
        return living(OpenAIChatCompletionsModel, "https://api.x.ai/v1")


async def first_asked(
    web: WebSearch,
    searcher: ScriptedSearcher,
    model: str | Model | None,
    run: RunConfig | None = None,
    current: Callable[[RunContextWrapper[Any]], ChatModel | None] | None = None,
) -> str:
    """Who is asked when an agent of this model calls the tool."""
    tool = web_search_tools(web, current=current)[0]
    assert isinstance(tool, FunctionTool)
    arguments = json.dumps({"query": "q"})
    ctx = ToolContext(
        None,
        tool_name=tool.name,
        tool_call_id="call-1",
        tool_arguments=arguments,
        agent=Agent(name="agent", model=model),
        run_config=run,
    )
    await tool.on_invoke_tool(ctx, arguments)
    return searcher.asked[0][0]


@pytest.mark.rule("openai_agents.9")
@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("gpt-5.6-luna", "openai/gpt-5.6-luna"),
        ("openai/gpt-5.6-luna", "openai/gpt-5.6-luna"),
        ("litellm/xai/grok-4.7", "xai/grok-4.7"),
        ("any-llm/anthropic/claude-sonnet-5-5", "anthropic/claude-sonnet-5-5"),
        (Routed("anthropic/claude-sonnet-5-5"), "anthropic/claude-sonnet-5-5"),
        (Routed("grok-4.7", "https://api.x.ai/v1"), "xai/grok-4.7"),
        (living(OpenAIResponsesModel, "https://api.x.ai/v1"), "xai/grok-4.7"),
        (living(OpenAIChatCompletionsModel, "https://api.x.ai/v1"), "xai/grok-4.7"),
        (living(OpenAIResponsesModel, "http://127.0.0.1:1/v1"), "deepseek/deepseek-flash"),
        (ScriptedModel(), "deepseek/deepseek-flash"),
        (None, "deepseek/deepseek-flash"),
    ],
)
async def test_the_agents_model_is_recognised(
    offline: WebSearch, searcher: ScriptedSearcher, model: str | Model | None, asked: str
) -> None:
    """By its name with or without router and provider, and by its client's address."""
    assert await first_asked(offline, searcher, model) == asked


@pytest.mark.rule("openai_agents.9")
@pytest.mark.parametrize("model", ["house-model", None])
async def test_the_runs_provider_of_models_reads_their_names(
    offline: WebSearch, searcher: ScriptedSearcher, model: str | None
) -> None:
    """A name, or none, stands for what the provider makes of it."""
    run = RunConfig(model_provider=Providing(failing=False))
    assert await first_asked(offline, searcher, model, run) == "xai/grok-4.7"


@pytest.mark.rule("openai_agents.9")
async def test_a_provider_of_models_that_fails_leaves_the_name(
    offline: WebSearch, searcher: ScriptedSearcher
) -> None:
    """The call goes on, and the name is read as one of OpenAI's."""
    run = RunConfig(model_provider=Providing(failing=True))
    assert await first_asked(offline, searcher, "gpt-5.6-luna", run) == "openai/gpt-5.6-luna"


@pytest.mark.rule("openai_agents.9")
async def test_who_embeds_the_tool_may_say_what_is_current(
    offline: WebSearch, searcher: ScriptedSearcher
) -> None:
    """It stands in for the model of the agent and of the run."""
    asked = await first_asked(offline, searcher, "gpt-5.6-luna", current=lambda _ctx: GROK)
    assert asked == "xai/grok-4.7"


@pytest.mark.rule("openai_agents.3")
def test_the_tools_have_the_plain_schema_of_their_form(offline: WebSearch) -> None:
    """The SDK does not make it strict, which would force the model to invent URLs."""
    forms = [tool for tool in web_search_tools(offline) if isinstance(tool, FunctionTool)]
    assert [list(form.params_json_schema["properties"]) for form in forms] == [
        ["query"],
        ["query", "urls"],
    ]
    assert [form.params_json_schema.get("required") for form in forms] == [["query"], None]
    assert not any(form.strict_json_schema for form in forms)
    assert {form.name for form in forms} == {"web_search"}

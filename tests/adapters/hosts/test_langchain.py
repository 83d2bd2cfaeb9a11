"""What LangChain's integrations say about their models, and what is kept of it."""

from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents.middleware import ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage

from native_web_search.adapters.hosts.langchain import (
    REMEMBERED_CALLS,
    WebSearchMiddleware,
    web_search,
)
from native_web_search.adapters.testing.memory import ScriptedSearcher
from native_web_search.application.web_search import WebSearch

XAI = "https://api.x.ai/v1"


def integration(provider: object, name: object, **addresses: object) -> SimpleNamespace:
    """A chat model as far as our middleware looks at it."""
    said = {"ls_provider": provider, "ls_model_name": name}
    return SimpleNamespace(_get_ls_params=lambda: said, **addresses)


def calling(call_id: str | None) -> AIMessage:
    call = {"name": "web_search", "args": {"query": "q"}, "id": call_id}
    return AIMessage("", tool_calls=[call])


async def asked_by(
    middleware: WebSearchMiddleware, model: SimpleNamespace, call_id: str | None
) -> None:
    """The model is asked, and answers with a call of the tool."""
    asked: Any = model
    request: ModelRequest[Any] = ModelRequest(model=asked, messages=[], tools=[*middleware.tools])

    async def handler(_request: ModelRequest[Any]) -> ModelResponse[Any]:
        return ModelResponse([calling(call_id)])

    await middleware.awrap_model_call(request, handler)


async def run(middleware: WebSearchMiddleware, call_id: str | None) -> None:
    """The graph runs the call."""
    (call,) = calling(call_id).tool_calls
    (tool,) = middleware.tools
    no_graph: Any = SimpleNamespace()
    request = ToolCallRequest(call, tool, {}, no_graph)

    async def handler(request: ToolCallRequest) -> ToolMessage:
        message = await tool.ainvoke({**request.tool_call, "id": call_id or ""})
        assert isinstance(message, ToolMessage)
        return message

    await middleware.awrap_tool_call(request, handler)


def failing() -> None:
    raise OSError


@pytest.mark.rule("langchain.10")
@pytest.mark.parametrize(
    ("model", "asked"),
    [
        (integration("openai", "gpt-5.6-luna"), "openai/gpt-5.6-luna"),
        (integration("openai", "gpt-5.6-luna", openai_api_base=None), "openai/gpt-5.6-luna"),
        (integration("openai", "grok-4.7", openai_api_base=XAI), "xai/grok-4.7"),
        (integration("xai", "grok-4.7", xai_api_base=XAI), "xai/grok-4.7"),
        (integration("openai", "gpt", base_url="http://127.0.0.1:1"), "deepseek/deepseek-flash"),
        (integration(None, "gpt-5.6-luna"), "deepseek/deepseek-flash"),
        (integration("openai", None), "deepseek/deepseek-flash"),
        (SimpleNamespace(_get_ls_params=failing), "deepseek/deepseek-flash"),
        (SimpleNamespace(), "deepseek/deepseek-flash"),
    ],
)
async def test_the_model_that_called_is_recognised(
    offline: WebSearch, searcher: ScriptedSearcher, model: SimpleNamespace, asked: str
) -> None:
    """By what it tells LangChain's tracing, and by its address; else the usual order holds."""
    middleware = web_search(offline)
    await asked_by(middleware, model, "call-1")
    await run(middleware, "call-1")
    assert searcher.asked[0][0] == asked


@pytest.mark.rule("langchain.10")
async def test_each_call_is_its_own_models(offline: WebSearch, searcher: ScriptedSearcher) -> None:
    """Also when another conversation was asked in between; an unknown call is nobody's."""
    middleware = web_search(offline)
    await asked_by(middleware, integration("xai", "grok-4.7"), "call-1")
    await asked_by(middleware, integration("openai", "gpt-5.6-luna"), "call-2")
    await asked_by(middleware, integration("openai", "gpt-5.6-luna"), None)
    for call_id in ("call-3", None, "call-1", "call-2"):
        await run(middleware, call_id)
    assert [name.partition("/")[0] for name, _query in searcher.asked] == [
        "deepseek",
        "deepseek",
        "xai",
        "openai",
    ]


@pytest.mark.rule("langchain.10")
async def test_what_is_kept_is_bounded(offline: WebSearch, searcher: ScriptedSearcher) -> None:
    """The oldest of too many calls that were never run is forgotten, the newest are not."""
    middleware = web_search(offline)
    for number in range(REMEMBERED_CALLS + 1):
        await asked_by(middleware, integration("xai", "grok-4.7"), f"call-{number}")
    for number in (0, 1, REMEMBERED_CALLS):
        await run(middleware, f"call-{number}")
    assert [name.partition("/")[0] for name, _query in searcher.asked] == ["deepseek", "xai", "xai"]

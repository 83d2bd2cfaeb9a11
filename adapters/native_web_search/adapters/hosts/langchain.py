"""The tool for LangChain agents, and for graphs of one's own.

A middleware gives an agent the tool, and before each call of the model leaves it out or gives it
the schema of what works now. What runs is always the same tool, which takes whatever comes: graphs
run a tool also when it was hidden. A failed call is a tool message with the status "error"; the
details of the others are their artifact.

Only the middleware sees which model is asked, and only the tool runs afterwards. So the middleware
keeps the model of each call that goes by, under the id of the call.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Self, TypeAlias

from attrs import frozen
from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.config import get_stream_writer
from langgraph.types import Command
from pydantic import PrivateAttr

from native_web_search.adapters.hosts.host_models import (
    HostModel,
    current_model,
    offered,
    offered_blocking,
)
from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import DESCRIPTION, Exposure, ToolSpec, tool_spec
from native_web_search.ports.providers import Progress

log = logging.getLogger("native_web_search")

Web: TypeAlias = WebSearch | BlockingWebSearch
AnyTool: TypeAlias = BaseTool | dict[str, Any]
Returned: TypeAlias = tuple[str, dict[str, object]]  # content and artifact
Answer: TypeAlias = ToolMessage | Command[Any]

REMEMBERED_CALLS = 1_000  # far more than run at once; those that are never run would pile up

# Where integrations keep the address of their model.
BASE_URLS = ("openai_api_base", "anthropic_api_url", "xai_api_base", "api_base", "base_url")

_current: ContextVar[ChatModel | None] = ContextVar("native_web_search_current", default=None)


def web_search(web: Web) -> "WebSearchMiddleware":
    """What to add to the `middleware` of `create_agent`; it brings the tool along.

    Put it last, where it sees the model that other middleware has chosen. `ainvoke` and `astream`
    take a `WebSearch`; `invoke` and `stream` take a `BlockingWebSearch`, which serves all four.
    """
    return WebSearchMiddleware(web)


def web_search_tool(web: Web) -> BaseTool:
    """The tool alone in its full form, for `bind_tools` and a `ToolNode` of one's own.

    Whether to show it, and in which form, `web.tool_spec()` says.
    """
    return _WebSearchTool.of(_Served.of(web))


@frozen
class _Served:
    """The tool for those who await, and for those who wait if it was given in that form."""

    web: WebSearch
    waiting: BlockingWebSearch | None

    @classmethod
    def of(cls, web: Web) -> Self:
        return cls(web.web, web) if isinstance(web, BlockingWebSearch) else cls(web, None)

    @property
    def blocking(self) -> BlockingWebSearch:
        if self.waiting is None:
            message = "use `ainvoke` or `astream`, or give what `open_blocking_web_search` returns"
            raise NotImplementedError(message)
        return self.waiting


class WebSearchMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Gives an agent the tool as it can be used now. Serves any number of runs at once."""

    def __init__(self, web: Web) -> None:
        super().__init__()
        self._served = _Served.of(web)
        self._models = OrderedDict[str, ChatModel]()
        self.tools = [_WebSearchTool.of(self._served)]

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        current = current_model(self._served.web, _named(request.model))
        shown = _showing(request, await offered(self._served.web, current))
        return self._noted(await handler(shown), current)

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        current = current_model(self._served.web, _named(request.model))
        shown = _showing(request, offered_blocking(self._served.blocking, current))
        return self._noted(handler(shown), current)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        with self._recalled(request):
            return await handler(request)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]
    ) -> Answer:
        with self._recalled(request):
            return handler(request)

    def _noted(self, answer: ModelResponse[Any], current: ChatModel | None) -> ModelResponse[Any]:
        """The answer as it is, once it is known who made its calls."""
        messages = (message for message in answer.result if isinstance(message, AIMessage))
        for call in (call for message in messages for call in message.tool_calls):
            if current is not None and call["id"] and call["name"] == self._served.web.name:
                self._models[call["id"]] = current
        while len(self._models) > REMEMBERED_CALLS:
            self._models.popitem(last=False)
        return answer

    @contextmanager
    def _recalled(self, request: ToolCallRequest) -> Generator[None]:
        token = _current.set(self._models.get(request.tool_call["id"] or ""))
        try:
            yield
        finally:
            _current.reset(token)


def _showing(request: ModelRequest[Any], spec: ToolSpec | None) -> ModelRequest[Any]:
    """The request with our tool in its present form, or without; who took it out is obeyed."""
    formed = (_formed(tool, spec) for tool in request.tools)
    return request.override(tools=[tool for tool in formed if tool is not None])


def _formed(tool: AnyTool, spec: ToolSpec | None) -> AnyTool | None:
    if not isinstance(tool, _WebSearchTool):
        return tool
    return None if spec is None else tool.model_copy(update={"args_schema": dict(spec.schema)})


class _WebSearchTool(BaseTool):
    """Runs without looking at its schema, which only its copies for the model have changed."""

    _served: _Served = PrivateAttr()

    @classmethod
    def of(cls, served: _Served) -> Self:
        full = tool_spec(Exposure.QUERY_AND_URLS, served.web.name)
        tool = cls(
            name=served.web.name,
            description=DESCRIPTION,
            args_schema=None if full is None else dict(full.schema),
            response_format="content_and_artifact",
            handle_tool_error=True,
        )
        tool._served = served
        return tool

    # Nothing has a name here but the arguments: models invent some of any name, `self` too.
    async def _arun(self, /, *_positional: object, **arguments: object) -> Returned:
        return _returned(
            await self._served.web.call(arguments, current=_current.get(), progress=_writing(self))
        )

    def _run(self, /, *_positional: object, **arguments: object) -> Returned:
        return _returned(self._served.blocking.call(arguments, current=_current.get()))


def _returned(result: ToolResult) -> Returned:
    if result.is_error:
        raise ToolException(result.text)
    return result.text, dict(result.details)


def _writing(tool: BaseTool) -> Progress:
    """Progress in the graph's custom stream, as `{"web_search": "..."}`."""

    async def write(message: str) -> None:
        try:
            get_stream_writer()({tool.name: message})
        except Exception as error:  # noqa: BLE001 - there may be no graph, and no listener
            log.debug("progress was not delivered (%s)", type(error).__name__)

    return write


def _named(model: object) -> HostModel | None:
    """What an integration says about its model where LangChain's own tracing asks it."""
    try:
        said: dict[str, object] = getattr(model, "_get_ls_params", dict)()
    except Exception:  # noqa: BLE001 - whatever an integration raises
        return None
    system, name = said.get("ls_provider"), said.get("ls_model_name")
    if not isinstance(system, str) or not isinstance(name, str):
        return None
    addresses = (getattr(model, attribute, None) for attribute in BASE_URLS)
    return HostModel(system, name, next((str(each) for each in addresses if each), ""))

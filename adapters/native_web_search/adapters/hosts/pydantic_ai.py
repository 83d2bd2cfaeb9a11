"""The tool for Pydantic AI.

A tool is prepared before each model request: it is left out, or gets the schema of what works now.
A failed call ends as `ToolFailed`, which the model sees as a failure and which, unlike a retry,
counts against no limit. The details of a call are the metadata of its return part.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic_ai import CustomEvent, RunContext, Tool, ToolDefinition, ToolReturn
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.models import AbstractModel
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_core import SchemaValidator, core_schema

from native_web_search.adapters.hosts.host_models import HostModel, current_model, offered
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import DESCRIPTION
from native_web_search.ports.providers import Progress

log = logging.getLogger("native_web_search")

Current: TypeAlias = Callable[[RunContext[Any]], ChatModel | None]


@dataclass(kw_only=True)
class WebSearchProgress(CustomEvent):
    """What a call is doing, in one line for a person, in the event stream of the run."""

    message: str


def web_search_tool(web: WebSearch, *, current: Current | None = None) -> Tool[object]:
    """What to add to an agent's `tools`.

    The current model is the run's, of a fallback model the first; `current` stands in for it.
    """

    def current_of(ctx: RunContext[Any]) -> ChatModel | None:
        return current_model(web, _named(ctx.model)) if current is None else current(ctx)

    # The context is positional: models invent arguments of any name, "ctx" among them.
    async def run(ctx: RunContext[Any], /, **arguments: object) -> ToolReturn[str]:
        result = await web.call(arguments, current=current_of(ctx), progress=_emitting(ctx))
        if result.is_error:
            raise ToolFailed(result.text)
        return ToolReturn(result.text, metadata=dict(result.details))

    async def prepare(ctx: RunContext[Any], shown: ToolDefinition) -> ToolDefinition | None:
        spec = await offered(web, current_of(ctx))
        if spec is None:
            return None
        return replace(shown, parameters_json_schema=dict(spec.schema))

    tool = Tool[object].from_schema(run, web.name, DESCRIPTION, {"type": "object"}, takes_ctx=True)
    tool.prepare = prepare
    # The tool's own validator lets anything pass, and a call with a list would end the run.
    tool.function_schema.validator = SchemaValidator(core_schema.dict_schema())
    return tool


def _named(model: AbstractModel) -> HostModel:
    """The model itself, without what is wrapped around it."""
    if isinstance(model, WrapperModel):
        return _named(model.wrapped)
    if isinstance(model, FallbackModel):
        return _named(model.models[0])
    return HostModel(model.system, model.model_name, model.base_url or "")


def _emitting(ctx: RunContext[Any]) -> Progress:
    async def emit(message: str) -> None:
        try:
            await ctx.emit(WebSearchProgress(message=message))
        except Exception as error:  # noqa: BLE001 - no listener fails a call
            log.debug("progress was not delivered (%s)", type(error).__name__)

    return emit

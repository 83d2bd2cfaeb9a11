"""The tool for the OpenAI Agents SDK.

The SDK fixes the schema of a tool for good, and asks whether the tool is enabled. So there are two
tools of one name, one for each form, of which at most one is enabled. Both do the same: what was
shown counts for nothing when a call comes.

It asks twice in a turn, before the model is asked and before the tool runs, and a no at that time
ends the run. So the answer of a turn stays what it was, and a login or logout in between shows in
the next turn.

There is no form for errors, and an exception would end the run as well: the model gets an error as
the text of the result.
"""

from collections.abc import Callable
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from agents import AgentBase, FunctionTool, ModelProvider, RunContextWrapper, Tool
from agents.tool import FunctionToolCustomDataContext
from agents.tool_context import ToolContext
from attrs import define, field, frozen

from native_web_search.adapters.hosts.host_models import HostModel, current_model, offered
from native_web_search.adapters.hosts.vendor_tools import call_tool
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import Exposure, ToolSpec, tool_spec

Context: TypeAlias = RunContextWrapper[Any]
Current: TypeAlias = Callable[[Context], ChatModel | None]

ROUTERS = ("litellm", "any-llm")  # prefixes of model names that say who carries, not who answers


def web_search_tools(web: WebSearch, *, current: Current | None = None) -> list[Tool]:
    """What to add to an agent's `tools`: the two forms of the tool, function tools both.

    The current model is the run's or the agent's, as far as it can be recognised. Whether the tool
    is shown depends on the agent's alone, since the SDK does not tell a run's override at that
    time; `current` stands in for both. The details of a call are the `custom_data` of its output
    item. Never give the agent the SDK's own `WebSearchTool` too: it has the same name.
    """
    hosted = _Hosted(web, current)
    shown = (Exposure.QUERY, Exposure.QUERY_AND_URLS)
    return [hosted.tool(spec) for each in shown if (spec := tool_spec(each, web.name))]


@frozen
class _Turn:
    """What was shown in a turn, which is told apart by the list that is its input."""

    input: list[Any]
    shown: Exposure


@define(eq=False)
class _Hosted:
    web: WebSearch
    current: Current | None
    _turns: WeakKeyDictionary[Context, _Turn] = field(init=False, factory=WeakKeyDictionary)
    _details: WeakKeyDictionary[Context, dict[str, Any]] = field(
        init=False, factory=WeakKeyDictionary
    )

    def tool(self, spec: ToolSpec) -> FunctionTool:
        async def is_enabled(ctx: Context, agent: AgentBase[Any]) -> bool:
            return await self._shown(ctx, agent) is spec.exposure

        return FunctionTool(
            name=spec.name,
            description=spec.description,
            params_json_schema=dict(spec.schema),
            on_invoke_tool=self._invoke,
            strict_json_schema=False,  # else the model has to give, and so invents, every argument
            is_enabled=is_enabled,
            custom_data_extractor=self._custom_data,
        )

    async def _shown(self, ctx: Context, agent: AgentBase[Any]) -> Exposure:
        if self._turn(ctx) is None:
            current = self._current(ctx, lambda: _agent_model(agent))
            spec = await offered(self.web, current)
            now = Exposure.HIDDEN if spec is None else spec.exposure
            # The two tools are asked side by side: the first to know speaks for both.
            self._turns[ctx] = self._turn(ctx) or _Turn(ctx.turn_input, now)
        return self._turns[ctx].shown

    def _turn(self, ctx: Context) -> _Turn | None:
        turn = self._turns.get(ctx)
        return turn if turn is not None and turn.input is ctx.turn_input else None

    async def _invoke(self, ctx: ToolContext[Any], arguments: str) -> str:
        current = self._current(ctx, lambda: _run_model(ctx))
        result = await call_tool(self.web, arguments, current=current)
        self._details[ctx] = {**result.details, "is_error": result.is_error}
        return result.text

    def _custom_data(self, made: FunctionToolCustomDataContext) -> dict[str, Any] | None:
        return self._details.pop(made.tool_context, None)

    def _current(self, ctx: Context, named: Callable[[], HostModel | None]) -> ChatModel | None:
        return current_model(self.web, named()) if self.current is None else self.current(ctx)


def _run_model(ctx: ToolContext[Any]) -> HostModel | None:
    """The model of the turn: the run's choice before the agent's, a name as its provider reads it.

    The run has a provider of models that turns names into models, and no name into the default.
    """
    run = ctx.run_config
    chosen: object = (run and run.model) or getattr(ctx.agent, "model", None)
    if run is not None and isinstance(chosen, str | None):
        chosen = _provided(run.model_provider, chosen) or chosen
    return _named(chosen)


def _agent_model(agent: AgentBase[Any]) -> HostModel | None:
    return _named(getattr(agent, "model", None))


def _provided(provider: ModelProvider, name: str | None) -> object:
    try:
        return provider.get_model(name)
    except Exception:  # noqa: BLE001 - the name is good enough
        return None


def _named(model: object) -> HostModel | None:
    """What can be told of a model: the SDK's own have a client, others a base URL at most."""
    if isinstance(model, str):
        return _by_name(model, "")
    name, client = getattr(model, "model", None), getattr(model, "_client", None)
    if not isinstance(name, str):
        return None
    if client is not None:
        return HostModel("openai", name, str(getattr(client, "base_url", "")))
    return _by_name(name, str(getattr(model, "base_url", None) or ""))


def _by_name(name: str, base_url: str) -> HostModel:
    """A name may begin with a router and a provider; alone, it is one of OpenAI's."""
    router, _slash, rest = name.partition("/")
    system, slash, model = (rest if router in ROUTERS else name).partition("/")
    return HostModel(system, model, base_url) if slash else HostModel("openai", system, base_url)

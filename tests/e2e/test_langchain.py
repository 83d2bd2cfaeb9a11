"""Runs of LangChain agents with a scripted model, the providers on real sockets."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.language_models import LangSmithParams
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from native_web_search.adapters.compose import open_blocking_web_search, open_web_search
from native_web_search.adapters.hosts.langchain import web_search, web_search_tool
from native_web_search.adapters.simulator.faults import Hang, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.logins import Logins
from native_web_search.application.web_search import WebSearch

PAGE = "https://docs.example/ranking"
GO: Any = {"messages": [("user", "go")]}


@pytest.fixture
async def logins() -> AsyncGenerator[Logins]:
    async with Simulator() as simulator:
        yield Logins(simulator, ("deepseek",))


@pytest.fixture
async def web(logins: Logins, tmp_path: Path) -> AsyncGenerator[WebSearch]:
    path = str(tmp_path / "preferences.json")
    async with open_web_search(logins, environ={}, preference_file=path) as opened:
        yield opened


class Scripted(GenericFakeChatModel):
    """Says what it is told to; remembers what it was offered, and may say where it lives."""

    shown: list[list[str]] = []  # noqa: RUF012 - a field of the model, copied for each
    provider: str = "fake"
    name_there: str = "scripted"
    base_url: str = ""

    def bind_tools(self, tools: Sequence[Any], **_settings: object) -> "Scripted":
        self.shown.append([" ".join(tool.args_schema["properties"]) for tool in tools])
        return self

    def _get_ls_params(self, stop: list[str] | None = None, **_settings: object) -> LangSmithParams:
        return LangSmithParams(ls_provider=self.provider, ls_model_name=self.name_there)


def asking(arguments: dict[str, object], call_id: str = "call-1") -> AIMessage:
    call = {"name": "web_search", "args": arguments, "id": call_id}
    return AIMessage("", tool_calls=[call])


def scripted(
    arguments: dict[str, object],
    thinking: Callable[[], None] = lambda: None,
    *,
    place: tuple[str, str, str] = ("fake", "scripted", ""),
    call_id: str = "call-1",
) -> Scripted:
    """A model that calls the tool with these arguments and then is done.

    `thinking` happens before the call is made. `place` is the provider, the name and the address.
    """

    def messages() -> Iterator[AIMessage]:
        thinking()
        yield asking(arguments, call_id)
        yield AIMessage("done")

    provider, name, base_url = place
    return Scripted(
        messages=messages(), shown=[], provider=provider, name_there=name, base_url=base_url
    )


def tool_message(state: dict[str, Any]) -> ToolMessage:
    (message,) = (one for one in state["messages"] if isinstance(one, ToolMessage))
    return message


async def answered(web: WebSearch, model: Scripted) -> ToolMessage:
    """What the model reads after its call."""
    agent = create_agent(model, middleware=[web_search(web)])
    state = await agent.ainvoke(GO)
    assert state["messages"][-1].content == "done"
    return tool_message(state)


@pytest.mark.rule("langchain.1", "langchain.2")
async def test_the_model_is_offered_what_works_at_each_call(web: WebSearch, logins: Logins) -> None:
    """Nothing without a login, the query with a search-only provider, then the URLs as well."""

    def log_in_to_deepseek() -> None:
        logins.open = ("openai", "deepseek")

    logins.open = ()
    blind = Scripted(messages=iter([AIMessage("done")]), shown=[])
    await create_agent(blind, middleware=[web_search(web)]).ainvoke(GO)
    assert blind.shown in ([], [[]])

    logins.open = ("openai",)
    model = scripted({"query": "ranking"}, log_in_to_deepseek)
    await answered(web, model)
    assert model.shown == [["query"], ["query urls"]]


@pytest.mark.rule("langchain.3")
async def test_a_search_reaches_the_model_and_its_details_the_host(web: WebSearch) -> None:
    """The raw results are the content; who served is in the artifact, which no model sees."""
    message = await answered(web, scripted({"query": "ranking"}))
    assert json.loads(str(message.content))["search"]["results"]
    assert message.artifact["search"]["provider"] == "deepseek"
    assert message.status == "success"


@pytest.mark.rule("langchain.4")
async def test_urls_are_judged_when_the_call_comes(web: WebSearch, logins: Logins) -> None:
    """Served where a usable provider fetches, whatever was shown; else told what to do."""

    def log_in_to_deepseek() -> None:
        logins.open = ("openai", "deepseek")

    logins.open = ("openai",)
    told = await answered(web, scripted({"urls": [PAGE]}))
    assert told.status == "error"
    assert "`query` alone" in told.content

    stale = scripted({"urls": [PAGE]}, log_in_to_deepseek)
    message = await answered(web, stale)
    assert stale.shown[0] == ["query"]
    assert json.loads(str(message.content))["fetched"][0]["data"]


@pytest.mark.rule("langchain.4")
async def test_a_hidden_tool_that_is_called_says_what_to_do(web: WebSearch, logins: Logins) -> None:
    """The graph runs it all the same, and the model reads which logins there could be."""
    logins.open = ()
    message = await answered(web, scripted({"query": "ranking"}))
    assert message.status == "error"
    assert "DEEPSEEK_API_KEY" in message.content


@pytest.mark.rule("langchain.5")
async def test_a_failed_search_is_an_error_message(web: WebSearch, logins: Logins) -> None:
    """The model reads the reason of each attempt, and the run goes on."""
    logins.simulator.script_always("deepseek", Status(402))
    message = await answered(web, scripted({"query": "ranking"}))
    assert message.status == "error"
    assert str(message.content).startswith("The web search failed:\n- deepseek: ")


@pytest.mark.rule("langchain.6")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": 3}, "`query` must be a string, not a number"),
        ({"urls": PAGE}, "`urls` must be a list"),
        ({"query": None, "urls": None}, "Nothing to do"),
        ({}, "Nothing to do"),
    ],
)
async def test_arguments_that_make_no_sense_are_explained(
    web: WebSearch, arguments: dict[str, object], words: str
) -> None:
    """An error message that says what to change, and no request to a provider."""
    message = await answered(web, scripted(arguments))
    assert message.status == "error"
    assert words in message.content


@pytest.mark.rule("langchain.6")
async def test_nulls_and_unknown_arguments_do_no_harm(web: WebSearch) -> None:
    """A strict form's null is absent, and an invented argument is ignored, whatever its name."""
    odd = dict.fromkeys(("self", "config", "run_manager", "callbacks", "urls"))
    message = await answered(web, scripted({"query": "ranking", **odd}))
    assert json.loads(str(message.content))["search"]["results"]


@pytest.mark.rule("langchain.7")
async def test_cancelling_the_run_closes_the_request(web: WebSearch, logins: Logins) -> None:
    """The provider sees its client leave, and nobody cools for it."""
    logins.simulator.script("deepseek", Hang())
    task = asyncio.create_task(answered(web, scripted({"query": "ranking"})))
    async with asyncio.timeout(10):
        while not logins.simulator.requests:  # noqa: ASYNC110 - a list tells nobody
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await logins.simulator.idle()
    (seen,) = logins.simulator.requests
    assert seen.aborted
    assert not (await web.health.ledger()).cooldowns


@pytest.mark.rule("langchain.8")
def test_two_event_loops_in_a_row_work(tmp_path: Path) -> None:
    """The same middleware serves an agent in each of two `asyncio.run`."""
    logins = Logins(Simulator(), ("deepseek",))
    web = open_web_search(logins, environ={}, preference_file=str(tmp_path / "preferences.json"))
    middleware = web_search(web)

    async def run() -> str:
        agent = create_agent(scripted({"query": "ranking"}), middleware=[middleware])
        async with Simulator() as logins.simulator:
            return str(tool_message(await agent.ainvoke(GO)).content)

    for _time in range(2):
        assert json.loads(asyncio.run(run()))["search"]["results"]
    asyncio.run(web.aclose())


@pytest.mark.rule("langchain.9")
async def test_progress_is_in_the_custom_stream(web: WebSearch) -> None:
    """Who streams the graph's custom data hears which provider is asked."""
    agent = create_agent(scripted({"query": "ranking"}), middleware=[web_search(web)])
    heard = [said async for said in agent.astream(GO, stream_mode="custom")]
    assert heard == [{"web_search": "Searching with deepseek"}]


@pytest.mark.rule("langchain.10")
async def test_the_model_of_the_conversation_is_asked_first(web: WebSearch, logins: Logins) -> None:
    """Each conversation's own provider before the usual order, also side by side."""
    logins.open = ("deepseek", "openai", "xai")
    middleware = web_search(web)

    async def run(number: int, name: str, provider: str) -> str:
        place = (provider, name, logins.simulator.base_url(provider))
        model = scripted({"query": "ranking"}, place=place, call_id=f"call-{number}")
        state = await create_agent(model, middleware=[middleware]).ainvoke(GO)
        return str(tool_message(state).artifact["search"]["provider"])

    served = await asyncio.gather(run(1, "grok-4.7", "xai"), run(2, "gpt-5.6-luna", "openai"))
    assert list(served) == ["xai", "openai"]


@pytest.mark.rule("langchain.11")
async def test_a_graph_that_waits_is_served_by_the_blocking_form(
    logins: Logins, tmp_path: Path
) -> None:
    """`invoke` searches and finds its current model, too; with the other form it is told so."""
    logins.open = ("deepseek", "openai")
    place = ("openai", "gpt-5.6-luna", logins.simulator.base_url("openai"))
    model = scripted({"query": "ranking"}, place=place)
    path = str(tmp_path / "preferences.json")
    with open_blocking_web_search(logins, environ={}, preference_file=path) as waiting:
        agent = create_agent(model, middleware=[web_search(waiting)])
        message = tool_message(await asyncio.to_thread(lambda: agent.invoke(GO)))
        assert message.artifact["search"]["provider"] == "openai"
        both = create_agent(scripted({"query": "cooldown"}), middleware=[web_search(waiting)])
        assert tool_message(await both.ainvoke(GO)).status == "success"

        awaited = create_agent(scripted({}), middleware=[web_search(waiting.web)])
        with pytest.raises(NotImplementedError, match="open_blocking_web_search"):
            await asyncio.to_thread(lambda: awaited.invoke(GO))


@pytest.mark.rule("langchain.12")
async def test_a_graph_of_ones_own_takes_the_tool_alone(web: WebSearch) -> None:
    """A tool node runs it, and so does a plain call from outside any graph."""
    tool = web_search_tool(web)
    node = ToolNode([tool])
    graph = StateGraph(MessagesState)
    graph.add_node("tools", node)
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    state = await graph.compile().ainvoke({"messages": [asking({"query": "ranking"})]})
    assert tool_message(state).status == "success"

    assert json.loads(await tool.ainvoke({"query": "ranking"}))["search"]["results"]
    call = {"type": "tool_call", "id": "1", "name": "web_search", "args": {"query": 3}}
    refused = await tool.ainvoke(call)
    assert refused.status == "error"


@pytest.mark.rule("langchain.13")
async def test_a_tool_that_somebody_took_away_stays_away(web: WebSearch) -> None:
    """Other middleware may withdraw it; ours shows it only where it still is."""

    class Withdrawing(AgentMiddleware[Any, Any, Any]):
        async def awrap_model_call(
            self,
            request: ModelRequest[Any],
            handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
        ) -> ModelResponse[Any]:
            return await handler(request.override(tools=[]))

    model = scripted({"query": "ranking"})
    await create_agent(model, middleware=[Withdrawing(), web_search(web)]).ainvoke(GO)
    assert model.shown == []

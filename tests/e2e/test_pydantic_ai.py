"""Runs of Pydantic AI with a scripted model, the providers on real sockets."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterable, Callable
from pathlib import Path

import pytest
from pydantic_ai import Agent, AgentStreamEvent, RunContext, models
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.hosts.pydantic_ai import WebSearchProgress, web_search_tool
from native_web_search.adapters.simulator.faults import Hang, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.logins import Logins
from native_web_search.application.web_search import WebSearch

PAGE = "https://docs.example/ranking"

models.ALLOW_MODEL_REQUESTS = False


@pytest.fixture
async def logins() -> AsyncGenerator[Logins]:
    async with Simulator() as simulator:
        yield Logins(simulator, ("deepseek",))


@pytest.fixture
async def web(logins: Logins, tmp_path: Path) -> AsyncGenerator[WebSearch]:
    path = str(tmp_path / "preferences.json")
    async with open_web_search(logins, environ={}, preference_file=path) as opened:
        yield opened


class Asking(FunctionModel):
    """Calls the tool once with these arguments, then is done; remembers what it was offered.

    `thinking` happens before the call is made. `place` is the system and base URL it claims.
    """

    def __init__(
        self,
        arguments: dict[str, object] | str,
        thinking: Callable[[], None] = lambda: None,
        name: str = "scripted",
        place: tuple[str, str] = ("function", ""),
    ) -> None:
        self.arguments = arguments
        self.thinking = thinking
        self.place = place
        self.shown: list[list[str]] = []
        self.read: list[ToolReturnPart] = []
        super().__init__(self.answer, model_name=name)

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.shown.append(
            [" ".join(tool.parameters_json_schema["properties"]) for tool in info.function_tools]
        )
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        self.read += [part for part in last.parts if isinstance(part, ToolReturnPart)]
        if self.read:
            return ModelResponse([TextPart("done")])
        self.thinking()
        return ModelResponse([ToolCallPart("web_search", self.arguments, "call-1")])

    @property
    def system(self) -> str:
        return self.place[0]

    @property
    def base_url(self) -> str:
        return self.place[1]


async def answered(web: WebSearch, model: Asking) -> ToolReturnPart:
    """What the model reads after its call."""
    run = await Agent(model, tools=[web_search_tool(web)]).run("go")
    assert run.output == "done"
    return model.read[0]


@pytest.mark.rule("pydantic_ai.1", "pydantic_ai.2")
async def test_the_model_is_offered_what_works_at_each_step(web: WebSearch, logins: Logins) -> None:
    """Nothing without a login, the query with a search-only provider, then the URLs as well."""

    def log_in_to_deepseek() -> None:
        logins.open = ("openai", "deepseek")

    logins.open = ()
    blind = TestModel()
    await Agent(blind, tools=[web_search_tool(web)]).run("go")
    assert blind.last_model_request_parameters is not None
    assert blind.last_model_request_parameters.function_tools == []

    logins.open = ("openai",)
    model = Asking({"query": "ranking"}, log_in_to_deepseek)
    await answered(web, model)
    assert model.shown == [["query"], ["query urls"]]


@pytest.mark.rule("pydantic_ai.3")
async def test_a_search_reaches_the_model_and_its_details_the_host(web: WebSearch) -> None:
    """The raw results are the content; who served is in the metadata, which no model sees."""
    part = await answered(web, Asking({"query": "ranking"}))
    assert json.loads(str(part.content))["search"]["results"]
    assert part.metadata["search"]["provider"] == "deepseek"
    assert part.outcome == "success"


@pytest.mark.rule("pydantic_ai.4")
async def test_urls_are_judged_when_the_call_comes(web: WebSearch, logins: Logins) -> None:
    """Served where a usable provider fetches, whatever was shown; else told what to do."""

    def log_in_to_deepseek() -> None:
        logins.open = ("openai", "deepseek")

    logins.open = ("openai",)
    told = await answered(web, Asking({"urls": [PAGE]}))
    assert told.outcome == "failed"
    assert "`query` alone" in str(told.content)

    stale = Asking({"urls": [PAGE]}, log_in_to_deepseek)
    part = await answered(web, stale)
    assert stale.shown[0] == ["query"]
    assert json.loads(str(part.content))["fetched"][0]["data"]


@pytest.mark.rule("pydantic_ai.4")
async def test_a_tool_that_was_hidden_meanwhile_says_what_to_do(
    web: WebSearch, logins: Logins
) -> None:
    """The model that still calls it reads which logins there could be."""

    def log_out() -> None:
        logins.open = ()

    part = await answered(web, Asking({"query": "ranking"}, log_out))
    assert part.outcome == "failed"
    assert "DEEPSEEK_API_KEY" in str(part.content)


@pytest.mark.rule("pydantic_ai.5")
async def test_a_failed_search_is_a_failed_tool(web: WebSearch, logins: Logins) -> None:
    """The model reads the reason of each attempt; no retry is counted, and the run goes on."""
    logins.simulator.script_always("deepseek", Status(402))
    part = await answered(web, Asking({"query": "ranking"}))
    assert part.outcome == "failed"
    assert str(part.content).startswith("The web search failed:\n- deepseek: ")


@pytest.mark.rule("pydantic_ai.6")
@pytest.mark.parametrize(
    ("arguments", "outcome", "words"),
    [
        ({"query": 3}, "failed", "`query` must be a string, not a number"),
        ({"urls": PAGE}, "failed", "`urls` must be a list"),
        ({"query": None, "urls": None}, "failed", "Nothing to do"),
        ("", "failed", "Nothing to do"),
        ('{"query": "ran', "retried", "Invalid JSON"),
        ("[1, 2]", "retried", "should be an object"),
        ('"ranking"', "retried", "should be an object"),
        ("null", "retried", "should be an object"),
    ],
)
async def test_arguments_that_make_no_sense_are_explained(
    web: WebSearch, arguments: dict[str, object] | str, outcome: str, words: str
) -> None:
    """What is no object is the framework's to retry, the rest is ours to refuse."""
    part = await answered(web, Asking(arguments))
    assert part.outcome == outcome
    assert words in str(part.content)


@pytest.mark.rule("pydantic_ai.6")
async def test_the_test_model_meets_our_error_and_not_an_exception(web: WebSearch) -> None:
    """It gives required arguments alone, and the full form has none."""
    run = await Agent(TestModel(), tools=[web_search_tool(web)]).run("go")
    assert "Nothing to do" in run.output


@pytest.mark.rule("pydantic_ai.6")
async def test_nulls_and_unknown_arguments_do_no_harm(web: WebSearch) -> None:
    """A strict form's null is absent, and an invented argument is ignored, whatever its name."""
    odd: dict[str, object] = {"query": "ranking", "urls": None, "ctx": 1, "self": 2, "web": 3}
    part = await answered(web, Asking(odd))
    assert json.loads(str(part.content))["search"]["results"]


@pytest.mark.rule("pydantic_ai.7")
async def test_cancelling_the_run_closes_the_request(web: WebSearch, logins: Logins) -> None:
    """The provider sees its client leave, and nobody cools for it."""
    logins.simulator.script("deepseek", Hang())
    agent = Agent(Asking({"query": "ranking"}), tools=[web_search_tool(web)])
    task = asyncio.create_task(agent.run("go"))
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


@pytest.mark.rule("pydantic_ai.8")
def test_two_event_loops_in_a_row_work(tmp_path: Path) -> None:
    """The same tool serves a run in each of two `asyncio.run`."""
    logins = Logins(Simulator(), ("deepseek",))
    web = open_web_search(logins, environ={}, preference_file=str(tmp_path / "preferences.json"))
    tool = web_search_tool(web)

    async def run() -> str:
        model = Asking({"query": "ranking"})
        async with Simulator() as logins.simulator:
            await Agent(model, tools=[tool]).run("go")
        return str(model.read[0].content)

    for _time in range(2):
        assert json.loads(asyncio.run(run()))["search"]["results"]
    asyncio.run(web.aclose())


@pytest.mark.rule("pydantic_ai.9")
async def test_progress_is_an_event_of_the_run(web: WebSearch, logins: Logins) -> None:
    """Who listens to the run's events hears which provider is asked."""
    heard: list[WebSearchProgress] = []

    async def listen(_ctx: RunContext[object], events: AsyncIterable[AgentStreamEvent]) -> None:
        heard.extend([event async for event in events if isinstance(event, WebSearchProgress)])

    logins.open = ("openai",)  # the test model gives what is required, which is the query here
    agent = Agent(TestModel(), tools=[web_search_tool(web)])
    await agent.run("go", event_stream_handler=listen)
    assert [(event.message, event.tool_name) for event in heard] == [
        ("Searching with openai", "web_search")
    ]


@pytest.mark.rule("pydantic_ai.10")
async def test_the_model_of_the_conversation_is_asked_first(web: WebSearch, logins: Logins) -> None:
    """Its provider before the usual order, also when a fallback model is wrapped around it."""
    logins.open = ("deepseek", "openai", "xai")

    def living(name: str, provider: str) -> Asking:
        place = (provider, logins.simulator.base_url(provider))
        return Asking({"query": "ranking"}, name=name, place=place)

    grok, gpt = living("grok-4.7", "xai"), living("gpt-5.6-luna", "openai")
    await answered(web, grok)
    await Agent(FallbackModel(gpt, grok), tools=[web_search_tool(web)]).run("go")
    assert [seen.provider for seen in logins.simulator.requests] == ["xai", "openai"]

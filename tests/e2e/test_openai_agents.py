"""Runs of the OpenAI Agents SDK with a scripted model, the providers on real sockets."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from agents import Agent, FunctionTool, ModelBehaviorError, RunConfig, Runner, set_tracing_disabled
from agents.items import ToolCallOutputItem
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.hosts.openai_agents import web_search_tools
from native_web_search.adapters.simulator.faults import Hang, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.logins import Logins
from native_web_search.application.web_search import WebSearch

PAGE = "https://docs.example/ranking"
DONE = ModelStep([assistant_message("done")])

set_tracing_disabled(True)


@pytest.fixture
async def logins() -> AsyncGenerator[Logins]:
    async with Simulator() as simulator:
        yield Logins(simulator, ("deepseek",))


@pytest.fixture
async def web(logins: Logins, tmp_path: Path) -> AsyncGenerator[WebSearch]:
    path = str(tmp_path / "preferences.json")
    async with open_web_search(logins, environ={}, preference_file=path) as opened:
        yield opened


def asking(arguments: object) -> ModelStep:
    """The model calls the tool with these arguments, or with this text in their place."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ModelStep([function_call("web_search", text, call_id="call-1")])


def agent(web: WebSearch, *steps: ModelStep) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(steps)
    return Agent(name="agent", model=model, tools=web_search_tools(web)), model


def shown(model: ScriptedModel) -> list[list[str]]:
    """The properties of each tool that the model was offered, turn by turn."""
    return [
        [
            " ".join(tool.params_json_schema["properties"])
            for tool in call.tools
            if isinstance(tool, FunctionTool)
        ]
        for call in model.calls
    ]


async def answered(web: WebSearch, arguments: object) -> str:
    """What the model reads after a call with these arguments."""
    asked, model = agent(web, asking(arguments), DONE)
    await Runner.run(asked, "go")
    return str(model.calls[-1].input[-1]["output"])


@pytest.mark.rule("openai_agents.1", "openai_agents.2")
async def test_the_model_is_offered_what_works_at_each_turn(web: WebSearch, logins: Logins) -> None:
    """Nothing without a login, the query with a search-only provider, then the URLs as well."""

    def log_in_to_deepseek(_call: object) -> ModelStep:
        logins.open = ("openai", "deepseek")
        return asking({"query": "ranking"})

    logins.open = ()
    hidden, nothing = agent(web, DONE)
    await Runner.run(hidden, "go")
    assert shown(nothing) == [[]]

    logins.open = ("openai",)
    changing, model = agent(web, ModelStep.respond(log_in_to_deepseek), DONE)
    await Runner.run(changing, "go")
    assert shown(model) == [["query"], ["query urls"]]


@pytest.mark.rule("openai_agents.3", "openai_agents.10")
async def test_a_search_reaches_the_model_and_its_details_the_host(web: WebSearch) -> None:
    """The raw results are the output; who served is in the custom data of the item."""
    asked, model = agent(web, asking({"query": "ranking"}), DONE)
    run = await Runner.run(asked, "go")
    document = json.loads(model.calls[-1].input[-1]["output"])
    assert document["search"]["results"]
    (item,) = (one for one in run.new_items if isinstance(one, ToolCallOutputItem))
    assert item.custom_data is not None
    assert item.custom_data["search"]["provider"] == "deepseek"
    assert item.custom_data["is_error"] is False
    assert run.final_output == "done"


@pytest.mark.rule("openai_agents.4")
async def test_urls_are_judged_when_the_call_comes(web: WebSearch, logins: Logins) -> None:
    """Served where a usable provider fetches, whatever was shown; else told what to do."""
    logins.open = ("openai",)
    assert "`query` alone" in await answered(web, {"urls": [PAGE]})

    def log_in_to_deepseek(_call: object) -> ModelStep:
        logins.open = ("openai", "deepseek")
        return asking({"urls": [PAGE]})

    stale, model = agent(web, ModelStep.respond(log_in_to_deepseek), DONE)
    await Runner.run(stale, "go")
    assert shown(model)[0] == ["query"]
    assert json.loads(model.calls[-1].input[-1]["output"])["fetched"][0]["data"]


@pytest.mark.rule("openai_agents.4")
async def test_a_tool_that_was_hidden_meanwhile_says_what_to_do(
    web: WebSearch, logins: Logins
) -> None:
    """The model that still calls it reads which logins there could be."""

    def log_out(_call: object) -> ModelStep:
        logins.open = ()
        return asking({"query": "ranking"})

    late, model = agent(web, ModelStep.respond(log_out), DONE)
    await Runner.run(late, "go")
    assert "DEEPSEEK_API_KEY" in model.calls[-1].input[-1]["output"]


async def test_the_sdk_itself_ends_a_run_that_calls_what_was_never_shown(
    web: WebSearch, logins: Logins
) -> None:
    """Unless the run's configuration returns such calls to the model, as our page advises."""
    logins.open = ()
    asked, _model = agent(web, asking({"query": "ranking"}), DONE)
    with pytest.raises(ModelBehaviorError):
        await Runner.run(asked, "go")
    asked, _model = agent(web, asking({"query": "ranking"}), DONE)
    kind = RunConfig(tool_not_found_behavior="return_error_to_model")
    assert (await Runner.run(asked, "go", run_config=kind)).final_output == "done"


@pytest.mark.rule("openai_agents.5")
async def test_a_failed_search_is_text_for_the_model(web: WebSearch, logins: Logins) -> None:
    """The run goes on, and the reason of each attempt is there to read."""
    logins.simulator.script_always("deepseek", Status(402))
    asked, model = agent(web, asking({"query": "ranking"}), DONE)
    run = await Runner.run(asked, "go")
    assert model.calls[-1].input[-1]["output"].startswith("The web search failed:\n- deepseek: ")
    (item,) = (one for one in run.new_items if isinstance(one, ToolCallOutputItem))
    assert item.custom_data is not None
    assert item.custom_data["is_error"] is True


@pytest.mark.rule("openai_agents.6")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"query": "ran', "not JSON"),
        ("", "Nothing to do"),
        ("[1]", "not a list"),
        ({"query": 3}, "`query` must be a string, not a number"),
        ({"urls": PAGE}, "`urls` must be a list"),
        ({"query": None, "urls": None}, "Nothing to do"),
    ],
)
async def test_arguments_that_make_no_sense_are_explained(
    web: WebSearch, arguments: object, words: str
) -> None:
    """No exception, no request to a provider: a text that says what to change."""
    assert words in await answered(web, arguments)


@pytest.mark.rule("openai_agents.6")
async def test_nulls_and_unknown_arguments_do_no_harm(web: WebSearch) -> None:
    """A strict form's null is absent, and an invented argument is ignored."""
    arguments = {"query": "ranking", "urls": None, "ctx": 1, "self": 2}
    assert json.loads(await answered(web, arguments))["search"]["results"]


@pytest.mark.rule("openai_agents.7")
async def test_cancelling_the_run_closes_the_request(web: WebSearch, logins: Logins) -> None:
    """The provider sees its client leave, and nobody cools for it."""
    logins.simulator.script("deepseek", Hang())
    asked, _model = agent(web, asking({"query": "ranking"}), DONE)
    task = asyncio.create_task(Runner.run(asked, "go"))
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


@pytest.mark.rule("openai_agents.8")
def test_two_event_loops_in_a_row_work(tmp_path: Path) -> None:
    """The same tools serve a run in each of two `asyncio.run`."""
    logins = Logins(Simulator(), ("deepseek",))
    web = open_web_search(logins, environ={}, preference_file=str(tmp_path / "preferences.json"))

    async def run() -> str:
        async with Simulator() as logins.simulator:
            return await answered(web, {"query": "ranking"})

    for _time in range(2):
        assert json.loads(asyncio.run(run()))["search"]["results"]
    asyncio.run(web.aclose())


@pytest.mark.rule("openai_agents.9")
async def test_the_model_of_the_conversation_is_asked_first(web: WebSearch, logins: Logins) -> None:
    """The run's model before the agent's, and the agent's before the usual order."""
    logins.open = ("deepseek", "openai", "xai")

    class Living(ScriptedModel):
        def __init__(self, model: str, provider: str) -> None:
            super().__init__([asking({"query": "ranking"}), DONE])
            self.model = model
            self.base_url = logins.simulator.base_url(provider)

    asked = Agent(name="agent", model=Living("grok-4.7", "xai"), tools=web_search_tools(web))
    await Runner.run(asked, "go")
    override = RunConfig(model=Living("gpt-5.6-luna", "openai"))
    await Runner.run(asked, "go", run_config=override)
    assert [seen.provider for seen in logins.simulator.requests] == ["xai", "openai"]

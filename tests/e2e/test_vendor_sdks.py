"""Conversations through the vendors' own clients: declare the tool, run the call, give it back.

The simulator stands at the far end twice: it replays what the vendor's model says, and it serves
the search.
"""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import anthropic
import httpx
import openai
import pytest
from attrs import define
from google import genai

from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.hosts.vendor_tools import (
    Vendor,
    call_tool,
    result_dictionary,
    tool_dictionary,
)
from native_web_search.adapters.simulator.faults import Hang, Replay, Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.logins import Logins
from native_web_search.application.web_search import WebSearch

ASKED = {"query": "ranking"}


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients read many variables; here they shall know only what they are told."""
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "OPENAI_", "GOOGLE_", "GEMINI_")):
            monkeypatch.delenv(name)


@pytest.fixture
async def logins() -> AsyncGenerator[Logins]:
    async with Simulator() as simulator:
        yield Logins(simulator, ("deepseek",))


@pytest.fixture
async def web(logins: Logins, tmp_path: Path) -> AsyncGenerator[WebSearch]:
    path = str(tmp_path / "preferences.json")
    async with open_web_search(logins, environ={}, preference_file=path) as opened:
        yield opened


@define
class Conversation:
    """Two requests to a vendor: the first is answered with a call, the second with "done"."""

    web: WebSearch
    simulator: Simulator
    strict: bool = False

    async def tool(self, vendor: Vendor) -> Any:  # noqa: ANN401 - each client has its own type
        spec = await self.web.tool_spec()
        assert spec is not None
        return tool_dictionary(spec, vendor, strict=self.strict)

    def says(self, provider: str, *answers: Mapping[str, object]) -> None:
        replays = [Replay(json.dumps(one).encode(), "application/json") for one in answers]
        self.simulator.script(provider, *replays)

    def bodies(self, provider: str) -> list[Any]:
        """What the vendor was sent."""
        return [seen.body for seen in self.simulator.requests if seen.provider == provider]


Talk: TypeAlias = Callable[[Conversation, Mapping[str, object]], Awaitable[Any]]


async def talk_to_anthropic(talk: Conversation, arguments: Mapping[str, object]) -> Any:  # noqa: ANN401
    """The content block that the second request carries."""
    usual = {"id": "m", "type": "message", "role": "assistant", "model": "c", "usage": {}}
    call = {"type": "tool_use", "id": "call-1", "name": "web_search", "input": arguments}
    done = {"type": "text", "text": "done"}
    talk.says("anthropic", {**usual, "content": [call]}, {**usual, "content": [done]})
    said: list[Any] = [{"role": "user", "content": "go"}]
    origin = talk.simulator.base_url("anthropic")
    async with anthropic.AsyncAnthropic(api_key="key-1", base_url=origin) as client:
        tools = [await talk.tool(Vendor.ANTHROPIC)]
        answer = await client.messages.create(model="c", max_tokens=100, messages=said, tools=tools)
        (block,) = answer.content
        assert block.type == "tool_use"
        result = await call_tool(talk.web, block.input)
        back = result_dictionary(result, Vendor.ANTHROPIC, block.id)
        said += [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [back]},
        ]
        await client.messages.create(model="c", max_tokens=100, messages=said, tools=tools)
    return talk.bodies("anthropic")[1]["messages"][-1]["content"][0]


async def talk_to_responses(talk: Conversation, arguments: Mapping[str, object]) -> Any:  # noqa: ANN401
    """The input item that the second request carries."""
    usual = {"id": "r", "object": "response", "created_at": 0, "model": "g", "output": []}
    call = {
        "type": "function_call",
        "id": "fc-1",
        "call_id": "call-1",
        "name": "web_search",
        "arguments": json.dumps(arguments),
    }
    talk.says("openai", {**usual, "output": [call]}, usual)
    said: list[Any] = [{"role": "user", "content": "go"}]
    origin = talk.simulator.base_url("openai")
    async with openai.AsyncOpenAI(api_key="key-1", base_url=origin) as client:
        tools = [await talk.tool(Vendor.OPENAI_RESPONSES)]
        answer = await client.responses.create(model="g", input=said, tools=tools)
        (item,) = answer.output
        assert item.type == "function_call"
        result = await call_tool(talk.web, item.arguments)
        back = result_dictionary(result, Vendor.OPENAI_RESPONSES, item.call_id)
        said += [call, back]
        await client.responses.create(model="g", input=said, tools=tools)
    return talk.bodies("openai")[1]["input"][-1]


async def talk_to_chat(talk: Conversation, arguments: Mapping[str, object]) -> Any:  # noqa: ANN401
    """The message that the second request carries."""
    function = {"name": "web_search", "arguments": json.dumps(arguments)}
    call = {"id": "call-1", "type": "function", "function": function}
    calling = {"role": "assistant", "content": None, "tool_calls": [call]}
    usual = {"id": "c", "object": "chat.completion", "created": 0, "model": "g"}
    choices = [
        {"index": 0, "finish_reason": "stop", "message": message}
        for message in (calling, {"role": "assistant", "content": "done"})
    ]
    talk.says("openai", *({**usual, "choices": [choice]} for choice in choices))
    said: list[Any] = [{"role": "user", "content": "go"}]
    origin = talk.simulator.base_url("openai")
    async with openai.AsyncOpenAI(api_key="key-1", base_url=origin) as client:
        tools = [await talk.tool(Vendor.OPENAI_CHAT)]
        answer = await client.chat.completions.create(model="g", messages=said, tools=tools)
        (asked,) = answer.choices[0].message.tool_calls or []
        assert asked.type == "function"
        result = await call_tool(talk.web, asked.function.arguments)
        said += [calling, result_dictionary(result, Vendor.OPENAI_CHAT, asked.id)]
        await client.chat.completions.create(model="g", messages=said, tools=tools)
    return talk.bodies("openai")[1]["messages"][-1]


async def talk_to_gemini(talk: Conversation, arguments: Mapping[str, object]) -> Any:  # noqa: ANN401
    """The function response that the second request carries."""
    call = {"id": "call-1", "name": "web_search", "args": arguments}
    parts = [{"functionCall": call}], [{"text": "done"}]
    contents = [{"role": "model", "parts": part} for part in parts]
    talk.says("google", *({"candidates": [{"content": content}]} for content in contents))
    said: list[Any] = [{"role": "user", "parts": [{"text": "go"}]}]
    config: Any = {
        "tools": [await talk.tool(Vendor.GEMINI)],
        "automatic_function_calling": {"disable": True},
    }
    async with httpx.AsyncClient() as transport:
        origin = f"{talk.simulator.url}/google"
        options: Any = {"base_url": origin, "httpx_async_client": transport}
        client = genai.Client(api_key="key-1", http_options=options)
        answer = await client.aio.models.generate_content(
            model="gemini-3.5-flash", contents=said, config=config
        )
        (asked,) = answer.function_calls or []
        result = await call_tool(talk.web, asked.args)
        back = result_dictionary(result, Vendor.GEMINI, asked.id)
        said += [
            {"role": "model", "parts": [{"function_call": call}]},
            {"role": "user", "parts": [back]},
        ]
        await client.aio.models.generate_content(
            model="gemini-3.5-flash", contents=said, config=config
        )
        client.close()
    return talk.bodies("google")[1]["contents"][-1]["parts"][0]["functionResponse"]


talks = pytest.mark.parametrize(
    ("talk", "content"),
    [
        pytest.param(talk_to_anthropic, ("content",), id="anthropic"),
        pytest.param(talk_to_responses, ("output",), id="responses"),
        pytest.param(talk_to_chat, ("content",), id="chat"),
        pytest.param(talk_to_gemini, ("response", "output"), id="gemini"),
    ],
)


@pytest.mark.rule("vendor_tools.4")
@talks
async def test_a_model_of_each_vendor_asks_and_reads(
    web: WebSearch, logins: Logins, talk: Talk, content: tuple[str, ...]
) -> None:
    """The client takes our declaration and our result, and the vendor is sent both."""
    carried = await talk(Conversation(web, logins.simulator), ASKED)
    assert "call-1" in carried.values()
    for name in content:
        carried = carried[name]
    assert json.loads(carried)["search"]["results"]


@pytest.mark.rule("vendor_tools.5")
@talks
async def test_an_error_has_the_form_of_each_vendor(
    web: WebSearch, logins: Logins, talk: Talk, content: tuple[str, ...]
) -> None:
    """Anthropic and Gemini are told that it is one; OpenAI has the text alone."""
    logins.simulator.script_always("deepseek", Status(402))
    carried = await talk(Conversation(web, logins.simulator), ASKED)
    assert carried.get("is_error", True) is True
    assert "The web search failed:" in str(carried)
    if content[0] == "response":
        assert list(carried["response"]) == ["error"]


@pytest.mark.rule("vendor_tools.6")
@pytest.mark.parametrize("talk", [talk_to_responses, talk_to_chat])
async def test_a_strict_model_gives_nulls(web: WebSearch, logins: Logins, talk: Talk) -> None:
    """The strict form is accepted by the client, and its null is absent for us."""
    strict = Conversation(web, logins.simulator, strict=True)
    carried = await talk(strict, {"query": "ranking", "urls": None})
    assert "rerank_score" in str(carried)


@pytest.mark.rule("vendor_tools.7")
async def test_what_to_declare_is_asked_before_each_request(web: WebSearch, logins: Logins) -> None:
    """Nothing without a login, the query with a search-only provider, then the URLs as well."""
    seen = list[list[str]]()
    for open_ in ((), ("openai",), ("openai", "deepseek")):
        logins.open = open_
        spec = await web.tool_spec()
        declared: Any = spec and tool_dictionary(spec, Vendor.ANTHROPIC)
        seen.append(list(declared["input_schema"]["properties"]) if declared else [])
    assert seen == [[], ["query"], ["query", "urls"]]


@pytest.mark.rule("vendor_tools.8")
async def test_urls_are_judged_when_the_call_comes(web: WebSearch, logins: Logins) -> None:
    """Served where a usable provider fetches, whatever was declared; else told what to do."""
    arguments = {"urls": ["https://docs.example/ranking"]}
    logins.open = ("openai",)
    assert "`query` alone" in (await call_tool(web, arguments)).text
    logins.open = ("openai", "deepseek")
    assert not (await call_tool(web, arguments)).is_error
    logins.open = ()
    assert "DEEPSEEK_API_KEY" in (await call_tool(web, ASKED)).text


@pytest.mark.rule("vendor_tools.9")
async def test_cancelling_the_call_closes_the_request(web: WebSearch, logins: Logins) -> None:
    """The provider sees its client leave, and nobody cools for it."""
    logins.simulator.script("deepseek", Hang())
    task = asyncio.create_task(call_tool(web, json.dumps(ASKED)))
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


@pytest.mark.rule("vendor_tools.9")
def test_two_event_loops_in_a_row_work(tmp_path: Path) -> None:
    """The same tool serves a call in each of two `asyncio.run`."""
    logins = Logins(Simulator(), ("deepseek",))
    web = open_web_search(logins, environ={}, preference_file=str(tmp_path / "preferences.json"))

    async def run() -> bool:
        async with Simulator() as logins.simulator:
            return (await call_tool(web, ASKED)).is_error

    assert [asyncio.run(run()), asyncio.run(run())] == [False, False]
    asyncio.run(web.aclose())

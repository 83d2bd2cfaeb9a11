"""The tool as an MCP server, talked to in memory by the official client in both protocol eras."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import cast

import mcp_types as types
import pytest
from attrs import define
from mcp import Client

from native_web_search.adapters.hosts.mcp import DETAILS_KEY, MODEL_KEY, Schema, ToolServer
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    NeverAnswers,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.application.settings import ExposureMode, Settings
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import DESCRIPTION, Exposure, tool_spec
from native_web_search.domain.failure import ProviderRefused
from native_web_search.domain.outcome import Failure
from native_web_search.domain.policy import CurrentOnly
from native_web_search.ports.registry import Credential, CredentialAnswer

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
OPENAI = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
NESTED = ChatModel("openrouter", "x/grok-5", "openai-responses", "https://r.example/v1")

QUERY_ALONE = tool_spec(Exposure.QUERY)
WITH_URLS = tool_spec(Exposure.QUERY_AND_URLS)
PAGE = "https://page.example/"
SOON = 5.0  # seconds; a loaded machine takes its time

both_eras = pytest.mark.parametrize("mode", ["auto", "legacy"])


@define
class Shifting:
    """A registry whose models come and go, and that can fail."""

    models: tuple[ChatModel, ...] = ()
    current_model: ChatModel | None = None
    broken: bool = False

    def current(self) -> ChatModel | None:
        return self.current_model

    def available(self) -> tuple[ChatModel, ...]:
        if self.broken:
            message = "sk-SECRET"
            raise RuntimeError(message)
        return self.models

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return Credential("test", key="k")


def tool(
    registry: Shifting,
    searcher: ScriptedSearcher | NeverAnswers | None = None,
    settings: Settings | None = None,
) -> WebSearch:
    clock = ManualClock()
    return WebSearch(
        registry=registry,
        searcher=searcher or ScriptedSearcher(),
        fetcher=ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
        settings=settings or Settings(),
    )


def client(tool_server: ToolServer, mode: str) -> Client:
    return Client(tool_server.server, mode=mode)


async def schemas(connected: Client, model: object = None) -> list[dict[str, object]]:
    return [one.input_schema for one in (await connected.list_tools(meta=naming(model))).tools]


def naming(model: object) -> types.RequestParamsMeta:
    """The `_meta` of a request that names this model, or none."""
    return cast("types.RequestParamsMeta", {} if model is None else {MODEL_KEY: model})


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON):
        for _moment in count():
            if condition():
                return
            await asyncio.sleep(0.01)


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@define
class Changes:
    """Announcements of changed tools, as a client hears them."""

    heard: asyncio.Queue[object]

    async def next(self) -> None:
        async with asyncio.timeout(SOON):
            await self.heard.get()

    async def none_for(self, seconds: float) -> bool:
        await asyncio.sleep(seconds)
        return self.heard.empty()


@asynccontextmanager
async def listening(tool_server: ToolServer, mode: str) -> AsyncGenerator[tuple[Client, Changes]]:
    """A client that hears of changes in the way of its protocol era."""
    changes = Changes(asyncio.Queue())

    async def note(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changes.heard.put_nowait(message)

    async with Client(tool_server.server, mode=mode, message_handler=note) as connected:
        if mode == "legacy":
            yield connected, changes
            return
        async with connected.listen(tools_list_changed=True):
            yield connected, changes


@pytest.mark.rule("mcp.1")
@both_eras
async def test_the_list_follows_what_can_work_now(mode: str) -> None:
    """Nothing, then a query, then URLs as well, then nothing again, with one connection."""
    assert QUERY_ALONE is not None
    assert WITH_URLS is not None
    registry = Shifting()
    async with client(ToolServer(tool(registry)), mode) as connected:
        assert await schemas(connected) == []
        registry.models = (OPENAI,)
        assert await schemas(connected) == [QUERY_ALONE.schema]
        registry.models = (OPENAI, DEEPSEEK)
        assert await schemas(connected) == [WITH_URLS.schema]
        registry.models = ()
        assert await schemas(connected) == []


@pytest.mark.rule("mcp.2")
@both_eras
async def test_the_tool_as_it_is_listed(mode: str) -> None:
    """Our name and description, hints for clients, no output schema, stale at once."""
    async with client(ToolServer(tool(Shifting((DEEPSEEK,)))), mode) as connected:
        listed = await connected.list_tools()
    (one,) = listed.tools
    assert (one.name, one.description) == ("web_search", DESCRIPTION)
    assert one.output_schema is None
    assert one.annotations is not None
    assert one.annotations.read_only_hint
    assert listed.ttl_ms == 0


@pytest.mark.rule("mcp.3")
@both_eras
@pytest.mark.parametrize("schema", [Schema.FULL, Schema.QUERY])
async def test_a_fixed_form_stays_but_is_still_hidden(mode: str, schema: Schema) -> None:
    """Whatever can work, the form is the same; while nothing can, there is no tool."""
    spec = WITH_URLS if schema is Schema.FULL else QUERY_ALONE
    assert spec is not None
    registry = Shifting()
    async with client(ToolServer(tool(registry), schema), mode) as connected:
        assert await schemas(connected) == []
        for registry.models in ((OPENAI,), (OPENAI, DEEPSEEK)):
            assert await schemas(connected) == [spec.schema]


@pytest.mark.rule("mcp.3")
async def test_a_fixed_form_of_the_query_serves_urls_all_the_same() -> None:
    """The form is what is shown, not what is done."""
    async with client(ToolServer(tool(Shifting((DEEPSEEK,))), Schema.QUERY), "auto") as connected:
        result = await connected.call_tool("web_search", {"urls": [PAGE]})
    assert not result.is_error


@pytest.mark.rule("mcp.4")
@both_eras
async def test_a_request_may_name_the_current_model(mode: str) -> None:
    """It decides what is listed and who is asked first, if it is available."""
    registry = Shifting((OPENAI, NESTED, DEEPSEEK))
    searcher = ScriptedSearcher()
    web = tool(registry, searcher)
    async with client(ToolServer(web), mode) as connected:
        for named, asked in (
            (None, "deepseek/deepseek-flash"),
            ("openrouter/x/grok-5", "openrouter/x/grok-5"),
            ("openai/gpt-5.6-luna", "openai/gpt-5.6-luna"),
            ("openai/unheard-of", "openai/gpt-5.6-luna"),  # the one that served last
            (7, "openai/gpt-5.6-luna"),
        ):
            await connected.call_tool("web_search", {"query": "q"}, meta=naming(named))
            assert searcher.asked[-1][0] == asked


@pytest.mark.rule("mcp.4")
@both_eras
async def test_a_named_model_decides_what_is_listed(mode: str) -> None:
    """Where only the current model's provider may be used, its abilities count."""
    assert QUERY_ALONE is not None
    assert WITH_URLS is not None
    registry = Shifting((OPENAI, DEEPSEEK), current_model=OPENAI)
    web = tool(registry, settings=Settings(fallback=CurrentOnly()))
    async with client(ToolServer(web), mode) as connected:
        assert await schemas(connected) == [QUERY_ALONE.schema]
        assert await schemas(connected, "deepseek/deepseek-flash") == [WITH_URLS.schema]
        assert await schemas(connected, "deepseek/none") == [QUERY_ALONE.schema]


@pytest.mark.rule("mcp.5")
@both_eras
async def test_an_answer_is_its_text(mode: str) -> None:
    """The text alone is content; who served it stands in the result's `_meta`."""
    web = tool(Shifting((DEEPSEEK,)))
    async with client(ToolServer(web), mode) as connected:
        result = await connected.call_tool("web_search", {"query": "q", "urls": None, "more": 1})
    assert not result.is_error
    assert text_of(result) == (await web.call({"query": "q"})).text
    assert result.structured_content is None
    details = (result.meta or {})[DETAILS_KEY]
    assert details["search"] == {"provider": "deepseek", "model": "deepseek-flash"}


@pytest.mark.rule("mcp.6")
@both_eras
@pytest.mark.parametrize(
    "arguments", [None, {}, {"query": 3}, {"query": " "}, {"urls": "x"}, {"urls": ["ftp://h/"]}]
)
async def test_refused_arguments_are_a_result_that_says_why(
    mode: str, arguments: dict[str, object] | None
) -> None:
    """The model reads the text of the tool; nothing becomes a protocol error."""
    web = tool(Shifting((DEEPSEEK,)))
    async with client(ToolServer(web), mode) as connected:
        result = await connected.call_tool("web_search", arguments)
    assert result.is_error
    assert text_of(result) == (await web.call(arguments or {})).text


@pytest.mark.rule("mcp.6")
@both_eras
async def test_a_failed_search_is_a_result_with_its_attempts(mode: str) -> None:
    """The error text is the tool's own, unprefixed, and the details come along."""
    refused = Failure(ProviderRefused("balance used up", 402))
    web = tool(Shifting((DEEPSEEK,)), ScriptedSearcher({"deepseek": [refused]}))
    async with client(ToolServer(web), mode) as connected:
        result = await connected.call_tool("web_search", {"query": "q"})
    assert result.is_error
    assert text_of(result) == "The web search failed:\n- deepseek: balance used up"
    assert len((result.meta or {})[DETAILS_KEY]["attempts"]) == 1


@pytest.mark.rule("mcp.7")
@both_eras
async def test_an_unknown_or_hidden_tool_is_a_result_that_says_so(mode: str) -> None:
    """Also for a client that still lists it; nobody is asked, and long names are cut."""
    searcher = ScriptedSearcher()
    registry = Shifting((DEEPSEEK,))
    async with client(ToolServer(tool(registry, searcher)), mode) as connected:
        unknown = await connected.call_tool("n" * 1_000, {"query": "q"})
        registry.models = ()
        hidden = await connected.call_tool("web_search", {"query": "q"})
    assert unknown.is_error
    assert text_of(unknown) == "Unknown tool: " + "n" * 100
    assert hidden.is_error
    assert text_of(hidden) == "Unknown tool: web_search"
    assert searcher.asked == []


@pytest.mark.rule("mcp.8")
@both_eras
async def test_urls_from_an_old_list_are_served_if_somebody_can(mode: str) -> None:
    """Else the model is told what to do, and nothing is sent."""
    registry = Shifting((OPENAI,))
    async with client(ToolServer(tool(registry)), mode) as connected:
        await schemas(connected)
        alone = await connected.call_tool("web_search", {"urls": [PAGE]})
        registry.models = (OPENAI, DEEPSEEK)
        served = await connected.call_tool("web_search", {"urls": [PAGE]})
    assert alone.is_error
    assert "Call the tool again with `query` alone" in text_of(alone)
    assert not served.is_error
    assert PAGE in text_of(served)


@pytest.mark.rule("mcp.9")
@both_eras
async def test_a_registry_that_fails_hides_the_tool(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    """No exception reaches the protocol, and no text of one the log."""
    registry = Shifting((DEEPSEEK,), broken=True)
    async with client(ToolServer(tool(registry)), mode) as connected:
        assert await schemas(connected, "deepseek/deepseek-flash") == []
        result = await connected.call_tool("web_search", {"query": "q"})
        registry.broken = False
        assert len(await schemas(connected)) == 1
    assert result.is_error
    assert text_of(result) == "Unknown tool: web_search"
    assert "RuntimeError" in caplog.text
    assert "SECRET" not in caplog.text


@pytest.mark.rule("mcp.10")
@both_eras
async def test_progress_arrives_as_growing_numbers_with_words(mode: str) -> None:
    """One for each attempt, in order."""
    refused = Failure(ProviderRefused("no", 500))
    web = tool(Shifting((DEEPSEEK, OPENAI)), ScriptedSearcher({"deepseek": [refused]}))
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with client(ToolServer(web), mode) as connected:
        await connected.call_tool("web_search", {"query": "q"}, progress_callback=note)
        await asyncio.sleep(0.05)
    assert seen == [(1, None, "Searching with deepseek"), (2, None, "Searching with openai")]


@pytest.mark.rule("mcp.10")
@both_eras
async def test_progress_that_nobody_takes_fails_no_call(mode: str) -> None:
    """Whatever the client's side raises."""

    async def refuse(progress: float, total: float | None, message: str | None) -> None:
        raise ConnectionResetError

    async with client(ToolServer(tool(Shifting((DEEPSEEK,)))), mode) as connected:
        result = await connected.call_tool("web_search", {"query": "q"}, progress_callback=refuse)
    assert not result.is_error


@pytest.mark.rule("mcp.11")
@both_eras
async def test_cancelling_the_call_cancels_the_attempt(mode: str) -> None:
    """The provider's request ends, nobody cools, and the connection goes on."""
    waiting = NeverAnswers()
    web = tool(Shifting((DEEPSEEK,)), waiting)
    async with client(ToolServer(web), mode) as connected:
        call = asyncio.create_task(connected.call_tool("web_search", {"query": "q"}))
        await until(lambda: waiting.asked > 0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: waiting.cancelled > 0)
        assert not (await web.health.ledger()).cooldowns
        assert len(await schemas(connected)) == 1
    assert waiting.asked == 1


@pytest.mark.rule("mcp.12")
@both_eras
async def test_a_change_is_announced_within_the_time_of_a_poll(mode: str) -> None:
    """URLs become possible, then nothing is; what stays as it was is not announced."""
    registry = Shifting((OPENAI,))
    server = ToolServer(tool(registry), poll_seconds=0.05)
    async with listening(server, mode) as (connected, changes):
        assert await changes.none_for(0.2)
        registry.models = (OPENAI, DEEPSEEK)
        await changes.next()
        assert "urls" in str(await schemas(connected))
        registry.models = (DEEPSEEK,)
        assert await changes.none_for(0.2)
        registry.models = ()
        await changes.next()
        assert await schemas(connected) == []


@pytest.mark.rule("mcp.12")
@both_eras
async def test_a_change_that_a_request_meets_is_announced(mode: str) -> None:
    """One client's call tells the others, long before the next poll."""
    registry = Shifting((OPENAI,))
    server = ToolServer(tool(registry), poll_seconds=3_600)
    async with listening(server, mode) as (other, changes), client(server, mode) as connected:
        await schemas(other)
        await connected.call_tool("web_search", {"query": "q"})
        registry.models = (DEEPSEEK,)
        await connected.call_tool("web_search", {"query": "q"})
        await changes.next()
        await schemas(connected)
        assert await changes.none_for(0.1)


@pytest.mark.rule("mcp.12")
@both_eras
async def test_a_host_may_say_that_something_changed(mode: str) -> None:
    """`changed` looks at once, and says whether there was anything to announce."""
    registry = Shifting((OPENAI,))
    server = ToolServer(tool(registry), poll_seconds=3_600)
    async with listening(server, mode) as (connected, changes):
        await schemas(connected)
        assert await server.changed() is False
        registry.models = (DEEPSEEK,)
        assert await server.changed() is True
        await changes.next()
        assert await server.changed() is False


@pytest.mark.rule("mcp.12")
@both_eras
async def test_what_changes_for_a_named_model_alone_is_announced(mode: str) -> None:
    """The registry's own current model is offered the same as before."""
    registry = Shifting((OPENAI, DEEPSEEK), current_model=OPENAI)
    web = tool(registry, settings=Settings(fallback=CurrentOnly()))
    server = ToolServer(web, poll_seconds=3_600)
    async with listening(server, mode) as (connected, changes):
        await schemas(connected, "deepseek/deepseek-flash")
        registry.models = (OPENAI,)
        assert await server.changed() is True
        await changes.next()


@pytest.mark.rule("mcp.12")
async def test_a_fixed_form_announces_only_that_it_comes_and_goes() -> None:
    """Other abilities make no difference to what is shown."""
    registry = Shifting((OPENAI,))
    server = ToolServer(tool(registry), Schema.FULL, poll_seconds=3_600)
    async with listening(server, "auto"):
        registry.models = (DEEPSEEK,)
        assert await server.changed() is False
        registry.models = ()
        assert await server.changed() is True


@pytest.mark.rule("mcp.12")
async def test_a_tool_that_is_never_hidden_never_changes() -> None:
    """The stable exposure is one for the whole life of the server."""
    registry = Shifting()
    web = tool(registry, settings=Settings(exposure=ExposureMode.STABLE))
    server = ToolServer(web)
    async with listening(server, "auto") as (connected, _changes):
        assert len(await schemas(connected)) == 1
        registry.models = (DEEPSEEK,)
        assert await server.changed() is False


@pytest.mark.rule("mcp.14")
@both_eras
async def test_every_handshake_says_that_tools_may_change(mode: str) -> None:
    """Clients that are not told so do not listen."""
    async with client(ToolServer(tool(Shifting())), mode) as connected:
        assert connected.server_capabilities.tools is not None
        assert connected.server_capabilities.tools.list_changed


@pytest.mark.rule("mcp.15")
def test_the_layers_do_without_mcp() -> None:
    """Importing the adapters and the command line brings nothing of the protocol."""
    script = "import sys, native_web_search.adapters.cli.app; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "native_web_search.adapters" in loaded
    assert loaded.isdisjoint({"mcp", "mcp_types", "uvicorn"})

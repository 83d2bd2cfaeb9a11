"""The tool as the vendors declare, call and answer it, without their clients."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from native_web_search.adapters.hosts.vendor_tools import (
    Vendor,
    call_tool,
    call_tool_blocking,
    result_dictionary,
    tool_dictionary,
)
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.health import ProcessHealth
from native_web_search.application.result import ToolResult
from native_web_search.application.settings import MarkerMode, Settings
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import DESCRIPTION, Exposure, ToolSpec, tool_spec
from native_web_search.ports.registry import Credential

LUNA = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
FLASH = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
NAMED = {"name": "web_search", "description": DESCRIPTION}

ANSWER = ToolResult('{"search": 1}', is_error=False, details={})
ERROR = ToolResult("it failed", is_error=True, details={})


def tool(searcher: ScriptedSearcher, settings: Settings | None = None) -> WebSearch:
    clock = ManualClock()
    keys = {model.provider: Credential("test", "k") for model in (FLASH, LUNA)}
    return WebSearch(
        registry=StaticRegistry((FLASH, LUNA), keys),
        searcher=searcher,
        fetcher=ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
        settings=settings or Settings(),
    )


def full() -> ToolSpec:
    spec = tool_spec(Exposure.QUERY_AND_URLS)
    assert spec is not None
    return spec


@pytest.mark.rule("vendor_tools.1")
@pytest.mark.parametrize("exposure", [Exposure.QUERY, Exposure.QUERY_AND_URLS])
def test_each_vendor_has_its_own_declaration(exposure: Exposure) -> None:
    """The name, the description and the plain schema, under the names of each vendor."""
    spec = tool_spec(exposure)
    assert spec is not None
    schema = dict(spec.schema)
    function = {**NAMED, "parameters": schema, "strict": False}
    assert {vendor: tool_dictionary(spec, vendor) for vendor in Vendor} == {
        Vendor.ANTHROPIC: {**NAMED, "input_schema": schema},
        Vendor.OPENAI_RESPONSES: {"type": "function", **function},
        Vendor.OPENAI_CHAT: {"type": "function", "function": function},
        Vendor.GEMINI: {
            "function_declarations": [{**NAMED, "parameters_json_schema": schema}],
        },
    }


@pytest.mark.rule("vendor_tools.2")
def test_the_strict_form_requires_everything_and_allows_null() -> None:
    """For both of OpenAI's forms; the spec itself keeps its plain schema."""
    spec = full()
    flat: Any = tool_dictionary(spec, Vendor.OPENAI_RESPONSES, strict=True)
    nested: Any = tool_dictionary(spec, Vendor.OPENAI_CHAT, strict=True)
    schema = flat["parameters"]
    assert schema == nested["function"]["parameters"]
    assert flat["strict"] is nested["function"]["strict"] is True
    assert schema["required"] == ["query", "urls"]
    assert schema["additionalProperties"] is False
    types = {name: one["type"] for name, one in schema["properties"].items()}
    assert types == {"query": ["string", "null"], "urls": ["array", "null"]}
    assert schema["properties"]["urls"]["items"] == {"type": "string"}
    assert spec == full()


@pytest.mark.rule("vendor_tools.2")
@pytest.mark.parametrize("vendor", [Vendor.ANTHROPIC, Vendor.GEMINI])
def test_a_strict_form_that_does_not_exist_is_refused(vendor: Vendor) -> None:
    """Nobody shall believe in a constraint that is not there."""
    with pytest.raises(ValueError, match=f"{vendor.value} has no strict form"):
        tool_dictionary(full(), vendor, strict=True)


@pytest.mark.rule("vendor_tools.3")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"query": "ran', "web_search are not JSON"),
        ("ranking", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"query": ' + "9" * 5_000 + "}", "not JSON"),
        ("[]", "not a list"),
        ('"ranking"', "not a string"),
        ("", "Nothing to do"),
        (" \n", "Nothing to do"),
        (None, "must be an object"),
        ({"query": None, "urls": None}, "Nothing to do"),
        ('{"query": 3}', "must be a string"),
    ],
)
async def test_arguments_that_make_no_sense_are_an_error_result(
    arguments: object, words: str
) -> None:
    """Whatever was given in the place of an object, the model is told what is wrong with it."""
    searcher = ScriptedSearcher()
    result = await call_tool(tool(searcher), arguments)
    assert result.is_error
    assert words in result.text
    assert result.details["attempts"] == []
    assert searcher.asked == []


@pytest.mark.rule("vendor_tools.3")
def test_programs_that_do_not_await_are_served_alike() -> None:
    """Objects, texts, and texts that are no JSON; the current model passes through."""
    searcher = ScriptedSearcher()
    with BlockingWebSearch(tool(searcher)) as waiting:
        assert "not JSON" in call_tool_blocking(waiting, "{").text
        assert not call_tool_blocking(waiting, '{"query": "a"}', current=LUNA).is_error
        assert not call_tool_blocking(waiting, {"query": "b"}).is_error
    assert [query for _name, query in searcher.asked] == ["a", "b"]
    assert searcher.asked[0][0] == "openai/gpt-5.6-luna"


@pytest.mark.rule("vendor_tools.3")
async def test_the_error_keeps_to_the_output_limit() -> None:
    """As any other text for the model."""
    settings = Settings(max_chars=20, marker=MarkerMode.NONE)
    result = await call_tool(tool(ScriptedSearcher(), settings), "{")
    assert len(result.text) <= 20


@pytest.mark.rule("vendor_tools.3")
@pytest.mark.parametrize("kind", [dict[str, object], json.dumps])
async def test_arguments_come_as_an_object_or_as_its_text(kind: Any) -> None:  # noqa: ANN401
    """Null is absent, what nobody knows is ignored, and current model and progress pass through."""
    searcher, heard = ScriptedSearcher(), list[str]()

    async def progress(message: str) -> None:
        heard.append(message)

    given: Mapping[str, object] = {"query": "ranking", "urls": None, "bogus": 1}
    result = await call_tool(tool(searcher), kind(given), current=LUNA, progress=progress)
    assert not result.is_error
    assert searcher.asked == [("openai/gpt-5.6-luna", "ranking")]
    assert heard == ["Searching with openai"]


@pytest.mark.rule("vendor_tools.4")
def test_each_vendor_takes_an_answer_in_its_own_form() -> None:
    """With the id of the call, where the vendor wants it."""
    text = ANSWER.text
    assert {vendor: result_dictionary(ANSWER, vendor, "call-1") for vendor in Vendor} == {
        Vendor.ANTHROPIC: {
            "type": "tool_result",
            "tool_use_id": "call-1",
            "content": text,
            "is_error": False,
        },
        Vendor.OPENAI_RESPONSES: {
            "type": "function_call_output",
            "call_id": "call-1",
            "output": text,
        },
        Vendor.OPENAI_CHAT: {"role": "tool", "tool_call_id": "call-1", "content": text},
        Vendor.GEMINI: {
            "function_response": {
                "id": "call-1",
                "name": "web_search",
                "response": {"output": text},
            },
        },
    }


@pytest.mark.rule("vendor_tools.5")
def test_gemini_may_name_no_call_and_names_the_tool() -> None:
    """Without an id there is none, and the tool may have another name."""
    assert result_dictionary(ERROR, Vendor.GEMINI, None, name="search") == {
        "function_response": {"name": "search", "response": {"error": "it failed"}}
    }

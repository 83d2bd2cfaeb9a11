"""Which form of the tool is shown, and why."""

import json
import os
import subprocess
import sys
from typing import cast

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import (
    DESCRIPTION,
    QUERY_DESCRIPTION,
    Exposure,
    exposure,
    tool_spec,
)

DEEPSEEK = ChatModel("deepseek", "deepseek-chat", "openai-completions", "https://api.deepseek.com")
OPENAI = ChatModel("openai", "gpt-5.5", "openai-responses", "https://user:pw@gateway.example")
CLAUDE = ChatModel("anthropic", "claude-haiku-4-5", "anthropic-messages")
LOCAL = ChatModel("ollama", "llama", "openai-completions", "http://localhost:11434/v1")

HIDDEN, QUERY, QUERY_AND_URLS = Exposure.HIDDEN, Exposure.QUERY, Exposure.QUERY_AND_URLS


@pytest.mark.rule("exposure.1")
@pytest.mark.rule("exposure.6")
@pytest.mark.parametrize(
    ("current", "available", "reason"),
    [
        (None, (), "There is no credential for any model."),
        (LOCAL, (), "There is no credential for any model."),
        (
            LOCAL,
            (LOCAL,),
            "No model with a credential speaks an interface that can search the web.",
        ),
        (
            OPENAI,
            (LOCAL,),
            "openai/gpt-5.5 can search but has no credential, nor has any other that could.",
        ),
    ],
)
def test_without_a_usable_model_the_tool_is_hidden(
    current: ChatModel | None, available: tuple[ChatModel, ...], reason: str
) -> None:
    """Nothing is shown that could only fail, and people are told what is missing."""
    assert exposure(current, available, can_use=False) == (HIDDEN, reason)


@pytest.mark.rule("exposure.2")
@pytest.mark.rule("exposure.6")
@pytest.mark.parametrize("current", [None, LOCAL, OPENAI])
def test_any_available_model_that_searches_is_enough(current: ChatModel | None) -> None:
    """One login for a supported provider shows the tool, whatever the current model is."""
    assert exposure(current, (LOCAL, CLAUDE), can_use=False) == (
        QUERY,
        "anthropic/claude-haiku-4-5 can search, but no usable model can analyze URLs.",
    )


@pytest.mark.rule("exposure.3")
def test_a_current_model_has_to_be_proven() -> None:
    """A current model outside the available ones counts once its credential is proven."""
    assert exposure(OPENAI, (), can_use=False)[0] is HIDDEN
    assert exposure(OPENAI, (), can_use=True)[0] is QUERY
    assert exposure(LOCAL, (), can_use=True)[0] is HIDDEN


@pytest.mark.rule("exposure.3")
def test_a_current_model_among_the_available_needs_no_proof() -> None:
    """A current model that is available is usable, and is the one that is named."""
    assert exposure(OPENAI, (CLAUDE, OPENAI), can_use=False) == (
        QUERY,
        "openai/gpt-5.5 can search, but no usable model can analyze URLs.",
    )


@pytest.mark.rule("exposure.4")
@pytest.mark.rule("exposure.6")
def test_urls_need_a_model_that_fetches() -> None:
    """URLs are offered when somebody usable can analyze them, the searching model or another."""
    assert exposure(OPENAI, (OPENAI, DEEPSEEK), can_use=False) == (
        QUERY_AND_URLS,
        "openai/gpt-5.5 can search, and deepseek/deepseek-chat can analyze URLs.",
    )
    assert exposure(OPENAI, (DEEPSEEK,), can_use=False) == (
        QUERY_AND_URLS,
        "deepseek/deepseek-chat can search and analyze URLs.",
    )


@pytest.mark.rule("exposure.4")
def test_an_unproven_model_advertises_no_urls() -> None:
    """A current model that could fetch but has no credential does not show the `urls` field."""
    assert exposure(DEEPSEEK, (OPENAI,), can_use=False)[0] is QUERY
    assert exposure(DEEPSEEK, (OPENAI,), can_use=True)[0] is QUERY_AND_URLS


@pytest.mark.rule("exposure.7")
@pytest.mark.parametrize("shown", [QUERY, QUERY_AND_URLS])
def test_the_description_is_fixed(shown: Exposure) -> None:
    """The tool says of itself these words and no others, in both forms."""
    spec = tool_spec(shown)

    assert spec is not None
    assert spec.description == DESCRIPTION == "Search the web or analyze specified URLs"
    assert spec.exposure is shown


def _schema(shown: Exposure) -> dict[str, object]:
    spec = tool_spec(shown)
    assert spec is not None
    return dict(spec.schema)


@pytest.mark.rule("exposure.8")
@pytest.mark.rule("exposure.9")
def test_the_schema_without_urls_requires_the_query() -> None:
    """A search needs a query, and the model is told so."""
    schema = _schema(QUERY)

    assert list(schema) == ["type", "properties", "required"]
    assert schema["type"] == "object"
    assert list(cast("dict[str, object]", schema["properties"])) == ["query"]
    assert schema["required"] == ["query"]


@pytest.mark.rule("exposure.8")
@pytest.mark.rule("exposure.9")
def test_the_schema_with_urls_requires_nothing() -> None:
    """That one of both is needed is said when the tool runs: no `anyOf`, which some refuse."""
    schema = _schema(QUERY_AND_URLS)

    assert list(schema) == ["type", "properties"]
    assert schema["type"] == "object"
    assert list(cast("dict[str, object]", schema["properties"])) == ["query", "urls"]


@pytest.mark.rule("exposure.10")
def test_the_urls_say_what_they_take() -> None:
    """The model reads that at most 20 URLs are taken and that they need no query."""
    properties = cast("dict[str, dict[str, object]]", _schema(QUERY_AND_URLS)["properties"])

    assert properties["query"]["type"] == "string"
    assert properties["query"]["description"] == QUERY_DESCRIPTION
    assert properties["urls"]["type"] == "array"
    assert properties["urls"]["items"] == {"type": "string"}
    assert properties["urls"]["maxItems"] == 20
    assert "at most 20" in str(properties["urls"]["description"])
    assert "No query is needed" in str(properties["urls"]["description"])


_PRINT_SCHEMAS = """
import json
from native_web_search.domain.exposure import Exposure, tool_spec
print(json.dumps([spec.schema for kind in Exposure if (spec := tool_spec(kind))]))
"""


@pytest.mark.case("T05")
@pytest.mark.rule("exposure.11")
def test_schemas_are_equal_byte_by_byte_in_every_process() -> None:
    """A prompt cache survives a restart, so that nothing may depend on a process's hash seed."""
    here = json.dumps([_schema(QUERY), _schema(QUERY_AND_URLS)])
    there = [
        subprocess.run(
            [sys.executable, "-c", _PRINT_SCHEMAS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]

    assert there == [here, here]


@pytest.mark.rule("exposure.11")
def test_a_host_may_write_into_its_copy_of_the_schema() -> None:
    """What one host does to the schema it was given reaches no other."""
    properties = cast("dict[str, dict[str, object]]", _schema(QUERY)["properties"])
    properties["query"]["type"] = "number"

    assert "number" not in json.dumps(_schema(QUERY))


@pytest.mark.rule("exposure.12")
def test_a_hidden_tool_has_no_form() -> None:
    """There is nothing to register while the tool is hidden."""
    assert tool_spec(HIDDEN) is None


@pytest.mark.rule("exposure.13")
def test_the_name_is_the_hosts_choice() -> None:
    """A host that has a tool of this name already may give ours another."""
    names = [spec.name for spec in (tool_spec(QUERY), tool_spec(QUERY, "look_up")) if spec]

    assert names == ["web_search", "look_up"]

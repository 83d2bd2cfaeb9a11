"""The tool for programs that talk to a vendor's SDK themselves, without a framework.

Three plain functions around `WebSearch`: the dictionary that declares the tool, the call with the
arguments as the vendor delivers them, and the dictionary that takes the result back. Each vendor
has its own form of the first and the last. All accept the tool's plain schema.
"""

import json
from collections.abc import Mapping
from enum import Enum
from typing import assert_never, cast

from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.record import Record
from native_web_search.application.result import ToolResult, error_result
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import TOOL_NAME, ToolSpec
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.providers import Progress


class Vendor(Enum):
    """The request forms in which a tool is declared and answered."""

    ANTHROPIC = "anthropic"
    OPENAI_RESPONSES = "openai responses"
    OPENAI_CHAT = "openai chat"
    GEMINI = "gemini"


def tool_dictionary(spec: ToolSpec, vendor: Vendor, *, strict: bool = False) -> dict[str, object]:
    """An element of the vendor's list of tools. Ask `web.tool_spec()` anew for each request.

    `strict` is OpenAI's constrained form, in which a model has to give every argument and gives
    `null` for what it does not want; the other vendors have no such form and raise `ValueError`.
    The vendors' own search tools have the same name: never declare both in one request.
    """
    schema = _strict(spec.schema) if strict else dict(spec.schema)
    named: dict[str, object] = {"name": spec.name, "description": spec.description}
    match vendor:
        case Vendor.OPENAI_RESPONSES:
            return {"type": "function", **named, "parameters": schema, "strict": strict}
        case Vendor.OPENAI_CHAT:
            function = {**named, "parameters": schema, "strict": strict}
            return {"type": "function", "function": function}
        case _ if strict:
            message = f"{vendor.value} has no strict form of a tool"
            raise ValueError(message)
        case Vendor.ANTHROPIC:
            return {**named, "input_schema": schema}
        case Vendor.GEMINI:
            return {"function_declarations": [{**named, "parameters_json_schema": schema}]}
        case _:
            assert_never(vendor)


async def call_tool(
    web: WebSearch,
    arguments: object,
    *,
    current: ChatModel | None = None,
    progress: Progress | None = None,
) -> ToolResult:
    """As `web.call`, for arguments that may also be JSON text, as OpenAI's are.

    No text is no arguments. Text that is no JSON is an error for the model, not an exception.
    """
    read = _read(arguments)
    if isinstance(read, Failure):
        return _not_json(web)
    if progress is None:
        return await web.call(read.unwrap(), current=current)
    return await web.call(read.unwrap(), current=current, progress=progress)


def call_tool_blocking(
    web: BlockingWebSearch, arguments: object, *, current: ChatModel | None = None
) -> ToolResult:
    """As `call_tool`, for programs that do not await."""
    read = _read(arguments)
    if isinstance(read, Failure):
        return _not_json(web.web)
    return web.call(read.unwrap(), current=current)


def result_dictionary(
    result: ToolResult, vendor: Vendor, call_id: str | None, *, name: str = TOOL_NAME
) -> dict[str, object]:
    """What the next request carries back: a content block, an input item, a message, or a part.

    `call_id` is the `id` or `call_id` of the model's call; Gemini may have none. Where the vendor
    has no place for an error, the text says it.
    """
    match vendor:
        case Vendor.ANTHROPIC:
            answer = {"content": result.text, "is_error": result.is_error}
            return {"type": "tool_result", "tool_use_id": call_id, **answer}
        case Vendor.OPENAI_RESPONSES:
            return {"type": "function_call_output", "call_id": call_id, "output": result.text}
        case Vendor.OPENAI_CHAT:
            return {"role": "tool", "tool_call_id": call_id, "content": result.text}
        case Vendor.GEMINI:
            response = {"error" if result.is_error else "output": result.text}
            identity = {} if call_id is None else {"id": call_id}
            return {"function_response": {**identity, "name": name, "response": response}}
        case _:
            assert_never(vendor)


def _read(arguments: object) -> Outcome[object, None]:
    if not isinstance(arguments, str):
        return Success(arguments)
    try:
        return Success(json.loads(arguments) if arguments.strip() else {})
    except (ValueError, RecursionError):  # the latter at a nesting that nobody means
        return Failure(None)


def _not_json(web: WebSearch) -> ToolResult:
    text = f"The arguments of {web.name} are not JSON. Call it again with a JSON object."
    return error_result(text, web.settings, Record())


def _strict(schema: Mapping[str, object]) -> dict[str, object]:
    """Every property required, and null where the plain schema would have left it out."""
    properties = cast("Mapping[str, Mapping[str, object]]", schema["properties"])
    nullable = {
        name: {**property_, "type": [property_["type"], "null"]}
        for name, property_ in properties.items()
    }
    return {
        **schema,
        "properties": nullable,
        "required": list(nullable),
        "additionalProperties": False,
    }

"""What the Responses API takes in a request, and what it refuses."""

import re
from collections.abc import Mapping

from native_web_search.adapters.simulator.exchange import (
    Answer,
    Refusals,
    SeenRequest,
    elements,
    members,
    names,
    string,
    text_answer,
)
from native_web_search.adapters.simulator.responses_errors import no_such_model, refusal

PARAMETERS = names(
    "background conversation include input instructions max_output_tokens max_tool_calls metadata "
    "model parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention "
    "reasoning safety_identifier service_tier store stream stream_options temperature text "
    "tool_choice tools top_logprobs top_p truncation user"
)
INCLUDES = frozenset(
    {
        "code_interpreter_call.outputs",
        "computer_call_output.output.image_url",
        "file_search_call.results",
        "message.input_image.image_url",
        "message.output_text.logprobs",
        "reasoning.encrypted_content",
        "web_search_call.action.sources",
        "web_search_call.results",
    }
)
GROK_INCLUDES = frozenset({"reasoning.encrypted_content", "web_search_call.action.sources"})
SEARCH_TOOLS = frozenset({"web_search", "web_search_2025_08_26"})
PREVIEW_TOOLS = frozenset({"web_search_preview", "web_search_preview_2025_03_11"})
TOOL_FIELDS = names(
    "type filters search_context_size user_location external_web_access search_content_types "
    "enable_image_understanding enable_image_search"
)
CHOICES = frozenset({"none", "auto", "required"})
LEAST_OUTPUT = 16  # tokens

GPT = re.compile(r"(gpt-|chatgpt-|codex-|o\d)")
GROK = re.compile(r"([^/]+/)?grok")
MODELS = {
    "openai": GPT,
    "openai-codex": GPT,
    "azure": re.compile(r"(gpt-|o\d|grok|simulated-)"),
    "github-copilot": re.compile(r"(gpt-|o\d|grok|claude-|gemini-)"),
    "opencode": re.compile(r"[a-z][\w./:-]*\d"),
    "xai": re.compile(r"grok"),
}
SEARCHING = re.compile(rf"{GPT.pattern}|{GROK.pattern}|simulated-")
UNSEARCHABLE = "gpt-4.1-nano"


def is_grok(seen: SeenRequest) -> bool:
    """Whether the request ends up at a Grok model, whoever passes it on."""
    return bool(GROK.match(string(seen.fields.get("model"))))


def refusals(seen: SeenRequest) -> Refusals:
    """Why this request is refused, in the order in which the services would notice."""
    if not isinstance(seen.body, dict):
        yield refusal(seen.provider, 400, "We could not parse the JSON body of your request.")
    for name in sorted(seen.fields.keys() - PARAMETERS):
        yield _unknown(seen, name)
    yield from _model(seen)
    if seen.provider == "openai-codex":
        yield from _codex(seen)
    yield from _grok_input(seen) if is_grok(seen) else _input(seen)
    yield from _includes(seen)
    yield from _tools(seen)
    yield from _limits(seen)


def _unknown(seen: SeenRequest, name: str) -> Answer:
    if name == "search_parameters" and is_grok(seen):
        message = "Live search is deprecated. Please switch to the Agent Tools API."
        return refusal(seen.provider, 410, message)
    if seen.provider == "openai-codex":
        return refusal("openai-codex", 400, f"Unsupported parameter: {name}")
    message = f"Unknown parameter: '{name}'."
    return refusal(seen.provider, 400, message, code="unknown_parameter", param=name)


def _model(seen: SeenRequest) -> Refusals:
    model = string(seen.fields.get("model"))
    if not model:
        message = "Missing required parameter: 'model'."
        code = "missing_required_parameter"
        yield refusal(seen.provider, 400, message, code=code, param="model")
    if not MODELS[seen.provider].match(model):
        yield no_such_model(seen.provider, model)
    if seen.provider == "github-copilot" and model.startswith(("claude-", "gemini-")):
        message = f"model {model} is not accessible via the /responses endpoint"
        yield refusal(seen.provider, 400, message, code="unsupported_api_for_model", param="model")


def _codex(seen: SeenRequest) -> Refusals:
    if seen.fields.get("store") is not False:
        yield refusal(seen.provider, 400, "Store must be set to false")
    if seen.fields.get("stream") is not True:
        yield refusal(seen.provider, 400, "Stream must be set to true")
    if not string(seen.fields.get("instructions")):
        yield refusal(seen.provider, 400, "Instructions are required")
    for name in ("max_output_tokens", "temperature"):
        if name in seen.fields:
            yield refusal(seen.provider, 400, f"Unsupported parameter: {name}")


def _input(seen: SeenRequest) -> Refusals:
    given = seen.fields.get("input")
    texts = [given] if isinstance(given, str) else [_text(each) for each in elements(given)]
    if not any(texts):
        message = "Missing required parameter: 'input'."
        code = "missing_required_parameter"
        yield refusal(seen.provider, 400, message, code=code, param="input")


def _grok_input(seen: SeenRequest) -> Refusals:
    given = seen.fields.get("input")
    contents = [members(each).get("content") for each in elements(given)]
    if not contents or not all(isinstance(content, str) for content in contents):
        yield _not_deserialised("input: expected messages whose content is a string")
    choice = seen.fields.get("tool_choice", "auto")
    if not isinstance(choice, str):
        yield _not_deserialised("tool_choice: invalid ModelToolChoice")
    if "reasoning" in seen.fields:
        model = string(seen.fields.get("model"))
        message = f"Model {model} does not support parameter reasoningEffort."
        yield refusal(seen.provider, 400, message)


def _not_deserialised(why: str) -> Answer:
    message = f"Failed to deserialize the JSON body into the target type: {why}"
    return text_answer(message, status=422)


def _includes(seen: SeenRequest) -> Refusals:
    allowed = GROK_INCLUDES if is_grok(seen) else INCLUDES
    for value in elements(seen.fields.get("include")):
        if value in allowed:
            continue
        if is_grok(seen):
            yield refusal(seen.provider, 400, "Argument not supported: include", code="400")
        message = f"Invalid value: '{value}'. Supported values are: {_quoted(allowed)}."
        yield refusal(seen.provider, 400, message, code="invalid_value", param="include[0]")


def _tools(seen: SeenRequest) -> Refusals:
    for index, tool in enumerate(elements(seen.fields.get("tools"))):
        yield from _tool(seen, f"tools[{index}]", members(tool))
    choice = seen.fields.get("tool_choice", "auto")
    if isinstance(choice, str) and choice not in CHOICES:
        message = f"Invalid value: '{choice}'. Supported values are: {_quoted(CHOICES)}."
        yield refusal(seen.provider, 400, message, code="invalid_value", param="tool_choice")
    if choice == "required" and not seen.fields.get("tools"):
        message = "tools are required when tool choice is specified"
        yield refusal(seen.provider, 400, message, code="invalid_request_body")


def _tool(seen: SeenRequest, where: str, tool: Mapping[str, object]) -> Refusals:
    kind, model = string(tool.get("type")), string(seen.fields.get("model"))
    if kind in PREVIEW_TOOLS or (kind in SEARCH_TOOLS and model.startswith(UNSEARCHABLE)):
        message = f"Hosted tool '{kind}' is not supported with {model}."
        yield refusal(seen.provider, 400, message, param="tools")
    if kind not in SEARCH_TOOLS:
        message = f"Invalid value: '{kind}'. Supported values are: {_quoted(SEARCH_TOOLS)}."
        yield refusal(seen.provider, 400, message, code="invalid_value", param=f"{where}.type")
    for name in sorted(tool.keys() - TOOL_FIELDS):
        message = f"Unknown parameter: '{where}.{name}'."
        code = "unknown_parameter"
        yield refusal(seen.provider, 400, message, code=code, param=f"{where}.{name}")


def _limits(seen: SeenRequest) -> Refusals:
    effort = members(seen.fields.get("reasoning")).get("effort")
    if effort == "minimal" and seen.fields.get("tools"):
        message = "The following tools cannot be used with reasoning.effort 'minimal': web_search."
        yield refusal(seen.provider, 400, message, param="tools")
    most = seen.fields.get("max_output_tokens")
    if isinstance(most, int) and most < LEAST_OUTPUT:
        message = f"'max_output_tokens' is {most} but must be at least {LEAST_OUTPUT}."
        code = "integer_below_min_value"
        yield refusal(seen.provider, 400, message, code=code, param="max_output_tokens")


def question(seen: SeenRequest) -> str:
    """What the last user message asks."""
    given = seen.fields.get("input")
    asked = [_text(each) for each in elements(given) if members(each).get("role", "user") == "user"]
    return string(given) or (asked[-1] if asked else "")


def _quoted(values: frozenset[str]) -> str:
    return ", ".join(f"'{value}'" for value in sorted(values))


def _text(message: object) -> str:
    """The text of one input message."""
    content = members(message).get("content")
    parts = [string(members(part).get("text")) for part in elements(content)]
    return content if isinstance(content, str) else "\n".join(parts)

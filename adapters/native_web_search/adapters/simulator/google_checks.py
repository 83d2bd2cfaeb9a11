"""What the Gemini API takes in a request, and how it refuses.

Names may be written in camelCase or snake_case, even mixed; here they are read as camelCase.
"""

import re
from collections.abc import Mapping
from typing import cast

from native_web_search.adapters.simulator.exchange import (
    Answer,
    Refusals,
    elements,
    json_answer,
    members,
    names,
    string,
)

STATES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
DETAIL = "type.googleapis.com/google.rpc."

BODY = names(
    "contents tools toolConfig generationConfig systemInstruction safetySettings cachedContent "
    "model store serviceTier"
)
TOOLS = names(
    "googleSearch urlContext codeExecution functionDeclarations googleSearchRetrieval googleMaps"
)
SEARCH_OPTIONS = names(
    "searchTypes timeRangeFilter excludeDomains blockingConfidence enhancedContent includedDomains"
)
MAX_URLS = 20
DEPTH = 12  # levels of a body whose names are looked at; what lies below has no meaning here

SEARCHLESS = re.compile(r"gemma-|.*(embedding|-tts|-live)")
BROWSELESS = re.compile(r"gemini-2\.0-|gemma-|.*(embedding|-tts|-live|-image)")

_URL = re.compile(r"https?://\S+")
_SNAKE = re.compile(r"_([a-z])")


def google_error(
    status: int, message: str, *, state: str | None = None, details: tuple[object, ...] = ()
) -> Answer:
    error = {
        "code": status,
        "message": message,
        "status": state or STATES.get(status, "UNKNOWN"),
    }
    return json_answer({"error": error | ({"details": details} if details else {})}, status=status)


def camel(value: object, depth: int = DEPTH) -> object:
    """The same JSON value with the names of its members in camelCase, as deep as they matter."""
    if depth and isinstance(value, dict):
        pairs = members(cast("object", value)).items()
        return {_SNAKE.sub(_raised, name): camel(each, depth - 1) for name, each in pairs}
    if depth and isinstance(value, list):
        return [camel(each, depth - 1) for each in elements(cast("object", value))]
    return value


def _raised(match: re.Match[str]) -> str:
    return match.group(1).upper()


def refusals(body: Mapping[str, object], model: str, known: frozenset[str] = BODY) -> Refusals:
    """Why a generation request is refused, in the order in which the service would notice."""
    yield from unknown_names(body, known)
    if not texts(body):
        yield google_error(400, "* GenerateContentRequest.contents: contents is not specified\n")
    tools = [members(tool) for tool in elements(body.get("tools"))]
    for index, tool in enumerate(tools):
        yield from unknown_names(tool, TOOLS, f" at 'tools[{index}]'")
        yield from unknown_names(
            members(tool.get("googleSearch")), SEARCH_OPTIONS, f" at 'tools[{index}].google_search'"
        )
    yield from _tools(frozenset(name for tool in tools for name in tool), model)
    yield from _addresses(body)


def _tools(names: frozenset[str], model: str) -> Refusals:
    if "googleSearchRetrieval" in names:
        yield google_error(
            400, "Please use google_search field instead of google_search_retrieval."
        )
    if "functionDeclarations" in names and len(names) > 1:
        yield google_error(400, "Tool use with function calling is unsupported")
    if "googleSearch" in names and SEARCHLESS.match(model):
        yield google_error(400, "Search as tool is not enabled for this model")
    if "urlContext" in names and BROWSELESS.match(model):
        yield google_error(400, "Browse tool is not supported.")


def _addresses(body: Mapping[str, object]) -> Refusals:
    count = len(addresses(body))
    if offers(body, "urlContext") and count > MAX_URLS:
        message = f"Number of urls to lookup exceeds the limit ({count} > {MAX_URLS})."
        yield google_error(400, f"{message} Please reduce the number of urls in the request.")


def unknown_names(value: Mapping[str, object], known: frozenset[str], where: str = "") -> Refusals:
    """A refusal for each member that the service has no field for."""
    for name in sorted(value.keys() - known):
        message = f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
        violation = {"field": where.removeprefix(" at ").strip("'"), "description": message}
        detail = {"@type": f"{DETAIL}BadRequest", "fieldViolations": [violation]}
        yield google_error(400, message, details=(detail,))


def offers(body: Mapping[str, object], tool: str) -> bool:
    return any(tool in members(each) for each in elements(body.get("tools")))


def parts(body: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The parts of the last content, which is what is asked."""
    contents = elements(body.get("contents"))
    last = contents[-1] if contents else None
    return [members(part) for part in elements(members(last).get("parts"))]


def texts(body: Mapping[str, object]) -> list[str]:
    return [string(part.get("text")) for part in parts(body) if string(part.get("text")).strip()]


def addresses(body: Mapping[str, object]) -> list[str]:
    """Every address in the text, in order, duplicates included."""
    return [url for text in texts(body) for url in _URL.findall(text)]


def videos(body: Mapping[str, object]) -> list[str]:
    return [
        uri for part in parts(body) if (uri := string(members(part.get("fileData")).get("fileUri")))
    ]

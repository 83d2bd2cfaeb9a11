"""What the Messages API takes, who may come in, and how it refuses."""

import re
from collections.abc import Mapping

from native_web_search.adapters.simulator.exchange import (
    Answer,
    Refusals,
    SeenRequest,
    elements,
    json_answer,
    members,
    names,
    string,
)
from native_web_search.adapters.simulator.keys import ANTHROPIC_LOGIN, key_of

REQUEST_ID = "req_011CSimulated"

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}

VERSIONS = frozenset({"2023-06-01", "2026-10-21"})
UNSAMPLED_VERSION = "2026-10-21"  # takes no sampling parameters
SAMPLING = frozenset({"temperature", "top_k", "top_p"})
PARAMETERS = SAMPLING | names(
    "cache_control container context_management inference_geo max_tokens messages metadata model "
    "output_config service_tier stop_sequences stream system thinking tool_choice tools"
)

# What one has to say to be let in with the login of a subscription.
LOGIN_BETA = "oauth-2025-04-20"
LOGIN_SYSTEM = "You are Claude Code, Anthropic's official CLI for Claude."
LOGIN_AGENT = re.compile(r"claude-cli/(\d+)\.(\d+)\.(\d+)")
OLDEST_AGENT = (2, 1, 251)

SEARCH_TOOLS = ("web_search_20250305", "web_search_20260209", "web_search_20260318")
CALLED_DIRECTLY = "web_search_20250305"  # the last version that only the model itself calls
TOOL_FIELDS = names(
    "type name max_uses allowed_domains blocked_domains user_location allowed_callers "
    "cache_control defer_loading strict response_inclusion"
)
RETIRED = re.compile(r"claude-(3-|2|instant|opus-4-1|sonnet-4-\d{6}|opus-4-\d{6})")
NOT_PROGRAMMABLE = re.compile(r"claude-haiku-4-5")


def anthropic_error(status: int, message: str, *, error_code: str | None = None) -> Answer:
    error: dict[str, object] = {"type": TYPES.get(status, "api_error"), "message": message}
    if error_code is not None:
        error["details"] = {"error_code": error_code}
    body = {"type": "error", "error": error, "request_id": REQUEST_ID}
    return json_answer(body, status=status, headers=(("request-id", REQUEST_ID),))


def refusals(seen: SeenRequest) -> Refusals:
    """Why this request is refused, in the order in which the service would notice."""
    if seen.route != "/v1/messages" or seen.method != "POST":
        yield anthropic_error(404, "Not Found")
    yield from _login(seen) if _is_login(seen) else _key(seen)
    yield from _version(seen)
    if not isinstance(seen.body, dict):
        yield anthropic_error(400, "The request body is not valid JSON.")
    for name in sorted(seen.fields.keys() - PARAMETERS):
        yield anthropic_error(400, f"{name}: Extra inputs are not permitted")
    yield from _fields(seen)
    for index, tool in enumerate(elements(seen.fields.get("tools"))):
        yield from _tool(f"tools.{index}", members(tool), string(seen.fields.get("model")))


def _is_login(seen: SeenRequest) -> bool:
    return "sk-ant-oat" in (seen.bearer or "")


def _key(seen: SeenRequest) -> Refusals:
    given = seen.headers.get("x-api-key", seen.bearer)
    if given != key_of("anthropic"):
        yield anthropic_error(
            401, "x-api-key header is required" if given is None else "invalid x-api-key"
        )


def _login(seen: SeenRequest) -> Refusals:
    if seen.bearer != ANTHROPIC_LOGIN:
        yield anthropic_error(401, "Invalid bearer token")
    if LOGIN_BETA not in seen.headers.get("anthropic-beta", ""):
        yield anthropic_error(401, "OAuth authentication is currently not supported.")
    agent = LOGIN_AGENT.match(seen.headers.get("user-agent", ""))
    if agent is None or tuple(int(number) for number in agent.groups()) < OLDEST_AGENT:
        code = "claude_code_version_too_old"
        yield anthropic_error(400, "This version of Claude Code is too old.", error_code=code)
    systems = [members(block).get("text") for block in elements(seen.fields.get("system"))]
    if LOGIN_SYSTEM not in systems[:1]:
        yield anthropic_error(429, "Error")


def _version(seen: SeenRequest) -> Refusals:
    version = seen.headers.get("anthropic-version")
    if version is None:
        yield anthropic_error(400, "anthropic-version: header is required")
    if version not in VERSIONS:
        yield anthropic_error(400, f'anthropic-version: "{version}" is not a valid version')
    for name in sorted(SAMPLING & seen.fields.keys()):
        if version == UNSAMPLED_VERSION:
            yield anthropic_error(400, f"{name}: Extra inputs are not permitted")


def _fields(seen: SeenRequest) -> Refusals:
    for name in ("model", "max_tokens", "messages"):
        if name not in seen.fields:
            yield anthropic_error(400, f"{name}: Field required")
    most = seen.fields["max_tokens"]
    if not isinstance(most, int) or most < 1:
        yield anthropic_error(400, "max_tokens: Input should be greater than or equal to 1")
    if not question(seen):
        yield anthropic_error(400, "messages: at least one message is required")
    model = string(seen.fields["model"])
    if not model.startswith("claude-") or RETIRED.match(model):
        yield anthropic_error(404, f"model: {model}")


def _tool(where: str, tool: Mapping[str, object], model: str) -> Refusals:
    kind = string(tool.get("type"))
    if kind not in SEARCH_TOOLS:
        expected = ", ".join(f"'{each}'" for each in ("custom", *SEARCH_TOOLS))
        why = f"Input tag '{kind}' found using 'type' does not match any of the expected tags"
        yield anthropic_error(400, f"{where}: {why}: {expected}")
    if tool.get("name") != "web_search":
        yield anthropic_error(400, f"{where}.{kind}.name: Input should be 'web_search'")
    for name in sorted(tool.keys() - TOOL_FIELDS):
        yield anthropic_error(400, f"{where}.{kind}.{name}: Extra inputs are not permitted")
    if tool.get("allowed_domains") and tool.get("blocked_domains"):
        message = "only one of allowed_domains and blocked_domains may be given"
        yield anthropic_error(400, f"{where}: {message}")
    directly = kind == CALLED_DIRECTLY or tool.get("allowed_callers") == ["direct"]
    if NOT_PROGRAMMABLE.match(model) and not directly:
        yield anthropic_error(400, f"'{model}' does not support programmatic tool calling.")


def question(seen: SeenRequest) -> str:
    """What the last message asks."""
    messages = elements(seen.fields.get("messages"))
    content = members(messages[-1]).get("content") if messages else None
    blocks = [string(members(block).get("text")) for block in elements(content)]
    return string(content) or "\n".join(blocks)

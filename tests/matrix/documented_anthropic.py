"""What Anthropic's Messages interface is known to answer, and what it means."""

from collections.abc import Iterator, Mapping

from tests.matrix.answers import CALL, FOUND, SAID, STARTED, block, stopped
from tests.matrix.documented_responses import COPILOT, OPENCODE, Errors, of_statuses
from tests.matrix.documented_rest import OK, M, P, R
from tests.matrix.faults import PAGE, End, Fault, answers, as_json, event, streams
from tests.matrix.recorded import recorded


def error(kind: str, message: str, code: str | None = None) -> Mapping[str, object]:
    details = {"details": {"error_code": code}} if code else {}
    return {"type": "error", "error": {"type": kind, "message": message} | details}


INVALID = "invalid_request_error"
TAG = "tools.0: Input tag 'web_search_20260209' found using 'type' does not match any of the tags"

ERRORS: Errors = (
    (400, error(INVALID, "'claude-x' does not support programmatic tool calling."), M),
    (400, error(INVALID, TAG), P),
    (400, error(INVALID, "Your credit balance is too low to access the Anthropic API."), P),
    (400, error(INVALID, "Web search is disabled for this organization."), P),
    (400, error(INVALID, "The following domains are not accessible to our user agent"), P),
    (400, error(INVALID, "Update", "claude_code_version_too_old"), P),
    (400, error(INVALID, "On hold", "organization_on_hold"), P),
    (401, error("authentication_error", "invalid x-api-key"), P),
    (402, error("billing_error", "Payment required"), P),
    (403, error("permission_error", "Web search is disabled for this model's organization"), P),
    (403, error("permission_error", "Your API key does not have permission"), P),
    (403, error("permission_error", "No access to model claude-x"), M),
    (404, error("not_found_error", "model: claude-x"), M),
    (404, error("not_found_error", "Not found"), P),
    (404, PAGE, P),
    (413, error("request_too_large", "Request exceeds the maximum size"), R),
    (413, PAGE, R),
    (429, error("rate_limit_error", "Number of requests exceeded", "ramp_limit_exceeded"), P),
    (500, error("api_error", "Internal server error"), P),
    (504, error("timeout_error", "Timed out"), P),
    (529, error("overloaded_error", "Overloaded"), P),
    (529, error("overloaded_error", "The model claude-x is overloaded"), M),
)

FAILED = {
    "type": "web_search_tool_result",
    "tool_use_id": "s1",
    "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"},
}
EMPTY = FOUND | {"content": []}
SEARCHED = STARTED + block(0, CALL) + block(1, FOUND)
OVERLOADED = event(error("overloaded_error", "Overloaded"))

STREAMS: tuple[tuple[str, bytes, End], ...] = (
    ("an overload as the first event", OVERLOADED, P),
    ("an overload after results", SEARCHED + SAID + OVERLOADED, P),
    ("a bad key as an event", event(error("authentication_error", "bad")), P),
    ("a missing model as an event", event(error("not_found_error", "model: x")), M),
    ("a large request as an event", event(error("request_too_large", "large")), R),
    ("text without a search", STARTED + SAID + stopped("end_turn"), M),
    ("a call without a result", STARTED + block(0, CALL) + stopped("pause_turn"), M),
    ("a failed search", STARTED + block(0, CALL) + block(1, FAILED) + stopped("end_turn"), M),
    ("a failed search beside a good one", SEARCHED + block(3, FAILED) + stopped("end_turn"), OK),
    ("no hits", STARTED + block(0, CALL) + block(1, EMPTY) + stopped("end_turn"), OK),
    ("a refusal", STARTED + stopped("refusal"), R),
    ("a refusal after results", SEARCHED + stopped("refusal"), R),
    ("too few tokens, with results", SEARCHED + stopped("max_tokens"), OK),
    ("too few tokens, without", STARTED + stopped("max_tokens"), M),
    ("a pause with results", SEARCHED + stopped("pause_turn"), OK),
    ("no end of the message", SEARCHED + SAID + stopped("end_turn").partition(b"\n\n")[0], P),
)

RECORDED = {
    "anthropic-err-400-credit": P,
    "anthropic-err-400-tool-tag": P,
    "anthropic-err-400-tool-version-model": M,
    "anthropic-err-401": P,
    "anthropic-err-402": P,
    "anthropic-err-403-web-search-disabled": P,
    "anthropic-err-403": P,
    "anthropic-err-404-model": M,
    "anthropic-err-413": R,
    "anthropic-err-429": P,
    "anthropic-err-529": P,
}


def documented_anthropic() -> Iterator[Fault]:
    """Errors by status, those of the two gateways, and what a stream can end with."""
    yield from of_statuses((*ERRORS, *COPILOT, *OPENCODE))
    for name, body, end in STREAMS:
        yield streams(name, end, body)
    yield from recorded(RECORDED)
    document = as_json(error("overloaded_error", "Overloaded"))
    yield answers("an error instead of a stream", End.PROVIDER, 200, document)

"""What the six Responses interfaces are known to answer, and what it means.

Each of them gets every row: gateways pass on the errors of others, and the rules are the same.
"""

from collections.abc import Iterator, Mapping

from tests.matrix.answers import SEARCH_ITEM, message
from tests.matrix.documented_rest import OK, M, P, R
from tests.matrix.faults import PAGE, End, Fault, answers, as_json, streams

Errors = tuple[tuple[int, object, End], ...]


def error(text: str, code: str | None = None, **more: object) -> Mapping[str, object]:
    return {"error": {"message": text, "code": code, "type": "invalid_request_error"} | more}


def gateway(kind: str, message: str) -> Mapping[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}}


HOSTED = "Hosted tool 'web_search' is not supported with gpt-4.1-nano-2025-04-14."
EFFORT = "The following tools cannot be used with reasoning.effort 'minimal': web_search."
TPM = "Rate limit reached for gpt-5-mini in organization org-1 on tokens per min (TPM): Limit 1."
NO_MODEL = "The model `x` does not exist or you do not have access to it."
INNER = {"code": "ResponsibleAIPolicyViolation"}
CODEX_MODEL = "The 'x' model is not supported when using Codex with a ChatGPT account."
INTEGRATOR = 'The requested model is not available for integrator "x". Verify the header'
SPENT = "personal-team-blocked:spending-limit"

OPENAI: Errors = (
    (400, error("Invalid type for 'input'", "invalid_type"), P),
    (400, error(HOSTED, param="tools"), M),
    (400, error(EFFORT, param="tools"), M),
    (400, error("Your organization must be verified to stream this model", param="stream"), M),
    (400, error("Unsupported value with this model", "unsupported_value", param="temperature"), M),
    (400, error("Unknown parameter", "unknown_parameter", param="tools[0].x"), P),
    (400, error("Invalid prompt", "invalid_prompt"), R),
    (400, error("Flagged", "cyber_policy"), R),
    (400, error("Too long", "context_length_exceeded"), M),
    (401, error("Incorrect API key provided: sk-...abcd", "invalid_api_key"), P),
    (403, error("Project `p` does not have access to model `x`", "model_not_found"), M),
    (403, error("Country not supported", "unsupported_country_region_territory"), P),
    (404, error(NO_MODEL, "model_not_found"), M),
    (404, error(NO_MODEL), M),
    (404, error("Invalid URL (POST /v1/x)"), P),
    (404, PAGE, P),
    (408, error("Timeout"), P),
    (409, error("Conflict"), P),
    (413, PAGE, R),
    (429, error("You exceeded your current quota", "insufficient_quota"), P),
    (429, error("No credit", "credit_balance_exhausted"), P),
    (429, error(TPM, "rate_limit_exceeded", type="tokens"), M),
    (429, error("Too many requests", "rate_limit_exceeded"), P),
    (429, error("Limit", "subscription_sharing_usage_limit_exceeded"), P),
    (500, error("The server had an error", "server_error"), P),
    (503, error("Slow down", "slow_down"), P),
)
AZURE: Errors = (
    (401, {"error": {"code": "401", "message": "Access denied due to invalid key"}}, P),
    (404, {"error": {"code": "DeploymentNotFound", "message": "It does not exist"}}, M),
    (400, {"error": {"code": "BadRequest", "message": "API version not supported"}}, P),
    (400, error("Filtered", "content_filter", param="prompt", status=400, innererror=INNER), R),
    (400, error("Filtered", innererror=INNER), R),
    (500, {"error": {"code": "BackendNotSet", "message": "None"}}, P),
)
CODEX: Errors = (
    (400, {"detail": "Store must be set to false"}, P),
    (400, {"detail": CODEX_MODEL}, M),
    (401, {"detail": "Could not parse your authentication token"}, P),
    (429, {"error": {"type": "usage_limit_reached", "message": "Reached", "resets_at": 1}}, P),
    (429, {"error": {"type": "usage_not_included", "message": "Not in the plan"}}, P),
)
COPILOT: Errors = (
    (400, error("The requested model is not supported.", "model_not_supported"), M),
    (400, error(INTEGRATOR), M),
    (400, error("Not here", "unsupported_api_for_model"), M),
    (400, error("model x is not accessible via the /chat/completions endpoint"), M),
    (400, error("The use of the web search tool is not supported.", "unsupported_value"), M),
    (401, "IDE token expired: unauthorized: token expired", P),
    (402, {"error": {"message": "You have no quota", "code": "quota_exceeded"}}, P),
    (403, "access to this endpoint is forbidden", P),
    (421, "Misdirected Request", P),
    (429, "", P),
)
OPENCODE: Errors = (
    (401, gateway("AuthError", "Invalid API key."), P),
    (401, gateway("CreditsError", "Insufficient balance."), P),
    (401, gateway("MonthlyLimitError", "Limit"), P),
    (401, gateway("UserLimitError", "Limit"), P),
    (401, gateway("ModelError", "Model x is not supported"), M),
    (403, gateway("RegionError", "Not in your region"), M),
    (429, gateway("RateLimitError", "Rate limit exceeded"), P),
    (429, gateway("GoUsageLimitError", "Limit"), P),
    (429, gateway("FreeUsageLimitError", "Limit"), M),
    (400, gateway("invalid_request_error", f"Error from provider (X): {HOSTED}"), M),
    (400, gateway("MissingSessionID", "Request is missing x-opencode-session"), P),
    (402, {"error": {"message": "Insufficient Balance", "type": "unknown_error"}}, P),
    (500, gateway("error", "Internal server error"), P),
)
XAI: Errors = (
    (400, {"code": "invalid-argument", "error": "Incorrect API key provided: xa***"}, P),
    (400, {"code": "400", "error": "Argument not supported: include"}, P),
    (400, {"code": "x", "error": "Model does not support parameter reasoningEffort"}, M),
    (400, {"code": "x", "error": "reasoning effort unsupported for this model"}, M),
    (401, {"code": "unauthenticated:bad", "error": "No credentials"}, P),
    (403, {"code": "permission-denied", "error": "You used all available credits"}, P),
    (403, {"code": SPENT, "error": "Limit"}, P),
    (404, {"code": "x", "error": "The model x does not exist or your team t has no access"}, M),
    (404, {"code": "x", "error": "No handler found on route"}, P),
    (410, {"error": "Live search is deprecated."}, P),
    (422, "Failed to deserialize: invalid ModelToolChoice", P),
    (429, {"code": "x", "error": "doesn't have any credits or licenses yet"}, P),
)
ERRORS: Errors = (*OPENAI, *AZURE, *CODEX, *COPILOT, *OPENCODE, *XAI)

ITEM = {"type": "response.output_item.done", "output_index": 0, "item": SEARCH_ITEM}


def final(name: str, output: object = (), **more: object) -> Mapping[str, object]:
    response = {"status": name, "output": list(output) if isinstance(output, tuple) else output}
    return {"type": f"response.{name}", "response": response | more}


def failed(code: str) -> Mapping[str, object]:
    return final("failed", error={"code": code, "message": "It failed"})


UNEXPLAINED = final("failed", error=None)
FILTERED = final("incomplete", incomplete_details={"reason": "content_filter"})
CUT = final("incomplete", incomplete_details={"reason": "max_output_tokens"})
REFUSED = {"type": "message", "content": [{"type": "refusal", "refusal": "I cannot help"}]}

STREAMS: tuple[tuple[tuple[object, ...], End], ...] = (
    ((ITEM, failed("server_error")), P),
    ((failed("rate_limit_exceeded"),), P),
    ((failed("invalid_prompt"),), R),
    ((failed("model_not_found"),), M),
    ((failed("never_heard_of"),), P),
    ((UNEXPLAINED,), P),
    ((UNEXPLAINED, {"type": "error", "error": {"code": "content_policy_violation"}}), R),
    ((UNEXPLAINED, {"type": "error", "code": "model_not_found", "message": "x"}), M),
    ((final("completed", (message("Hello!"),)),), M),
    ((final("completed"),), M),
    ((final("completed", (SEARCH_ITEM | {"status": "failed"},)),), M),
    ((ITEM, final("completed", (SEARCH_ITEM, REFUSED))), R),
    ((ITEM, {"type": "response.completed", "response": {"status": "failed"}}), P),
    ((ITEM, {"type": "response.completed", "response": {"status": "cancelled"}}), P),
    ((ITEM, FILTERED), R),
    ((ITEM, CUT), OK),
    ((CUT,), M),
    ((ITEM, {"type": "response.done", "response": {}}), OK),
    ((ITEM,), P),
    ((ITEM, {"type": "error", "code": "server_error", "message": "x", "param": None}), P),
    ((ITEM, {"type": "error", "error": {"code": "insufficient_quota", "message": "x"}}), P),
    (({"type": "error", "status": 400, "error": {"message": CODEX_MODEL}},), M),
    (({"error": {"message": "A gateway's error"}},), P),
    (({"error": "A gateway's error"},), P),
    (({"type": "error", "error": {"type": "usage_limit_reached"}, "status_code": 429},), P),
)


def documented_responses() -> Iterator[Fault]:
    """Errors by status, as events, as documents, and what a stream can end with."""
    yield from of_statuses(ERRORS)
    for number, (events, end) in enumerate(STREAMS):
        yield streams(f"events {number}: {events[-1]!r}", end, *events)
    whole = {"object": "response", "status": "completed", "output": [SEARCH_ITEM]}
    yield answers("a whole response", End.SERVED, 200, as_json(whole))
    unsure = as_json(error(NO_MODEL, "model_not_found"))
    yield answers("an error instead of a stream", End.MODEL, 200, unsure)


def of_statuses(rows: Errors) -> Iterator[Fault]:
    """Rows of a table of errors."""
    for number, (status, body, end) in enumerate(rows):
        yield answers(f"row {number}: {status} {body!r}", end, status, body)

"""What the errors of the Responses interfaces mean, body by body."""

import json

import pytest

from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import AttemptFailure, Scope, Skipped, scope_of
from native_web_search.ports.http import ResponseHead

PROVIDER, MODEL, REQUEST = Scope.PROVIDER, Scope.MODEL, Scope.REQUEST


def openai(
    message: str, *, kind: str | None = None, code: str | None = None, **more: object
) -> str:
    """An error body in OpenAI's shape."""
    error = {"message": message, "type": kind or "invalid_request_error", "param": None}
    return json.dumps({"error": error | {"code": code} | more})


def xai(code: str | None, error: str) -> str:
    """An error body in xAI's shape."""
    return json.dumps({"code": code, "error": error} if code else {"error": error})


def opencode(kind: str, message: str, **more: object) -> str:
    """An error body in OpenCode's shape."""
    return json.dumps({"type": "error", "error": {"type": kind, "message": message} | more})


def detail(text: str) -> str:
    """An error body in Codex's shape."""
    return json.dumps({"detail": text})


def failure_of(status: int, body: str) -> AttemptFailure:
    """What an error response amounts to."""
    told = decoded(OPENAI.search.decoder(), body.encode(), head=ResponseHead(status)).failure()
    assert not isinstance(told, Skipped)
    return told


RATE = "Rate limit reached for gpt-4.1-mini in organization org-1 on tokens per min (TPM): Limit"
NO_ACCESS = "The model `gpt-9` does not exist or you do not have access to it."

OPENAI_ERRORS = [
    (401, openai("Incorrect API key provided: sk-1.", code="invalid_api_key"), PROVIDER),
    (403, openai("Project `p` does not have access to model `m`", code="model_not_found"), MODEL),
    (403, openai("Project `p` does not have access to model `m`"), MODEL),
    (403, openai("Not here", code="unsupported_country_region_territory"), PROVIDER),
    (404, openai(NO_ACCESS, code="model_not_found"), MODEL),
    (404, openai(NO_ACCESS), MODEL),
    (404, openai("Invalid URL (POST /v1/v1/responses)"), PROVIDER),
    (404, "", PROVIDER),
    (
        400,
        openai(
            "Hosted tool 'web_search' is not supported with gpt-4.1-nano-2025-04-14.", param="tools"
        ),
        MODEL,
    ),
    (
        400,
        openai(
            "The following tools cannot be used with reasoning.effort 'minimal': web_search.",
            param="tools",
        ),
        MODEL,
    ),
    (
        400,
        openai(
            "Your organization must be verified to stream this model. Please go to: x",
            param="stream",
            code="unsupported_value",
        ),
        MODEL,
    ),
    (
        400,
        openai(
            "Unsupported value: 'none' is not supported with this model.",
            param="reasoning.effort",
            code="unsupported_value",
        ),
        MODEL,
    ),
    (
        422,
        openai("Unsupported parameter: 'x' with this model.", param="text.verbosity"),
        MODEL,
    ),
    (400, openai("Unsupported value with this model.", param="input"), PROVIDER),
    (400, openai("Unsupported value.", param="temperature", code="unsupported_value"), PROVIDER),
    (500, openai("An error, with this model.", param="tools"), PROVIDER),
    (400, openai("Unknown parameter: 'x'.", code="unknown_parameter", param="x"), PROVIDER),
    (400, openai("Too long for the model", code="context_length_exceeded"), MODEL),
    (429, openai("You exceeded your current quota", kind="insufficient_quota"), PROVIDER),
    (429, openai("m", code="credit_balance_exhausted"), PROVIDER),
    (429, openai(RATE, kind="insufficient_quota"), PROVIDER),
    (429, openai(RATE, kind="tokens", code="rate_limit_exceeded"), MODEL),
    (429, openai("Rate limit reached for all. Retry on Monday"), PROVIDER),
    (
        429,
        openai("Slow down, on all counts", kind="requests", code="rate_limit_exceeded"),
        PROVIDER,
    ),
    (429, openai("m", code="subscription_sharing_usage_limit_exceeded"), PROVIDER),
    (400, openai("m", code="invalid_prompt"), REQUEST),
    (400, openai("m", code="bio_policy"), REQUEST),
    (400, openai("m", code="misalignment_policy_violation"), REQUEST),
    (413, openai("Request too large"), REQUEST),
    (408, "", PROVIDER),
    (409, openai("m"), PROVIDER),
    (503, openai("m", code="slow_down"), PROVIDER),
    (500, openai("m", code="server_is_overloaded"), PROVIDER),
    (502, "<html>Bad gateway</html>", PROVIDER),
]

AZURE_ERRORS = [
    (401, '{"error":{"code":"401","message":"Access denied due to invalid key"}}', PROVIDER),
    (
        404,
        '{"error":{"code":"DeploymentNotFound","message":"The API deployment does not exist."}}',
        MODEL,
    ),
    (400, '{"error":{"code":"BadRequest","message":"API version not supported"}}', PROVIDER),
    (400, openai("m", code="content_filter", param="prompt", status=400), REQUEST),
    (400, openai("m", innererror={"code": "ResponsibleAIPolicyViolation"}), REQUEST),
    (500, '{"error":{"code":"BackendNotSet","message":"m"}}', PROVIDER),
]

CODEX_ERRORS = [
    (400, detail("Store must be set to false"), PROVIDER),
    (400, detail("Instructions are required"), PROVIDER),
    (400, detail("Unsupported parameter: max_output_tokens"), PROVIDER),
    (
        400,
        detail("The 'gpt-9' model is not supported when using Codex with a ChatGPT account."),
        MODEL,
    ),
    (400, openai("m", code="cyber_policy"), REQUEST),
    (401, detail("Unauthorized"), PROVIDER),
    (
        429,
        '{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached"}}',
        PROVIDER,
    ),
    (429, '{"error":{"type":"usage_not_included","message":"m"}}', PROVIDER),
]

COPILOT_ERRORS = [
    (400, openai("The requested model is not supported.", code="model_not_supported"), MODEL),
    (400, openai("The requested model is not supported."), MODEL),
    (
        400,
        'The requested model is not available for integrator "x". Verify the correct header',
        MODEL,
    ),
    (400, openai("m", code="unsupported_api_for_model"), MODEL),
    (400, openai("model m is not accessible via the /chat/completions endpoint"), MODEL),
    (
        400,
        openai(
            "The use of the web search tool is not supported.",
            code="unsupported_value",
            param="tools",
        ),
        MODEL,
    ),
    (401, "IDE token expired: unauthorized: token expired", PROVIDER),
    (402, '{"error":{"message":"You have no quota","code":"quota_exceeded"}}', PROVIDER),
    (403, "access to this endpoint is forbidden", PROVIDER),
    (421, "Misdirected Request", PROVIDER),
    (429, "rate limited", PROVIDER),
]

OPENCODE_ERRORS = [
    (401, opencode("AuthError", "Missing API key."), PROVIDER),
    (401, opencode("CreditsError", "Insufficient balance."), PROVIDER),
    (401, opencode("MonthlyLimitError", "m"), PROVIDER),
    (401, opencode("UserLimitError", "m"), PROVIDER),
    (401, opencode("ModelError", "Model x is not supported"), MODEL),
    (403, opencode("RegionError", "m"), MODEL),
    (429, opencode("RateLimitError", "m"), PROVIDER),
    (429, opencode("GoUsageLimitError", "m", metadata={"limitName": "weekly"}), PROVIDER),
    (429, opencode("FreeUsageLimitError", "m"), MODEL),
    (400, openai(f"Error from provider (X): {NO_ACCESS}"), MODEL),
    (400, opencode("MissingSessionID", "Request is missing x-opencode-session"), PROVIDER),
    (402, openai("Insufficient Balance", kind="unknown_error", code="invalid_request"), PROVIDER),
    (500, opencode("error", "Internal server error"), PROVIDER),
]

XAI_ERRORS = [
    (400, xai("invalid-argument", "Incorrect API key provided: xai-1"), PROVIDER),
    (401, xai("unauthenticated:bad-credentials", "m"), PROVIDER),
    (403, xai("permission-denied", "used all available credits"), PROVIDER),
    (403, xai("personal-team-blocked:spending-limit", "m"), PROVIDER),
    (
        404,
        xai(
            "Some requested entity was not found",
            "The model m does not exist or your team t does not have access to it.",
        ),
        MODEL,
    ),
    (404, xai("Some requested entity was not found", "No handler found on route"), PROVIDER),
    (400, xai("400", "Argument not supported: include"), PROVIDER),
    (400, xai("400", "Model m does not support parameter reasoningEffort."), MODEL),
    (400, xai("400", "reasoning effort unsupported for this model"), MODEL),
    (410, xai(None, "Live search is deprecated."), PROVIDER),
    (422, "Failed to deserialize: invalid ModelToolChoice", PROVIDER),
]


@pytest.mark.parametrize(
    ("status", "body", "scope"),
    [
        pytest.param(*error, marks=pytest.mark.rule(rule))
        for rule, errors in (
            ("responses.40", OPENAI_ERRORS),
            ("azure.9", AZURE_ERRORS),
            ("codex.8", CODEX_ERRORS),
            ("copilot.7", COPILOT_ERRORS),
            ("opencode.4", OPENCODE_ERRORS),
            ("xai.4", XAI_ERRORS),
        )
        for error in errors
    ],
)
def test_an_error_body_reaches_as_far_as_it_should(status: int, body: str, scope: Scope) -> None:
    """Codes first, then phrases, then the status; and the message is never empty."""
    failure = failure_of(status, body)
    assert scope_of(failure) is scope
    assert failure.message.strip()


@pytest.mark.rule("responses.41")
def test_a_message_carries_the_providers_words() -> None:
    """Whatever the shape of the body, its text is what a reader sees, so that a missing credit
    does not read like a bad key.
    """
    spoken = "used all available credits"
    for body in (xai("permission-denied", spoken), openai(spoken), detail(spoken), spoken):
        assert failure_of(403, body).message == f"HTTP 403: {spoken}"


@pytest.mark.rule("responses.41")
def test_digits_in_a_text_mean_nothing() -> None:
    """Only fields and known phrases are read."""
    assert scope_of(failure_of(500, "404 429 model 413")) is Scope.PROVIDER


@pytest.mark.rule("responses.40")
@pytest.mark.parametrize("field", ["code", "type"])
def test_codes_are_found_under_both_names(field: str) -> None:
    """Some servers say code, some say type; the case of letters does not matter."""
    body = json.dumps({"error": {"message": "m", field: "MODEL_NOT_FOUND"}})
    assert scope_of(failure_of(400, body)) is Scope.MODEL

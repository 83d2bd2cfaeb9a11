"""How each provider of the Responses API says no."""

from http import HTTPStatus
from typing import TypedDict, Unpack

from native_web_search.adapters.simulator.exchange import Answer, compact, json_answer

BAD_REQUEST = "invalid_request_error"
BAD_REQUESTS = frozenset({400, 422})

# What the providers call an error when only its status is known.
TYPES = {
    401: "authentication_error",
    402: "insufficient_quota",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_exceeded",
}
OPENCODE_TYPES = {401: "AuthError", 402: "CreditsError", 403: "RegionError", 429: "RateLimitError"}
XAI_CODES = {400: "invalid-argument", 403: "permission-denied"}


class Signs(TypedDict, total=False):
    """The structured fields of an error."""

    type: str
    code: str
    param: str


def refusal(provider: str, status: int, message: str, **signs: Unpack[Signs]) -> Answer:
    """An error in the provider's own shape; a sign that the shape has no place for is lost."""
    usual = BAD_REQUEST if status in BAD_REQUESTS else TYPES.get(status, "server_error")
    kind = signs.get("type", usual)
    match provider:
        case "azure":
            error = {"code": str(status), "message": message, **signs}
            return json_answer({"error": error}, status=status)
        case "openai-codex" if status in BAD_REQUESTS:
            return json_answer({"detail": message}, status=status)
        case "openai-codex":
            return json_answer({"error": {"type": kind, "message": message}}, status=status)
        case "opencode":
            error = {"type": OPENCODE_TYPES.get(status, kind), "message": message, **signs}
            return Answer(status, "text/plain", (compact({"type": "error", "error": error}),))
        case "xai":
            code = signs.get("code", XAI_CODES.get(status, str(status)))
            return json_answer({"code": code, "error": message}, status=status)
        case _:
            named = {"type": kind, "param": signs.get("param"), "code": signs.get("code")}
            return json_answer({"error": {"message": message, **named}}, status=status)


def no_such_model(provider: str, model: str) -> Answer:
    """What the provider says about a model that it does not have."""
    match provider:
        case "azure":
            message = "The API deployment for this resource does not exist."
            return refusal(provider, 404, message, code="DeploymentNotFound")
        case "openai-codex":
            why = "is not supported when using Codex with a ChatGPT account."
            return refusal(provider, 400, f"The '{model}' model {why}")
        case "github-copilot":
            message = "The requested model is not supported."
            return refusal(provider, 400, message, code="model_not_supported", param="model")
        case "opencode":
            return refusal(provider, 401, f"Model {model} is not supported", type="ModelError")
        case "xai":
            why = "does not exist or your team does not have access to it."
            code = "Some requested entity was not found"
            return refusal(provider, 404, f"The model {model} {why}", code=code)
        case _:
            message = f"The model `{model}` does not exist or you do not have access to it."
            return refusal(
                provider, 404, message, type="invalid_request_error", code="model_not_found"
            )


def phrase(status: int) -> str:
    """The words of a status, also of those that only some providers use."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Error {status}"

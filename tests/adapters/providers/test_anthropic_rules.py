"""How far the errors of Anthropic's Messages interface reach."""

import json
from pathlib import Path

import pytest

from native_web_search.adapters.providers import anthropic
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import (
    AttemptFailure,
    ProviderRefused,
    Scope,
    Skipped,
    scope_of,
)
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import ResponseHead

STREAMS = Path(__file__).parents[2] / "streams"

ERRORS = [
    (Scope.MODEL, 400, "invalid_request_error", "'x' does not support programmatic tool calling."),
    (Scope.PROVIDER, 400, "invalid_request_error", "tools.0: Input tag 'web_search_20260209' …"),
    (Scope.PROVIDER, 400, "invalid_request_error", "Your credit balance is too low"),
    (Scope.PROVIDER, 403, "permission_error", "Web search is disabled for all your models."),
    (Scope.PROVIDER, 400, "invalid_request_error", "max_tokens: too large for this model"),
    (Scope.PROVIDER, 401, "authentication_error", "invalid x-api-key"),
    (Scope.PROVIDER, 402, "billing_error", "There is a problem with your billing details."),
    (Scope.PROVIDER, 403, "permission_error", "Web search is disabled for this organization."),
    (Scope.PROVIDER, 403, "permission_error", "Your API key does not have permission to use it."),
    (Scope.MODEL, 403, "permission_error", "You have no access to model claude-opus-5-5"),
    (Scope.MODEL, 404, "not_found_error", "model: claude-x"),
    (Scope.PROVIDER, 404, "not_found_error", "Not Found"),
    (Scope.REQUEST, 413, "request_too_large", "Request exceeds the maximum size"),
    (Scope.PROVIDER, 429, "rate_limit_error", "Error"),
    (Scope.PROVIDER, 500, "api_error", "Internal server error"),
    (Scope.PROVIDER, 504, "timeout_error", "Request timed out"),
    (Scope.PROVIDER, 529, "overloaded_error", "Overloaded"),
    (Scope.MODEL, 529, "overloaded_error", "The model is overloaded"),
]


@pytest.mark.rule("anthropic.18")
@pytest.mark.parametrize(("scope", "status", "kind", "message"), ERRORS)
def test_an_error_response(scope: Scope, status: int, kind: str, message: str) -> None:
    """The table of errors."""
    failure = failure_of(status, error_of(kind, message))
    assert scope_of(failure) is scope
    assert failure.message == f"HTTP {status}: {message}"


@pytest.mark.rule("anthropic.17")
@pytest.mark.parametrize(("scope", "status", "kind", "message"), ERRORS)
def test_an_error_event(scope: Scope, status: int, kind: str, message: str) -> None:
    """The same error inside a success reaches as far, its type standing for the status."""
    event = b"event: error\ndata: " + json.dumps(error_of(kind, message)).encode() + b"\n\n"
    failure = failure_in(decoded(anthropic.CODEC.search.decoder(), event))
    assert scope_of(failure) is scope
    assert failure.message == message


@pytest.mark.rule("anthropic.18")
@pytest.mark.parametrize(
    ("scope", "status", "error"),
    [
        (Scope.MODEL, 401, {"type": "ModelError", "message": "Model x is not supported"}),
        (Scope.PROVIDER, 401, {"type": "CreditsError", "message": "Insufficient balance."}),
        (Scope.MODEL, 429, {"type": "FreeUsageLimitError", "message": "Limit"}),
        (Scope.MODEL, 400, {"code": "model_not_supported", "message": "Not supported."}),
        (Scope.MODEL, 400, {"message": "Error from provider (Anthropic): model: claude-x"}),
        (Scope.MODEL, 404, {"message": "The model `x` does not exist"}),
        (Scope.REQUEST, 413, {"message": "Payload Too Large"}),
    ],
)
def test_an_error_of_a_gateway(scope: Scope, status: int, error: dict[str, object]) -> None:
    """Gateways have words of their own."""
    assert scope_of(failure_of(status, {"type": "error", "error": error})) is scope


@pytest.mark.rule("anthropic.18")
@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("400-credit", Scope.PROVIDER),
        ("400-tool-version-model", Scope.MODEL),
        ("400-tool-tag", Scope.PROVIDER),
        ("401", Scope.PROVIDER),
        ("402", Scope.PROVIDER),
        ("403", Scope.PROVIDER),
        ("403-web-search-disabled", Scope.PROVIDER),
        ("404-model", Scope.MODEL),
        ("413", Scope.REQUEST),
        ("429", Scope.PROVIDER),
        ("529", Scope.PROVIDER),
    ],
)
def test_a_recorded_error_body(name: str, scope: Scope) -> None:
    """Whole error bodies with their headers."""
    recorded = json.loads((STREAMS / f"anthropic-err-{name}.json").read_text("utf-8"))
    failure = failure_of(recorded["status"], recorded["body"], **recorded["headers"])
    assert scope_of(failure) is scope
    assert recorded["body"]["error"]["message"] in failure.message
    if isinstance(failure, ProviderRefused):
        assert failure.retry_after == (17.0 if name == "429" else None)


def error_of(kind: str, message: str) -> dict[str, object]:
    """An error as Anthropic writes it."""
    error = {"type": kind, "message": message, "details": None}
    return {"type": "error", "error": error, "request_id": "req_1"}


def failure_of(status: int, body: object, **headers: str) -> AttemptFailure:
    """The failure of a search that was answered with an error response."""
    answered = json.dumps(body).encode()
    head = ResponseHead(status, headers)
    return failure_in(decoded(anthropic.CODEC.search.decoder(), answered, head=head))


def failure_in(outcome: SearchOutcome) -> AttemptFailure:
    """The failure of an attempt that was made."""
    failure = outcome.failure()
    assert not isinstance(failure, Skipped)
    return failure

"""What Google's errors, blocks and finish reasons mean."""

import json
from pathlib import Path

import pytest

from native_web_search.adapters.providers import gemini
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.google_events import (
    event,
    google_stream,
    url_entry,
    url_metadata,
)
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    NotSearched,
    ProviderRefused,
    RequestRefused,
    Scope,
    Skipped,
    Unreadable,
    scope_of,
)
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome
from native_web_search.ports.http import ResponseHead

STREAMS = Path(__file__).parents[2] / "streams"
A = "https://a.example/x"


def searched(*events: object) -> SearchOutcome:
    """The outcome of a search that was answered with these events."""
    return decoded(gemini.CODEC.search.decoder(), google_stream(*events))


def fetched(urls: tuple[str, ...], *events: object) -> FetchAnswer:
    """The answer for URLs that were answered with these events."""
    assert gemini.CODEC.fetch is not None
    return decoded(gemini.CODEC.fetch.decoder(urls), google_stream(*events))


def failure_in(outcome: SearchOutcome) -> AttemptFailure:
    """The failure of an attempt that was made."""
    failure = outcome.failure()
    assert not isinstance(failure, Skipped)
    return failure


def failure_of(status: int, answered: bytes, **headers: str) -> AttemptFailure:
    """The failure of a search that was answered with an error response."""
    head = ResponseHead(status, {name.lower(): value for name, value in headers.items()})
    return failure_in(decoded(gemini.CODEC.search.decoder(), answered, head=head))


FINISHES = {
    Scope.REQUEST: [
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "LANGUAGE",
        "ESCALATION",
    ],
    Scope.MODEL: [
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MALFORMED_RESPONSE",
        "MISSING_THOUGHT_SIGNATURE",
        "OTHER",
        "NO_IMAGE",
        "IMAGE_SAFETY",
        "IMAGE_OF_THE_FUTURE",
    ],
    Scope.PROVIDER: ["PUP_LIMITED_DISABLED"],
}


@pytest.mark.rule("gemini.15")
@pytest.mark.parametrize(
    ("reason", "scope"), [(reason, scope) for scope in FINISHES for reason in FINISHES[scope]]
)
def test_a_bad_finish_fails_whatever_was_said(reason: str, scope: Scope) -> None:
    """Evidence does not help; reason and explanation are in the message."""
    told = event("half", None, grounding={"webSearchQueries": ["q"]})
    ended = {"candidates": [{"finishReason": reason, "finishMessage": "so it is"}]}
    failure = searched(told, ended).failure()
    assert isinstance(failure, RequestRefused | ModelRefused | ProviderRefused)
    assert scope_of(failure) is scope
    assert failure.message == f"the answer ended with {reason}: so it is"
    assert fetched((A,), told, ended) == FetchAnswer({}, failure)


@pytest.mark.rule("gemini.15")
@pytest.mark.parametrize(
    "reason", ["MAX_TOKENS", "CONTINUATION", "FINISH_REASON_UNSPECIFIED", "NEWS_TO_ME"]
)
def test_a_short_answer_stands_on_its_evidence(reason: str) -> None:
    """With evidence it is a success, without it no search; the same for an opened page."""
    grounded = event("a", reason, grounding={"webSearchQueries": ["q"]})
    assert searched(grounded).unwrap()["answer"] == "a"
    assert isinstance(searched(event("a", reason)).failure(), NotSearched)
    page = fetched((A,), event("a", reason, urls=url_metadata(url_entry(A))))
    assert isinstance(page.entries[0], Fetched)


@pytest.mark.rule("gemini.16")
@pytest.mark.parametrize("reason", ["SAFETY", "OTHER", "JAILBREAK", "NEWS_TO_ME"])
def test_a_blocked_prompt_is_about_the_request(reason: str) -> None:
    """It is never an outage; Google's words are kept."""
    feedback = {"blockReason": reason, "blockReasonMessage": "not\nthat"}
    assert searched({"promptFeedback": feedback}).failure() == RequestRefused(
        f"the request was blocked with {reason}: not that"
    )


@pytest.mark.rule("gemini.16")
def test_feedback_beside_an_answer_blocks_nothing() -> None:
    """Only a prompt without candidates was blocked."""
    told = event("a", grounding={"webSearchQueries": ["q"]})
    assert searched(told | {"promptFeedback": {"blockReason": "SAFETY"}}).unwrap()


def detail(kind: str, **fields: object) -> dict[str, object]:
    """One element of an error's details."""
    return {"@type": f"type.googleapis.com/google.rpc.{kind}", **fields}


ERRORS: list[tuple[Scope, int, str, str, list[object]]] = [
    (Scope.PROVIDER, 400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", []),
    (Scope.PROVIDER, 400, "INVALID_ARGUMENT", "API Key not found. Please pass a valid one.", []),
    (Scope.PROVIDER, 400, "FAILED_PRECONDITION", "User location is not supported.", []),
    (Scope.PROVIDER, 400, "INVALID_ARGUMENT", "Something else about your model request.", []),
    (Scope.MODEL, 400, "INVALID_ARGUMENT", "Search as tool is not enabled for this model", []),
    (Scope.MODEL, 400, "INVALID_ARGUMENT", "Search Grounding is not supported.", []),
    (Scope.MODEL, 400, "INVALID_ARGUMENT", "url_context is not supported for this model.", []),
    (Scope.PROVIDER, 403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers", []),
    (Scope.PROVIDER, 403, "PERMISSION_DENIED", "Your API key was reported as leaked.", []),
    (Scope.MODEL, 403, "PERMISSION_DENIED", "No permission for tuned model abc", []),
    (
        Scope.PROVIDER,
        403,
        "PERMISSION_DENIED",
        "Requests to GenerativeService and its models are blocked.",
        [detail("ErrorInfo", reason="SERVICE_DISABLED")],
    ),
    (Scope.MODEL, 404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta", []),
    (Scope.REQUEST, 413, "INVALID_ARGUMENT", "Request payload size exceeds the limit.", []),
    (Scope.PROVIDER, 429, "RESOURCE_EXHAUSTED", "Resource has been exhausted", []),
    (
        Scope.MODEL,
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota",
        [detail("Help"), detail("QuotaFailure", violations=[{"quotaId": "RequestsPerModel-Free"}])],
    ),
    (
        Scope.MODEL,
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota",
        [detail("QuotaFailure", violations=[{"quotaDimensions": {"model": "gemini-3.5-flash"}}])],
    ),
    (
        Scope.PROVIDER,
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota",
        [detail("QuotaFailure", violations=[{"quotaId": "PerProject"}, None]), 7, "odd"],
    ),
    (Scope.PROVIDER, 500, "INTERNAL", "An internal error has occurred.", []),
    (Scope.PROVIDER, 504, "DEADLINE_EXCEEDED", "Deadline expired.", []),
    (Scope.MODEL, 503, "UNAVAILABLE", "The model is overloaded. Please try again later.", []),
    (Scope.MODEL, 503, "UNAVAILABLE", "This model is experiencing high demand.", []),
    (Scope.PROVIDER, 503, "UNAVAILABLE", "The service is currently unavailable.", []),
]


@pytest.mark.rule("gemini.18")
@pytest.mark.parametrize(("scope", "status", "name", "message", "details"), ERRORS)
def test_as_a_response(
    scope: Scope, status: int, name: str, message: str, details: list[object]
) -> None:
    """The table of errors, as objects and wrapped in an array."""
    error = {"error": {"code": status, "message": message, "status": name, "details": details}}
    for whole in (error, [error]):
        failure = failure_of(status, json.dumps(whole).encode())
        assert scope_of(failure) is scope
        assert failure.message == f"HTTP {status}: {message}"


@pytest.mark.rule("gemini.17")
@pytest.mark.parametrize(("scope", "status", "name", "message", "details"), ERRORS)
def test_inside_a_success(
    scope: Scope, status: int, name: str, message: str, details: list[object]
) -> None:
    """The same errors after text, or instead of a stream, reach as far."""
    error = {"error": {"code": status, "message": message, "status": name, "details": details}}
    told = event("a", None, grounding={"webSearchQueries": ["q"]})
    for whole in (google_stream(told, error), google_stream(error), json.dumps([error]).encode()):
        failure = failure_in(decoded(gemini.CODEC.search.decoder(), whole))
        assert scope_of(failure) is scope
        assert failure.message == message


@pytest.mark.rule("gemini.17")
@pytest.mark.parametrize(
    ("scope", "status", "name", "message", "details"),
    [row for row in ERRORS if row[1] != 413],  # which has no name of its own
)
def test_by_name_alone(
    scope: Scope, status: int, name: str, message: str, details: list[object]
) -> None:
    """An error inside a stream may leave out its number."""
    error = {"error": {"message": message, "status": name, "details": details}}
    assert scope_of(failure_in(searched(error))) is scope


@pytest.mark.rule("gemini.18")
@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("400-bad-key", Scope.PROVIDER),
        ("400-location", Scope.PROVIDER),
        ("400-browse-unsupported", Scope.MODEL),
        ("400-unknown-field", Scope.PROVIDER),
        ("400-url-limit", Scope.REQUEST),
        ("401-oauth", Scope.PROVIDER),
        ("403-service-disabled", Scope.PROVIDER),
        ("403-antigravity-tos", Scope.PROVIDER),
        ("404-model", Scope.MODEL),
        ("429-per-model-quota", Scope.MODEL),
        ("429-prepay-depleted", Scope.PROVIDER),
        ("500", Scope.PROVIDER),
        ("503-overloaded", Scope.MODEL),
    ],
)
def test_recorded_bodies(name: str, scope: Scope) -> None:
    """Whole error bodies, for both operations."""
    recorded = json.loads((STREAMS / f"google-err-{name}.json").read_text("utf-8"))
    answered = json.dumps(recorded["body"]).encode()
    failure = failure_of(recorded["status"], answered, **recorded["headers"])
    assert scope_of(failure) is scope
    assert recorded["body"]["error"]["message"] in failure.message
    assert gemini.CODEC.fetch is not None
    head = ResponseHead(recorded["status"])
    answer = decoded(gemini.CODEC.fetch.decoder((A,)), answered, head=head)
    assert answer == FetchAnswer({}, failure)


@pytest.mark.rule("gemini.18")
def test_a_404_that_is_not_googles_is_a_wrong_address() -> None:
    """Nothing behind that address works."""
    page = b"<html><title>Error 404 (Not Found)!!1</title></html>"
    assert isinstance(failure_of(404, page), ProviderRefused)


@pytest.mark.rule("gemini.18")
def test_a_redirect_is_no_answer() -> None:
    """Redirects are not followed."""
    assert isinstance(failure_of(302, b"", location="https://elsewhere.example"), Unreadable)

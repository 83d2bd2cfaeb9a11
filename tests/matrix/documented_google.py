"""What Gemini and Antigravity are known to answer, and what it means on search and on fetch."""

from collections.abc import Iterator, Mapping

from native_web_search.domain.family import Operation
from tests.matrix.answers import GROUNDING, PAGE_URL, candidate
from tests.matrix.documented_rest import OK, M, P, R, Row, U
from tests.matrix.faults import PAGE, End, Fault, answers, as_json, streams
from tests.matrix.places import Place
from tests.matrix.recorded import recorded

ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"


def error(code: int, status: str, message: str, *details: object) -> Mapping[str, object]:
    fields: dict[str, object] = {"code": code, "message": message, "status": status}
    return {"error": fields | ({"details": list(details)} if details else {})}


def info(reason: str, **metadata: str) -> Mapping[str, object]:
    return {"@type": ERROR_INFO, "reason": reason, "metadata": metadata}


ARGUMENT, DENIED, EXHAUSTED = "INVALID_ARGUMENT", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED"
BAD_KEY = error(400, ARGUMENT, "API key not valid.", info("API_KEY_INVALID"))
OVERLOADED = error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
NO_CAPACITY = error(503, "UNAVAILABLE", "No capacity available for model gemini-3.6-flash")
NO_MODEL = error(404, "NOT_FOUND", "models/x is not found for API version v1beta")
QUOTA = {"violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]}
DIMENSION = {"violations": [{"quotaDimensions": {"model": "x"}}]}

STATUSES: tuple[Row, ...] = (
    (400, BAD_KEY, P, P),
    (400, error(400, ARGUMENT, "API key expired. Please renew the API key."), P, P),
    (400, error(400, "FAILED_PRECONDITION", "User location is not supported."), P, P),
    (400, error(400, ARGUMENT, "Search as tool is not enabled for this model"), M, M),
    (400, error(400, ARGUMENT, "Browse tool is not supported."), M, M),
    (400, error(400, ARGUMENT, "Search Grounding is not supported."), M, M),
    (400, error(400, ARGUMENT, "Tool is not supported for this model"), M, M),
    (400, error(400, ARGUMENT, "Number of urls to lookup exceeds the limit (21 > 20)."), R, R),
    (400, error(400, ARGUMENT, "Invalid JSON payload received. Unknown name"), P, P),
    (400, error(400, ARGUMENT, "Tool use with function calling is unsupported"), P, P),
    (400, error(400, "X", "This version of Antigravity is no longer supported."), P, P),
    (401, error(401, "UNAUTHENTICATED", "Invalid credentials", info("ACCESS_TOKEN_EXPIRED")), P, P),
    (403, error(403, DENIED, "Method doesn't allow unregistered callers"), P, P),
    (403, error(403, DENIED, "Your API key was reported as leaked."), P, P),
    (403, error(403, DENIED, "API has not been used", info("SERVICE_DISABLED")), P, P),
    (403, error(403, DENIED, "Disabled for violation of Terms of Service"), P, P),
    (403, error(403, DENIED, "No permission to access tuned model tunedModels/x"), M, M),
    (404, NO_MODEL, M, M),
    (404, PAGE, P, P),
    (404, b"", P, P),
    (413, PAGE, R, R),
    (429, error(429, EXHAUSTED, "Quota exceeded", QUOTA), M, M),
    (429, error(429, EXHAUSTED, "Quota", DIMENSION), M, M),
    (429, error(429, EXHAUSTED, "Resource has been exhausted (e.g. check quota)."), P, P),
    (429, error(429, EXHAUSTED, "Your prepayment credits are depleted"), P, P),
    (429, error(429, EXHAUSTED, "You have exhausted your capacity on this model."), M, M),
    (429, error(429, EXHAUSTED, "Quota", info("QUOTA_EXHAUSTED", model="gemini-3.6-flash")), M, M),
    (429, {"error": {"message": "too many requests"}}, P, P),
    (500, error(500, "INTERNAL", "An internal error has occurred."), P, P),
    (503, OVERLOADED, M, M),
    (503, error(503, "UNAVAILABLE", "This model is experiencing high demand."), M, M),
    (503, error(503, "UNAVAILABLE", "The service is currently unavailable."), P, P),
    (503, NO_CAPACITY, M, M),
    (503, error(503, "X", "Busy", info("MODEL_CAPACITY_EXHAUSTED")), M, M),
    (504, error(504, "DEADLINE_EXCEEDED", "Deadline exceeded"), P, P),
    (400, [BAD_KEY], P, P),
    (503, [OVERLOADED], M, M),
)  # fmt: skip


def blocked(reason: str) -> Mapping[str, object]:
    return {"promptFeedback": {"blockReason": reason}}


def ended(reason: str, **more: object) -> Mapping[str, object]:
    return candidate("From memory.", finishReason=reason, **more)


def page(status: str) -> Mapping[str, object]:
    entry = {"retrievedUrl": PAGE_URL, "urlRetrievalStatus": f"URL_RETRIEVAL_STATUS_{status}"}
    return ended("STOP", groundingMetadata=GROUNDING, urlContextMetadata={"urlMetadata": [entry]})


SAID = candidate("Some text. ", groundingMetadata=GROUNDING)
EVENT_ROWS: tuple[tuple[tuple[Mapping[str, object], ...], End, End], ...] = (
    ((BAD_KEY,), P, P),
    ((SAID, BAD_KEY), P, P),
    ((SAID, OVERLOADED), M, M),
    ((NO_MODEL,), M, M),
    ((SAID,), P, P),
    ((blocked("SAFETY"),), R, R),
    ((blocked("OTHER"),), R, R),
    ((ended("STOP"),), M, U),
    ((ended("STOP", groundingMetadata={}, urlContextMetadata={}),), M, U),
    ((SAID, ended("MAX_TOKENS")), OK, U),
    ((ended("MAX_TOKENS"),), M, U),
    ((ended("NEWLY_INVENTED"),), M, U),
    *(((SAID, ended(reason)), R, R) for reason in ("SAFETY", "RECITATION", "BLOCKLIST", "SPII")),
    *(((SAID, ended(reason)), R, R) for reason in ("PROHIBITED_CONTENT", "LANGUAGE")),
    *(((SAID, ended(reason)), M, M) for reason in ("MALFORMED_FUNCTION_CALL", "OTHER")),
    *(((SAID, ended(reason)), M, M) for reason in ("UNEXPECTED_TOOL_CALL", "IMAGE_SAFETY")),
    ((SAID, ended("PUP_LIMITED_DISABLED")), P, P),
    ((page("ERROR"),), OK, U),
    ((page("PAYWALL"),), OK, U),
    ((page("UNSAFE"),), OK, U),
    ((page("SUCCESS"),), OK, OK),
)

RECORDED = {
    "google-err-400-bad-key": P,
    "google-err-400-browse-unsupported": M,
    "google-err-400-location": P,
    "google-err-400-unknown-field": P,
    "google-err-400-url-limit": R,
    "google-err-401-oauth": P,
    "google-err-403-antigravity-tos": P,
    "google-err-403-service-disabled": P,
    "google-err-404-model": M,
    "google-err-429-per-model-quota": M,
    "google-err-429-prepay-depleted": P,
    "google-err-500": P,
    "google-err-503-overloaded": M,
}


def documented_google(place: Place, operation: Operation) -> Iterator[Fault]:
    """Errors by status, and what a stream can end with."""
    is_search = operation is Operation.SEARCH
    for number, (status, body, search, fetch) in enumerate(STATUSES):
        end = search if is_search else fetch
        yield answers(f"row {number}: {status} {body!r}", end, status, body)
    yield from recorded(RECORDED)
    for number, (events, search, fetch) in enumerate(EVENT_ROWS):
        sent = (_wrapped(place, one) for one in events)
        end = search if is_search else fetch
        yield streams(f"events {number}: {events[-1]!r}", end, *sent)
    bare = as_json(BAD_KEY) + b"\n"
    yield streams("an error on a line of its own", End.PROVIDER, _wrapped(place, SAID), bare)
    yield answers("an error instead of a stream", End.PROVIDER, 200, as_json(BAD_KEY))
    yield answers("an error in a list", End.MODEL, 200, as_json([OVERLOADED]))


def _wrapped(place: Place, one: Mapping[str, object]) -> Mapping[str, object]:
    return {"response": one} if place.name == "antigravity" and "error" not in one else one

"""What DeepSeek and Ollama Cloud are known to answer, and what it means on search and on fetch."""

from collections.abc import Iterator
from typing import TypeAlias

from native_web_search.domain.family import Operation
from tests.matrix.answers import REST
from tests.matrix.faults import PAGE, End, Fault, answers

Row: TypeAlias = tuple[int, object, End, End]  # status, body, end of a search, end of a fetch

P, M, R, U, OK = End.PROVIDER, End.MODEL, End.REQUEST, End.URL, End.SERVED


def error(message: object, code: object = "invalid_request_error", **more: object) -> object:
    """The shape that DeepSeek shares with OpenAI."""
    fields = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return {"error": fields | more}


DEEPSEEK: tuple[Row, ...] = (
    (400, error("'count' must be between 1 and 50"), P, U),
    (400, error("'url' must be a valid HTTP or HTTPS URL"), P, U),
    (400, error("missing field 'url'", None), P, U),
    (400, error({"no": "text"}), P, U),
    (400, error("Content Exists Risk"), R, U),
    (400, error("Refused", "content_filter"), R, U),
    (401, error("Authentication Fails, Your api key: ****_KEY is invalid"), P, P),
    (401, error("Authentication Fails (no such user)"), P, P),
    (401, error("Invalid token."), P, P),
    (402, error("Insufficient Balance"), P, P),
    (403, error("The URL is refused by the safety policy"), P, U),
    (403, error("Content Exists Risk"), R, U),
    (403, error("Refused", "security_risk"), R, U),
    (403, error("No access", "model_not_found"), M, U),
    (404, error("failed to fetch URL"), P, U),
    (404, error("No page", "markdown_not_found"), P, U),
    (404, "404 page not found", P, U),
    (408, error("Request timed out, wait and retry"), P, P),
    (413, error("Too large"), R, U),
    (422, error("Invalid parameters"), P, U),
    (429, error("Rate limit reached"), P, P),
    (500, error("Server error", "internal_error"), P, P),
    (503, error("no available channels for model deepseek-search"), P, P),
    (503, error("Server overloaded"), P, P),
    (504, error("Timeout"), P, P),
    (200, error("Insufficient Balance"), P, P),
    (200, error("Content filter", "content_filter"), R, R),
    (200, {"error": "something"}, P, P),
    (200, {"results": None}, P, P),
    (200, {"results": {}}, P, P),
    (200, {"results": []}, OK, P),
    (200, {"error": None, "results": [], "title": "", "content": ""}, OK, OK),
    (200, {"title": "A page"}, P, OK),
)

OLLAMA: tuple[Row, ...] = (
    (301, "", P, P),
    (400, {"error": "missing request body"}, P, U),
    (401, {"error": "Unauthorized"}, P, P),
    (401, {"error": "unauthorized", "signin_url": "https://ollama.com/connect"}, P, P),
    (402, {"error": "payment required"}, P, P),
    (403, {"error": "ollama cloud is disabled: web search is unavailable"}, P, U),
    (404, PAGE, P, U),
    (404, {"error": 'path "/api/api/web_search" not found'}, P, U),
    (408, {"error": "timeout"}, P, U),
    (413, {"error": "too large"}, R, U),
    (429, {"error": "you have reached your weekly usage limit, upgrade for higher limits"}, P, P),
    (429, {"error": "you've reached your hourly usage limit, please wait"}, P, P),
    (429, {"error": "rate limit exceeded"}, P, P),
    (500, {"error": "internal server error"}, P, U),
    (502, {"error": "bad gateway"}, P, U),
    (503, {"error": "Server overloaded, please retry shortly (ref: 1f2e)"}, P, P),
    (504, {"error": "gateway timeout"}, P, U),
    (200, b"", P, P),
    (200, {"error": "Unauthorized"}, P, P),
    (200, {"results": None}, P, P),
    (200, {"results": []}, OK, P),
    (200, {"title": "A page", "content": "x"}, P, OK),
)

WAITS = ("1", "30", "99999999999", "-5", "nan", "soon", "Mon, 30 Nov 2026 12:00:00 GMT", "")


def documented_rest(rows: tuple[Row, ...], operation: Operation) -> Iterator[Fault]:
    """The rows of one provider for one operation."""
    for number, (status, body, search, fetch) in enumerate(rows):
        end = search if operation is Operation.SEARCH else fetch
        yield answers(f"row {number}: {status} {body!r}", end, status, body)
    blank = b"\n" * 200 + REST[operation]
    yield answers("empty lines before the answer", End.SERVED, 200, blank)


def waits() -> Iterator[Fault]:
    """How long to wait, in every form; a number beyond reason harms nobody."""
    for value in WAITS:
        headers = (("Retry-After", value), ("Date", "Mon, 30 Nov 2026 11:00:00 GMT"))
        yield answers(f"Retry-After {value!r}", End.PROVIDER, 429, headers=headers)
    exact = (("Retry-After-Ms", "9" * 400), ("Retry-After", "1"))
    yield answers("Retry-After-Ms beyond reason", End.PROVIDER, 429, headers=exact)

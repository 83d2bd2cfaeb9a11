"""DeepSeek and Ollama Cloud: one JSON document to search, one to fetch a page."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from native_web_search.adapters.simulator.corpus import Corpus, Hit, Page, Unavailable, search
from native_web_search.adapters.simulator.exchange import (
    JSON,
    Answer,
    Refusals,
    SeenRequest,
    json_answer,
    string,
    text_answer,
)
from native_web_search.adapters.simulator.keys import key_of

DEEPSEEK_QUERY = 128  # code points
DEEPSEEK_COUNTS = range(1, 51)
DEEPSEEK_DEFAULT_COUNT = 10
DEEPSEEK_URL = 8_192  # code points
DEEPSEEK_BEST = 3.0  # top of its scale for relevance

OLLAMA_COUNTS = range(1, 11)
OLLAMA_DEFAULT_COUNT = 5

SNIPPET = 180  # code points

_LINK = re.compile(r"\]\((https?://[^\s)]+)\)")


def deepseek(seen: SeenRequest, corpus: Corpus) -> Answer:
    """`/v1/tools/search` and `/v1/tools/fetch`."""
    match seen.route:
        case "/v1/tools/search":
            return next(_deepseek_search_refusals(seen), None) or _deepseek_search(seen, corpus)
        case "/v1/tools/fetch":
            return next(_deepseek_fetch_refusals(seen), None) or _deepseek_fetch(seen, corpus)
        case _:
            return text_answer("404 page not found", status=404)


def deepseek_error(
    status: int, message: str, *, type_: str = "invalid_request_error", code: str | None = None
) -> Answer:
    error = {"message": message, "type": type_, "param": None, "code": code or type_}
    return json_answer({"error": error}, status=status)


def _deepseek_refusals(seen: SeenRequest) -> Refusals:
    if seen.bearer != key_of("deepseek"):
        shown = f"****{(seen.bearer or '')[-4:]}"
        yield deepseek_error(
            401,
            f"Authentication Fails, Your api key: {shown} is invalid",
            type_="authentication_error",
            code="invalid_request_error",
        )
    if not seen.headers.get("content-type", "").startswith(JSON):
        yield deepseek_error(400, "Content-Type must be application/json")
    if not isinstance(seen.body, dict):
        yield deepseek_error(400, "the request body must be a JSON object")


def _deepseek_search_refusals(seen: SeenRequest) -> Refusals:
    yield from _deepseek_refusals(seen)
    fields = seen.fields
    if "query" not in fields:
        yield deepseek_error(400, "missing field 'query'")
    if not _is_short_text(fields.get("query")):
        yield deepseek_error(400, "'query' must be between 1 and 128 characters and not blank")
    if not _is_count(fields.get("count", DEEPSEEK_DEFAULT_COUNT), DEEPSEEK_COUNTS):
        yield deepseek_error(400, "'count' must be between 1 and 50")
    original = fields.get("ori_question")
    if original is not None and not _is_short_text(original):
        yield deepseek_error(400, "'ori_question' must be between 1 and 128 characters")
    if not _is_address(fields.get("localization", "")):
        yield deepseek_error(400, "'localization' must be an IP address")
    if not isinstance(fields.get("need_content", False), bool):
        yield deepseek_error(400, "'need_content' must be a boolean")


def _deepseek_fetch_refusals(seen: SeenRequest) -> Refusals:
    yield from _deepseek_refusals(seen)
    if "url" not in seen.fields:
        yield deepseek_error(400, "missing field 'url'")
    if not _is_web_address(string(seen.fields.get("url"))):
        yield deepseek_error(400, "'url' must be a valid HTTP or HTTPS URL")


def _deepseek_search(seen: SeenRequest, corpus: Corpus) -> Answer:
    count = seen.fields.get("count", DEEPSEEK_DEFAULT_COUNT)
    hits = search(corpus, string(seen.fields.get("query")), count if isinstance(count, int) else 0)
    with_content = seen.fields.get("need_content") is True
    best = hits[0].score if hits else 1.0
    return json_answer(
        {"results": [_deepseek_result(hit, best, with_content=with_content) for hit in hits]}
    )


def _deepseek_result(hit: Hit, best: float, *, with_content: bool) -> dict[str, object]:
    page = hit.page
    relevance = round(DEEPSEEK_BEST * hit.score / best, 2)
    return {
        "rerank_score": int(relevance) if relevance.is_integer() else relevance,
        "title": page.title,
        "url": page.url,
        "snippet": hit.passage[:SNIPPET],
        "summary": hit.passage,
        "content": page.text if with_content else "",
        "site_name": page.site,
        "site_icon": f"https://{page.host}/favicon.ico" if page.site else None,
        "date": f"{page.date}T00:00:00+00:00" if page.date else None,
        "authority": page.authority,
    }


def _deepseek_fetch(seen: SeenRequest, corpus: Corpus) -> Answer:
    match corpus.read(string(seen.fields.get("url"))):
        case Page() as page:
            return json_answer({"title": page.title, "content": page.text})
        case Unavailable.UNSAFE:
            return deepseek_error(403, "the URL was refused by the safety policy")
        case Unavailable.MISSING | Unavailable.PAYWALL:
            return deepseek_error(404, "failed to fetch URL")


def ollama(seen: SeenRequest, corpus: Corpus) -> Answer:
    """`/api/web_search` and `/api/web_fetch`.

    How the real service reports a page that it cannot get, and a number of results above its
    maximum, is not published: here 404 and 400.
    """
    match seen.route:
        case "/api/web_search":
            return next(_ollama_search_refusals(seen), None) or _ollama_search(seen, corpus)
        case "/api/web_fetch":
            return next(_ollama_fetch_refusals(seen), None) or _ollama_fetch(seen, corpus)
        case _:
            page = "<!doctype html><title>Ollama</title><h1>404</h1>"
            return text_answer(page, status=404, content_type="text/html")


def ollama_error(status: int, message: str) -> Answer:
    return json_answer({"error": message}, status=status)


def _ollama_refusals(seen: SeenRequest) -> Refusals:
    if seen.bearer != key_of("ollama-cloud"):
        yield ollama_error(401, "Unauthorized")
    if not isinstance(seen.body, dict):
        yield ollama_error(400, "missing request body")


def _ollama_search_refusals(seen: SeenRequest) -> Refusals:
    yield from _ollama_refusals(seen)
    if not string(seen.fields.get("query")).strip():
        yield ollama_error(400, "query parameter is required")
    if not _is_count(seen.fields.get("max_results", OLLAMA_DEFAULT_COUNT), OLLAMA_COUNTS):
        yield ollama_error(400, "max_results must be between 1 and 10")


def _ollama_fetch_refusals(seen: SeenRequest) -> Refusals:
    yield from _ollama_refusals(seen)
    if not string(seen.fields.get("url")).strip():
        yield ollama_error(400, "url parameter is required")


def _ollama_search(seen: SeenRequest, corpus: Corpus) -> Answer:
    count = seen.fields.get("max_results", OLLAMA_DEFAULT_COUNT)
    hits = search(corpus, string(seen.fields.get("query")), count if isinstance(count, int) else 0)
    return json_answer(
        {
            "results": [
                {"title": hit.page.title, "url": hit.page.url, "content": hit.page.text}
                for hit in hits
            ]
        }
    )


def _ollama_fetch(seen: SeenRequest, corpus: Corpus) -> Answer:
    url = string(seen.fields.get("url"))
    match corpus.read(url if "://" in url else f"https://{url}"):
        case Page() as page:
            links = _LINK.findall(page.text)
            linked: dict[str, object] = {"links": links} if links else {}
            return json_answer({"title": page.title, "content": page.text, **linked})
        case Unavailable() as why:
            return ollama_error(404, f"could not fetch the page: {why.value}")


def _is_short_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= DEEPSEEK_QUERY


def _is_count(value: object, allowed: range) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in allowed


def _is_address(value: object) -> bool:
    try:
        return value == "" or bool(ip_address(string(value)))
    except ValueError:
        return False


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    return is_web and not (parts.username or parts.password) and len(url) <= DEEPSEEK_URL

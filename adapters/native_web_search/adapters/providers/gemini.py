"""Google Gemini: a model answers from a search, or from up to twenty URLs at once.

The base URL carries the version of the API, and the model is part of the path. Nothing is sent
but contents and one tool: a thinking option that one generation needs is an error on the next, and
function declarations are refused beside a search tool. The key travels in a header, because a
query string ends in logs.
"""

import re
from urllib.parse import quote

from native_web_search.adapters.providers.body import json_body
from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.google_codec import google_codec
from native_web_search.adapters.providers.google_prompt import is_video
from native_web_search.adapters.providers.headers import authenticates, merged
from native_web_search.adapters.providers.json_values import Fields
from native_web_search.adapters.providers.opencode import is_gateway, session_headers
from native_web_search.adapters.providers.rest import endpoint
from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.http import HttpRequest

KEY_HEADER = "x-goog-api-key"

METHOD = ":streamGenerateContent"
AS_EVENTS = "alt=sse"  # else the stream is one JSON array

# What stands before a model's name in a path; an id may bring it along.
COLLECTIONS = ("models/", "tunedModels/")
IN_PATHS = "/:@~!$&'()*+,;="  # what RFC 3986 allows inside a path

NO_SURPLUS = re.compile(r"\Z")


def _posted(ask: Ask, asked: Fields) -> Encoded:
    defaults = (
        ("Content-Type", "application/json"),
        ("Accept", "text/event-stream"),
        ("User-Agent", ask.user_agent),
        *(session_headers(ask) if is_gateway(ask) else ()),
    )
    headers = merged(defaults, ask.candidate.model.headers, ask.credential.headers)
    key = (ask.credential.key or "").strip()
    if key and not authenticates(headers):
        headers = (*headers, (KEY_HEADER, key))
    if not authenticates(headers):
        return Failure(CredentialUnresolved("neither a key nor an authentication header"))
    match endpoint(ask.base_url, NO_SURPLUS, _path(ask.candidate.model.id)):
        case Success(url):
            address = f"{url}{'&' if '?' in url else '?'}{AS_EVENTS}"
            return Success(HttpRequest(address, headers, json_body(asked)))
        case Failure(no_address):
            return Failure(no_address)


def _path(model: str) -> str:
    name = model if model.startswith(COLLECTIONS) else f"models/{model}"
    return f"/{quote(name, safe=IN_PATHS, errors='surrogatepass')}{METHOD}"


CODEC = google_codec(_posted, is_video=is_video)

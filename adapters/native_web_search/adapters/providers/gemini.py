"""Google Gemini: a model answers from a search, or from up to twenty URLs at once.

The base URL carries the version of the API, and the model is part of the path. Nothing is sent
but contents and one tool: a thinking option that one generation needs is an error on the next, and
function declarations are refused beside a search tool. The key travels in a header, because a
query string ends in logs.
"""

import re
from collections.abc import Callable
from urllib.parse import quote

from native_web_search.adapters.providers.body import json_body
from native_web_search.adapters.providers.codec import Ask, Codec, Encoded
from native_web_search.adapters.providers.google_codec import google_codec
from native_web_search.adapters.providers.google_prompt import is_video
from native_web_search.adapters.providers.headers import Header, authenticates, merged
from native_web_search.adapters.providers.json_values import Fields
from native_web_search.adapters.providers.opencode import session_headers
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


def _gemini(session: Callable[[Ask], tuple[Header, ...]]) -> Codec:
    def posted(ask: Ask, asked: Fields) -> Encoded:
        match endpoint(ask.base_url, NO_SURPLUS, _path(ask.candidate.model.id)):
            case Success(url):
                return _request(ask, f"{url}{'&' if '?' in url else '?'}{AS_EVENTS}", asked)
            case Failure(no_address):
                return Failure(no_address)

    def _request(ask: Ask, url: str, asked: Fields) -> Encoded:
        defaults = (
            ("Content-Type", "application/json"),
            ("Accept", "text/event-stream"),
            ("User-Agent", ask.user_agent),
            *session(ask),
        )
        headers = merged(defaults, ask.candidate.model.headers, ask.credential.headers)
        key = (ask.credential.key or "").strip()
        if key and not authenticates(headers):
            headers = (*headers, (KEY_HEADER, key))
        if not authenticates(headers):
            return Failure(CredentialUnresolved("neither a key nor an authentication header"))
        return Success(HttpRequest(url, headers, json_body(asked)))

    return google_codec(posted, is_video=is_video)


def _path(model: str) -> str:
    name = model if model.startswith(COLLECTIONS) else f"models/{model}"
    return f"/{quote(name, safe=IN_PATHS)}{METHOD}"


def _no_session(_ask: Ask) -> tuple[Header, ...]:
    return ()


CODEC = _gemini(_no_session)
OPENCODE = _gemini(session_headers)  # the gateway takes Google's interface too

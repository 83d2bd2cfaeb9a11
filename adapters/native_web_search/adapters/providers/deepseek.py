"""DeepSeek's own search and fetch.

The interface lives at the root of the API, beside the chat routes, so that a base URL which was
configured for one of those (`/v1`, `/anthropic`, `/anthropic/v1`) leads to the same place.
A query is 1 to 128 code points. The one who can shorten it is the model that asked, so a longer
one ends the call with a message for that model: it is neither cut, nor sent, nor tried elsewhere.
"""

import re

from native_web_search.adapters.providers.classify import Rule
from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.rest import (
    TOO_LARGE,
    RestInterface,
    rest_codec,
)
from native_web_search.domain.failure import QueryTooLong, Scope
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.request import TRIMMED

MAX_QUERY = 128  # code points, the provider's limit
RESULTS = 10  # of the 1 to 50 that may be asked for

URL_STATUSES = frozenset(
    {
        400,  # not a URL the provider takes
        403,  # refused by its safety policy
        404,  # no usable text there
        413,  # too large
        422,
    }
)

RULES = (
    TOO_LARGE,
    Rule(
        Scope.REQUEST,
        signs=frozenset({"content_filter", "content_policy_violation", "security_risk"}),
    ),
    # The moderation of DeepSeek has no code of its own: type and code are those of any bad request.
    Rule(Scope.REQUEST, statuses=frozenset({400, 403}), phrases=("content exists risk",)),
    # The interface names no model; gateways that route it like one do.
    Rule(Scope.MODEL, signs=frozenset({"model_not_found", "model_not_supported"})),
)

INTERFACE = RestInterface(
    surplus=re.compile(r"(?:/anthropic)?(?:/v1)?\Z"),
    rules=RULES,
    is_about_url=URL_STATUSES.__contains__,
)


def search_request(ask: Ask, query: str) -> Encoded:
    """The search for a query, unless it is too long for a provider that could have been asked."""
    trimmed = query.strip(TRIMMED)
    document = {"query": trimmed, "count": RESULTS, "need_content": True}
    match INTERFACE.request(ask, "/v1/tools/search", document):
        case Success() if len(trimmed) > MAX_QUERY:
            return Failure(QueryTooLong(_too_long(len(trimmed))))
        case encoded:
            return encoded


def fetch_request(ask: Ask, url: str) -> Encoded:
    """The request for one page; the URL is sent as it was given."""
    return INTERFACE.request(ask, "/v1/tools/fetch", {"url": url})


def _too_long(length: int) -> str:
    return (
        f"Search query is too long ({length} Unicode characters). "
        f"The maximum is {MAX_QUERY} Unicode characters. Shorten the query and retry."
    )


CODEC = rest_codec(INTERFACE, search_request, fetch_request)

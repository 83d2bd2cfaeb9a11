"""Search and fetch of Ollama Cloud.

It reports errors as `{"error": "text"}`, and a used-up quota as a 200 without a body. On fetch a
few statuses speak of the account or the service; every other one speaks of the page.
"""

import re

from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.rest import (
    TOO_LARGE,
    RestInterface,
    rest_codec,
)
from native_web_search.domain.request import TRIMMED

RESULTS = 10  # the most that the provider gives

FIRST_ERROR = 400  # what is below says nothing about a page
PROVIDER_STATUSES = frozenset(
    {
        401,
        402,
        429,
        503,  # its answer to overload
    }
)


def is_about_url(status: int) -> bool:
    """Whether a fetch that ended with this status says something about the page alone."""
    return status >= FIRST_ERROR and status not in PROVIDER_STATUSES


INTERFACE = RestInterface(
    surplus=re.compile(r"(?:/v[0-9]+)?\Z"),
    rules=(TOO_LARGE,),
    is_about_url=is_about_url,
    empty="the answer is empty, most likely because the usage quota of the account is used up",
)


def search_request(ask: Ask, query: str) -> Encoded:
    """The search for a query, of any length."""
    document = {"query": query.strip(TRIMMED), "max_results": RESULTS}
    return INTERFACE.request(ask, "/api/web_search", document)


def fetch_request(ask: Ask, url: str) -> Encoded:
    """The request for one page; the URL is sent as it was given."""
    return INTERFACE.request(ask, "/api/web_fetch", {"url": url})


CODEC = rest_codec(INTERFACE, search_request, fetch_request)

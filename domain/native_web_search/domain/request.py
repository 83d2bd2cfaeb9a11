"""From the arguments of a tool call to work that can be done.

Models write the arguments, so anything may come. The line is drawn where work could be lost
silently: a `query` or `urls` of the wrong kind, too long or too many, is an error of the call even
if the rest is fine; one bad URL among others is reported in its own place, and the others are
fetched. Arguments that nobody knows are ignored, and `null` is the same as absent.
"""

from collections.abc import Mapping
from functools import cached_property
from types import NoneType
from typing import TypeAlias, cast

from attrs import frozen

from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.domain.url import BLANKS, refusal, shown

MAX_QUERY = 32_768  # code points; far above any real query, far below any provider's body limit
MAX_URLS = 20  # what Google takes in one request, held for every provider

# What JavaScript's `trim` takes away, neither more nor less: U+FEFF is in, U+0085 is not.
TRIMMED = "\t\n\v\f\r" + BLANKS

_NEEDED = 'The arguments must be an object such as {"query": "..."} or {"urls": ["https://..."]}'


@frozen
class ValidUrl:
    """A URL to fetch, as it was given."""

    url: str


@frozen
class RefusedUrl:
    """A URL, or something else in its place, that will not be fetched. Safe to show."""

    shown: str
    message: str


RequestedUrl: TypeAlias = ValidUrl | RefusedUrl


@frozen
class Request:
    """What to do: search, fetch, or both. There is a query or at least one `ValidUrl`.

    `query` is trimmed and not empty. `urls` are all that were given, in their order, duplicates
    included.
    """

    query: str | None
    urls: tuple[RequestedUrl, ...]

    @cached_property
    def valid_urls(self) -> tuple[str, ...]:
        """The URLs to fetch, each once, in the order in which they first came."""
        return tuple(dict.fromkeys(url.url for url in self.urls if isinstance(url, ValidUrl)))


@frozen
class InvalidRequest:
    """The call cannot be served; `message` tells the model what to change."""

    message: str


def parse_request(arguments: object) -> Outcome[Request, InvalidRequest]:
    """Read the arguments of one call. Never raises, whatever they are."""
    if not isinstance(arguments, (dict, Mapping)):
        return Failure(InvalidRequest(f"{_NEEDED}, not {_kind(arguments)}."))
    fields = cast("Mapping[object, object]", arguments)
    query, urls = _query(fields.get("query")), _urls(fields.get("urls"))
    if isinstance(query, InvalidRequest):
        return Failure(query)
    if isinstance(urls, InvalidRequest):
        return Failure(urls)
    request = Request(query, urls)
    if query is None and not request.valid_urls:
        return Failure(InvalidRequest(_nothing_to_do(urls)))
    return Success(request)


def _query(given: object) -> str | InvalidRequest | None:
    if given is None:
        return None
    if not isinstance(given, str):
        return InvalidRequest(f"`query` must be a string, not {_kind(given)}.")
    query = given.strip(TRIMMED)
    if len(query) > MAX_QUERY:
        return InvalidRequest(
            f"`query` has {len(query)} characters; at most {MAX_QUERY} are allowed. Shorten it."
        )
    return query or None


def _urls(given: object) -> tuple[RequestedUrl, ...] | InvalidRequest:
    if given is None:
        return ()
    if not isinstance(given, list | tuple):
        return InvalidRequest(
            '`urls` must be a list of strings such as ["https://..."],'
            f" not {_kind(given)}; a single URL is a list of one."
        )
    urls = cast("list[object]", given)
    if len(urls) > MAX_URLS:
        return InvalidRequest(
            f"`urls` has {len(urls)} entries; at most {MAX_URLS} are allowed. Use several calls."
        )
    return tuple(_requested(url) for url in urls)


def _requested(given: object) -> RequestedUrl:
    if not isinstance(given, str):
        return RefusedUrl(f"({_kind(given)})", "a URL must be a string")
    reason = refusal(given)
    return ValidUrl(given) if reason is None else RefusedUrl(shown(given), reason)


def _nothing_to_do(urls: tuple[RequestedUrl, ...]) -> str:
    refused = [f'- "{url.shown}": {url.message}' for url in urls if isinstance(url, RefusedUrl)]
    if not refused:
        return "Nothing to do: give a `query` that is not blank, or `urls`, or both."
    return "\n".join(["There is no `query`, and none of the `urls` can be fetched:", *refused])


def _kind(value: object) -> str:
    """What a value is, in words; its content stays out of messages, and so out of logs."""
    other = f"a value of type {type(value).__name__}"
    return next((words for kind, words in _KINDS if isinstance(value, kind)), other)


_KINDS: tuple[tuple[type, str], ...] = (
    (NoneType, "null"),
    (bool, "a boolean"),  # before the numbers, of which Python makes it one
    (int, "a number"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (tuple, "a list"),
    (Mapping, "an object"),
)

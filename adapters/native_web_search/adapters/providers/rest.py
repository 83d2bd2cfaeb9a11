"""Interfaces that answer a JSON POST with one JSON document, and know no model: DeepSeek, Ollama.

What such an interface says is kept whole. A search answer is its own payload: the object with the
`results` list, beside whatever else the provider put there. A page is the object with its `title`
and `content`. The envelope is all that is looked at; what is missing from it decides between an
answer and none:

- `results` that is missing or no list is unreadable; an empty list is a search without hits;
- an object that names neither a title nor a content is no page;
- an `error` that says anything, inside a 2xx, is a refusal, whatever stands beside it.

One URL travels per request, so that a status can be about this URL (`is_about_url`): its entry
then is the error, and nothing is said about the provider.
"""

import re
from collections.abc import Callable, Mapping
from typing import cast

from attrs import frozen

from native_web_search.adapters.providers.body import WholeBody, json_body, parse_json
from native_web_search.adapters.providers.classify import (
    Rule,
    failure_of,
    refusal_of_error,
    refusal_of_response,
)
from native_web_search.adapters.providers.codec import (
    Ask,
    Codec,
    Encoded,
    FetchCodec,
    SearchCodec,
)
from native_web_search.adapters.providers.headers import authenticates, bearer, merged
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    Scope,
    Unreachable,
    Unreadable,
)
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.domain.payload import FetchAnswer, Fetched, SearchOutcome, UrlFailure
from native_web_search.ports.http import HttpRequest, ResponseHead

SUCCEEDED = range(200, 300)
PAGE_FIELDS = frozenset({"title", "content"})

TOO_LARGE = Rule(Scope.REQUEST, statuses=frozenset({413}))

ADDRESS = re.compile(r"(https?://[^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE | re.DOTALL)


@frozen
class RestInterface:
    """What tells one such interface from another.

    `surplus` matches what a configured base URL may end in and the tools do not want; `empty` says
    what an answer without a body means.
    """

    surplus: re.Pattern[str]
    rules: tuple[Rule, ...]
    is_about_url: Callable[[int], bool]
    empty: str = "the answer is empty"

    def request(self, ask: Ask, path: str, document: Mapping[str, object]) -> Encoded:
        """The POST of this document to `path` below the root of the base URL."""
        match endpoint(ask.base_url, self.surplus, path):
            case Success(url):
                return _posted(ask, url, document)
            case Failure() as no_address:
                return no_address

    def searched(self, head: ResponseHead, body: bytes) -> SearchOutcome:
        """The payload of a search response."""
        match self._answered(head, body):
            case Success(answer) if isinstance(answer.get("results"), list):
                return Success(answer)
            case Success():
                return Failure(Unreadable('the answer has no "results" list'))
            case Failure() as failed:
                return failed

    def fetched(self, head: ResponseHead, body: bytes) -> FetchAnswer:
        """The entry of the one URL that was asked for, or the failure that left it pending."""
        if self.is_about_url(head.status):
            return FetchAnswer({0: UrlFailure(refusal_of_response(head, body).message)})
        match self._answered(head, body):
            case Success(answer) if not PAGE_FIELDS.isdisjoint(answer):
                return FetchAnswer({0: Fetched(answer)})
            case Success():
                return FetchAnswer({}, Unreadable('the answer has no "title" and no "content"'))
            case Failure(failure):
                return FetchAnswer({}, failure)

    def _answered(
        self, head: ResponseHead, body: bytes
    ) -> Outcome[Mapping[str, object], AttemptFailure]:
        if head.status not in SUCCEEDED:
            return Failure(failure_of(refusal_of_response(head, body), self.rules))
        if not body.strip():
            return Failure(Unreadable(self.empty))
        match parse_json(body):
            case Success(value) if isinstance(value, dict):
                return self._unless_error(cast("dict[str, object]", value))
            case Success():
                return Failure(Unreadable("the answer is no JSON object"))
            case Failure() as unreadable:
                return unreadable

    def _unless_error(
        self, answer: Mapping[str, object]
    ) -> Outcome[Mapping[str, object], AttemptFailure]:
        if answer.get("error"):
            return Failure(failure_of(refusal_of_error(answer), self.rules))
        return Success(answer)


def rest_codec(
    interface: RestInterface,
    search: Callable[[Ask, str], Encoded],
    fetch: Callable[[Ask, str], Encoded],
) -> Codec:
    """The codec of an interface, given how its two requests are made."""

    def fetch_one(ask: Ask, urls: tuple[str, ...], _query: str | None) -> Encoded:
        (url,) = urls
        return fetch(ask, url)

    return Codec(
        search=SearchCodec(search, lambda: WholeBody(interface.searched)),
        fetch=FetchCodec(
            fetch_one, lambda _urls: WholeBody(interface.fetched), one_url_a_request=True
        ),
    )


def endpoint(base_url: str, surplus: re.Pattern[str], path: str) -> Outcome[str, Unreachable]:
    """Base URL plus path. Origin, prefix and query of the base stay; slashes at its end do not
    matter. A message never shows the base, which may hold a password.
    """
    if not base_url.strip():
        return Failure(Unreachable("no base URL is configured"))
    address = ADDRESS.fullmatch(base_url.strip())
    if address is None:
        return Failure(Unreachable("the base URL is no http or https address"))
    origin, prefix, query = address.groups(default="")
    root = surplus.sub("", prefix.rstrip("/"), count=1).rstrip("/")
    return Success(f"{origin}{root}{path}{query}")


def _posted(ask: Ask, url: str, document: Mapping[str, object]) -> Encoded:
    defaults = (
        *bearer(ask.credential.key),
        ("Content-Type", "application/json"),
        ("Accept", "application/json"),
        ("User-Agent", ask.user_agent),
    )
    headers = merged(defaults, ask.candidate.model.headers, ask.credential.headers)
    if not authenticates(headers):
        return Failure(CredentialUnresolved("neither a key nor an authentication header"))
    return Success(HttpRequest(url, headers, json_body(document)))

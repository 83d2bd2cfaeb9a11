"""From an error response to a failure, by tables.

Each provider has a table of `Rule`s, read from the top; the first that matches decides. What no
rule matches is `PROVIDER`: an unknown error is safer treated as an outage than repeated. Rules
read the status and structured fields (`error.code`, `error.type`, `error.status`,
`details[].reason`, `param`); phrases are matched only where a provider has no better sign, never
digits in free text.
"""

import json
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias, cast

from attrs import frozen

from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    ProviderRefused,
    RequestRefused,
    Scope,
    Unreadable,
)
from native_web_search.ports.http import ResponseHead

MAX_MESSAGE = 8_000  # code points that are looked at; shown is less, after masking
REDIRECTS = range(300, 400)

# A refusal reaches one of these; CALL belongs to our own check of a query.
RefusalScope: TypeAlias = Literal[Scope.PROVIDER, Scope.MODEL, Scope.REQUEST]

FIELDS = ("code", "type", "status", "reason", "param")


@frozen
class Refusal:
    """An error response, or an error object inside a 200, opened as far as rules need it.

    `signs` are the values of its structured fields, lower-case.
    """

    status: int | None
    message: str
    signs: frozenset[str]
    retry_after: float | None = None


@frozen
class Rule:
    """Matches when every condition that is given holds; each one is any-of."""

    scope: RefusalScope
    statuses: frozenset[int] = frozenset()
    signs: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()

    def matches(self, refusal: Refusal) -> bool:
        text = refusal.message.lower()
        return (
            (not self.statuses or refusal.status in self.statuses)
            and (not self.signs or not self.signs.isdisjoint(refusal.signs))
            and (not self.phrases or any(phrase in text for phrase in self.phrases))
        )


def failure_of(refusal: Refusal, rules: tuple[Rule, ...]) -> AttemptFailure:
    """The failure that the first matching rule makes of a refusal, else `ProviderRefused`."""
    if refusal.status in REDIRECTS:
        return Unreadable(refusal.message)
    unknown: RefusalScope = Scope.PROVIDER
    match next((rule.scope for rule in rules if rule.matches(refusal)), unknown):
        case Scope.MODEL:
            return ModelRefused(refusal.message, refusal.status, refusal.retry_after)
        case Scope.REQUEST:
            return RequestRefused(refusal.message, refusal.status)
        case Scope.PROVIDER:
            return ProviderRefused(refusal.message, refusal.status, refusal.retry_after)


def refusal_of_response(head: ResponseHead, body: bytes) -> Refusal:
    """Open an error response, whatever its content type; the message names the status."""
    text = body.decode("utf-8", "replace")
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if head.status in REDIRECTS:
        message = f"unexpected redirect to {head.headers.get('location', 'nowhere')}"
        return Refusal(head.status, one_line(f"HTTP {head.status}: {message}"), frozenset())
    said = message_in(value) or _plain(text, head)
    message = f"HTTP {head.status}: {said}" if said else f"HTTP {head.status}"
    return Refusal(head.status, one_line(message), signs_in(value), retry_after(head.headers))


def refusal_of_error(error: object, *, status: int | None = None) -> Refusal:
    """Open an error object that arrived inside a successful response."""
    said = message_in(error) or "the provider reported an error without a message"
    return Refusal(status, one_line(said), signs_in(error))


def message_in(value: object) -> str:
    """The provider's own words in an error body: a string or an object under `error`, else the
    `message` or `detail` at the top; of a list, its first element. Empty if there is none.
    """
    said: object
    match value:
        case [said, *_] | {"error": said} if said:
            return message_in(said)
        case {"message": said} | {"detail": said} | said:
            return said if isinstance(said, str) else _odd(said)


def _odd(said: object) -> str:
    """A message that is no text, behind odd gateways: its JSON."""
    return "" if said is None else json.dumps(said, ensure_ascii=False)


def signs_in(value: object) -> frozenset[str]:
    """The values of all structured fields in an error body, lower-case, two levels deep."""
    return frozenset(sign.lower() for sign in _signs(value, depth=4))


def _signs(value: object, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, list):
        for element in cast("list[object]", value)[:20]:
            yield from _signs(element, depth - 1)
    elif isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        for name in FIELDS:
            sign = fields.get(name)
            if isinstance(sign, str):
                yield sign
        for name in ("error", "details"):
            yield from _signs(fields.get(name), depth - 1)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds asked for by a `Retry-After` header; a date counts from the response's own `Date`.

    Anything odd, negative or not finite is none.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        then, now = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("date", ""))
        seconds = (then - now).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if seconds > 0 else None


def one_line(message: str) -> str:
    """A message without line breaks and control characters: runs of them become one blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in message[:MAX_MESSAGE]).split())


def _plain(text: str, head: ResponseHead) -> str:
    """A body without an error object: short plain text as it is, a page only by its kind."""
    kind = head.headers.get("content-type", "").partition(";")[0].strip()
    if "html" in kind or text.lstrip()[:1] == "<":
        return "an HTML page instead of an answer"
    return text.strip()

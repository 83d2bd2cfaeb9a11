"""From an error response to a failure, by tables.

Each provider has a table of `Rule`s, read from the top; the first that matches decides. What no
rule matches is `PROVIDER`: an unknown error is safer treated as an outage than repeated. Rules
read the status and structured fields (`error.code`, `error.type`, `error.status`,
`details[].reason`, `param`); phrases are matched only where a provider has no better sign, never
digits in free text.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias, cast

from attrs import field, frozen

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
MAX_RAW = 32 * MAX_MESSAGE  # code points before blanks are collapsed; a body can have millions
REDIRECTS = range(300, 400)
SENTENCE_END = re.compile(r"(?<=[.!?]) ")  # a dot inside `gpt-4.1` ends none

# A refusal reaches one of these; CALL belongs to our own check of a query.
RefusalScope: TypeAlias = Literal[Scope.PROVIDER, Scope.MODEL, Scope.REQUEST]

FIELDS = ("code", "type", "status", "reason", "param")
DEPTH = 5  # the deepest error there is: [{"error": {"details": [{"reason": ...}]}}]
BREADTH = 20  # elements of a list that are looked at
JOINERS = "\u200c\u200d"  # invisible, but parts of words and emoji


@frozen
class Refusal:
    """An error response, or an error object inside a 200, opened as far as rules need it.

    `signs` are the values of its structured fields, lower-case; `body` is the whole error, for the
    rare rule that has to look deeper.
    """

    status: int | None
    message: str
    signs: frozenset[str]
    retry_after: float | None = None
    body: object = field(default=None, repr=False, eq=False)


@frozen
class Rule:
    """Matches when every condition that is given holds; statuses, signs and phrases are any-of."""

    scope: RefusalScope
    statuses: frozenset[int] = frozenset()
    signs: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()
    holds: Callable[[object], bool] | None = None

    def matches(self, refusal: Refusal) -> bool:
        text = refusal.message.lower()
        return (
            (not self.statuses or refusal.status in self.statuses)
            and (not self.signs or not self.signs.isdisjoint(refusal.signs))
            and (not self.phrases or any(_says(phrase, text) for phrase in self.phrases))
            and (self.holds is None or self.holds(refusal.body))
        )


def _says(phrase: str, text: str) -> bool:
    """Whether the text holds the phrase, in which `…` is anything that ends no sentence."""
    if "…" not in phrase:
        return phrase in text
    pieces = phrase.split("…")
    return any(_in_order(pieces, sentence) for sentence in SENTENCE_END.split(text))


def _in_order(pieces: list[str], sentence: str) -> bool:
    """Whether a sentence holds all of these, one after the other; its length is walked once."""
    at = 0
    for piece in pieces:
        found = sentence.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def failure_of(refusal: Refusal, rules: tuple[Rule, ...]) -> AttemptFailure:
    """The failure that the first matching rule makes of a refusal, else `ProviderRefused`."""
    if refusal.status in REDIRECTS:
        return Unreadable(refusal.message)
    scopes: Iterator[RefusalScope] = (rule.scope for rule in rules if rule.matches(refusal))
    match next(scopes, None):
        case Scope.MODEL:
            return ModelRefused(refusal.message, refusal.status, refusal.retry_after)
        case Scope.REQUEST:
            return RequestRefused(refusal.message, refusal.status)
        case Scope.PROVIDER | None:
            return ProviderRefused(refusal.message, refusal.status, refusal.retry_after)


def refusal_of_response(head: ResponseHead, body: bytes) -> Refusal:
    """Open an error response, whatever its content type; the message names the status."""
    if head.status in REDIRECTS:
        message = f"HTTP {head.status}: unexpected redirect to {_place(head)}"
        return Refusal(head.status, one_line(message), frozenset())
    text = body.decode("utf-8-sig", "replace")
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    said = one_line(message_in(value)) or one_line(_plain(text, head))
    message = f"HTTP {head.status}: {said}" if said else f"HTTP {head.status}"
    return Refusal(head.status, message, signs_in(value), retry_after(head.headers), value)


def refusal_of_error(error: object, *, status: int | None = None) -> Refusal:
    """Open an error object that arrived inside a successful response."""
    said = one_line(message_in(error)) or "the provider reported an error without a message"
    return Refusal(status, said, signs_in(error), body=error)


def message_in(value: object) -> str:
    """The provider's own words in an error body: the text under `error`, `message` or `detail`,
    whichever comes first in this order and says something; of a list, its first element. An object
    without any of them speaks for itself, as JSON. Empty if nothing is said.
    """
    return _said(value, DEPTH)


def _said(value: object, depth: int) -> str:
    if isinstance(value, str):
        return value.strip()
    if depth == 0:
        return ""
    if isinstance(value, list):
        return _said(next(iter(cast("list[object]", value)), None), depth - 1)
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        spoken = (_said(fields.get(name), depth - 1) for name in ("error", "message", "detail"))
        return next(filter(None, spoken), "") or _as_json(fields)
    return ""


def _as_json(fields: dict[str, object]) -> str:
    """An error object that has no message, as it came; nothing if it is empty or bottomless."""
    try:
        return json.dumps(fields, ensure_ascii=False) if fields else ""
    except RecursionError:
        return ""


def signs_in(value: object) -> frozenset[str]:
    """The values of all structured fields in an error body, lower-case."""
    return frozenset(sign.lower() for sign in _signs(value, DEPTH))


def _signs(value: object, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, list):
        for element in cast("list[object]", value)[:BREADTH]:
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
    """Seconds asked for by `Retry-After-Ms`, or else by `Retry-After`, where a date counts from the
    response's own `Date`. Anything odd, negative or not finite is none.
    """
    exact = headers.get("retry-after-ms", "").strip()
    if exact.isascii() and exact.isdigit():
        return float(exact[:12]) / 1000
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
    """A message without line breaks and control characters: runs of them become one blank.

    What was cut is either `MAX_MESSAGE` long, which tells the mask so, or ends with a whole word:
    half a secret must not look like the end of a short message.
    """
    shown = (c if c.isprintable() or c in JOINERS else " " for c in message[:MAX_RAW])
    line = " ".join("".join(shown).split())
    if len(message) > MAX_RAW and len(line) < MAX_MESSAGE:
        line = line.rpartition(" ")[0]
    return line[:MAX_MESSAGE]


def _place(head: ResponseHead) -> str:
    """Where a redirect points, without user name, password, query and fragment."""
    location = re.split(r"[?#]", head.headers.get("location", ""), maxsplit=1)[0]
    return re.sub(r"//[^/]*@", "//", location) or "nowhere"


def _plain(text: str, head: ResponseHead) -> str:
    """A body without an error object: short plain text as it is, a page only by its kind."""
    kind = head.headers.get("content-type", "").partition(";")[0].strip()
    if "html" in kind or text.lstrip()[:1] == "<":
        return "an HTML page instead of an answer"
    return text.strip()

"""What is checked of every case: scope, next candidate, cooldowns, words, and no secret."""

import html
import json
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote

from native_web_search.domain.family import Operation
from tests.matrix.faults import End
from tests.matrix.places import Place
from tests.matrix.stage import Played

PIECE = 12  # characters of a key that may not be shown
LONGEST = 2_000  # code points of a message
SLOW = 15_000  # milliseconds: half of what a patient attempt is given, and far above any other
LONGEST_COOLDOWN = 600.0  # seconds
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # categories of what breaks a line, or cannot be written

Attempts = list[Mapping[str, Any]]


def complaints(played: Played) -> list[str]:
    """What is wrong with how this case went, each with its name."""
    return [f"{played.fault.name}: {wrong}" for wrong in _complaints(played)]


def _complaints(played: Played) -> Iterator[str]:
    result = played.result
    if result is None:
        yield "the call did not end"
        return
    attempts = cast("Attempts", result.details["attempts"])
    yield from _route(played, attempts)
    yield from _cooling(played)
    if result.is_error or not isinstance(json.loads(result.text), dict):
        yield f"no answer: {result.text}"
    for attempt in attempts:
        if attempt["milliseconds"] > SLOW:
            yield f"an attempt took {attempt['milliseconds']} ms"
        if attempt["outcome"] != "success":
            yield from words(attempt.get("message"))
    shown = (result.text, json.dumps(result.details), json.dumps(result.document), repr(result))
    yield from leaks(played.place, "\n".join(shown))


def _route(played: Played, attempts: Attempts) -> Iterator[str]:
    """Who was asked, in which order, and what each attempt amounted to."""
    asked = [(one["provider"], one["model"], one["outcome"]) for one in attempts]
    if asked != expected_route(played):
        said = [one.get("message") for one in attempts]
        yield f"{played.fault.end} expected, but the attempts were {asked}, saying {said}"
    if {one["operation"] for one in attempts} != {played.operation.value}:
        yield "an attempt of the other operation"


def expected_route(played: Played) -> list[tuple[str, str, str]]:
    place, other = played.place, played.other
    first = (place.provider, place.models[0])
    sibling = (place.provider, place.models[1], "success")
    elsewhere = (other.provider, other.models[0], "success")
    match played.fault.end:
        case End.SERVED:
            return [(*first, "success")]
        case End.PROVIDER:
            return [(*first, "provider"), elsewhere]
        case End.URL:
            return [(*first, "request"), elsewhere]
        case End.MODEL | End.REQUEST as end:
            return [(*first, end.value), sibling]


def _cooling(played: Played) -> Iterator[str]:
    """Exactly whom the scope means cools, for this operation alone, and not too long."""
    cooling = set(played.ledger.cooldowns)
    if cooling != expected_cooling(played):
        yield f"cooling are {cooling}"
    for operation in Operation:
        for model in played.place.models:
            left = played.ledger.remaining(operation, played.place.provider, model, played.now)
            if not 0 <= left <= LONGEST_COOLDOWN:
                yield f"{model} cools for {left} seconds"


def expected_cooling(played: Played) -> set[tuple[Operation, str, str | None]]:
    provider = played.place.provider
    match played.fault.end:
        case End.PROVIDER:
            return {(played.operation, provider, None)}
        case End.MODEL:
            return {(played.operation, provider, played.place.models[0])}
        case End.REQUEST | End.URL | End.SERVED:
            return set()


def words(message: object) -> Iterator[str]:
    """The message of a failure is one bounded line that says something."""
    if not isinstance(message, str) or not message.strip():
        yield f"no message but {message!r}"
        return
    if len(message) > LONGEST:
        yield f"a message of {len(message)} code points"
    odd = {character for character in message if unicodedata.category(character) in HIDDEN}
    if odd - {"\u200c", "\u200d"}:
        yield f"a message with {odd}: {message!r}"


def leaks(place: Place, text: str) -> Iterator[str]:
    """Pieces of the place's secrets in a text, also in escaped forms."""
    views = {text, _bare(text), _bare(_bare(text))}
    for secret in place.secrets:
        pieces = {secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1)}
        for view in views:
            if found := next((piece for piece in pieces if piece in view), None):
                at = view.index(found)
                yield f"a piece of a secret is shown: {view[max(0, at - 60) : at + 60]!r}"
                return


def _bare(text: str) -> str:
    """A text without the escapes of URLs, HTML and JSON, once."""
    return html.unescape(unquote(text)).replace("\\", "")

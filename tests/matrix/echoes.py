"""Answers that repeat the credential, wherever a provider, a gateway or a proxy may put it."""

import html
import json
import re
from collections.abc import Iterator
from urllib.parse import quote

from native_web_search.domain.family import Operation
from tests.matrix.faults import (
    HTML,
    JSON,
    TEXT,
    End,
    Fault,
    Header,
    as_json,
    event,
    head,
    response,
    says,
)
from tests.matrix.places import Place
from tests.matrix.statuses import end_of

PIECE = 12
STATUSES = (400, 401, 403, 404, 429, 500)


def echoes(place: Place, operation: Operation) -> Iterator[Fault]:
    """In bodies of every shape with every status, in headers, and inside a success."""
    for number, secret in enumerate(dict.fromkeys(_secrets(place))):
        for turn, (shape, kind, body) in enumerate(_shapes(secret)):
            status = STATUSES[(turn + number) % len(STATUSES)]
            end = end_of(place, operation, status)
            yield Fault(
                f"secret {number} {shape}, status {status}",
                end,
                says(response(status, body, kind)),
            )
        for name, status, headers in _headers(secret):
            end = end_of(place, operation, status)
            answer = says(response(status, headers=headers))
            yield Fault(f"secret {number} in {name}, status {status}", end, answer)
        reason = says(head(401, [("Connection", "close")], secret))
        yield Fault(f"secret {number} as the reason", End.PROVIDER, reason)
        for name, body in _successes(secret):
            answer = says(response(200, body, place.kind))
            yield Fault(f"secret {number} in {name}", End.PROVIDER, answer)


def _secrets(place: Place) -> tuple[str, ...]:
    """The values themselves, and what stands inside a key that is an object."""
    token = json.loads(place.key)["token"] if place.key.startswith("{") else place.key
    values = (token, place.key, *(value for _name, value in place.headers))
    return tuple(filter(None, (*values, place.query.partition("=")[2])))


def _shapes(secret: str) -> Iterator[tuple[str, str, bytes]]:
    pieces = " and ".join(
        secret[at : at + PIECE] for at in range(0, len(secret) - PIECE + 1, PIECE)
    )
    words = f"Incorrect API key provided: {secret}. See your account."
    nested = json.dumps({"error": {"message": json.dumps({"authorization": f"Bearer {secret}"})}})
    yield "literally", JSON, as_json({"error": {"message": words}})
    yield "as flat text", JSON, as_json({"code": "unauthenticated", "error": words})
    yield "in plain words", TEXT, words.encode()
    yield "escaped for a URL", JSON, as_json({"error": {"message": quote(secret, safe="")}})
    yield "escaped for a URL in lower case", TEXT, _percent(secret).encode()
    yield "escaped for a URL twice", TEXT, quote(quote(secret, safe=""), safe="").encode()
    yield "in pieces", JSON, as_json({"error": {"message": pieces}})
    yield "without its ends", TEXT, f"key {secret[3:-3]} refused".encode()
    yield "in JSON inside JSON", JSON, as_json({"error": {"message": nested}})
    yield "in an object without words", JSON, as_json({"error": {"seen": {"key": [secret]}}})
    yield "in unknown fields", JSON, as_json({"request": {"headers": {"authorization": secret}}})
    yield "escaped for JSON", JSON, _escaped(secret)
    yield "in a page", HTML, f"<p>{html.escape(secret)}</p>".encode()
    yield "with slashes escaped", TEXT, secret.replace("/", "\\/").encode()
    yield "with everything escaped for HTML", TEXT, _entities(secret).encode()
    yield "in a page called text", TEXT, f"Key {html.escape(secret)} &amp; more".encode()
    yield "at the limit of a message", TEXT, f"{'a ' * 995}{secret}".encode()
    yield "at the limit of looking", TEXT, f"{'a ' * 3_990}{secret} and more".encode()
    yield "far behind everything", TEXT, f"{'a' * 9_000}{secret}".encode()
    yield "many times", TEXT, (f"{secret} " * 100).encode()


def _escaped(secret: str) -> bytes:
    """A body in which every character of the secret is written as its number."""
    coded = "".join(f"\\u{ord(character):04x}" for character in secret)
    return f'{{"error": {{"message": "No such key: {coded}"}}}}'.encode()


def _percent(secret: str) -> str:
    """The secret as some gateways escape it for a URL."""
    return re.sub("[^a-zA-Z0-9]", lambda found: f"%{ord(found[0]):02x}", secret)


def _entities(secret: str) -> str:
    """The secret with everything but letters and digits as HTML can write it."""
    return re.sub("[^a-zA-Z0-9]", lambda found: f"&#x{ord(found[0]):x};", secret)


def _headers(secret: str) -> Iterator[tuple[str, int, list[Header]]]:
    address = f"https://login.example/{quote(secret, safe='')}/x?key={quote(secret, safe='')}"
    yield "Location", 302, [("Location", address)]
    yield "Location literally", 307, [("Location", f"/{secret}")]
    yield "WWW-Authenticate", 401, [("WWW-Authenticate", f'Bearer error="{secret}"')]
    yield "Retry-After", 429, [("Retry-After", secret)]
    yield "Content-Type", 500, [("Content-Type", f"text/{secret}")]
    yield "Content-Encoding", 503, [("Content-Encoding", secret)]
    yield "Set-Cookie", 402, [("Set-Cookie", f"key={secret}")]


def _successes(secret: str) -> Iterator[tuple[str, bytes]]:
    """Errors inside a success, whole and as events."""
    error = {"error": {"message": f"Bad key {secret}", "code": "invalid_api_key"}}
    yield "an error document", as_json(error)
    yield "an error event", event(error)
    yield "a flat error event", event({"type": "error", "message": f"Bad key {secret}"})
    yield "words that are no answer", f"Bad key {secret}".encode()

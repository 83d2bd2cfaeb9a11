"""Keeping credentials out of messages.

Providers echo keys. Before a message leaves the adapter, every piece of twelve or more characters
that it shares with a secret becomes `***`; the rest of the message stays, cut to its limit only
afterwards, so that no cut can hide a piece from the mask. A secret shorter than that is looked for
whole.

An echo may be escaped: for a URL, for JSON, for HTML, in any spelling, and more than once. So the
message and the secret are compared twice, as they are and with every escape undone; each character
of the second view remembers which part of the message it stands for. A message that was too long
to be looked at whole ends in a part of something, perhaps of a secret: its edge is not shown.
"""

import html
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, unquote

from attrs import frozen

from native_web_search.adapters.providers.classify import MAX_MESSAGE as MAX_LOOKED_AT
from native_web_search.adapters.providers.headers import AUTHENTICATING, Header
from native_web_search.domain.address import keys_in_path
from native_web_search.ports.registry import Credential

PIECE = 12  # shorter pieces of a key are what providers themselves show of it
LEAST = 4  # a "key" shorter than this is a placeholder, and masking it would eat plain words
LEAST_IN_QUERY = 8  # shorter values of a query string are versions, switches and names
EDGE = 16 * PIECE  # what a piece takes at most, with each character escaped twice
MAX_MESSAGE = 2_000  # code points of a provider's message that anybody sees
MASK = "***"

SECRET_WORDS = (
    "auth",
    "bearer",
    "cookie",
    "credential",
    "jwt",
    "key",
    "passphrase",
    "password",
    "pwd",
    "secret",
    "session",
    "signature",
    "token",
)
LEAST_IN_HEADER = PIECE  # shorter values of headers that tell nothing are names and versions
PLAIN_PARAMETERS = frozenset({"api-version"})  # of Azure; errors name it and people need it

# Who asks and in which form, which errors may say.
PLAIN_HEADERS = frozenset(
    {
        "accept",
        "accept-language",
        "anthropic-beta",
        "anthropic-version",
        "client-metadata",
        "content-type",
        "copilot-integration-id",
        "editor-plugin-version",
        "editor-version",
        "http-referer",
        "openai-beta",
        "openai-intent",
        "referer",
        "user-agent",
        "x-goog-api-client",
        "x-initiator",
        "x-title",
    }
)

FOLLOWED = "[0-9a-f]%[89ab]"  # by one more byte of the same character

# Of one character each: its bytes in UTF-8, a pair of surrogates, its number, its name, itself.
ESCAPE = re.compile(
    rf"(%(?:[0-7]|[cd]{FOLLOWED}|e{FOLLOWED * 2}|f{FOLLOWED * 3})[0-9a-f])"
    r"|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})"
    r"|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))"
    r"|(&(?:#x?[0-9a-f]{1,6}|amp|quot|apos|lt|gt);)"
    r"|\\(.)",
    re.IGNORECASE | re.DOTALL,
)
ESCAPED_AT_MOST = 4  # times: a gateway's JSON in a proxy's JSON, around a URL inside a URL


def secrets_of(
    credential: Credential, model_headers: Iterable[Header], base_url: str = ""
) -> tuple[str, ...]:
    """Everything about this attempt that no message may show; `base_url` is the model's."""
    found = dict.fromkeys(_secrets(credential, model_headers, base_url))
    return tuple(secret for secret in found if len(secret) >= LEAST)


def masked(message: str, secrets: Iterable[str]) -> str:
    """The message without the secrets, at most `MAX_MESSAGE` code points long."""
    whole = len(message) < MAX_LOOKED_AT
    end = len(message) if whole else len(message) - EDGE
    shown = _without(message, sorted(_hidden(message, secrets)), end)
    return shown if whole and len(shown) <= MAX_MESSAGE else shown[: MAX_MESSAGE - 1] + "…"


def _secrets(
    credential: Credential, model_headers: Iterable[Header], base_url: str
) -> Iterator[str]:
    if credential.key:
        yield credential.key.strip()
    for _name, value in credential.headers:
        yield from value.split()
    for name, value in model_headers:
        yield from _secrets_in_header(name.lower(), value.strip())
    for url in (base_url, credential.base_url or ""):
        yield from _secrets_in_url(url)


def _secrets_in_header(name: str, value: str) -> Iterator[str]:
    """The words of a header whose name tells a secret; the whole of another one, if it is long."""
    if name in AUTHENTICATING or any(word in name for word in SECRET_WORDS):
        yield from value.split()
    elif len(value) >= LEAST_IN_HEADER and name not in PLAIN_HEADERS:
        yield value


def _secrets_in_url(url: str) -> Iterator[str]:
    """The password, or a token in place of a user name; what looks like a key in the path; the
    longer values of the query.
    """
    address, _mark, query = url.partition("#")[0].partition("?")
    user_info = re.search(r"//([^/]*)@", address)
    if user_info is not None:
        user, _colon, password = user_info[1].partition(":")
        yield password or user
    yield from keys_in_path(url)
    for parameter in re.split("[&;]", query):
        name, _equals, value = parameter.rpartition("=")
        if len(value) >= LEAST_IN_QUERY and name.lower() not in PLAIN_PARAMETERS:
            yield value


@frozen
class _View:
    """A text with some escapes undone, and from where to where each character was written."""

    text: str
    places: tuple[tuple[int, int], ...]


def _plain_view(text: str) -> _View:
    return _View(text, tuple((at, at + 1) for at in range(len(text))))


def _unescaped(view: _View) -> _View:
    """The view with every escape undone, those that come to light by that as well."""
    for _time in range(ESCAPED_AT_MOST):
        if ESCAPE.search(view.text) is None:
            break
        view = _unescaped_once(view)
    return view


def _unescaped_once(view: _View) -> _View:
    text: list[str] = []
    places: list[tuple[int, int]] = []
    end = 0
    for found in ESCAPE.finditer(view.text):
        start = found.start()
        text += [view.text[end:start], _character(found)]
        first, last = view.places[start], view.places[found.end() - 1]
        places += [*view.places[end:start], (first[0], last[1])]
        end = found.end()
    return _View("".join(text) + view.text[end:], (*places, *view.places[end:]))


def _character(escape: re.Match[str]) -> str:
    """The one character that an escape stands for."""
    url, high, low, unit, byte, entity, itself = escape.groups()
    if url is not None:
        return unquote(url)[:1]
    if high is not None:
        return bytes.fromhex(high + low).decode("utf-16-be")
    if entity is not None:
        return html.unescape(entity)[:1] or "?"
    return itself if itself is not None else chr(int(unit or byte, 16))


def _hidden(message: str, secrets: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where the message holds a secret or a piece of it; the places may overlap."""
    plain = _plain_view(message)
    bare = _unescaped(plain)
    for secret in secrets:
        for form in {secret, quote(secret, safe="", errors="replace")}:
            yield from _found(form, plain)
        yield from _found(_unescaped(_plain_view(secret)).text, bare)


def _found(secret: str, view: _View) -> Iterator[tuple[int, int]]:
    size = min(len(secret), PIECE)
    if size < LEAST:
        return
    pieces = {secret[start : start + size] for start in range(len(secret) - size + 1)}
    for at in range(len(view.text) - size + 1):
        if view.text[at : at + size] in pieces:
            yield view.places[at][0], view.places[at + size - 1][1]


def _without(message: str, hidden: list[tuple[int, int]], end: int) -> str:
    """The message up to `end`, each run of hidden places replaced by one mask."""
    parts: list[str] = []
    shown = 0
    for start, stop in hidden:
        if start >= end:
            break
        if start > shown or not parts:
            parts += [message[shown:start], MASK]
        shown = max(shown, stop)
    return "".join(parts) + message[shown:end]

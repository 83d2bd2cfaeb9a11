"""Keeping credentials out of messages.

Providers echo keys. Before a message leaves the adapter, every piece of twelve or more characters
that it shares with a secret becomes `***`; the rest of the message stays, cut to its limit only
afterwards, so that no cut can hide a piece from the mask. A secret shorter than that is looked for
whole. The URL-encoded form of a secret counts as well.
"""

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from native_web_search.adapters.providers.headers import AUTHENTICATING, Header
from native_web_search.ports.registry import Credential

PIECE = 12  # shorter pieces of a key are what providers themselves show of it
LEAST = 4  # a "key" shorter than this is a placeholder, and masking it would eat plain words
MAX_MESSAGE = 2_000  # code points of a provider's message that anybody sees
MASK = "***"

SECRET_WORDS = ("auth", "cookie", "key", "secret", "token")


def secrets_of(credential: Credential, model_headers: Iterable[Header]) -> tuple[str, ...]:
    """Everything about this attempt that no message may show."""
    found = dict.fromkeys(_secrets(credential, model_headers))
    return tuple(secret for secret in found if len(secret) >= LEAST)


def masked(message: str, secrets: Iterable[str]) -> str:
    """The message without the secrets, at most `MAX_MESSAGE` code points long."""
    for secret in secrets:
        for form in {secret, quote(secret, safe="", errors="replace")}:
            message = _without(message, form)
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"


def _secrets(credential: Credential, model_headers: Iterable[Header]) -> Iterator[str]:
    if credential.key:
        yield credential.key.strip()
    for _name, value in credential.headers:
        yield from value.split()
    for name, value in model_headers:
        lower = name.lower()
        if lower in AUTHENTICATING or any(word in lower for word in SECRET_WORDS):
            yield from value.split()


def _without(message: str, secret: str) -> str:
    if len(secret) <= PIECE:
        return message.replace(secret, MASK)
    pieces = {secret[start : start + PIECE] for start in range(len(secret) - PIECE + 1)}
    starts = [at for at in range(len(message) - PIECE + 1) if message[at : at + PIECE] in pieces]
    parts: list[str] = []
    end = 0
    for at in starts:
        if at > end or not parts:
            parts += [message[end:at], MASK]
        end = at + PIECE
    return "".join(parts) + message[end:]

"""Which headers a request carries, when several places have something to say."""

from collections.abc import Iterable
from typing import TypeAlias

Header: TypeAlias = tuple[str, str]

AUTHORIZATION = "authorization"

# The names under which the interfaces here, and the gateways before them, take a key.
AUTHENTICATING = frozenset({AUTHORIZATION, "api-key", "x-api-key", "x-goog-api-key"})


def merged(
    defaults: Iterable[Header],
    model_headers: Iterable[Header],
    credential_headers: Iterable[Header],
) -> tuple[Header, ...]:
    """One header for each name, whatever its case: the credential's word beats the model's, and
    the model's beats the default. Within one place, the last one wins.

    The winner brings its spelling and its value; the order is that of first mention.
    """
    chosen: dict[str, Header] = {}
    for headers in (defaults, model_headers, credential_headers):
        chosen |= {name.lower(): (name, value) for name, value in headers}
    return tuple(chosen.values())


def bearer(key: str | None) -> tuple[Header, ...]:
    """The default `Authorization` header for a key; nothing for a missing or blank one."""
    return (("Authorization", f"Bearer {key}"),) if key and key.strip() else ()


def authenticates(headers: Iterable[Header]) -> bool:
    """Whether some header names who is asking. Without one, nothing may be sent."""
    return any(name.lower() in AUTHENTICATING and value.strip() for name, value in headers)

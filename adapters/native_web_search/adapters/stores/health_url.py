"""What a health URL has to be.

The client passes in silence over what it cannot use: a path that is no number means database 0,
the host of a socket and an option without a value mean nothing, a piece that is said twice means
one of the two. Whoever wrote that wanted something else, and would share health with strangers or
with nobody. No word of the URL is in what is said about it: any may be a piece of a password.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

FORMS: Final = (
    "it must be a URL that begins with valkey://, valkeys://, redis://, rediss:// or unix://, as "
    "valkey://host:6379/0 or redis://host:6379/0 (in plain text), "
    "valkeys://user:password@host:6379/0 or rediss://user:password@host:6379/0 (over TLS), or "
    "unix:///run/valkey.sock?db=0 (a socket). Its options are those of valkey-py; every `/`, `?`, "
    "`#` and `@` of a user name, a password and an option is percent-encoded, none of the host"
)

BLANK: Final = "it has a blank or a control character"
NO_SCHEME: Final = "it begins with no scheme that is known"
UNCLEAR: Final = "it has a `#`, or an `@` where none can be"
NO_PLACE: Final = "its host, its port or the path of its socket cannot be"
NO_DATABASE: Final = "its database is not one number such as 0 or 15"
NO_VALUE: Final = "an option of it has no value"
TWICE: Final = "it says something twice"
UNKNOWN: Final = "valkey-py does not know an option of it, or the value of one"

SCHEME = re.compile(r"(?:(?:valkey|redis)s?://|unix:)", re.IGNORECASE)
# An `@` after the authority may be the end of a password that has a `/`, `?` or `#`. What stands
# before that would be taken for the host, asked for in public and written into the log.
CLEAR = re.compile(r"[^:]+:(//[^/?#]*)?[^#@]*")
HOST = re.compile(r"[\w.:%-]+")  # the `%` of an address with a zone
PORTS = range(1, 65536)
DATABASE_PATH = re.compile(r"/?|/[0-9]{1,9}/?")
DATABASE = re.compile(r"[0-9]{1,9}")


def wanted(flaw: str) -> str:
    """What is wrong with a URL, and what one has to be."""
    return f"{flaw}; {FORMS}"


def flaw_in(url: str) -> str | None:
    """What is wrong with this URL, as far as that can be told without the client."""
    if not url.isprintable() or " " in url:  # which `urlsplit` would drop
        return BLANK
    if not SCHEME.match(url):
        return NO_SCHEME
    if not CLEAR.fullmatch(url):
        return UNCLEAR
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return NO_PLACE
    if port == 0:  # the client takes the usual one instead
        return NO_PLACE
    return _flaw_of_the_options(parts) or _flaw_of_the_path(parts)


def _flaw_of_the_options(parts: SplitResult) -> str | None:
    try:
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:  # a name alone
        return NO_VALUE
    if not all(value for _name, value in options):
        return NO_VALUE
    if not all(DATABASE.fullmatch(value) for name, value in options if name == "db"):
        return NO_DATABASE
    said = [*_said_before_the_options(parts), *(name for name, _value in options)]
    return TWICE if len(set(said)) < len(said) else None


def _said_before_the_options(parts: SplitResult) -> Iterator[str]:
    """By the names that options have for it."""
    is_socket = parts.scheme == "unix"
    pieces = {
        "connection_class": parts.scheme,
        "username": parts.username,
        "password": parts.password,
        "host": parts.hostname,
        "port": parts.port,
        "path" if is_socket else "db": parts.path if is_socket else parts.path.strip("/"),
    }
    return (name for name, piece in pieces.items() if piece)


def _flaw_of_the_path(parts: SplitResult) -> str | None:
    if parts.scheme != "unix":
        return None if DATABASE_PATH.fullmatch(parts.path) else NO_DATABASE
    return NO_PLACE if parts.hostname or parts.port else None

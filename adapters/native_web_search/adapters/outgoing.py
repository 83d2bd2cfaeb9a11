"""What is looked at before a request is sent: its address and its headers.

A bad address or key is the user's to mend, so the message says which one it is; it never shows a
header's value, nor an address, which may hold a key as well.
"""

import re
from functools import lru_cache
from urllib.parse import urlsplit

from native_web_search.domain.failure import AttemptFailure, CredentialUnresolved, Unreachable
from native_web_search.ports.http import HttpRequest

HOST = r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])"
PORT = r"(?::[0-9]{1,5})?"

# Printable ASCII without blanks: whatever else an address holds must be percent-encoded by now.
ADDRESS = re.compile(rf"(?i:https?)://{HOST}{PORT}(?:[/?#][!-~]*)?")

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(r"[ -~]*")

CREDENTIAL_HEADERS = frozenset({"authorization", "api-key", "x-api-key", "x-goog-api-key"})

# How a message is framed and packed is the transport's business, whatever a user configured.
FRAMING_HEADERS = frozenset(
    {"accept-encoding", "connection", "content-length", "expect", "transfer-encoding", "upgrade"}
)


def refusal_of(request: HttpRequest, lane: str) -> AttemptFailure | None:
    """Why this request cannot be sent as it is, if it cannot; `lane` is the provider to name."""
    if not is_address(ADDRESS, request.url):
        return Unreachable(
            f"the base URL of {lane} is not usable; set one such as https://api.example.com/v1, "
            "without user name and password"
        )
    for name, value in request.headers:
        refused = _refusal_of_header(name, value)
        if refused is not None:
            return refused
    return None


@lru_cache(maxsize=64)  # a handful of addresses, over and over: saves a hundredth of a search
def is_address(pattern: re.Pattern[str], address: str) -> bool:
    """Whether an address has this form, and a port and an IPv6 address that can exist."""
    if not pattern.fullmatch(address):
        return False
    try:
        return urlsplit(address).port != 0
    except ValueError:
        return False


def _refusal_of_header(name: str, value: str) -> AttemptFailure | None:
    if not NAME.fullmatch(name):
        return Unreachable("a header has a name that HTTP does not allow; nothing was sent")
    if VALUE.fullmatch(value):
        return None
    message = f"the header {name} holds a control or non-ASCII character; nothing was sent"
    if name.lower() in CREDENTIAL_HEADERS:
        return CredentialUnresolved(message)
    return Unreachable(message)

"""What can go wrong at a provider, as data: a name, how it is done, and what must come of it."""

import json
from collections.abc import Awaitable, Callable, Iterable
from enum import Enum
from typing import TypeAlias

from attrs import frozen

from native_web_search.adapters.testing.raw_server import RawConnection

Delivery: TypeAlias = Callable[[RawConnection], Awaitable[None]]
Header: TypeAlias = tuple[str, str]

JSON = "application/json"
EVENTS = "text/event-stream"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain"

PAGE = b"<!DOCTYPE html><html><head><title>Oh</title></head><body>Something broke</body></html>"


class End(Enum):
    """What an attempt must amount to, and so who is asked next and who cools."""

    PROVIDER = "provider"  # the other provider is next; the provider cools
    MODEL = "model"  # the sibling is next; the model cools
    REQUEST = "request"  # the sibling is next; nobody cools
    URL = "url"  # this page's own error: the other provider is next; nobody cools
    SERVED = "served"  # odd, but an answer


class Door(Enum):
    """Which address the provider has."""

    HTTP = "a server that answers by the script"
    TLS = "https, with a certificate that nobody vouches for"
    PLAIN_AS_TLS = "https, where only HTTP is spoken"
    TLS_AS_PLAIN = "http, where TLS is spoken"
    REFUSED = "a port where nobody listens"


async def _nothing(_connection: RawConnection) -> None:
    """No request arrives behind such a door."""


@frozen
class Fault:
    """One case. `name` is unique within its kind."""

    name: str
    end: End
    deliver: Delivery = _nothing
    door: Door = Door.HTTP


def says(*pieces: bytes) -> Delivery:
    """Answer with these bytes and close the connection."""

    async def deliver(connection: RawConnection) -> None:
        await connection.send(*pieces)

    return deliver


def response(
    status: int,
    body: bytes = b"",
    kind: str | None = JSON,
    headers: Iterable[Header] = (),
    *,
    closing: bool = True,
) -> bytes:
    """A whole response with a body of known length; unless `closing`, others may follow it."""
    fields = [*headers, ("Content-Length", str(len(body)))]
    if closing:
        fields.append(("Connection", "close"))
    if kind is not None:
        fields.insert(0, ("Content-Type", kind))
    return head(status, fields) + body


def head(status: int, headers: Iterable[Header], reason: str = "Whatever") -> bytes:
    """Status line and headers, the empty line included."""
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def as_json(value: object) -> bytes:
    """A JSON document, every character as itself."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def event(value: object) -> bytes:
    """One event of a stream."""
    return b"data: " + as_json(value) + b"\n\n"


def answers(
    name: str, end: End, status: int, body: object = b"", headers: Iterable[Header] = ()
) -> Fault:
    """A whole response: bytes as they are, called JSON; a page or plain words as what they are;
    everything else as JSON.
    """
    match body:
        case bytes() if body == PAGE:
            return Fault(name, end, says(response(status, body, HTML, headers)))
        case bytes():
            return Fault(name, end, says(response(status, body, JSON, headers)))
        case str():
            return Fault(name, end, says(response(status, body.encode(), TEXT, headers)))
        case _:
            return Fault(name, end, says(response(status, as_json(body), JSON, headers)))


def streams(name: str, end: End, *events: object) -> Fault:
    """A stream of these events: bytes as they are, everything else as the data of one."""
    sent = b"".join(one if isinstance(one, bytes) else event(one) for one in events)
    return Fault(name, end, says(response(200, sent, EVENTS)))

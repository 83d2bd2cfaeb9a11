"""One request as the simulator saw it, and the answer that a provider would give to it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle
from typing import TypeAlias, cast

from attrs import define, field, frozen

from native_web_search.adapters.simulator.corpus import Corpus

JSON = "application/json"
EVENT_STREAM = "text/event-stream"

# How a body is cut on its way out, in bytes, over and over. Uneven on purpose: a client that
# believes that a piece is a line, an event or a whole character finds out here.
CUTS = (700, 1_460, 37, 2_920, 3, 1_460, 211, 8_192)

# The last bytes of a body travel together, so that a client that stops reading at the terminal
# event has been sent everything and does not count as gone.
TAIL = 400


@define
class SeenRequest:
    """A request, recorded when its body was complete. Header names are lower-case.

    `body` is the parsed JSON, or none if it was no JSON; `raw` are its bytes. `status` is what was
    answered, none until the headers went out. `aborted` says that the client went away before it
    was sent everything. Headers hold keys and are not shown by `repr`.
    """

    provider: str
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str] = field(repr=False)
    body: object = None
    raw: bytes = field(default=b"", repr=False)
    status: int | None = None
    aborted: bool = False

    @property
    def route(self) -> str:
        """The path below the provider's own prefix."""
        return "/" + self.path.lstrip("/").partition("/")[2]

    @property
    def fields(self) -> Mapping[str, object]:
        """The members of the body, none if it is no object."""
        return members(self.body)

    @property
    def bearer(self) -> str | None:
        """The token of an `Authorization: Bearer` header."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else None


@frozen
class Answer:
    """A response, its body in the pieces in which it is sent."""

    status: int
    content_type: str
    pieces: tuple[bytes, ...]
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)


# A provider: from a request and the pages it knows to what it says. Pure.
Wire: TypeAlias = Callable[[SeenRequest, Corpus], Answer]

# Why a request is refused: the checks of a wire, in the order in which it would find fault.
Refusals: TypeAlias = Iterator[Answer]


def json_answer(
    value: object, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> Answer:
    return Answer(status, JSON, in_pieces(compact(value)), headers)


def text_answer(text: str, *, status: int, content_type: str = "text/plain") -> Answer:
    return Answer(status, content_type, (text.encode("utf-8", "replace"),))


def event_stream(events: Iterable[bytes], *, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    return Answer(200, EVENT_STREAM, in_pieces(b"".join(events)), headers)


def compact(value: object) -> bytes:
    """JSON as providers write it: no blanks, non-ASCII as it is, a lone surrogate escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def in_pieces(body: bytes) -> tuple[bytes, ...]:
    """Cut a body by `CUTS`, wherever that falls; the same body always in the same pieces."""
    return tuple(_cut(body))


def _cut(body: bytes) -> Iterator[bytes]:
    start = 0
    for size in cycle(CUTS):
        if len(body) - start - size < TAIL:
            yield body[start:]
            return
        yield body[start : start + size]
        start += size


def names(listed: str) -> frozenset[str]:
    """Names that are listed with blanks between them."""
    return frozenset(listed.split())


def members(value: object) -> Mapping[str, object]:
    """A JSON object's members; of anything else, none."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def elements(value: object) -> list[object]:
    """A JSON array's elements; of anything else, none."""
    return cast("list[object]", value) if isinstance(value, list) else []


def string(value: object) -> str:
    """A JSON string; of anything else, the empty one."""
    return value if isinstance(value, str) else ""

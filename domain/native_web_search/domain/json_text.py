"""Writing JSON, up to a length.

`written` writes what the standard encoder writes, apart from four things. It gives up as soon as
the text is longer than asked for, having read hardly more than it wrote. No depth makes it
recurse. What JSON cannot say (a number that is infinite, or none, or too long to be printed) is
`null`. And the text always encodes as UTF-8: half a surrogate pair is written as its escape.

Lengths are counted in code points.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from json import JSONEncoder
from json.encoder import encode_basestring
from math import isfinite
from typing import Any, Final, TypeAlias, TypeGuard

from attrs import frozen

from native_web_search.domain.json_strings import encodable

RUN = 512  # array entries that are given to the standard encoder at once
SHORTEST_RUN = 8  # below that its preparations cost more than they save
RUN_STRING = 40  # characters of a string in such a run: short even if all of them are escaped

JsonObject: TypeAlias = Mapping[object, object]
JsonArray: TypeAlias = Sequence[object]

# Text to write now, and the container, if any, whose parts come next.
_Part: TypeAlias = tuple[str, JsonObject | JsonArray | None]


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether the value is written in braces."""
    return isinstance(value, (dict, Mapping))


def is_array(value: object) -> TypeGuard[JsonArray]:
    """Whether the value is written in brackets."""
    return isinstance(value, (list, tuple))


@frozen
class Layout:
    """How the parts of a text are set apart: what follows a key, and one step of indentation."""

    colon: str
    step: str

    def line(self, depth: int) -> str:
        """The beginning of a line at this depth; nothing in a layout without lines."""
        return "\n" + self.step * depth if self.step else ""


COMPACT: Final = Layout(":", "")
PRETTY: Final = Layout(": ", "  ")


def surely_longer(value: object, cap: int) -> bool:
    """Whether counting alone shows that the text is longer than `cap`; a no proves nothing.

    This saves writing the first `cap` characters of what is much longer, twice. It counts from
    the top down: at least `"":0,` for a field, `0,` for an entry, and the length of each string.
    """
    left = cap
    level: Iterable[object] = (value,)
    while level:
        below: list[Iterable[object]] = []
        for node in level:
            if isinstance(node, str):
                left -= len(node)
            elif isinstance(node, dict):
                left -= len('"":0,') * len(node)
                below.append(node.values())
            elif isinstance(node, list):
                left -= len("0,") * len(node)
                below.append(node)
            if left < 0:
                return True
        level = chain.from_iterable(below) if below else ()
    return False


def written(
    value: object, cap: int, layout: Layout = COMPACT, *, longer: dict[int, int] | None = None
) -> str | None:
    """The JSON text of a value, or None if it is longer than `cap`.

    In that case `longer` is told what has been learned on the way: the `id` of every container
    that was still open, with a length that its text certainly exceeds. Raises `TypeError`, as the
    standard encoder does, on meeting something that is not JSON.
    """
    piece, container = _part("", value, cap)
    if len(piece) > cap:
        return None
    pieces, left = [piece], cap - len(piece)
    opened = [] if container is None else [(_parts(container, cap, layout, 1), id(container), cap)]
    while opened:
        for piece, container in opened[-1][0]:
            left -= len(piece)
            if left < 0:
                if longer is not None:
                    longer.update([(known, room) for _, known, room in opened])
                return None
            pieces.append(piece)
            if container is not None:
                parts = _parts(container, cap, layout, len(opened) + 1)
                opened.append((parts, id(container), left))
                break
        else:
            _ = opened.pop()
    text = encodable("".join(pieces))
    return text if len(text) <= cap else None


def _parts(
    container: JsonObject | JsonArray, cap: int, layout: Layout, depth: int
) -> Iterator[_Part]:
    if is_array(container):
        return _array_parts(container, cap, layout, depth)
    return _object_parts(container, cap, layout, depth)


def _object_parts(mapping: JsonObject, cap: int, layout: Layout, depth: int) -> Iterator[_Part]:
    line = layout.line(depth)
    lead = "{" + line
    for key, value in mapping.items():
        name = encode_basestring(key_text(key)[:cap])
        yield _part(f"{lead}{name}{layout.colon}", value, cap)
        lead = "," + line
    yield layout.line(depth - 1) + "}" if mapping else "{}", None


def _array_parts(array: JsonArray, cap: int, layout: Layout, depth: int) -> Iterator[_Part]:
    line = layout.line(depth)
    lead, separator = "[" + line, "," + line
    for run in runs(array, cap):
        text = run_text(run, separator)
        if text is not None:
            yield lead + text, None
            lead = separator
            continue
        for value in run:
            yield _part(lead, value, cap)
            lead = separator
    yield layout.line(depth - 1) + "]" if array else "[]", None


def _part(lead: str, value: object, cap: int) -> _Part:
    """What to write for a value; a string that is too long stands for itself, unread."""
    if isinstance(value, str):
        return lead + encode_basestring(value) if len(value) < cap else value, None
    text_of = _TEXTS.get(type(value))
    if text_of:
        return lead + text_of(value), None
    if is_array(value) or is_object(value):
        return lead, value
    return lead + _unusual_text(value), None


def _int_text(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # more digits than Python prints, or reads back
        return "null"


def _float_text(value: float) -> str:
    return float.__repr__(value) if isfinite(value) else "null"


_TEXTS: dict[type, Callable[[Any], str]] = {
    bool: {True: "true", False: "false"}.__getitem__,
    int: _int_text,
    float: _float_text,
    type(None): lambda _: "null",
}


def _unusual_text(value: object) -> str:
    """The text of a scalar whose type is derived from one of the usual types."""
    for kind, text_of in _TEXTS.items():
        if isinstance(value, kind):
            return text_of(value)
    message = f"{type(value).__name__} is not a JSON type"
    raise TypeError(message)


def key_text(key: object) -> str:
    """A key as a string; keys that are none are taken as the standard encoder takes them."""
    return key if isinstance(key, str) else _unusual_text(key)


def runs(array: JsonArray, cap: int) -> Iterator[Sequence[object]]:
    """The array in pieces, each worth looking at when `cap` characters of the array are wanted."""
    if len(array) < SHORTEST_RUN:
        return iter((array,))
    entries, size = iter(array), min(RUN, cap // len("0,") + 1)
    return iter(lambda: tuple(islice(entries, size)), ())


def run_text(run: Sequence[object], separator: str) -> str | None:
    """Short scalars, written at once; None if the run is short, or there is anything else in it.

    This is what makes an array of a hundred thousand numbers cost less than the standard encoder
    takes for all of it, and not ten times as much.
    """
    kinds = set(map(type, run)) if len(run) >= SHORTEST_RUN else {list}
    if not kinds <= _SCALARS:
        return None
    if str in kinds and any(len(entry) > RUN_STRING for entry in run if isinstance(entry, str)):
        return None
    encoder = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(separator, ""))
    try:
        return encodable(encoder.encode(run)[1:-1])
    except ValueError:  # a number that is `null` to us
        return None


_SCALARS = frozenset({str, *_TEXTS})

"""Writing JSON, up to a length.

`written` writes what the standard encoder writes, apart from four things. It gives up as soon as
the text is longer than asked for, having read hardly more than it wrote. No depth makes it
recurse. What JSON cannot say (a number that is infinite, or none, or too long to be printed) is
`null`. And the text always encodes as UTF-8: half a surrogate pair is written as its escape.

Lengths are counted in code points.
"""

from collections.abc import Iterator, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any, Final, TypeAlias, TypeGuard

from attrs import frozen

from native_web_search.domain.json_scalars import (
    SCALAR_TEXTS,
    SCALARS,
    derived_text,
    key_text,
    run_text,
    runs,
)
from native_web_search.domain.json_strings import encodable, quoted_within

JsonObject: TypeAlias = Mapping[Any, object]  # other keys than strings are written, too
JsonArray: TypeAlias = Sequence[object]

# Text to write now, and the container, if any, whose parts come next.
_Part: TypeAlias = tuple[str, JsonObject | JsonArray | None]


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether the value is written in braces; a `dict` is told faster than any mapping."""
    return isinstance(value, (dict, Mapping))


def is_array(value: object) -> TypeGuard[JsonArray]:
    """Whether the value is written in brackets."""
    return isinstance(value, (list, tuple))


def is_container(value: object) -> TypeGuard[JsonObject | JsonArray]:
    """Whether the value is an object or an array; a usual scalar is told fastest."""
    return type(value) not in SCALARS and isinstance(value, (dict, list, tuple, Mapping))


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


def written(
    value: object, cap: int, layout: Layout = COMPACT, *, lengths: dict[int, int] | None = None
) -> str | None:
    """The JSON text of a value, or None if it is longer than `cap`.

    `lengths` learns what was found out on the way: of every container that was met, by `id`, a
    length that its text has at least. Raises `TypeError`, as the standard encoder does, on
    meeting something that is not JSON.
    """
    if isinstance(value, str):
        return quoted_within(value, cap)
    piece, container = _part("", value, cap)
    if container is None:
        return _within(cap, piece)
    pieces: list[str] = []
    left = cap
    learned = {} if lengths is None else lengths
    opened = [(_parts(container, cap, layout, 1), id(container), cap)]
    while opened:
        for piece, container in opened[-1][0]:
            left -= len(piece)
            if left < 0:
                learned.update([(inside, room - left) for _, inside, room in opened])
                return None
            pieces.append(piece)
            if container is not None:
                parts = _parts(container, cap, layout, len(opened) + 1)
                opened.append((parts, id(container), left))
                break
        else:
            _, inside, room = opened.pop()
            learned[inside] = room - left
    return _within(cap, "".join(pieces))


def _within(cap: int, text: str) -> str | None:
    """The text, ready to be sent, if it is no longer than `cap` then."""
    text = encodable(text) if len(text) <= cap else text
    return text if len(text) <= cap else None


def _parts(
    container: JsonObject | JsonArray, cap: int, layout: Layout, depth: int
) -> Iterator[_Part]:
    if isinstance(container, (dict, Mapping)):
        return _object_parts(container, cap, layout, depth)
    return _array_parts(container, cap, layout, depth)


def _object_parts(mapping: JsonObject, cap: int, layout: Layout, depth: int) -> Iterator[_Part]:
    line = layout.line(depth)
    lead = "{" + line
    for key, value in mapping.items():
        name = encode_basestring(key[:cap] if isinstance(key, str) else key_text(key))
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
        return lead + encode_basestring(value) if len(value) <= cap else value, None
    text_of = SCALAR_TEXTS.get(type(value))
    if text_of:
        return lead + text_of(value), None
    if is_container(value):
        return lead, value
    return lead + derived_text(value), None

"""Writing JSON, up to a length.

The same values as the standard encoder writes, with three differences: no value and no depth
makes it fail or recurse, what JSON cannot say is written as `null`, and it gives up as soon as
the text is longer than asked for, having read little more than it has written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring
from math import isfinite
from typing import Final, TypeGuard

from attrs import frozen

LONGEST_ESCAPE = len("\\ud800")


@frozen
class Layout:
    """How the parts of a text are set apart: what follows a key, and one step of indentation."""

    colon: str
    step: str

    def line(self, depth: int) -> str:
        """The beginning of a line at this depth, if the layout has lines."""
        return "\n" + self.step * depth if self.step else ""


COMPACT: Final = Layout(":", "")
PRETTY: Final = Layout(": ", "  ")


def written(value: object, cap: int, layout: Layout = COMPACT) -> str | None:
    """The JSON text of a value, or None if it is longer than `cap` characters."""
    if not is_container(value):
        text = scalar_text(value, cap)
        return text if len(text) <= cap else None
    pieces: list[str] = []
    left = cap
    opened = [_parts(value, cap, layout, 1)]
    while opened:
        for piece, child in opened[-1]:
            left -= len(piece)
            if left < 0:
                return None
            pieces.append(piece)
            if child is not None:
                opened.append(_parts(child, cap, layout, len(opened) + 1))
                break
        else:
            opened.pop()
    return "".join(pieces)


def _parts(container, cap, layout, depth):
    """Text to write in order, each with the child container that goes behind it, if any."""
    if is_object(container):
        return _object_parts(container, cap, layout, depth)
    return _array_parts(container, cap, layout, depth)

def _object_parts(mapping, cap, layout, depth):
    line = layout.line(depth)
    lead = "{" + line
    for key, value in mapping.items():
        lead += quoted(key_text(key)[:cap]) + layout.colon
        if type(value) in SCALARS or not is_container(value):
            yield lead + scalar_text(value, cap), None
        else:
            yield lead, value
        lead = "," + line
    yield (layout.line(depth - 1) + "}" if mapping else "{}"), None

def _array_parts(array, cap, layout, depth):
    line = layout.line(depth)
    lead = "[" + line
    for value in array:
        if type(value) in SCALARS or not is_container(value):
            yield lead + scalar_text(value, cap), None
        else:
            yield lead, value
        lead = "," + line
    yield (layout.line(depth - 1) + "]" if array else "[]"), None

SCALARS = frozenset({str, int, float, bool, type(None)})
def is_container(value): return isinstance(value, (dict, list, tuple, Mapping))
def is_object(value): return isinstance(value, (dict, Mapping))

def key_text(key): return key

def scalar_text(value: object, cap: int) -> str:
    if isinstance(value, str):
        return quoted(value[:cap])
    if value is None or isinstance(value, bool): return {None:"null",True:"true",False:"false"}[value]
    if isinstance(value,int): return int.__repr__(value)
    return float.__repr__(value) if isfinite(value) else "null"

def quoted(text: str) -> str:
    """A string as JSON; a lone surrogate becomes its escape, so that the text encodes as UTF-8."""
    quote = encode_basestring(text)
    if quote.isascii(): return quote
    try: quote.encode()
    except UnicodeEncodeError: return quote.encode(errors="backslashreplace").decode()
    return quote

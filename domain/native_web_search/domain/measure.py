"""Telling short values from long ones, at the cost of the short ones."""

from collections.abc import Iterable
from typing import cast

from attrs import define, field

from native_web_search.domain.json_scalars import SHORTEST_ENTRY
from native_web_search.domain.json_strings import quoted_within
from native_web_search.domain.json_text import written

LOOK_AHEAD = 2  # times the length asked for
SHORTEST_FIELD = len('"":0,')


def surely_longer(value: object, cap: int) -> bool:
    """Whether counting alone shows that the text is longer than `cap`; a no proves nothing.

    This saves writing the first `cap` characters, twice, of what is much longer. Counted are the
    fewest characters that fields and entries take, all of a container at once, and the strings.
    """
    left = cap
    waiting = [value]
    while waiting:
        node = waiting.pop()
        inside: Iterable[object] = ()
        if isinstance(node, str):
            left -= len(node)
        elif isinstance(node, dict):
            fields = cast("dict[object, object]", node)
            left -= SHORTEST_FIELD * len(fields)
            inside = fields.values()
        elif isinstance(node, list):
            entries = cast("list[object]", node)
            left -= SHORTEST_ENTRY * len(entries)
            inside = entries
        if left < 0:
            return True
        waiting += inside
    return False


@define
class Measure:
    """The texts of values that are short enough, for the time of one truncation.

    A container that is too long is looked into farther than asked for, and what that shows about
    the containers inside is remembered. So a chain of containers, each inside the one before, is
    read a constant number of times, and not from every link to far below.
    """

    _lengths: dict[int, int] = field(init=False, factory=dict)  # by `id`: at least that long

    def text(self, value: object, cap: int) -> str | None:
        """The text of a value, or None if it is longer than `cap`."""
        if isinstance(value, str):
            return quoted_within(value, cap)
        if self._plainly_longer(value, cap):
            return None
        text = written(value, LOOK_AHEAD * cap, lengths=self._lengths)
        return text if text is not None and len(text) <= cap else None

    def _plainly_longer(self, value: object, cap: int) -> bool:
        """What makes a result long is mostly one string, right in it: that is seen without writing,
        and looked for once.
        """
        key = id(value)
        if key in self._lengths or not isinstance(value, dict):
            return self._lengths.get(key, 0) > cap
        fields = cast("dict[object, object]", value)
        if SHORTEST_FIELD * len(fields) > cap:
            return True
        strings = sum([len(child) for child in fields.values() if isinstance(child, str)])
        self._lengths[key] = strings
        return strings > cap

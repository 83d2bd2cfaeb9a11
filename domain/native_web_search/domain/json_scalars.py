"""Writing numbers and constants as JSON, keys as strings, and many short scalars at once."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from json import JSONEncoder, dumps
from math import isfinite
from typing import Any

from native_web_search.domain.json_strings import encodable

RUN = 512  # array entries that are given to the standard encoder at once
SHORTEST_RUN = 8  # below that its preparations cost more than they save
RUN_STRING = 40  # characters of a string in such a run: short even if all of them are escaped
SHORTEST_ENTRY = len("0,")


def _int_text(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # more digits than Python prints, or reads back
        return "null"


def _float_text(value: float) -> str:
    return float.__repr__(value) if isfinite(value) else "null"


SCALAR_TEXTS: dict[type, Callable[[Any], str]] = {
    bool: {True: "true", False: "false"}.__getitem__,
    int: _int_text,
    float: _float_text,
    type(None): lambda _: "null",
}
SCALARS: frozenset[type] = frozenset({str, *SCALAR_TEXTS})
_ANYTHING: frozenset[type] = frozenset({object})


def derived_text(value: object) -> str:
    """The text of a scalar whose type may be derived from one of the usual types.

    Raises `TypeError`, as the standard encoder does, if it is not.
    """
    for kind, text_of in SCALAR_TEXTS.items():
        if isinstance(value, kind):
            return text_of(value)
    message = f"{type(value).__name__} is not a JSON type"
    raise TypeError(message)


def key_text(key: object) -> str:
    """A key as a string; keys that are none are taken as the standard encoder takes them."""
    if isinstance(key, str):
        return key
    return dumps(key) if isinstance(key, float) else derived_text(key)


def runs(array: Sequence[object], cap: int) -> Iterator[Sequence[object]]:
    """The array in pieces, each worth looking at when `cap` characters of the array are wanted."""
    if len(array) < SHORTEST_RUN:
        return iter((array,))
    entries, size = iter(array), min(RUN, max(cap, 0) // SHORTEST_ENTRY + 1)
    return iter(lambda: tuple(islice(entries, size)), ())


def run_text(run: Sequence[object], separator: str) -> str | None:
    """Short scalars, written at once; None if the run is short, or there is anything else in it.

    This is why an array of a hundred thousand numbers costs less than the standard encoder takes
    for all of it, and not ten times as much.
    """
    kinds = set(map(type, run)) if len(run) >= SHORTEST_RUN else _ANYTHING
    if not kinds <= SCALARS:
        return None
    if str in kinds and any(len(entry) > RUN_STRING for entry in run if isinstance(entry, str)):
        return None
    try:
        text = JSONEncoder(
            ensure_ascii=False, allow_nan=False, check_circular=False, separators=(separator, ":")
        ).encode(run)
    except ValueError:  # a number that is `null` to us
        return None
    return encodable(text[1:-1])

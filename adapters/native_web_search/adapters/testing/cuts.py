"""Cutting a response the way networks do, to see that no cut changes what is read."""

import random
import re
from collections.abc import Iterator

RANDOM_CUTS = 200  # beside the places that are known to be delicate

LINE_END = re.compile(rb"\r\n|\r|\n")
CONTINUATION = re.compile(rb"[\x80-\xbf]")  # a byte that is not the first of its character


def cuts(data: bytes, *, every: bool) -> Iterator[tuple[bytes, ...]]:
    """Ways to cut the bytes: one by one, then in two around line ends, inside characters and at
    random places, the same ones each time; with `every`, in two at every place there is.
    """
    yield tuple(data[at : at + 1] for at in range(len(data)))
    places = range(len(data) + 1) if every else sorted(_delicate(data) | _random(data))
    for place in places:
        yield data[:place], data[place:]


def _delicate(data: bytes) -> set[int]:
    """Before, inside and after each line end, and inside each character of several bytes."""
    ends = (range(end.start(), end.end() + 1) for end in LINE_END.finditer(data))
    inside = (byte.start() for byte in CONTINUATION.finditer(data))
    return {place for places in ends for place in places} | set(inside)


def _random(data: bytes) -> set[int]:
    places = random.Random(len(data))  # noqa: S311 - the same places in every run
    return {places.randint(0, len(data)) for _ in range(RANDOM_CUTS)}

"""One side of a comparison, done once: what it took and what came of it."""

import gc
import hashlib
import json
from collections.abc import Callable
from time import perf_counter, process_time
from typing import TypeAlias, TypeVar

from attrs import frozen

T = TypeVar("T")


@frozen
class Taken:
    """What one side took, in seconds and bytes. `work` says what was done, equal on both sides."""

    wall: float
    cpu: float
    work: object
    peak: int = 0


Side: TypeAlias = Callable[[], Taken]


@frozen
class Pair:
    """The two sides of a comparison, ready to be done again and again."""

    ours: Side
    theirs: Side


def taken(work: Callable[[], T], came_of: Callable[[T], object]) -> Taken:
    """Do the work once in this process; `came_of` tells afterwards, off the clock, what it was.

    Garbage is collected between the turns, as with `timeit`: in them, it would strike whoever
    comes by when enough of it has piled up, whose ever it is.
    """
    gc.disable()
    cpu, wall = process_time(), perf_counter()
    done = work()
    wall, cpu = perf_counter() - wall, process_time() - cpu
    gc.enable()
    return Taken(wall, cpu, came_of(done))


def side(work: Callable[[], T], came_of: Callable[[T], object]) -> Side:
    """A side whose every turn is the same work."""
    return lambda: taken(work, came_of)


def digest(document: object) -> str:
    """Equal for equal JSON."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()

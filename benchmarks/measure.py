"""A measure: what is compared with what, at which sizes, and what was promised about it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import Enum
from time import perf_counter
from typing import TypeAlias

from attrs import frozen

from benchmarks.sides import Pair, Taken

LEAST_ROUNDS = 5  # fewer have no median worth the name
MOST_ROUNDS = 101
SECONDS = 3.0  # for one measure at one size, once there are enough rounds


class Figure(Enum):
    """What is compared: the ratio of the medians of ours to theirs, or of theirs to ours for the
    throughput, of which more is better.
    """

    WALL = "time"
    CPU = "CPU time"
    PEAK = "peak memory"
    THROUGHPUT = "throughput"


@frozen
class Measure:
    """`opened` gives both sides for a size, and cleans up behind them.

    The target holds at the last of the sizes. `growth` is the largest exponent that ours may have:
    0 is flat, 1 is as the size.
    """

    name: str
    title: str
    against: str
    opened: Callable[[int], AbstractContextManager[Pair]]
    sizes: tuple[int, ...] = (1,)
    unit: str = ""
    figure: Figure = Figure.CPU
    target: float | None = None
    growth: float | None = None
    needs: tuple[str, ...] = ()


Rounds: TypeAlias = tuple[tuple[Taken, Taken], ...]


class UnequalWorkError(Exception):
    """The two sides did not come to the same answer, so that no figure of them means anything."""


def rounds(measure: Measure, size: int, *, quick: bool = False) -> Rounds:
    """Both sides in turns, after a warm-up; only the warm-up if it has to be quick."""
    with measure.opened(size) as pair:
        warm = _round(measure, pair)
        if quick:
            return (warm,)
        done: list[tuple[Taken, Taken]] = []
        end = perf_counter() + SECONDS
        while len(done) < LEAST_ROUNDS or (perf_counter() < end and len(done) < MOST_ROUNDS):
            done.append(_round(measure, pair))
        return tuple(done)


def _round(measure: Measure, pair: Pair) -> tuple[Taken, Taken]:
    ours, theirs = pair.ours(), pair.theirs()
    if ours.work != theirs.work:
        message = f"{measure.name}: ours came to {ours.work!r}, theirs to {theirs.work!r}"
        raise UnequalWorkError(message)
    return ours, theirs

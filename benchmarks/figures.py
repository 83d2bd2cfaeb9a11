"""From rounds to figures: medians, ratios, growth, and whether a target is met."""

from collections.abc import Iterable, Mapping
from math import log
from statistics import linear_regression, median, quantiles
from typing import TypeAlias

from attrs import frozen

from benchmarks.measure import Figure, Measure, Rounds
from benchmarks.sides import Taken

Json: TypeAlias = dict[str, object]


@frozen
class AtSize:
    """Medians at one size, of both sides and all that was measured."""

    size: int
    rounds: int
    ours: Mapping[str, float]
    theirs: Mapping[str, float]
    ratios: Mapping[str, float]
    spread: tuple[float, float]


@frozen
class Figures:
    """All that was found for one measure. `met` is none where nothing was promised."""

    name: str
    title: str
    against: str
    unit: str
    figure: str
    target: float | None
    growth_target: float | None
    sizes: tuple[AtSize, ...]
    growth: Mapping[str, float] | None
    ratio: float
    met: bool | None


def figures(measure: Measure, taken: Mapping[int, Rounds]) -> Figures:
    """The figures of a measure from its rounds at each size."""
    sizes = tuple(_at_size(measure.figure, size, rounds) for size, rounds in taken.items())
    growth = _growth(measure.figure, sizes)
    ratio = sizes[-1].ratios[measure.figure.name.lower()]
    return Figures(
        name=measure.name,
        title=measure.title,
        against=measure.against,
        unit=measure.unit,
        figure=measure.figure.value,
        target=measure.target,
        growth_target=measure.growth,
        sizes=sizes,
        growth=growth,
        ratio=ratio,
        met=_met(measure, ratio, growth),
    )


def _at_size(figure: Figure, size: int, rounds: Rounds) -> AtSize:
    ours, theirs = _medians(pair[0] for pair in rounds), _medians(pair[1] for pair in rounds)
    ratios = {kind.name.lower(): _ratio(kind, ours, theirs) for kind in Figure}
    single = [_ratio(figure, _medians([mine]), _medians([other])) for mine, other in rounds]
    low, _, high = quantiles(single, n=4) if len(single) > 1 else single * 3
    return AtSize(size, len(rounds), ours, theirs, ratios, (low, high))


def _medians(taken: Iterable[Taken]) -> dict[str, float]:
    every = tuple(taken)
    return {
        "wall": median(each.wall for each in every),
        "cpu": median(each.cpu for each in every),
        "peak": median(each.peak for each in every),
    }


def _ratio(figure: Figure, ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    if figure is Figure.THROUGHPUT:
        return theirs["wall"] / ours["wall"]
    name = figure.name.lower()
    return ours[name] / theirs[name] if theirs[name] else 0.0


def _growth(figure: Figure, sizes: tuple[AtSize, ...]) -> Mapping[str, float] | None:
    if len(sizes) == 1:
        return None
    name = "wall" if figure is Figure.THROUGHPUT else figure.name.lower()
    return {
        "ours": _exponent([(each.size, each.ours[name]) for each in sizes]),
        "theirs": _exponent([(each.size, each.theirs[name]) for each in sizes]),
    }


def _exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the straight line through the points on log-log axes."""
    return linear_regression([log(x) for x, _ in points], [log(y) for _, y in points]).slope


def _met(measure: Measure, ratio: float, growth: Mapping[str, float] | None) -> bool | None:
    promises: list[bool] = []
    if measure.target is not None:
        enough = measure.figure is Figure.THROUGHPUT
        promises.append(ratio >= measure.target if enough else ratio <= measure.target)
    if measure.growth is not None and growth is not None:
        promises.append(growth["ours"] <= measure.growth)
    return all(promises) if promises else None

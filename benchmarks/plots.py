"""Two pictures of the results: how much of each target is used, and how the costs grow."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

Told: TypeAlias = Mapping[str, Any]

MET, MISSED, OURS, THEIRS = "#2a9d8f", "#d1495b", "#1d3557", "#b0b7c3"
GROWTH = ("guard-growth", "guard-keys", "ordering", "search", "stream-openai", "decoding-responses")
COLUMNS = 3
SIDES = ("theirs", "ours")
LEAST_SHARE = 0.01  # the shortest bar


def draw(results: Told, folder: Path) -> None:
    """Write the pictures; the same results make the same files."""
    mpl.use("svg")
    mpl.rcParams.update(
        {
            "svg.hashsalt": "native-web-search",
            "svg.fonttype": "none",
            "font.family": "sans-serif",
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    measures: Sequence[Told] = results["measures"]
    _targets([told for told in measures if told["target"] is not None], folder / "targets.svg")
    _growths([told for told in measures if told["name"] in GROWTH], folder / "growth.svg")


def _save(path: Path) -> None:
    plt.savefig(path, metadata={"Date": None}, bbox_inches="tight", facecolor="white")
    plt.close()


def _targets(measures: Sequence[Told], path: Path) -> None:
    """A bar for each target: how much of it is used."""
    _, axes = plt.subplots(figsize=(9, 0.34 * len(measures) + 1.2))
    shares = [_share(told) for told in measures]
    colours = [MET if told["met"] else MISSED for told in measures]
    places = range(len(measures))
    axes.barh(places, [max(share, LEAST_SHARE) for share in shares], color=colours, height=0.66)
    axes.axvline(1, color="black", linewidth=1)
    edge = max(1.4, *shares) * 1.25
    axes.set_xlim(0, edge)
    for place, told, share in zip(places, measures, shares, strict=True):
        words = axes.text(share + edge * 0.01, place, _said(told), va="center", fontsize=8.5)
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
    axes.set_yticks(places, [told["title"].replace("`", "") for told in measures])
    axes.set_ylim(len(measures) - 0.4, -0.6)
    axes.set_xlabel("share of the target that is used; left of the line the target is met")
    axes.set_title("Measured against target", loc="left", fontweight="bold")
    _save(path)


def _share(told: Told) -> float:
    if told["figure"] == "throughput":
        return float(told["target"] / told["ratio"])
    return float(told["ratio"] / told["target"])


def _said(told: Told) -> str:
    sign = "≥" if told["figure"] == "throughput" else "≤"
    return f"{told['ratio']:.2g}   (target {sign} {told['target']:g})"


def _growths(measures: Sequence[Told], path: Path) -> None:
    """Ours and theirs against the size, on logarithmic axes."""
    rows = -(-len(measures) // COLUMNS)
    _, grid = plt.subplots(rows, COLUMNS, figsize=(11, 3.1 * rows), squeeze=False)
    for axes in grid.flat[len(measures) :]:
        axes.set_visible(False)
    for axes, told in zip(grid.flat, measures, strict=False):
        _growth(axes, told)
    plt.tight_layout()
    _save(path)


def _growth(axes: Axes, told: Told) -> None:
    sizes = [each["size"] for each in told["sizes"]]
    for side, colour, name in (("theirs", THEIRS, told["against"]), ("ours", OURS, "ours")):
        times = [each[side]["cpu"] * 1_000 for each in told["sizes"]]
        label = f"{_short(name)}: n^{told['growth'][side]:.2f}"
        axes.plot(sizes, times, color=colour, marker="o", markersize=4, linewidth=2, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    decades = _decades([each[side]["cpu"] * 1_000 for each in told["sizes"] for side in SIDES])
    axes.set_ylim(decades[0], decades[-1])
    axes.set_yticks(decades, [f"{decade:g}" for decade in decades])
    axes.set_xticks(sizes, [f"{size:,}".replace(",", " ") for size in sizes], fontsize=8)
    axes.set_xlabel(told["unit"])
    axes.set_ylabel("CPU ms")
    axes.set_title(told["title"], loc="left", fontsize=9.5, fontweight="bold")
    axes.legend(frameon=False, fontsize=8)


def _decades(times: Sequence[float]) -> list[float]:
    """Powers of ten, from below the smallest to above the greatest."""
    return [10.0**power for power in range(floor(log10(min(times))), ceil(log10(max(times))) + 1)]


def _short(text: str) -> str:
    """Enough of a text for a small picture."""
    return text.replace("`", "").split(",")[0][:44]

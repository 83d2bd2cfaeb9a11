"""Publishing: the figures as JSON, as plots, and as the table of docs/benchmarks.md."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

Told: TypeAlias = Mapping[str, Any]

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "benchmarks.md"
FOLDER = DOCS / "benchmarks"
RESULTS = FOLDER / "results.json"

BEGIN = "<!-- figures: written by `make bench` -->"
END = "<!-- end of the figures -->"

HEAD = (
    "| measure | beside | ours | theirs | ratio | target | met | CPU ratio | growth |\n"
    "|---|---|---|---|---|---|---|---|---|"
)
MEGABYTE = 1_000_000


def publish(results: Told) -> None:
    """Write everything that shows figures."""
    from benchmarks import plots  # noqa: PLC0415 - only who draws needs what draws

    FOLDER.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    plots.draw(results, FOLDER)
    PAGE.write_text(with_figures(PAGE.read_text("utf-8"), results), "utf-8")


def with_figures(page: str, results: Told) -> str:
    """The page with the table of these results between its markers."""
    inside = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    return inside.sub(lambda _: f"{BEGIN}\n{figures(results)}\n{END}", page)


def figures(results: Told) -> str:
    """The machine in a sentence, and a row for each measure."""
    rows = [_row(told) for told in results["measures"]]
    return "\n".join([_machine(results["machine"]), "", HEAD, *rows])


def _machine(machine: Told) -> str:
    libraries = ", ".join(f"{name} {release}" for name, release in machine["libraries"].items())
    return (
        f"Measured on {machine['date']}: {machine['processor']}, {machine['cores']} cores, "
        f"{machine['system']}, load {machine['load']} at the start; Python {machine['python']}, "
        f"{libraries}."
    )


def _row(told: Told) -> str:
    last: Told = told["sizes"][-1]
    figure = _key(told)
    ours, theirs = (_amount(figure, last[side][figure]) for side in ("ours", "theirs"))
    cells = (
        told["title"],
        told["against"],
        ours,
        theirs,
        f"**{told['ratio']:.3g}**"
        if told["figure"] != "throughput"
        else f"**{told['ratio']:.2f}**",
        _target(told),
        {True: "yes", False: "no", None: ""}[told["met"]],
        f"{last['ratios']['cpu']:.3g}",
        _growth(told),
    )
    return f"| {' | '.join(cells)} |"


def _key(told: Told) -> str:
    return {"CPU time": "cpu", "peak memory": "peak"}.get(told["figure"], "wall")


def _amount(figure: str, amount: float) -> str:
    if figure == "peak":
        return f"{amount / MEGABYTE:.0f} MB"
    return f"{amount:.3g} s" if amount >= 1 else f"{amount * 1_000:.3g} ms"


def _target(told: Told) -> str:
    if told["target"] is None:
        return ""
    return f"{'>=' if told['figure'] == 'throughput' else '<='} {told['target']:g}"


def _growth(told: Told) -> str:
    if not told["growth"]:
        return ""
    limit = f" (<= {told['growth_target']:g})" if told["growth_target"] is not None else ""
    return f"n^{told['growth']['ours']:.2f}{limit}"


def everything(measures: Sequence[Told], machine: Told) -> Told:
    """The content of the file of results."""
    return {"machine": machine, "measures": list(measures)}

"""The command; see the package."""

import argparse
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

from attrs import asdict

from benchmarks import crowd, decoding, guard, imports, ordering, page, sdks, searching, waiting
from benchmarks.figures import Json, figures
from benchmarks.machine import machine
from benchmarks.measure import Measure, rounds

OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}  # its import would look for a newer one

MODULES = (imports, searching, sdks, decoding, guard, ordering, waiting, crowd)
MEASURES = {measure.name: measure for module in MODULES for measure in module.MEASURES}


def main() -> int:
    """Measure what was asked for, each in a process of its own."""
    options = _options()
    os.environ.update(OFFLINE)
    if options.alone:
        _measure_here(MEASURES[options.names[0]])
        return 0
    here, found = machine(), list[Json]()
    for name in options.names or MEASURES:
        measure = MEASURES[name]
        if _is_missing(measure):
            _say(f"{name}: not installed here")
        elif options.quick:
            rounds(measure, measure.sizes[0], quick=True)
            _say(f"{name}: same answers")
        else:
            found.append(_in_its_own_process(name))
            _say(_line(found[-1]))
    if not options.names and not options.quick:
        page.publish(page.everything(found, here))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument("--quick", action="store_true", help="a round of each, smallest size")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.names) - MEASURES.keys():
        parser.error(f"there is no measure {', '.join(sorted(unknown))}")
    return options


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _is_missing(measure: Measure) -> bool:
    return any(find_spec(name.partition(".")[0]) is None for name in measure.needs)


def _in_its_own_process(name: str) -> Json:
    """Nothing that another measure has imported or allocated may count."""
    command = [sys.executable, "-m", "benchmarks", "--alone", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603 - ourselves
    told: Json = json.loads(done.stdout)
    return told


def _measure_here(measure: Measure) -> None:
    taken = {size: rounds(measure, size) for size in measure.sizes}
    json.dump(asdict(figures(measure, taken)), sys.stdout)


def _line(told: Json) -> str:
    growth: Any = told["growth"]
    sizes: Any = told["sizes"]
    verdict: Any = told["met"]
    ours, theirs, ratios = (sizes[-1][name] for name in ("ours", "theirs", "ratios"))
    grows = f"  ^{growth['ours']:.2f}" if growth else ""
    target = f"  target {told['target']}" if told["target"] else ""
    met = {True: "  met", False: "  MISSED", None: ""}[verdict]
    return (
        f"{told['name']:<18}{told['ratio']:>8.3f} {told['figure']:<11}"
        f" wall {ours['wall'] * 1e3:.2f}/{theirs['wall'] * 1e3:.2f} ms {ratios['wall']:.3f}"
        f" cpu {ours['cpu'] * 1e3:.2f}/{theirs['cpu'] * 1e3:.2f} {ratios['cpu']:.3f}"
        f"{grows}{target}{met}"
    )


if __name__ == "__main__":
    sys.exit(main())

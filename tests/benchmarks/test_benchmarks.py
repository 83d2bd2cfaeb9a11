"""The benchmarks run, compare equal work, and the page shows what they found. No time is judged."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

NEEDS_ITS_OWN = {"import-whole-litellm", "search-litellm"}  # installed by `make bench` alone


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    """What was published last."""
    found: dict[str, object] = json.loads((DOCS / "benchmarks" / "results.json").read_text("utf-8"))
    return found


@pytest.mark.full
@pytest.mark.rule("bench.1")
def test_every_measure_runs_and_both_sides_come_to_the_same_answer() -> None:
    """A quick round of each: had the answers differed, it would have failed."""
    lines = run("-m", "benchmarks", "--quick").stdout.splitlines()
    verdicts = dict(line.split(": ") for line in lines)
    missing = {name for name, verdict in verdicts.items() if verdict == "not installed here"}
    assert missing <= NEEDS_ITS_OWN
    assert {verdicts[name] for name in verdicts.keys() - missing} == {"same answers"}


@pytest.mark.full
@pytest.mark.rule("bench.5")
def test_the_profile_tells_both_sides_apart() -> None:
    """The reference takes the whole of its own time, and none of it inside of us."""
    rows = [
        line.split(" | ") for line in run("-m", "benchmarks.profile", "100").stdout.splitlines()
    ]
    theirs = {row[0].strip("| "): row[-1].strip(" |") for row in rows}
    assert theirs["all"] == "100%"
    assert theirs["choosing, attempts, record, result"] == "0%"
    assert theirs["parsing"] != "0%"


@pytest.mark.rule("bench.2")
def test_unequal_work_is_no_figure() -> None:
    """A side that did something else ends the measure."""
    script = """
from contextlib import nullcontext
from benchmarks.measure import Measure, UnequalWorkError, rounds
from benchmarks.sides import Pair, side
pair = Pair(side(lambda: 1, str), side(lambda: 2, str))
try:
    rounds(Measure("m", "", "", lambda size: nullcontext(pair)), 1)
except UnequalWorkError as error:
    print(error)
"""
    assert run("-c", script).stdout == "m: ours came to '1', theirs to '2'\n"


@pytest.mark.rule("bench.3")
def test_the_page_shows_the_published_results() -> None:
    """The table is what the results say, and drawing it again changes nothing."""
    script = """
import json
from benchmarks import page
text = page.PAGE.read_text("utf-8")
print(page.with_figures(text, json.loads(page.RESULTS.read_text("utf-8"))) == text)
"""
    assert run("-c", script).stdout == "True\n"


@pytest.mark.rule("bench.4")
def test_every_target_is_judged(results: dict[str, list[dict[str, object]]]) -> None:
    """Each measure with a target says whether it is met, by the ratio that the page shows."""
    for told in results["measures"]:
        judged = told["target"] is not None or told["growth_target"] is not None
        assert (told["met"] is not None) == judged
        if told["growth_target"] is None and isinstance(told["target"], float):
            assert isinstance(told["ratio"], float)
            enough = told["figure"] == "throughput"
            within = told["ratio"] >= told["target"] if enough else told["ratio"] <= told["target"]
            assert told["met"] == within

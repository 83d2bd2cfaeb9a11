"""Many calls in one process leave nothing behind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def soaked(calls: int) -> dict[str, object]:
    """What a soak in a process of its own has to say, any warning being an error."""
    command = (sys.executable, "-W", "error", "-m", "tests.soak.run", "--calls", str(calls))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    told: dict[str, object] = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["wrong"]) == (0, "", [])
    return told


@pytest.mark.rule("soak.1", "soak.2", "soak.3")
def test_a_few_calls_leave_nothing_behind() -> None:
    """Faults, cancellations and changes of models: all of them occur, none leaves a trace."""
    told = soaked(150)
    assert told["calls"] == 150
    assert {"answers", "errors", "cancelled"} <= told.keys()


@pytest.mark.full
@pytest.mark.rule("soak.1", "soak.2", "soak.3")
def test_twenty_thousand_calls_leave_nothing_behind() -> None:
    """The whole soak, as `make soak` runs it."""
    assert soaked(20_000)["calls"] == 20_000

"""Errors that were recorded, with their status and headers."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.matrix.faults import End, Fault, answers

STREAMS = Path(__file__).parents[1] / "streams"


def recorded(ends: Mapping[str, End]) -> Iterator[Fault]:
    """The recordings of these names, and what each must come to."""
    for name, end in ends.items():
        said = json.loads((STREAMS / f"{name}.json").read_text("utf-8"))
        yield answers(name, end, said["status"], said["body"], said["headers"].items())

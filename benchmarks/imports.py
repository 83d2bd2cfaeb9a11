"""What importing costs, each time in a fresh process that does nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from benchmarks.measure import Measure
from benchmarks.sides import Pair, Side, Taken

# What nobody wants to pay for who only imports.
HEAVY = ("ada_url", "aiohttp", "cattrs", "hypothesis")


class ImportFailedError(Exception):
    """The statement did not run."""


def _imported(statement: str, unwanted: tuple[str, ...] = ()) -> Side:
    """A fresh process for each turn; its work is what it loaded of the unwanted, so nothing."""
    # Compiled once and kept, as whatever was installed is: the warm-up sees to it.
    environ = {name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"}
    script = f"{statement}\nimport sys\nprint(*sys.modules.keys() & {set(unwanted)!r})"

    def turn() -> Taken:
        start = perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", script if unwanted else statement],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with process:
            said = process.stdout.read().split() if process.stdout else []
            _, status, used = os.wait4(process.pid, 0)
            wall = perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise ImportFailedError(statement)
        return Taken(wall, used.ru_utime + used.ru_stime, said)

    return turn


def _measure(
    name: str, statement: str, other: str, target: float | None, needs: tuple[str, ...] = ()
) -> Measure:
    @contextmanager
    def opened(_size: int) -> Iterator[Pair]:
        yield Pair(_imported(statement, HEAVY), _imported(other))

    return Measure(
        f"import-{name}",
        f"`{statement}`",
        f"`{other}`",
        opened,
        target=target,
        needs=needs,
    )


DOMAIN = "import native_web_search.domain"
WHOLE = "from native_web_search.adapters import open_web_search"

MEASURES = (
    _measure("domain", DOMAIN, "import aiohttp", 0.5),
    _measure("whole", WHOLE, "import openai", 0.35, ("openai",)),
    _measure("whole-litellm", WHOLE, "import litellm", None, ("litellm",)),
)

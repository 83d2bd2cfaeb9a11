"""Run fuzz targets: `python -m fuzz.run [TARGET...] [--seconds S] [--executions N]`.

Each target gets a process of its own, one after the other. What the engine finds interesting is
kept in `.cache/fuzz/` and used again by the next run; `--keep` distils it into the corpus that the
repository has and the tests replay. An input that breaks a promise goes to `fuzz/faults/`, and
`--replay FILE` shows how, without the engine.
"""

import argparse
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from fuzz.targets import BY_NAME, ROOT, TARGETS, Target

FAULTS = ROOT / "fuzz" / "faults"
CACHE = ROOT / ".cache" / "fuzz"
EXECUTED = re.compile(rb"stat::number_of_executed_units: (\d+)|^#(\d+)\s", re.MULTILINE)
FOUND = re.compile(r"[0-9a-f]{40}")  # how the engine names an input
MOST_KEPT = 40  # for each target
SLOWEST = 10  # seconds for one input; more is a fault


@frozen
class Report:
    """What one run of a target brought."""

    name: str
    executions: int
    faults: tuple[Path, ...]
    failed: bool

    def __str__(self) -> str:
        said = f"{self.name}: {self.executions} executions, {len(self.faults)} faults"
        replays = [
            f"  python -m fuzz.run {self.name} --replay {path.relative_to(ROOT)}"
            for path in self.faults
        ]
        if self.failed and not self.faults:
            replays = [f"  the engine failed, see {_log(self.name).relative_to(ROOT)}"]
        return "\n".join([said, *replays])


def main() -> int:
    """The exit code is 1 if a promise was broken."""
    asked = _arguments()
    targets = [BY_NAME[name] for name in asked.targets] or list(TARGETS)
    if asked.replay:
        return sum(_replayed(target, asked.replay) for target in targets)
    failed = False
    for target in targets:
        report = _run(target, _budget(asked.seconds, asked.executions))
        print(report, flush=True)
        failed = failed or report.failed
        if asked.keep:
            _keep(target)
    return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz.run")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(BY_NAME))
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--executions", type=int, default=-1, help="for each target")
    parser.add_argument("--keep", action="store_true", help="distil what was found")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="one input, without the engine")
    asked = parser.parse_args()
    if unknown := [name for name in asked.targets if name not in BY_NAME]:
        parser.error(f"no such target: {', '.join(unknown)}")
    return asked


def _budget(seconds: int, executions: int) -> list[str]:
    return [f"-max_total_time={seconds}", f"-runs={executions}"]


def _replayed(target: Target, file: Path) -> int:
    try:
        target.holds(file.read_bytes())
    except Exception:  # noqa: BLE001 - a broken promise may be anything
        traceback.print_exc()
        print(f"{target.name}: broken by {file}")
        return 1
    print(f"{target.name}: holds for {file}")
    return 0


def _run(target: Target, budget: Iterable[str]) -> Report:
    found = CACHE / target.name
    for folder in (FAULTS, found, target.corpus):
        folder.mkdir(parents=True, exist_ok=True)
    before = _faults(target)
    words = CACHE / f"{target.name}.dict"
    words.write_text("".join(map(_entry, target.words)))
    ended = _engine(
        target,
        *budget,
        *([f"-dict={words}"] if target.words else []),
        f"-max_len={target.longest}",
        f"-timeout={SLOWEST}",
        f"-artifact_prefix={FAULTS / target.name}-",
        *([f"-seed_inputs={','.join(map(str, target.recordings))}"] if target.recorded else []),
        "-print_final_stats=1",
        str(found),
        str(target.corpus),
    )
    counts = EXECUTED.findall(_log(target.name).read_bytes()) or [(b"0", b"")]
    executions = int(counts[-1][0] or counts[-1][1])
    faults = tuple(sorted(_faults(target) - before))
    return Report(target.name, executions, faults, failed=bool(faults) or ended != 0)


def _faults(target: Target) -> set[Path]:
    return set(FAULTS.glob(f"{target.name}-*"))


def _log(name: str) -> Path:
    return CACHE / f"{name}.log"


def _entry(word: str) -> str:
    """A line of a dictionary: bytes in hex, the one form that needs no thought."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n'


def _engine(target: Target, *options: str) -> int:
    command = [sys.executable, "-m", "fuzz.worker", target.name, *options]
    with _log(target.name).open("wb") as log:
        return subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False).returncode  # noqa: S603


def _keep(target: Target) -> None:
    """Let the corpus hold the fewest inputs that reach what was reached, the shortest first, beside
    those that have a name.
    """
    distilled = CACHE / f"{target.name}.distilled"
    shutil.rmtree(distilled, ignore_errors=True)
    distilled.mkdir()
    found, corpus = CACHE / target.name, target.corpus
    _engine(target, "-set_cover_merge=1", str(distilled), str(corpus), str(found))
    for path in corpus.iterdir():
        if FOUND.fullmatch(path.name):
            path.unlink()
    known = {path.read_bytes() for path in corpus.iterdir()}
    for path in sorted(distilled.iterdir(), key=lambda path: path.stat().st_size)[:MOST_KEPT]:
        if path.read_bytes() not in known:
            shutil.copy(path, corpus)


if __name__ == "__main__":
    sys.exit(main())

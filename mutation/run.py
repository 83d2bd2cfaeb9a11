"""Mutation testing of the domain: `python -m mutation.run`.

mutmut changes one thing at a time in the functions of the domain and runs the tests of the domain
that reach it, in a copy of the process that has imported everything. Hence the second look at each
survivor: a process of its own, in which the change is there before anything is imported, and the
properties beside the tests. What then survives has to be in `docs/mutants.md`, with the reason.

mutmut takes a package to have one root; ours has four, so it works on a copy with one.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORKSPACE = ROOT / ".cache" / "mutants"
STATISTICS = WORKSPACE / "mutants" / "mutmut-cicd-stats.json"
PACKAGE = "native_web_search"
LAYERS = ("domain", "ports", "application", "adapters")
TESTS = ("conftest.py", "domain", "properties")
SURVIVOR = re.compile(r"^\s*(\S+): (survived|timeout|no tests|suspicious)$", re.MULTILINE)
NOTICED = (1, 2)  # exit codes of pytest: a test failed, or not even an import went well
MODULE = re.compile(rf"{PACKAGE}\.domain\.(\w+)\.")


def main() -> None:
    """Print what survives, with its change, and the numbers."""
    if "--again" not in sys.argv:
        _prepare()
    _mutmut("run", "--max-children", "1", stdout=None)
    survivors = [name for name in _survivors() if not _is_killed_afresh(name)]
    for name in survivors:
        print(_mutmut("show", name))
    _mutmut("export-cicd-stats")
    numbers = json.loads(STATISTICS.read_text())
    print(f"{numbers['total']} mutants, {numbers['timeout']} timed out, {len(survivors)} survived")


def _prepare() -> None:
    shutil.rmtree(WORKSPACE, ignore_errors=True)
    for layer in LAYERS:
        shutil.copytree(ROOT / layer / PACKAGE / layer, WORKSPACE / "src" / PACKAGE / layer)
    _copy_tests()


def _copy_tests() -> None:
    (WORKSPACE / "tests").mkdir()
    shutil.copy(ROOT / "mutation" / "pyproject.toml", WORKSPACE)
    for name in TESTS:
        source, target = ROOT / "tests" / name, WORKSPACE / "tests" / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


def _survivors() -> Iterator[str]:
    for name, end in SURVIVOR.findall(_mutmut("results")):
        if end != "timeout":
            yield name


def _is_killed_afresh(name: str) -> bool:
    """By the tests and properties that bear the name of the mutant's module."""
    found = MODULE.match(name)
    module = found[1] if found else ""
    folder = WORKSPACE / "mutants"
    files = [f"tests/{kind}/test_{module}.py" for kind in ("domain", "properties")]
    files = [file for file in files if (folder / file).exists()]
    roots = os.pathsep.join([str(folder / "src"), str(folder)])
    environ = {**os.environ, "MUTANT_UNDER_TEST": name, "PYTHONPATH": roots}
    command = [sys.executable, "-m", "pytest", "-xq", *_options(), *files]
    ended = subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False)  # noqa: S603
    return ended.returncode in NOTICED


def _options() -> list[str]:
    """Those of the first look as well."""
    settings = tomllib.loads((WORKSPACE / "pyproject.toml").read_text())
    options: list[str] = settings["tool"]["mutmut"]["pytest_add_cli_args"]
    return options


def _mutmut(*arguments: str, stdout: int | None = subprocess.PIPE) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    ended = subprocess.run(command, cwd=WORKSPACE, stdout=stdout, text=True, check=True)  # noqa: S603
    return ended.stdout or ""


if __name__ == "__main__":
    main()

"""The distribution, built and installed where the repository is not."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from native_web_search.domain.version import __version__

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "ports", "application", "adapters")

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment that holds the wheel and its command line."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=True)
    (wheel,) = built.glob("*.whl")
    pins = ["-c", str(ROOT / "requirements-dev.txt")]
    command = [str(folder / "bin/python"), "-m", "pip", "install", "-q", *pins, f"{wheel}[cli]"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "bin"


def run(installed: Path, *command: str, cwd: Path) -> str:
    environ = {"PATH": f"{installed}{os.pathsep}{os.environ['PATH']}", "HOME": str(cwd)}
    done = subprocess.run(
        [str(installed / command[0]), *command[1:]],
        env=environ,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 3}, done.stderr
    return done.stdout


@pytest.mark.rule("package.3")
def test_the_wheel_holds_every_layer_with_its_marker_and_data(built: Path) -> None:
    """`py.typed` for each layer, the catalogue, the corpus, and no namespace `__init__`."""
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"native_web_search/{layer}/py.typed" for layer in LAYERS} <= names
    assert "native_web_search/__init__.py" not in names
    assert "native_web_search/adapters/registries/catalogue.json" in names
    assert "native_web_search/adapters/hosts/pi/extension.ts" in names
    assert any(name.startswith("native_web_search/adapters/simulator/corpus/") for name in names)
    assert all(name.startswith(("native_web_search/", "native_web_search-")) for name in names)


@pytest.mark.rule("package.4")
def test_the_sdist_can_be_tested(built: Path) -> None:
    """It brings the tests, the documentation and the verbs."""
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "README.md", "LICENSE", "tests/conftest.py", "docs/behaviour.md"} <= names


@pytest.mark.rule("package.5")
def test_every_layer_imports_without_the_repository(installed: Path, tmp_path: Path) -> None:
    """In an environment that has nothing but the wheel and what it asks for."""
    for layer in LAYERS:
        statement = f"import native_web_search.{layer} as layer; print(layer.__file__)"
        where = run(installed, "python", "-c", statement, cwd=tmp_path)
        assert str(installed.parent) in where


@pytest.mark.rule("package.6")
def test_the_command_works_without_the_repository(installed: Path, tmp_path: Path) -> None:
    """Version, doctor and a simulated search."""
    assert run(installed, "native-web-search", "--version", cwd=tmp_path) == f"{__version__}\n"
    assert "Exposure" in run(installed, "native-web-search", "doctor", cwd=tmp_path)
    simulated = ("native-web-search", "search", "cooldown", "--simulate", "--json")
    assert '"results"' in run(installed, *simulated, cwd=tmp_path)

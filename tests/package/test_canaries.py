"""The search for secrets in what the tests print would find one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"

LOGS = "import logging\ndef test_it() -> None:\n    logging.getLogger('any').debug('sk-%s', {!r})\n"
PRINTS = "import sys\ndef test_it() -> None:\n    sys.stderr.write('sk-' + {!r})\n"


@pytest.mark.rule("secrets.2")
@pytest.mark.parametrize("source", [LOGS, PRINTS], ids=["logged", "printed"])
@pytest.mark.parametrize(("word", "code"), [("CANARY", 1), ("canto", 0)])
def test_a_secret_fails_the_run(source: str, word: str, code: int, tmp_path: Path) -> None:
    """Though every test in it passes, at whatever level it was logged."""
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nlog_level = DEBUG\n")
    (tmp_path / "test_it.py").write_text(source.format(word))
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:asyncio")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout
    assert done.returncode == code
    assert f"canaries: {code} secrets in" in done.stdout

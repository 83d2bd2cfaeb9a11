"""Where the preference file lies when variables are empty or begin with a tilde, in processes."""

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(pwd.getpwuid(os.getuid()).pw_dir)
STATE = Path(".local/state/native-web-search/better-web-search.json")
PI = Path(".pi/agent/better-web-search.json")

SHOW = """
import json
import os
import sys
from native_web_search.adapters.compose import open_pi_web_search, open_web_search
from native_web_search.adapters.registries.static import StaticRegistry
for environ in json.loads(sys.argv[1]) or [dict(os.environ)]:
    os.environ.clear()
    os.environ.update(environ)
    for way in (open_web_search, open_pi_web_search):
        print(way(StaticRegistry((), {})).preferences.path)
"""

SAVE = """
import asyncio
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.testing.memory import ScriptedSearcher
from native_web_search.adapters.testing.speakers import OPENAI, logged_in

async def search():
    async with open_web_search(logged_in(OPENAI.at("https://e.example"))) as web:
        web.searcher = ScriptedSearcher()
        print((await web.call({"query": "q"})).is_error)

asyncio.run(search())
"""


def run(program: str, folder: Path, environ: dict[str, str], argument: str = "[]") -> list[str]:
    """What the program prints, in an empty folder and with these variables alone."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, argument],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


@pytest.mark.case("C11")
@pytest.mark.parametrize(
    ("cache", "ours", "pis"),
    [
        (None, HOME / STATE, HOME / PI),
        ("~/x.json", HOME / "x.json", HOME / "x.json"),
        ("", HOME / STATE, HOME / PI),
    ],
)
def test_an_empty_home_is_none(tmp_path: Path, cache: str | None, ours: Path, pis: Path) -> None:
    """The user's own home stands in for it: neither the root folder nor one called `~`."""
    environ = {"HOME": ""} | ({} if cache is None else {"PI_BETTER_WEB_SEARCH_CACHE": cache})
    folder = tmp_path / "empty"
    assert run(SHOW, folder, environ) == [str(ours), str(pis)]
    assert list(folder.iterdir()) == []


OTHERS: tuple[tuple[dict[str, str], Path, Path], ...] = (
    ({}, HOME / STATE, HOME / PI),
    ({"HOME": " "}, HOME / STATE, HOME / PI),
    ({"HOME": "/h", "PI_BETTER_WEB_SEARCH_CACHE": "~/x"}, Path("/h/x"), Path("/h/x")),
    ({"HOME": "/h", "PI_BETTER_WEB_SEARCH_CACHE": " \t"}, "/h" / STATE, "/h" / PI),
    ({"HOME": "/h", "NATIVE_WEB_SEARCH_CACHE": "~"}, Path("/h"), Path("/h")),
    ({"HOME": "/h", "NATIVE_WEB_SEARCH_CACHE": "~x~/y"}, Path("~x~/y"), Path("~x~/y")),
    (
        {"HOME": "/h", "NATIVE_WEB_SEARCH_CACHE": "", "PI_BETTER_WEB_SEARCH_CACHE": "~/x"},
        Path("/h/x"),
        Path("/h/x"),
    ),
    ({"HOME": "/h", "PI_CODING_AGENT_DIR": "~/agent"}, "/h" / STATE, "/h/agent" / Path(PI.name)),
    ({"HOME": "/h", "PI_CODING_AGENT_DIR": ""}, "/h" / STATE, "/h" / PI),
    ({"HOME": "", "PI_CODING_AGENT_DIR": "~/agent"}, HOME / STATE, HOME / "agent" / PI.name),
)


@pytest.mark.case("C11")
def test_empty_is_unset_and_a_tilde_is_home(tmp_path: Path) -> None:
    """Of every variable that names a place, and nothing is made by asking."""
    folder = tmp_path / "empty"
    shown = run(SHOW, folder, {}, json.dumps([environ for environ, *_paths in OTHERS]))
    assert shown == [str(path) for _environ, *paths in OTHERS for path in paths]
    assert list(folder.iterdir()) == []


@pytest.mark.case("C11")
def test_a_tilde_leads_the_save_home(tmp_path: Path) -> None:
    """A search writes into the home folder, and nothing into the folder that it runs in."""
    home, folder = tmp_path / "home", tmp_path / "empty"
    home.mkdir()
    environ = {"HOME": str(home), "PI_BETTER_WEB_SEARCH_CACHE": "~/x.json"}
    assert run(SAVE, folder, environ) == ["False"]
    assert [each.name for each in home.iterdir()] == ["x.json"]
    assert list(folder.iterdir()) == []

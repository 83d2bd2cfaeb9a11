"""Where the preference file lies."""

import os
import pwd
from pathlib import Path

import pytest

from native_web_search.adapters.stores.location import expanded_path, preference_path

HOME = Path(pwd.getpwuid(os.getuid()).pw_dir)


@pytest.mark.rule("file.12")
def test_the_setting_names_the_file() -> None:
    """An explicit path is used as it is, with a leading tilde expanded."""
    environ = {"HOME": "/home/me"}
    assert preference_path("/c/p.json", environ) == Path("/c/p.json")
    assert preference_path("~/p.json", environ) == Path("/home/me/p.json")
    assert expanded_path("~", environ) == Path("/home/me")


@pytest.mark.rule("file.13")
def test_by_default_it_lies_in_the_users_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is that of the specification."""
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    path = preference_path(None, {"HOME": "/home/me"})
    assert path == Path("/state/native-web-search/better-web-search.json")


@pytest.mark.rule("file.14")
@pytest.mark.parametrize("environ", [{"HOME": ""}, {"HOME": " "}, {}])
def test_a_blank_home_is_unset_and_not_the_root_folder(environ: dict[str, str]) -> None:
    """Neither `/.local` nor a folder called `~` is ever written to."""
    assert preference_path("~/p.json", environ) == HOME / "p.json"
    assert preference_path(None, environ).is_relative_to(HOME)


@pytest.mark.rule("file.17")
def test_the_tilde_of_nobody_is_part_of_a_name() -> None:
    """A user who does not exist has no home folder, and that is no error."""
    assert expanded_path("~nobody_here/x", {"HOME": "/home/me"}) == Path("~nobody_here/x")
    assert preference_path("~nobody_here/x", {}) == Path("~nobody_here/x")

"""Where the preference file lies."""

import os
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_state_path

FILE_NAME = "better-web-search.json"


def preference_path(setting: str | None, environ: Mapping[str, str]) -> Path:
    """The file that the setting names, `~` expanded; else one in the user's state folder."""
    if setting is not None:
        return expanded_path(setting, environ)
    if _home_is_blank(environ):
        return expanded_path(f"~/.local/state/native-web-search/{FILE_NAME}", environ)
    return user_state_path("native-web-search", appauthor=False) / FILE_NAME


def expanded_path(path: str, environ: Mapping[str, str]) -> Path:
    """A path with its leading `~` expanded. A blank HOME is unset, not the root folder.

    The `~` of a user who does not exist is part of a name, as it is to a shell.
    """
    if path == "~" or path.startswith(("~/", "~\\")):
        return Path(_home(environ), path[2:])
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _home_is_blank(environ: Mapping[str, str]) -> bool:
    return os.name == "posix" and not environ.get("HOME", "").strip()


def _home(environ: Mapping[str, str]) -> Path:
    if not _home_is_blank(environ):
        return Path(environ["HOME"]) if os.name == "posix" else Path.home()
    import pwd  # noqa: PLC0415 - exists on POSIX alone

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:  # a container's nameless user
        return Path.cwd()

"""The remembered preferences as a small JSON file.

Reading is forgiving: a file that is missing, unreadable, too large or not ours counts as empty.
Writing is whole or not at all: a temporary file beside the target is filled, synced and renamed
over it. A process that is killed meanwhile leaves the temporary file, which a later save removes.
A symbolic link stays a link and its target is written; an existing file keeps its mode, a new one
is for its owner alone. Only provider ids, model ids and a fingerprint are ever written.
A file of another version belongs to another program and is left as it is. So is one that is larger,
deeper or with longer numbers than we read: it may well be such a file; only what is small and
broken is replaced. And so is what is no file at all, for whoever may write to a device may also
rename something over it.
"""

import json
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import TypeAlias

from attrs import define, field

from native_web_search.domain.preference import (
    Preferences,
    is_foreign,
    plain_preferences,
    preferences_from,
)

MAX_BYTES = 65_536  # far more than two entries need; a larger file is not ours
OWNER_ONLY = 0o600
SUFFIX = ".web-search"  # of our temporary files, and of nobody else's
STALE_SECONDS = 60.0  # a save takes milliseconds; whoever is this late will not come back
TOO_MUCH = object()  # in place of content that we do not read

Stamp: TypeAlias = tuple[int, ...]  # changes whenever the file does


@define
class PreferenceFile:
    """A `PreferenceStore` on one path. Safe for many threads and processes: the last save wins."""

    path: Path
    _read: tuple[Stamp, Preferences] = field(init=False, default=((), Preferences()), repr=False)

    def load(self) -> Preferences:
        try:
            found = self.path.stat()
        except (OSError, ValueError):
            return Preferences()
        stamp = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
        if self._read[0] != stamp:
            self._read = (stamp, preferences_from(self._plain()))
        return self._read[1]

    def save(self, preferences: Preferences) -> None:
        target = Path(os.path.realpath(self.path))
        plain = self._plain()
        if plain is TOO_MUCH or is_foreign(plain) or _is_device(target):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(plain_preferences(preferences), ensure_ascii=True, indent=2) + "\n"
        _replace(target, text.encode())

    def _plain(self) -> object:
        """The file's JSON; `TOO_MUCH` if it may be JSON beyond our limits; None for all else."""
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                return None
            with self.path.open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
            return json.loads(raw) if len(raw) <= MAX_BYTES else TOO_MUCH
        except (OSError, json.JSONDecodeError, UnicodeDecodeError):
            return None
        except (ValueError, RecursionError):  # a number of thousands of digits, or too deep
            return TOO_MUCH


def _is_device(target: Path) -> bool:
    """Whether this is there and neither a file nor a folder: a device, a pipe, a socket."""
    try:
        mode = target.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _replace(target: Path, content: bytes) -> None:
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mode = OWNER_ONLY
    descriptor, name = mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=SUFFIX)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    with suppress(OSError):
        _sweep(target)


def _sweep(target: Path) -> None:
    """Remove what killed saves left behind, by the clock that dated the target itself."""
    latest = target.stat().st_mtime - STALE_SECONDS
    ours = re.compile(rf"\.{re.escape(target.name)}\.\w+{re.escape(SUFFIX)}")
    for path in target.parent.iterdir():
        if ours.fullmatch(path.name):
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and found.st_mtime < latest:
                path.unlink(missing_ok=True)

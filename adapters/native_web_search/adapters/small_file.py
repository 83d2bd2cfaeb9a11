"""Reading a file that somebody names, who may be mistaken.

A path may lead to a pipe that nobody writes to, to a device without an end, or to the wrong file of
many gigabytes. Only regular files are opened, none waits to be opened, and of none is more read
than asked for.
"""

import os
import stat
from enum import Enum
from pathlib import Path

from attrs import frozen

from native_web_search.domain.outcome import Failure, Outcome, Success

MAX_BYTES = 8_388_608  # 8 MiB: far more than thousands of models take, and parsed in a moment


class Why(Enum):
    """Why a file was not read."""

    MISSING = "missing"
    NO_FILE = "no file"
    TOO_LARGE = "too large"
    REFUSED = "refused"


@frozen
class Unread:
    """Why a file was not read; `says` tells a person, and begins with "it"."""

    why: Why
    says: str


def content_of(path: Path, most: int = MAX_BYTES) -> Outcome[bytes, Unread]:
    """All of a file, if it has no more than `most` bytes."""
    match beginning_of(path, most + 1):
        case Success(content) if len(content) > most:
            size = f"{most / 1_048_576:.3g} MiB"
            return Failure(Unread(Why.TOO_LARGE, f"it is larger than {size}; name a smaller file"))
        case read:
            return read


def beginning_of(path: Path, most: int) -> Outcome[bytes, Unread]:
    """The first bytes of a file, `most` at most."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Failure(Unread(Why.NO_FILE, "it is no regular file; name one that is"))
        with open(path, "rb", opener=_without_waiting) as file:
            return Success(file.read(most) or b"")
    except FileNotFoundError:
        return Failure(Unread(Why.MISSING, "it is not there; check the path"))
    except OSError as error:
        return Failure(Unread(Why.REFUSED, f"it cannot be read: {error.strerror}"))
    except ValueError:  # a null character
        return Failure(Unread(Why.REFUSED, "it cannot be read: the path holds a null character"))


def _without_waiting(path: str, flags: int) -> int:
    """What was a file a moment ago may be a pipe now, and opening one waits for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))

"""Standard output, whatever it is connected to.

A result is UTF-8, in whatever encoding the terminal or a pipe is said to be. And output can end
early: a reader that has seen enough leaves quietly, a full disk costs one line, and neither a
traceback. Python would write what is left only after the program's last word, so it is written
here, while there is still somebody to complain.
"""

import errno
import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast

UNWRITTEN = 1  # the exit code
STDOUT = 1  # the file descriptor
LOST = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


@contextmanager
def careful_output() -> Generator[None]:
    """Run the body with a standard output that is UTF-8, and see that all of it is written."""
    _open_streams()
    try:
        try:
            yield
        finally:
            if not sys.stdout.closed:
                sys.stdout.flush()
    except BrokenPipeError:
        _abandon()
        sys.exit(UNWRITTEN)
    except OSError as error:
        if error.errno not in LOST:
            raise
        _abandon()
        sys.stderr.write(f"The output could not be written: {os.strerror(error.errno)}\n")
        sys.exit(UNWRITTEN)


def _open_streams() -> None:
    # Both are None in a process that was started with the descriptor closed.
    if vars(sys)["stderr"] is None:
        sys.stderr = io.TextIOWrapper(io.BytesIO(), "utf-8")
    if vars(sys)["stdout"] is None:
        sys.stderr.write("The output could not be written: standard output is closed\n")
        sys.exit(UNWRITTEN)
    if hasattr(sys.stdout, "reconfigure"):
        stream = cast("io.TextIOWrapper", sys.stdout)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _abandon() -> None:
    """Let what is left go nowhere, instead of failing once more when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STDOUT)
    os.close(nowhere)

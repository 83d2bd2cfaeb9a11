"""Warnings of the log, kept for a report that says each of them once."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from native_web_search.adapters.cli.consoles import plain_console

log = logging.getLogger("native_web_search")


class KeptWarnings(logging.Handler):
    """What was warned of and has not been taken yet."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._kept: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message; one that is kept already is no news."""
        self._kept[record.getMessage()] = None

    def take(self) -> tuple[str, ...]:
        """The messages since the last time, in their order."""
        taken, self._kept = tuple(self._kept), {}
        return taken


@contextmanager
def kept_warnings() -> Generator[KeptWarnings]:
    """Keep what is warned of in the block; what nobody takes goes to standard error after it."""
    kept = KeptWarnings()
    log.addHandler(kept)
    try:
        yield kept
    finally:
        log.removeHandler(kept)
        for message in kept.take():
            plain_console(stderr=True).print(message)

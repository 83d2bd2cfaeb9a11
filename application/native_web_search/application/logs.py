"""What is logged of an exception that should not have been raised.

The text of a foreign exception may hold a key, so it is never logged: its type and the places it
passed are enough to find the bug.
"""

import logging
from traceback import format_tb

log = logging.getLogger("native_web_search")


def log_raised(what: str, error: BaseException) -> None:
    """Log, as an error, that something raised: what it was, the type, and where."""
    places = "".join(format_tb(error.__traceback__))
    log.error("%s raised %s\n%s", what, type(error).__name__, places)

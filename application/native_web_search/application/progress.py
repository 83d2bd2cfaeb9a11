"""Telling a caller how a call gets on, without depending on how the caller takes it."""

import asyncio

from native_web_search.application.logs import log_raised
from native_web_search.ports.providers import Progress

PROGRESS_SECONDS = 1.0  # for one line; a listener that takes longer misses it


def tolerant(progress: Progress | None) -> Progress:
    """A progress that does what the given one does, in bounded time, and never raises.

    None is silence. Cancellation passes through.
    """

    async def told(message: str) -> None:
        if progress is None:
            return
        try:
            async with asyncio.timeout(PROGRESS_SECONDS):
                await progress(message)
        except Exception as error:  # noqa: BLE001 - whatever a caller's function raises
            log_raised("a progress function", error)

    return told

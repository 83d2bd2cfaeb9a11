"""Saving preferences so that neither a call nor the end of the process waits for a slow disk."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from attrs import define, field, frozen

from native_web_search.application.logs import log
from native_web_search.domain.preference import Preferences
from native_web_search.ports.preferences import PreferenceStore

SAVE_SECONDS = 1.0  # a save that takes longer goes on without the call waiting for it


@frozen
class _Job:
    store: PreferenceStore
    preferences: Preferences
    tell: tuple[Callable[[], None], ...]


@define(eq=False)
class Saver:
    """Saves one after the other, in a thread that lives while there is something to save.

    Of the saves that wait for their turn only the last is made, for each replaces the one before.
    A save that hangs holds this one thread, and not the process: the thread is a daemon.
    """

    _lock: Lock = field(init=False, factory=Lock)
    _next: _Job | None = field(init=False, default=None)
    _busy: bool = field(init=False, default=False)

    async def save(self, store: PreferenceStore, preferences: Preferences) -> None:
        """Save, and wait for it `SAVE_SECONDS` at most. What a store raises is logged."""
        loop, saved = asyncio.get_running_loop(), asyncio.Event()

        def tell() -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(saved.set)

        try:
            self._submit(store, preferences, tell)
        except RuntimeError as error:  # no thread can be started
            _log_unsaved(error)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(SAVE_SECONDS):
                await saved.wait()

    def _submit(
        self, store: PreferenceStore, preferences: Preferences, tell: Callable[[], None]
    ) -> None:
        with self._lock:
            waiting = () if self._next is None else self._next.tell
            self._next = _Job(store, preferences, (*waiting, tell))
            if not self._busy:
                Thread(target=self._run, name="native-web-search-save", daemon=True).start()
                self._busy = True

    def _run(self) -> None:
        while job := self._take():
            try:
                job.store.save(job.preferences)
            except Exception as error:  # noqa: BLE001 - whatever a store raises
                _log_unsaved(error)
            for tell in job.tell:
                tell()

    def _take(self) -> _Job | None:
        with self._lock:
            job, self._next = self._next, None
            self._busy = job is not None
            return job


def _log_unsaved(error: Exception) -> None:
    log.warning("the preferences were not saved (%s)", type(error).__name__)

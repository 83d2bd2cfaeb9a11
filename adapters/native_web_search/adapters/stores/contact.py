"""Whether a server that may be away is asked, and what is said about it.

A circuit breaker. While the server answers, everybody asks. Once it does not, nobody asks for a
rest; then one may find out, and if it still does not answer, the rest begins anew. The log hears
once that the server is away and once that it is back, however many were asking when it went.

Each question has the number of its turn. A question that was put before the server went, and is
answered or lost after that, has an old number and says nothing any more.
"""

import logging
from threading import Lock

from attrs import define, field

from native_web_search.ports.clock import Clock

log = logging.getLogger("native_web_search")


@define(eq=False)
class Contact:
    """The contact of one process with the server at `place`, for all its threads."""

    place: str
    clock: Clock
    rest: float
    _turn: int = field(init=False, default=0)
    _again: float | None = field(init=False, default=None)  # when to ask a server that is away
    _understood: bool = field(init=False, default=True)
    _lock: Lock = field(init=False, factory=Lock, repr=False)

    @property
    def is_away(self) -> bool:
        return self._again is not None

    @property
    def rests(self) -> bool:
        """Whether the server is to be left alone now."""
        again = self._again
        return again is not None and self.clock.monotonic() < again

    def turn(self) -> int | None:
        """The number for a question, or None if the server is to be left alone."""
        with self._lock:
            if self.rests:
                return None
            if self.is_away:
                self._begin_rest()
            return self._turn

    def kept(self, turn: int) -> None:
        """The server has answered this question."""
        with self._lock:
            is_back = self._again is not None and turn == self._turn
            if is_back:
                self._again = None
        if is_back:
            log.info("the shared health at %s is back", self.place)

    def lost(self, turn: int, reason: str) -> None:
        """The server has not answered this question."""
        with self._lock:
            if turn != self._turn:
                return
            is_news = self._again is None
            self._begin_rest()
        if is_news:
            message = "the shared health at %s is away (%s): cooldowns are this process's own"
            log.warning(message, self.place, reason)

    def understood(self, *, yes: bool) -> None:
        """Whether what the server holds is ours."""
        with self._lock:
            is_news = self._understood and not yes
            self._understood = yes
        if is_news:
            message = "the shared health at %s is not ours to read: it counts as empty"
            log.warning(message, self.place)

    def _begin_rest(self) -> None:
        """Questions that are still open belong to the turn before."""
        self._turn += 1
        self._again = self.clock.monotonic() + self.rest

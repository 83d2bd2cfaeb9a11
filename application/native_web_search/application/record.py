"""What one call has done so far."""

from attrs import define, field, frozen

from native_web_search.application.logs import log
from native_web_search.domain.failure import Skipped
from native_web_search.domain.fallback import Done, FetchFallback, Finished
from native_web_search.domain.family import Candidate, Operation
from native_web_search.ports.clock import Clock

SUCCESS = "success"
CANCELLED = "cancelled"


@frozen
class Attempt:
    """One attempt that was made. `outcome` is `success`, `cancelled` or the scope of a failure."""

    operation: Operation
    candidate: Candidate
    outcome: str
    milliseconds: int
    message: str | None = None


@define
class Record:
    """What one call has done so far; a deadline may strike at any moment and read it."""

    attempts: list[Attempt] = field(factory=list)
    searched: Done | None = None
    fetching: FetchFallback | None = None
    fetched: Finished | None = None


@define
class Entry:
    """The line of the record that an attempt is about to write, once."""

    operation: Operation
    candidate: Candidate
    clock: Clock
    record: Record
    milliseconds: int = 0
    _started: float = field(init=False)
    _open: bool = field(init=False, default=True)

    def __attrs_post_init__(self) -> None:
        self._started = self.clock.monotonic()

    @property
    def place(self) -> tuple[Operation, Candidate]:
        return self.operation, self.candidate

    def close(self, outcome: str, message: str | None = None) -> None:
        if self._open:
            self._open = False
            self.milliseconds = round((self.clock.monotonic() - self._started) * 1000)
            self.record.attempts.append(
                Attempt(self.operation, self.candidate, outcome, self.milliseconds, message)
            )

    def skip(self, skipped: Skipped) -> None:
        """Nothing was sent, so nothing is recorded."""
        self._open = False
        log.debug("skipped %s: %s", self.candidate.model.provider, skipped.message)

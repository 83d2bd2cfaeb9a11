"""Watching a call from outside."""

from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.family import Candidate, Operation


class Observer:
    """Hooks that do nothing; override the ones you want. They run inline: return quickly.

    What a hook raises is logged and ignored.
    """

    def attempting(self, operation: Operation, candidate: Candidate) -> None:
        """An attempt is about to start."""

    def attempt_failed(
        self, operation: Operation, candidate: Candidate, failure: AttemptFailure
    ) -> None:
        """An attempt failed; the next candidate follows unless the call ends."""

    def cooled_down(self, operation: Operation, candidate: Candidate, seconds: float) -> None:
        """A failure put the candidate, or its whole provider, behind the healthy ones."""

    def answered(self, operation: Operation, candidate: Candidate, milliseconds: int) -> None:
        """An attempt succeeded."""

"""Time, passed in."""

from typing import Protocol


class Clock(Protocol):
    """A clock that never goes back."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; only differences mean anything."""
        ...

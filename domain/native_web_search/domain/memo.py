"""Recalling what was computed from a large value, without hashing it.

A registry returns the same thousands of models on every call. To hash them costs about as much as
to rank them; to compare them costs next to nothing when they are the same objects.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import define, field

KEPT = 8  # two operations for each of a few current models

A = TypeVar("A")
R = TypeVar("R")


@define(eq=False)
class Memo(Generic[A, R]):
    """A pure function that recalls its last few results, for arguments that are equal.

    Safe in several threads: a race at worst computes a result twice.
    """

    function: Callable[[A], R]
    _recent: tuple[tuple[A, R], ...] = field(init=False, default=())

    def __call__(self, argument: A) -> R:
        recent = self._recent
        for known, result in recent:
            if known is argument:
                return result
        for known, result in recent:
            if known == argument:
                return self._keep(argument, result)
        return self._keep(argument, self.function(argument))

    def _keep(self, argument: A, result: R) -> R:
        """Remember under this very object: the next comparison is then by identity."""
        others = [pair for pair in self._recent if pair[1] is not result]
        self._recent = ((argument, result), *others[: KEPT - 1])
        return result

"""What a fork does not carry over.

A forked process has the memory of its parent, but none of its other threads; a lock that one of
them held is held for ever. So threads and locks are made anew in each process.
"""

import os
from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import define, field

T = TypeVar("T")


@define(eq=False)
class PerProcess(Generic[T]):
    """`make` makes the value of a process when it is first asked for. It may be called once for
    each of several threads that ask first; all get the same value, so making it starts nothing.

    A parent's value stays in its children untouched, for collecting it might end what it holds.
    """

    make: Callable[[], T]
    _made: dict[int, T] = field(init=False, factory=dict)

    def here(self) -> T:
        """The value of this process."""
        process = os.getpid()
        if process not in self._made:
            self._made.setdefault(process, self.make())
        return self._made[process]

"""Saying which promise of a port an adapter breaks, with any test runner or none.

The tests of a contract are plain methods: what is asynchronous runs in an event loop of its own, so
that no plugin is needed and none is in the way. A promise that cannot be put to the test, because
the adapter under test has no such thing, raises `unittest.SkipTest`, which every runner knows.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, TypeVar
from unittest import SkipTest

C = TypeVar("C")

TEST_SECONDS = 10.0  # for one test, with a far side that is near; only what hangs takes longer
WAIT_SECONDS = 2.0  # for one thing to happen; on loopback it takes milliseconds
LOOK_SECONDS = 0.005  # between two looks at what has happened meanwhile


class BrokenPromise(AssertionError):  # noqa: N818 - what it says is no error of the program
    """An adapter does not do what its port promises; the message says which promise it is."""


class BrokenPromises(dict[str, BrokenPromise]):
    """What was broken, by the name of its test; empty if all that was checked is well.

    `unchecked` says by the name of its test why another promise was not put to the test; `repr`
    shows both, so that nobody takes nothing broken for everything checked.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unchecked: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().__repr__()}, unchecked={self.unchecked!r})"


def broken_promises(contract: Callable[[], object]) -> BrokenPromises:
    """Run the tests of a contract; what was broken, and beside it what was not checked and why.

    `contract` is a class that you derived from one here. pytest collects and runs the same class
    by itself; this is for a script, a notebook, or for seeing that a contract notices. Fixtures
    are pytest's, and do not run here.
    """
    found = BrokenPromises()
    for name in dir(contract):
        if name.startswith("test_"):
            try:
                getattr(contract(), name)()
            except SkipTest as skipped:
                found.unchecked[name] = str(skipped)
            except BrokenPromise as broken:
                found[name] = broken
    return found


def promised(kept: object, promise: str, found: object) -> None:
    """Raise `BrokenPromise` unless it was kept, with what was found instead."""
    if not kept:
        message = f"{promise}; found {found!r}"
        raise BrokenPromise(message)


@contextmanager
def never_raising(promise: str) -> Generator[None, None, None]:
    """What is raised in here, other than cancellation, breaks the promise."""
    try:
        yield
    except (BrokenPromise, SkipTest):
        raise
    except Exception as error:
        message = f"{promise}; it raised {error!r}"
        raise BrokenPromise(message) from error


def promised_kind(value: object, kind: type | tuple[type, ...], promise: str) -> None:
    """Raise `BrokenPromise` unless the value is of the kind that its type promises."""
    promised(isinstance(value, kind), promise, value)


def promised_json(value: object, promise: str) -> None:
    """Raise `BrokenPromise` unless the value can be written as JSON."""
    try:
        json.dumps(value)
    except (TypeError, ValueError) as error:
        promised(kept=False, promise=promise, found=error)


def in_a_loop(test: Callable[[C], Coroutine[Any, Any, None]]) -> Callable[[C], None]:
    """Make an asynchronous test one that any runner can call, and that ends."""

    @wraps(test)
    def run(contract: C) -> None:
        asyncio.run(_in_time(test(contract)))

    return run


async def until(condition: Callable[[], bool]) -> bool:
    """Wait a while for something that has to happen; whether it did."""
    with suppress(TimeoutError):
        async with asyncio.timeout(WAIT_SECONDS):
            while not condition():  # noqa: ASYNC110 - adapters set no event
                await asyncio.sleep(LOOK_SECONDS)
    return condition()


async def _in_time(test: Coroutine[Any, Any, None]) -> None:
    task = asyncio.ensure_future(test)
    await asyncio.wait({task}, timeout=TEST_SECONDS)
    promised(task.done(), f"this takes no {TEST_SECONDS:g} seconds", "no end")
    promised(not task.cancelled(), "nobody is cancelled who was not asked to be", "cancelled")
    await task

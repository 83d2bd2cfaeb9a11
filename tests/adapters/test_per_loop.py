"""Values that live as long as their event loop."""

import asyncio
import gc
import os
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Self

import pytest
from attrs import define, field

from native_web_search.adapters.per_loop import PerLoop

pytestmark = pytest.mark.rule("transport.26")


@define(eq=False)
class Thing:
    """Remembers in which loop it was made, and in which it was closed, once."""

    home: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    closings: list[asyncio.AbstractEventLoop] = field(factory=list)

    async def aclose(self) -> None:
        await asyncio.sleep(0.05)
        self.closings.append(asyncio.get_running_loop())


@pytest.fixture
def things() -> PerLoop[Thing]:
    return PerLoop(Thing, Thing.aclose)


@define
class LoopThread:
    """An event loop that runs in a thread of its own."""

    loop: asyncio.AbstractEventLoop = field(factory=asyncio.new_event_loop)
    thread: threading.Thread = field(init=False)

    def __enter__(self) -> Self:
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        return self

    def thing(self, things: PerLoop[Thing]) -> Thing:
        future: Future[Thing] = asyncio.run_coroutine_threadsafe(things.here(), self.loop)
        return future.result(5)

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture
def elsewhere() -> Iterator[LoopThread]:
    with LoopThread() as thread:
        yield thread


async def test_a_loop_has_one_value(things: PerLoop[Thing]) -> None:
    """Whoever asks in a loop gets the same, also at the same time."""
    first, second = await asyncio.gather(things.here(), things.here())
    assert first is second is await things.here()
    await things.aclose()


def test_each_loop_has_its_own(things: PerLoop[Thing]) -> None:
    """Two runs in a row share nothing, and each closes its value before its loop ends."""
    first = asyncio.run(things.here())
    second = asyncio.run(things.here())
    assert first is not second
    assert first.closings == [first.home]
    assert second.closings == [second.home]


def test_a_value_is_closed_even_if_the_loop_ends_by_an_error(things: PerLoop[Thing]) -> None:
    """The run that fails cleans up as the one that succeeds."""
    made: list[Thing] = []

    async def fail() -> None:
        made.append(await things.here())
        raise LookupError

    with pytest.raises(LookupError):
        asyncio.run(fail())
    assert made[0].closings == [made[0].home]


def test_a_loop_that_ended_is_forgotten() -> None:
    """A transport that outlives many loops does not keep them."""

    async def close(_: object) -> None: ...

    things = PerLoop(object, close)

    async def loop() -> "weakref.ref[asyncio.AbstractEventLoop]":
        await things.here()
        return weakref.ref(asyncio.get_running_loop())

    ended = asyncio.run(loop())
    gc.collect()
    assert ended() is None


async def test_closing_is_no_farewell(things: PerLoop[Thing]) -> None:
    """After `aclose` the loop gets a new value, and closing twice does nothing more."""
    first = await things.here()
    await things.aclose()
    await things.aclose()
    assert first.closings == [first.home]
    second = await things.here()
    assert second is not first
    assert second.closings == []
    await things.aclose()


async def test_a_value_of_another_thread_is_closed_there(
    things: PerLoop[Thing], elsewhere: LoopThread
) -> None:
    """`aclose` has every running loop close its own value, and waits for it."""
    here, there = await things.here(), elsewhere.thing(things)
    await things.aclose()
    assert (here.closings, there.closings) == ([here.home], [elsewhere.loop])


async def test_a_loop_that_is_stuck_does_not_hold_up_the_others(
    things: PerLoop[Thing], elsewhere: LoopThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait for another thread is bounded; the value is closed when that loop goes on."""
    monkeypatch.setattr("native_web_search.adapters.per_loop.CLOSE_SECONDS", 0.05)
    there, release = elsewhere.thing(things), threading.Event()
    elsewhere.loop.call_soon_threadsafe(release.wait, 5)
    await asyncio.wait_for(things.aclose(), 1)
    assert there.closings == []
    release.set()
    async with asyncio.timeout(5):
        while not there.closings:  # noqa: ASYNC110  another thread sets it
            await asyncio.sleep(0.01)


def test_a_value_of_a_loop_that_was_closed_bluntly_is_closed_later(things: PerLoop[Thing]) -> None:
    """A loop that ended without ending its generators leaves its value to the next loop."""
    loop = asyncio.new_event_loop()
    left = loop.run_until_complete(things.here())
    loop.close()
    assert left.closings == []
    asyncio.run(things.here())
    assert len(left.closings) == 1


def test_a_value_of_a_loop_that_stands_still_is_closed_when_it_moves(
    things: PerLoop[Thing],
) -> None:
    """No other thread touches what belongs to a loop that may be started at any moment."""
    loop = asyncio.new_event_loop()
    waiting = loop.run_until_complete(things.here())
    asyncio.run(asyncio.wait_for(things.aclose(), 1))
    assert waiting.closings == []
    loop.run_until_complete(asyncio.sleep(0.1))
    assert waiting.closings == [loop]
    loop.close()


async def test_a_forked_process_leaves_the_values_of_its_parent_alone(
    things: PerLoop[Thing], elsewhere: LoopThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their loops run there, and it goes on using them after the child has closed its own."""
    here, there = await things.here(), elsewhere.thing(things)
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        own = await things.here()
        assert own is not here
        async with asyncio.timeout(1):
            await things.aclose()
    assert (len(own.closings), here.closings, there.closings) == (1, [], [])
    assert await things.here() is here
    await things.aclose()
    assert (len(own.closings), len(here.closings), len(there.closings)) == (1, 1, 1)

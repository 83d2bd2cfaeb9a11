"""Saving preferences while stores are slow, broken or dead."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest
from attrs import define, field

from native_web_search.adapters.testing.memory import MemoryPreferences
from native_web_search.application.saving import Saver
from native_web_search.domain.preference import Preferences

FIRST, SECOND, THIRD = (Preferences(str(number) * 32) for number in range(3))


@define
class Slow(MemoryPreferences):
    """Saves when it is let; remembers what it saved, in order."""

    let: threading.Event = field(factory=threading.Event)
    saved: list[Preferences] = field(factory=list)

    def save(self, preferences: Preferences) -> None:
        self.let.wait(10)
        super().save(preferences)
        self.saved.append(preferences)


def saving() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "native-web-search-save"]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - threads set no event
            await asyncio.sleep(0.005)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("native_web_search.application.saving.SAVE_SECONDS", 0.01)


@pytest.mark.rule("call.41")
async def test_a_quick_save_is_done_when_the_call_returns() -> None:
    """So nothing is lost if the process then ends; and no thread stays."""
    store, saver = MemoryPreferences(), Saver()
    for preferences in (FIRST, SECOND):
        await saver.save(store, preferences)
        assert store.load() == preferences
    assert store.saves == 2
    await until(lambda: not saving())


@pytest.mark.rule("call.36")
@pytest.mark.usefixtures("impatient")
async def test_a_save_that_takes_long_delays_nobody() -> None:
    """It goes on without being waited for."""
    store, saver = Slow(), Saver()
    started = time.monotonic()
    await saver.save(store, FIRST)
    assert time.monotonic() - started < 5
    assert store.saved == []
    store.let.set()
    await until(lambda: store.saved == [FIRST])


@pytest.mark.rule("call.41")
@pytest.mark.usefixtures("impatient")
async def test_saves_behind_a_slow_one_are_made_in_one_thread_and_the_last_wins() -> None:
    """However many wait, they hold one thread, and what is stored in the end is the newest."""
    store, saver = Slow(), Saver()
    await saver.save(store, FIRST)
    await asyncio.gather(*(saver.save(store, SECOND) for _ in range(20)))
    await saver.save(store, THIRD)
    assert len(saving()) == 1
    store.let.set()
    await until(lambda: not saving())
    assert store.saved == [FIRST, THIRD]


@pytest.mark.rule("call.41")
async def test_whoever_waits_behind_another_is_told_of_the_save_that_replaced_theirs() -> None:
    """Five calls that finish at once all return once the newest is stored."""
    store, saver = Slow(), Saver()
    calls = [asyncio.create_task(saver.save(store, each)) for each in (FIRST, SECOND, THIRD)]
    await asyncio.sleep(0)
    store.let.set()
    async with asyncio.timeout(0.9):
        await asyncio.gather(*calls)
    assert store.load() == THIRD


@pytest.mark.rule("call.25")
async def test_a_store_that_raises_is_logged_and_asked_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One warning with the type, without a word of the exception."""

    class Full(MemoryPreferences):
        def save(self, preferences: Preferences) -> None:
            self.saves += 1
            raise OSError(28, "CANARY")

    store, saver = Full(), Saver()
    await saver.save(store, FIRST)
    await saver.save(store, SECOND)
    assert store.saves == 2
    assert caplog.text.count("the preferences were not saved (OSError)") == 2
    assert "CANARY" not in caplog.text


@pytest.mark.rule("call.25")
async def test_a_process_without_threads_to_spare_only_forgets(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call goes on, and the next save is tried anew."""

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError

    store, saver = MemoryPreferences(), Saver()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        await saver.save(store, FIRST)
    assert "the preferences were not saved (RuntimeError)" in caplog.text
    await saver.save(store, SECOND)
    assert store.load() == SECOND
    assert store.saves == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.rule("call.36")
def test_a_loop_may_end_before_a_save_does() -> None:
    """Nobody is told, and nothing is raised in the thread."""
    store, saver = Slow(), Saver()
    asyncio.run(saver.save(store, FIRST))
    (thread,) = saving()
    store.let.set()
    thread.join(10)
    assert store.load() == FIRST


HANGS = """
import asyncio, time
from native_web_search.adapters.testing.memory import MemoryPreferences
from native_web_search.application import saving
from native_web_search.domain.preference import Preferences

class Hangs(MemoryPreferences):
    def save(self, preferences):
        time.sleep(3600)

saving.SAVE_SECONDS = 0.1
asyncio.run(saving.Saver().save(Hangs(), Preferences()))
print("ended")
"""


@pytest.mark.rule("call.42")
def test_a_save_that_hangs_keeps_no_process() -> None:
    """Neither the end of the event loop nor that of the interpreter waits for it."""
    done = subprocess.run(
        [sys.executable, "-c", HANGS], check=False, capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr

"""Those who arrive meanwhile share one question."""

import asyncio

import pytest
from attrs import define, field

from native_web_search.adapters.stores.line import Line


@define
class Held:
    """Answers a batch with itself, once it is let go."""

    go: asyncio.Event = field(factory=asyncio.Event)
    asked: list[tuple[str, ...]] = field(factory=list)

    async def __call__(self, wishes: tuple[str, ...]) -> tuple[str, ...]:
        self.asked.append(wishes)
        await self.go.wait()
        return wishes


async def in_line(line: Line[str, tuple[str, ...]], *wishes: str) -> list[asyncio.Task[object]]:
    """They ask one after the other, and stand in line then."""
    tasks: list[asyncio.Task[object]] = [asyncio.create_task(line.answer(wish)) for wish in wishes]
    await asyncio.sleep(0)
    return tasks


@pytest.fixture
def ask() -> Held:
    return Held()


@pytest.fixture
def line(ask: Held) -> Line[str, tuple[str, ...]]:
    return Line(ask)


@pytest.mark.rule("shared_health.18")
class TestLine:
    """Who asks for whom."""

    async def test_a_herd_is_two_questions(
        self, ask: Held, line: Line[str, tuple[str, ...]]
    ) -> None:
        """The first asks at once, and the next for all others; each gets what answers its own."""
        tasks = await in_line(line, *"abcd")
        ask.go.set()
        assert await asyncio.gather(*tasks) == [("a",), *[("b", "c", "d")] * 3]
        assert ask.asked == [("a",), ("b", "c", "d")]

    async def test_whoever_comes_later_shares_no_question_that_is_open(
        self, ask: Held, line: Line[str, tuple[str, ...]]
    ) -> None:
        """The answer to that may be older than the wish."""
        tasks = await in_line(line, "a", "b")
        ask.go.set()
        await asyncio.gather(*tasks)
        assert await line.answer("c") == ("c",)

    async def test_the_next_asks_for_those_left_if_the_first_is_cancelled(
        self, ask: Held, line: Line[str, tuple[str, ...]]
    ) -> None:
        """Whoever gave up is not asked for any more."""
        first, second, third, fourth = await in_line(line, *"abcd")
        third.cancel()
        first.cancel()
        while len(ask.asked) < 2:  # noqa: ASYNC110 - a few turns of the loop
            await asyncio.sleep(0)
        second.cancel()
        ask.go.set()
        assert await fourth == ("d",)
        assert ask.asked == [("a",), ("b", "d"), ("d",)]
        assert first.cancelled()
        assert second.cancelled()
        assert third.cancelled()

    async def test_nobody_is_left_of_a_batch_that_gave_up(
        self, ask: Held, line: Line[str, tuple[str, ...]]
    ) -> None:
        """A wish that was cancelled in line does not come true later."""
        first, second = await in_line(line, "a", "b")
        second.cancel()
        ask.go.set()
        await asyncio.wait({first, second})
        assert await line.answer("c") == ("c",)


@pytest.mark.rule("shared_health.12")
class TestDrained:
    """Waiting for the end of the line."""

    async def test_it_waits_for_all_who_stand_there(
        self, ask: Held, line: Line[str, tuple[str, ...]]
    ) -> None:
        """Those of the next question, too."""
        tasks = await in_line(line, "a", "b", "c")
        draining = asyncio.create_task(line.drained(5))
        await asyncio.sleep(0)
        ask.go.set()
        await draining
        assert [task.done() for task in tasks] == [True] * 3

    async def test_it_does_not_wait_for_good(
        self, ask: Held, line: Line[str, tuple[str, ...]]
    ) -> None:
        """A question without an end does not keep a store open."""
        (task,) = await in_line(line, "a")
        await line.drained(0.01)
        assert ask.asked == [("a",)]
        assert not task.done()
        task.cancel()

"""Slots, without a network."""

import asyncio

import pytest

from native_web_search.adapters.lanes import Lanes, default_slots

pytestmark = pytest.mark.rule("transport.9")


@pytest.mark.parametrize(
    ("lane", "slots"),
    [("deepseek", 5), ("ollama-cloud", 5), ("openai", 10), ("my-gateway", 10), ("", 10)],
)
def test_a_provider_has_ten_slots_or_five(lane: str, slots: int) -> None:
    """Five where every URL is a request of its own, ten elsewhere."""
    assert default_slots(lane) == slots


async def test_a_lane_is_asked_for_its_size_once() -> None:
    """All requests of a provider share one lane, and no other."""
    asked: list[str] = []

    def size(lane: str) -> int:
        asked.append(lane)
        return 1

    lanes = Lanes(size)
    assert lanes.slot("a") is lanes.slot("a") is not lanes.slot("b")
    assert asked == ["a", "b"]


async def test_waiting_is_first_come_first_served() -> None:
    """Nobody is overtaken, also when one who waited gives up."""
    lanes, order = Lanes(lambda _: 1), list[int]()

    async def work(number: int) -> None:
        async with lanes.slot("a"):
            order.append(number)
            await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(work(number)) for number in range(5)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    await asyncio.wait(tasks)
    assert order == [0, 1, 3, 4]

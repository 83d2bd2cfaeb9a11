"""Those who arrive while a question is open, and are answered together by the next one.

A server is asked one question at a time by an event loop, however many calls there are: whoever
comes first asks at once, and all who come meanwhile share the question after that. A herd of any
size is thus through after two questions, and cannot be in its own way.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from attrs import define, field

Wish = TypeVar("Wish")
Answer = TypeVar("Answer")


@define(eq=False)
class _Batch(Generic[Wish, Answer]):
    wishes: list[Wish] = field(factory=list)
    answers: list[Answer] = field(factory=list)  # one, once there is one


@define(eq=False)
class Line(Generic[Wish, Answer]):
    """The line of one event loop; `ask` gets the wishes of a batch, in the order of arrival."""

    ask: Callable[[tuple[Wish, ...]], Awaitable[Answer]]
    _next: _Batch[Wish, Answer] = field(init=False, factory=_Batch[Wish, Answer])
    _turn: asyncio.Lock = field(init=False, factory=asyncio.Lock)

    async def answer(self, wish: Wish) -> Answer:
        """What the question that had this wish brought. It was put after this was called.

        The first of a batch asks for it. If that one is cancelled, the next asks for those left.
        """
        batch = self._next
        batch.wishes.append(wish)
        try:
            async with self._turn:
                if not batch.answers:
                    await self._serve(batch)
                return batch.answers[0]
        finally:
            batch.wishes.remove(wish)

    async def drained(self, seconds: float) -> None:
        """Wait until nobody who stands in line now is left, but no longer than this."""
        with suppress(TimeoutError, RuntimeError):  # its loop may be gone
            async with asyncio.timeout(seconds), self._turn:
                pass

    async def _serve(self, batch: _Batch[Wish, Answer]) -> None:
        if batch is self._next:
            self._next = _Batch()
        batch.answers.append(await self.ask(tuple(batch.wishes)))

"""What a searcher and a fetcher promise alike: how one attempt fails, ends and is cancelled."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeAlias, TypeVar, get_args

from native_web_search.adapters.testing.contracts.promise import (
    in_a_loop,
    never_raising,
    promised,
    until,
)
from native_web_search.adapters.testing.contracts.stage import Behaviour, Heard, Stage
from native_web_search.domain.failure import AttemptFailure, CredentialUnresolved, Skipped
from native_web_search.ports.providers import Progress

S = TypeVar("S", bound=Stage)

FEW_LINES = 5  # of progress in one attempt
SHORT_LINE = 200  # code points

WhatFailed: TypeAlias = AttemptFailure | Skipped | None


class AttemptContract(ABC, Generic[S]):
    """The common part of `SearcherContract` and `FetcherContract`; derive from those."""

    @abstractmethod
    def opened(self, behaviour: Behaviour) -> AbstractAsyncContextManager[S]:
        """The adapter on a new stage, whose provider behaves like this; entered once a test.

        Raise `unittest.SkipTest` for a behaviour that the provider cannot have.
        """

    @abstractmethod
    async def attempt(self, stage: S, progress: Progress) -> WhatFailed:
        """Ask once; what failed, if anything. The two contracts know how."""

    @in_a_loop
    async def test_an_answered_attempt_fails_nothing(self) -> None:
        """Whoever is answered reports no failure, and leaves no request open."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            failure = await self._attempted(stage)
            promised(failure is None, "an attempt that was answered has not failed", failure)
            promised(await stage.idle(), "an attempt that is over has no open request", "one")

    @in_a_loop
    async def test_a_refusal_is_returned(self) -> None:
        """A provider's refusal is a failure by value."""
        async with self.opened(Behaviour.REFUSES) as stage:
            _promised_failure(await self._attempted(stage))

    @in_a_loop
    async def test_a_broken_connection_is_returned(self) -> None:
        """So is trouble with the network."""
        async with self.opened(Behaviour.BREAKS) as stage:
            _promised_failure(await self._attempted(stage))

    @in_a_loop
    async def test_a_refused_attempt_is_not_repeated(self) -> None:
        """A refusal costs no more requests than an answer does; the next candidate is the retry."""
        asked: list[int] = []
        for behaviour in (Behaviour.ANSWERS, Behaviour.REFUSES):
            async with self.opened(behaviour) as stage:
                await self._attempted(stage)
                asked.append(stage.asked())
        promised(asked[1] <= asked[0], "there is no retry at the same provider", asked)

    @in_a_loop
    async def test_each_attempt_resolves_its_credential(self) -> None:
        """An attempt after the user has logged out does not live on the one before."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            await self._attempted(stage)
            stage.log_out()
            failure = await self._attempted(stage)
            without = isinstance(failure, Skipped | CredentialUnresolved)
            promised(without, "credentials are resolved for this very attempt", failure)

    @in_a_loop
    async def test_nothing_is_sent_without_a_credential(self) -> None:
        """No provider hears of an attempt that could only be refused."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            stage.log_out()
            await self._attempted(stage)
            promised(not stage.asked(), "nothing is sent without a credential", stage.asked())

    @in_a_loop
    async def test_cancellation_propagates(self) -> None:
        """A cancelled attempt is no failure, which would be held against the provider."""
        async with self.opened(Behaviour.HANGS) as stage:
            cancelled = await self._cancelled(stage)
            promised(cancelled, "cancellation propagates", "another end")

    @in_a_loop
    async def test_nothing_stays_in_flight_after_cancellation(self) -> None:
        """The provider sees its requests go away when the attempt does."""
        async with self.opened(Behaviour.HANGS) as stage:
            await self._cancelled(stage)
            promised(await stage.idle(), "no request stays in flight after it", "an open one")

    @in_a_loop
    async def test_progress_is_a_few_short_lines(self) -> None:
        """What is told is for a person, a line at a time, and each line is awaited."""
        heard = Heard()
        async with self.opened(Behaviour.ANSWERS) as stage:
            await self.attempt(stage, heard)
        readable = all(line.splitlines() == [line] for line in heard.lines)
        promised(readable, "progress is told line by line", heard.lines)
        short = len(heard.lines) <= FEW_LINES and all(len(x) <= SHORT_LINE for x in heard.lines)
        promised(short, "progress is told in a few short lines", heard.lines)
        promised(heard.awaited == len(heard.lines), "progress is awaited", heard)

    async def _attempted(self, stage: S) -> WhatFailed:
        with never_raising("every failure is returned, none raised"):
            return await self.attempt(stage, Heard())

    async def _cancelled(self, stage: S) -> bool:
        """Cancel an attempt once its request has arrived; whether that is how it ended."""
        task = asyncio.create_task(self._attempted(stage))
        asked = await until(lambda: stage.asked() > 0 or task.done())
        promised(asked and not task.done(), "an attempt asks its provider and waits", task)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()


def _promised_failure(failure: object) -> None:
    known = isinstance(failure, get_args(AttemptFailure))
    promised(known, "an attempt that got no answer returns why", failure)

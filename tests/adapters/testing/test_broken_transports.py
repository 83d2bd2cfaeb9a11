"""Transports that do what their port forbids, and how the contract notices."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.testing.contracts import BrokenPromise, HttpTransportContract
from native_web_search.domain.failure import AttemptFailure, TimedOut, Unreachable, Unreadable
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import (
    Appetite,
    HttpRequest,
    HttpTransport,
    ResponseDecoder,
    ResponseHead,
)

A = TypeVar("A")


@define(eq=False)
class Plain:
    """A transport as it should be."""

    timeout: float
    slots: int
    inner: AiohttpTransport = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.inner = AiohttpTransport(timeout=self.timeout, slots=lambda _lane: self.slots)

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        return await self.inner.send(request, decoder, lane=lane)

    async def aclose(self) -> None:
        await self.inner.aclose()


@define(eq=False)
class ChangesRequests(Plain):
    """Sends something else."""

    def changed(self, request: HttpRequest) -> HttpRequest:
        return request

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        return await super().send(self.changed(request), decoder, lane=lane)


@define(eq=False)
class DropsHeaders(ChangesRequests):
    def changed(self, request: HttpRequest) -> HttpRequest:
        return evolve(request, headers=request.headers[:1])


@define(eq=False)
class DecodesAddresses(ChangesRequests):
    def changed(self, request: HttpRequest) -> HttpRequest:
        return evolve(request, url=request.url.replace("%7e", "~"))


@define(eq=False)
class ChangesBodies(ChangesRequests):
    def changed(self, request: HttpRequest) -> HttpRequest:
        return evolve(request, body=request.body.upper())


@define(eq=False)
class MendsCredentials(ChangesRequests):
    def changed(self, request: HttpRequest) -> HttpRequest:
        lines = tuple((name, value.splitlines()[0]) for name, value in request.headers)
        return evolve(request, headers=lines)


@define(eq=False)
class ChangesFailures(Plain):
    """Says something else of what went wrong."""

    def changed(self, failed: AttemptFailure, request: HttpRequest) -> AttemptFailure:
        return failed

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        match await super().send(request, decoder, lane=lane):
            case Failure(failed):
                return Failure(self.changed(failed, request))
            case success:
                return success


@define(eq=False)
class ShowsAddresses(ChangesFailures):
    def changed(self, failed: AttemptFailure, request: HttpRequest) -> AttemptFailure:
        return evolve(failed, message=f"{request.url}: {failed.message}")


@define(eq=False)
class KnowsOneFailure(ChangesFailures):
    def changed(self, failed: AttemptFailure, request: HttpRequest) -> AttemptFailure:
        return Unreadable("it did not work")


@define(eq=False)
class Raises(ChangesFailures):
    def changed(self, failed: AttemptFailure, request: HttpRequest) -> AttemptFailure:
        raise ConnectionError(failed.message)


@define
class Between(Generic[A]):
    """Stands before a decoder and changes what passes."""

    inner: ResponseDecoder[A]
    head: Callable[[ResponseHead], ResponseHead] = lambda head: head
    appetite: Callable[[Appetite], Appetite] = lambda appetite: appetite

    def begin(self, head: ResponseHead) -> Appetite:
        return self.inner.begin(self.head(head))

    def feed(self, piece: bytes) -> Appetite:
        return self.appetite(self.inner.feed(piece))

    def end(self) -> A:
        return self.inner.end()


@define(eq=False)
class WritesNamesLarge(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        def large(head: ResponseHead) -> ResponseHead:
            return ResponseHead(head.status, {x.title(): y for x, y in head.headers.items()})

        return await super().send(request, Between(decoder, head=large), lane=lane)


@define(eq=False)
class TriesRedirectsAgain(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        statuses: list[int] = []

        def noted(head: ResponseHead) -> ResponseHead:
            statuses.append(head.status)
            return head

        first = await super().send(request, Between(decoder, head=noted), lane=lane)
        return await super().send(request, decoder, lane=lane) if 302 in statuses else first


@define(eq=False)
class SaysAllIsWell(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        between = Between(decoder, head=lambda head: evolve(head, status=200))
        return await super().send(request, between, lane=lane)


@define(eq=False)
class DoesNotKnowLingering(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        between = Between(decoder, appetite=lambda _any: Appetite.MORE)
        return await super().send(request, between, lane=lane)


@define(eq=False)
class FeedsTheFirstPiece(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        between = Between(decoder, appetite=lambda _any: Appetite.DONE)
        return await super().send(request, between, lane=lane)


@define(eq=False)
class FeedsOn(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        outcome = await super().send(request, decoder, lane=lane)
        decoder.feed(b"")
        return outcome


@define(eq=False)
class EndsTwice(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        await super().send(request, decoder, lane=lane)
        return Success(decoder.end())  # also when there was no answer


@define(eq=False)
class Abandons(Plain):
    """Leaves a request to itself when it is cancelled, and ends it when it is closed."""

    tasks: list[asyncio.Task[object]] = field(factory=list)

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        task = asyncio.create_task(super().send(request, decoder, lane=lane))
        self.tasks.append(task)
        return await asyncio.shield(task)

    async def aclose(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await super().aclose()


@define(eq=False)
class TakesCancellationForFailure(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        try:
            return await super().send(request, decoder, lane=lane)
        except asyncio.CancelledError:
            return Failure(Unreachable("cancelled"))


@define(eq=False)
class SharesSlots(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        return await super().send(request, decoder, lane="everybody")


@define(eq=False)
class IgnoresLanes(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        return await super().send(request, decoder, lane=str(id(request)))


@define(eq=False)
class CountsTheWaiting(Plain):
    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        try:
            async with asyncio.timeout(self.timeout):
                return await super().send(request, decoder, lane=lane)
        except TimeoutError:
            return Failure(TimedOut("waited and asked for too long"))


Make = Callable[[float, int], HttpTransport]


def contract(make: Make) -> type[HttpTransportContract]:
    class Contract(HttpTransportContract):
        def transport(self, *, timeout: float, slots: int) -> HttpTransport:
            return make(timeout, slots)

    return Contract


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Make, str]] = [
    (DropsHeaders, "test_a_request_is_posted_as_it_is_given"),
    (ChangesBodies, "test_a_request_is_posted_as_it_is_given"),
    (DecodesAddresses, "test_a_request_is_posted_as_it_is_given"),
    (FeedsOn, "test_a_decoder_is_begun_fed_and_ended"),
    (FeedsTheFirstPiece, "test_a_decoder_is_begun_fed_and_ended"),
    (EndsTwice, "test_a_decoder_is_begun_fed_and_ended"),
    (WritesNamesLarge, "test_a_head_has_lower_case_names"),
    (SaysAllIsWell, "test_any_status_is_an_answer"),
    (TriesRedirectsAgain, "test_any_status_is_an_answer"),
    (FeedsOn, "test_reading_ends_when_the_decoder_is_done"),
    (DoesNotKnowLingering, "test_an_answer_outlives_what_follows_it"),
    (Raises, "test_no_server_is_unreachable"),
    (KnowsOneFailure, "test_no_server_is_unreachable"),
    (EndsTwice, "test_an_answer_that_breaks_off_is_unreachable"),
    (KnowsOneFailure, "test_an_answer_that_breaks_off_is_unreachable"),
    (KnowsOneFailure, "test_a_request_that_takes_too_long_is_timed_out"),
    (ShowsAddresses, "test_a_failure_holds_no_secret"),
    (MendsCredentials, "test_a_credential_that_no_header_can_hold_is_not_sent"),
    (KnowsOneFailure, "test_a_credential_that_no_header_can_hold_is_not_sent"),
    (Abandons, "test_cancellation_closes_the_connection"),
    (TakesCancellationForFailure, "test_cancellation_closes_the_connection"),
    (SharesSlots, "test_a_lane_has_its_slots"),
    (IgnoresLanes, "test_a_lane_has_its_slots"),
    (CountsTheWaiting, "test_time_starts_with_the_slot"),
    (KnowsOneFailure, "test_closing_ends_what_is_in_flight"),
    (Abandons, "test_closing_ends_what_is_in_flight"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("transport", "test"), BROKEN)
def test_a_broken_transport_fails(transport: Make, test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(transport)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each there is a transport above that breaks it."""
    tests = {name for name in dir(HttpTransportContract) if name.startswith("test_")}
    assert {test for _transport, test in BROKEN} == tests

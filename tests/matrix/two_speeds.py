"""Patience where a busy machine is to blame, and none where a fault is played."""

from typing import TypeVar

from attrs import frozen

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Outcome
from native_web_search.ports.http import HttpRequest, ResponseDecoder

A = TypeVar("A")


@frozen
class TwoSpeeds:
    """An `HttpTransport` that is patient with all lanes but one: a busy machine may delay a good
    answer, and it must not be taken for the fault.
    """

    hasty: AiohttpTransport
    calm: AiohttpTransport
    lane: str

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        transport = self.hasty if lane == self.lane else self.calm
        return await transport.send(request, decoder, lane=lane)

    async def aclose(self) -> None:
        await self.hasty.aclose()
        await self.calm.aclose()

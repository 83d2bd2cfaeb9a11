"""A transport that is built when the first request is sent.

Saves the import of the HTTP client, the greater part of importing the library, for the many
processes that show the tool and never call it.
"""

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from attrs import define, field

from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Outcome
from native_web_search.ports.http import HttpRequest, HttpTransport, ResponseDecoder

A = TypeVar("A")


@define
class DeferredTransport:
    """An `HttpTransport` around the one that `build` makes, once."""

    build: Callable[[], HttpTransport]
    _built: HttpTransport | None = field(init=False, default=None)
    _lock: Lock = field(init=False, factory=Lock, repr=False)

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        with self._lock:
            self._built = transport = self._built or self.build()
        return await transport.send(request, decoder, lane=lane)

    async def aclose(self) -> None:
        if self._built is not None:
            await self._built.aclose()

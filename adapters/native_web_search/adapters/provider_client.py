"""Asking a provider: credential, codec, transport, and no secret in what comes back as an error."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import TypeVar

from attrs import evolve, field, frozen

from native_web_search.adapters.masking import masked, secrets_of
from native_web_search.adapters.providers.codec import Ask, Codec, FetchCodec
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    ModelRefused,
    Skipped,
)
from native_web_search.domain.family import Candidate
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.domain.payload import FetchAnswer, SearchOutcome, UrlAnswer, UrlFailure
from native_web_search.domain.version import __version__
from native_web_search.ports.http import HttpRequest, HttpTransport, ResponseDecoder
from native_web_search.ports.providers import Arrived, Progress
from native_web_search.ports.registry import ModelRegistry

log = logging.getLogger("native_web_search")

T = TypeVar("T")
A = TypeVar("A")

USER_AGENT = f"native-web-search/{__version__}"


@frozen
class ProviderClient:
    """The `Searcher` and `Fetcher` over all native interfaces.

    `codec_of` knows each candidate's interface, `slots` how many requests a provider id may have
    in flight, `session` is a random id that some providers ask for.
    """

    registry: ModelRegistry
    transport: HttpTransport
    codec_of: Callable[[Candidate], Codec]
    slots: Callable[[str], int]
    session: str = field(repr=False)

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        match await self._ask(candidate):
            case Failure(failure):
                return Failure(failure)
            case Success(ask):
                pass
        codec = self.codec_of(candidate).search
        await progress(f"Searching with {candidate.model.provider}")
        match codec.encode(ask, query):
            case Failure(failure):
                outcome: SearchOutcome = Failure(failure)
            case Success(request):
                outcome = _flat(await self._send(request, codec.decoder(), candidate))
        return _without_secrets(outcome, ask)

    async def fetch(
        self,
        candidate: Candidate,
        urls: tuple[str, ...],
        query: str | None,
        progress: Progress,
        arrived: Arrived,
    ) -> FetchAnswer:
        codec = self.codec_of(candidate).fetch
        if codec is None:
            return FetchAnswer({}, ModelRefused("this interface cannot analyze URLs"))
        match await self._ask(candidate):
            case Failure(failure):
                return FetchAnswer({}, failure)
            case Success(ask):
                pass
        count = f"{len(urls)} URL{'s' if len(urls) != 1 else ''}"
        await progress(f"Analyzing {count} with {candidate.model.provider}")
        size = 1 if codec.one_url_a_request else len(urls)
        batches = [range(at, min(at + size, len(urls))) for at in range(0, len(urls), size)]
        return await _Fetching(self, ask, codec, urls, query, arrived).run(iter(batches))

    async def _ask(self, candidate: Candidate) -> Outcome[Ask, AttemptFailure | Skipped]:
        try:
            credential = await self.registry.credentials(candidate.model)
        except Exception as error:
            log.debug("a registry raised while resolving a credential", exc_info=error)
            kind = type(error).__name__
            return Failure(CredentialUnresolved(f"the credential could not be resolved ({kind})"))
        if isinstance(credential, CredentialUnresolved | Skipped):
            return Failure(credential)
        return Success(Ask(candidate, credential, self.session, USER_AGENT))

    async def _send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], candidate: Candidate
    ) -> Outcome[A, AttemptFailure]:
        return await self.transport.send(request, decoder, lane=candidate.model.provider)


@frozen
class _Fetching:
    """The requests of one attempt, side by side: as many at once as the provider has slots.

    The first failure of the attempt stops new requests; those in flight are paid for and may
    still bring their answer.
    """

    client: ProviderClient
    ask: Ask
    codec: FetchCodec
    urls: tuple[str, ...]
    query: str | None
    arrived: Arrived
    entries: dict[int, UrlAnswer] = field(factory=dict)
    failures: list[AttemptFailure | Skipped] = field(factory=list)

    async def run(self, batches: Iterator[range]) -> FetchAnswer:
        slots = self.client.slots(self.ask.candidate.model.provider)
        async with asyncio.TaskGroup() as group:
            for _worker in range(min(slots, len(self.urls))):
                group.create_task(self._work(batches))
        return FetchAnswer(self.entries, self.failures[0] if self.failures else None)

    async def _work(self, batches: Iterator[range]) -> None:
        for batch in batches:
            if self.failures:
                return
            answer = await self._fetch(batch)
            for index, entry in answer.entries.items():
                self._enter(batch[index], entry)
            if answer.failure is not None:
                self.failures.append(_masked_failure(answer.failure, self.ask))

    def _enter(self, index: int, entry: UrlAnswer) -> None:
        secrets = _secrets(self.ask)
        if isinstance(entry, UrlFailure):
            entry = UrlFailure(masked(entry.message, secrets))
        self.entries[index] = entry
        self.arrived(index, entry)

    async def _fetch(self, batch: range) -> FetchAnswer:
        urls = tuple(self.urls[index] for index in batch)
        match self.codec.encode(self.ask, urls, self.query):
            case Failure(failure):
                return FetchAnswer({}, failure)
            case Success(request):
                decoder = self.codec.decoder(urls)
                sent = await self.client._send(request, decoder, self.ask.candidate)
        return sent.unwrap() if isinstance(sent, Success) else FetchAnswer({}, sent.failure())


def _flat(sent: Outcome[SearchOutcome, AttemptFailure]) -> SearchOutcome:
    match sent:
        case Success(outcome):
            return outcome
        case Failure(failure):
            return Failure(failure)


def _without_secrets(outcome: SearchOutcome, ask: Ask) -> SearchOutcome:
    match outcome:
        case Failure(failure):
            return Failure(_masked_failure(failure, ask))
        case success:
            return success


def _masked_failure(failure: AttemptFailure | Skipped, ask: Ask) -> AttemptFailure | Skipped:
    return evolve(failure, message=masked(failure.message, _secrets(ask)))


def _secrets(ask: Ask) -> tuple[str, ...]:
    return secrets_of(ask.credential, ask.candidate.model.headers)

"""Asking a provider: credential, codec, transport, and no secret in what comes back as an error."""

import asyncio
from collections.abc import Callable, Iterator
from typing import TypeVar

from attrs import evolve, field, frozen

from native_web_search.adapters.masking import masked, secrets_of
from native_web_search.adapters.providers.classify import one_line
from native_web_search.adapters.providers.codec import Ask, Codec, FetchCodec
from native_web_search.adapters.proxies import proxy_secrets
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
from native_web_search.ports.registry import Credential, ModelRegistry

A = TypeVar("A")
AnyFailure = TypeVar("AnyFailure", bound=AttemptFailure | Skipped)

CREDENTIAL_SECONDS = 60.0
USER_AGENT = f"native-web-search/{__version__}"


@frozen
class ProviderClient:
    """The `Searcher` and `Fetcher` over all native interfaces.

    `codec_of` knows each candidate's interface, `slots` how many requests a provider id may have
    in flight, `session` is a random id that some providers ask for. Resolving a credential may
    take `patience` seconds, beside the time of the request.
    """

    registry: ModelRegistry
    transport: HttpTransport
    codec_of: Callable[[Candidate], Codec]
    slots: Callable[[str], int]
    session: str = field(repr=False)
    patience: float = CREDENTIAL_SECONDS

    async def search(self, candidate: Candidate, query: str, progress: Progress) -> SearchOutcome:
        asked = await self._ask(candidate)
        if isinstance(asked, Failure):
            return asked
        await progress(f"Searching with {candidate.model.provider}")
        ask = asked.unwrap()
        match await self._searched(ask, query):
            case Failure(failure):
                return Failure(_masked_failure(failure, ask))
            case success:
                return success

    async def _searched(self, ask: Ask, query: str) -> SearchOutcome:
        codec = self.codec_of(ask.candidate).search
        encoded = codec.encode(ask, query)
        if isinstance(encoded, Failure):
            return encoded
        match await self.send(ask, encoded.unwrap(), codec.decoder()):
            case Success(outcome):
                return outcome
            case Failure(failure):
                return Failure(failure)

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
        asked = await self._ask(candidate)
        if isinstance(asked, Failure):
            return FetchAnswer({}, asked.failure())
        count = f"{len(urls)} URL{'s' if len(urls) != 1 else ''}"
        await progress(f"Analyzing {count} with {candidate.model.provider}")
        size = 1 if codec.one_url_a_request else len(urls)
        batches = [range(at, min(at + size, len(urls))) for at in range(0, len(urls), size)]
        return await _Fetching(self, asked.unwrap(), codec, urls, query, arrived).run(iter(batches))

    async def _ask(self, candidate: Candidate) -> Outcome[Ask, AttemptFailure | Skipped]:
        clock = asyncio.timeout(self.patience)
        try:
            async with clock:
                credential = await self.registry.credentials(candidate.model)
        except Exception as error:  # noqa: BLE001 - whatever a host's registry raises
            kind = "no answer in time" if clock.expired() else type(error).__name__
            return Failure(CredentialUnresolved(f"the credential could not be resolved ({kind})"))
        if isinstance(credential, CredentialUnresolved | Skipped):
            secrets = _secrets(candidate, Credential("nowhere"))
            return Failure(evolve(credential, message=_shown(credential.message, secrets)))
        return Success(Ask(candidate, credential, self.session, USER_AGENT))

    async def send(
        self, ask: Ask, request: HttpRequest, decoder: ResponseDecoder[A]
    ) -> Outcome[A, AttemptFailure]:
        """Send in the lane of the candidate's provider."""
        return await self.transport.send(request, decoder, lane=ask.candidate.model.provider)


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
        if isinstance(entry, UrlFailure):
            secrets = _secrets(self.ask.candidate, self.ask.credential)
            entry = UrlFailure(_shown(entry.message, secrets))
        self.entries[index] = entry
        self.arrived(index, entry)

    async def _fetch(self, batch: range) -> FetchAnswer:
        urls = tuple(self.urls[index] for index in batch)
        encoded = self.codec.encode(self.ask, urls, self.query)
        if isinstance(encoded, Failure):
            return FetchAnswer({}, encoded.failure())
        match await self.client.send(self.ask, encoded.unwrap(), self.codec.decoder(urls)):
            case Success(answer):
                return answer
            case Failure(failure):
                return FetchAnswer({}, failure)


def _masked_failure(failure: AnyFailure, ask: Ask) -> AnyFailure:
    secrets = _secrets(ask.candidate, ask.credential)
    return evolve(failure, message=_shown(failure.message, secrets))


def _secrets(candidate: Candidate, credential: Credential) -> tuple[str, ...]:
    model = candidate.model
    return (*secrets_of(credential, model.headers, model.base_url), *proxy_secrets())


def _shown(message: str, secrets: tuple[str, ...]) -> str:
    """One bounded line without secrets, whoever wrote the message."""
    return masked(one_line(message), secrets)

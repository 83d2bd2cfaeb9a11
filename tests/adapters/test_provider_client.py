"""Asking a provider: credentials, concurrency, and no secret in an error."""

import asyncio
import json
from collections.abc import Callable
from typing import TypeVar

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.table import CODECS, codec_of
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import (
    AttemptFailure,
    CredentialUnresolved,
    ProviderRefused,
    Skipped,
    Unreachable,
)
from native_web_search.domain.family import Candidate, Dialect, Family, Operation, candidate_of
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.domain.payload import Fetched, UrlAnswer, UrlFailure
from native_web_search.ports.http import HttpRequest, ResponseDecoder, ResponseHead
from native_web_search.ports.registry import Credential, CredentialAnswer

A = TypeVar("A")

KEY = "sk-CANARY-0123456789abcdef"
DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
URLS = tuple(f"https://page.example/{number}" for number in range(10))

Answer = Callable[[HttpRequest], tuple[int, bytes]]


@define
class Answers:
    """A transport that answers from a function, and counts what is in flight at once."""

    answer: Answer
    requests: list[HttpRequest] = field(factory=list)
    in_flight: int = 0
    most: int = 0
    cancelled: int = 0

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        self.requests.append(request)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            await asyncio.sleep(0.001)
            status, body = self.answer(request)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.in_flight -= 1
        decoder.begin(ResponseHead(status, {"content-type": "application/json"}))
        decoder.feed(body)
        return Success(decoder.end())

    async def aclose(self) -> None: ...


@define
class Unplugged(Answers):
    """A transport whose network is down."""

    async def send(
        self, request: HttpRequest, decoder: ResponseDecoder[A], *, lane: str
    ) -> Outcome[A, AttemptFailure]:
        return Failure(Unreachable(f"no route to {KEY}"))


def client(answer: Answer | Answers, registry: StaticRegistry | None = None) -> ProviderClient:
    opened = StaticRegistry((DEEPSEEK,), {"deepseek": Credential("test", key=KEY)})
    transport = answer if isinstance(answer, Answers) else Answers(answer)
    return ProviderClient(registry or opened, transport, codec_of, lambda _provider: 3, "s")


def candidate(model: ChatModel = DEEPSEEK) -> Candidate:
    found = candidate_of(model)
    assert found is not None
    return found


async def silent(_line: str) -> None: ...


def ignore(_index: int, _answer: UrlAnswer) -> None: ...


@pytest.mark.rule("client.1")
async def test_a_search_resolves_its_credential_and_sends_once() -> None:
    """The request carries this attempt's key to this model's address."""
    transport = Answers(lambda _request: (200, b'{"results": [1]}'))
    outcome = await client(transport).search(candidate(), "q", silent)
    assert outcome == Success({"results": [1]})
    (request,) = transport.requests
    assert request.url == "https://d.example/v1/tools/search"
    assert dict(request.headers)["Authorization"] == f"Bearer {KEY}"


@pytest.mark.rule("client.2")
async def test_credentials_are_resolved_on_every_call() -> None:
    """A token that changed between two calls is used at once."""

    class Refreshing(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            return Credential("login", key=f"token-{next(tokens)}")

    tokens = iter(range(1, 9))
    transport = Answers(lambda _request: (200, b'{"results": []}'))
    asking = client(transport, Refreshing((), {}))
    await asking.search(candidate(), "q", silent)
    await asking.search(candidate(), "q", silent)
    sent = [dict(request.headers)["Authorization"] for request in transport.requests]
    assert sent == ["Bearer token-1", "Bearer token-2"]


@pytest.mark.rule("client.3")
async def test_without_a_credential_nothing_is_sent() -> None:
    """The candidate is skipped, for a search and for a fetch."""
    transport = Answers(lambda _request: (200, b"{}"))
    asking = client(transport, StaticRegistry((), {}))
    searched = await asking.search(candidate(), "q", silent)
    fetched = await asking.fetch(candidate(), URLS, None, silent, ignore)
    assert isinstance(searched, Failure)
    assert isinstance(searched.failure(), Skipped)
    assert isinstance(fetched.failure, Skipped)
    assert transport.requests == []


@pytest.mark.rule("client.4")
async def test_a_registry_that_raises_is_a_failed_attempt_without_its_words() -> None:
    """The exception's text may hold a token and is not shown."""

    class Broken(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            raise ValueError(KEY)

    outcome = await client(Answers(lambda _r: (200, b"{}")), Broken((), {})).search(
        candidate(), "q", silent
    )
    assert isinstance(outcome, Failure)
    failure = outcome.failure()
    assert isinstance(failure, CredentialUnresolved)
    assert KEY not in repr(failure)


@pytest.mark.rule("client.12")
@pytest.mark.parametrize("kind", [CredentialUnresolved, Skipped])
async def test_what_a_registry_says_becomes_one_bounded_line(
    kind: type[CredentialUnresolved | Skipped],
) -> None:
    """Without the secrets of the model's headers."""

    class Talkative(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            return kind(f"a\nb {KEY} " + "y" * 50_000)

    model = evolve(DEEPSEEK, headers=(("x-gateway-password", KEY),))
    asking = client(Answers(lambda _r: (200, b"{}")), Talkative((), {}))
    outcome = await asking.search(candidate(model), "q", silent)
    assert isinstance(outcome, Failure)
    message = outcome.failure().message
    assert message.startswith("a b *** y")
    assert len(message) == 2_000


@pytest.mark.rule("client.5")
async def test_the_keys_of_a_base_url_are_masked() -> None:
    """A gateway that repeats its own address does not show them."""
    model = evolve(DEEPSEEK, base_url="https://d.example/gw?code=SECRETQUERYKEY99")
    body = b'{"error": "Cannot POST /gw?code=SECRETQUERYKEY99"}'
    outcome = await client(lambda _r: (404, body)).search(candidate(model), "q", silent)
    assert isinstance(outcome, Failure)
    assert "SECRETQUERY" not in repr(outcome)


@pytest.mark.rule("client.5")
async def test_an_echoed_key_is_masked_everywhere() -> None:
    """In a search's failure, a fetch's failure, a URL's failure and a transport's failure."""
    echo = b'{"error": {"message": "bad key ' + KEY.encode() + b'", "code": "x"}}'
    refused = client(lambda _request: (401, echo))
    searched = await refused.search(candidate(), "q", silent)
    fetched = await refused.fetch(candidate(), URLS[:1], None, silent, ignore)
    missing = await client(lambda _request: (404, echo)).fetch(
        candidate(), URLS[:1], None, silent, ignore
    )
    unplugged = await client(Unplugged(lambda _request: (0, b""))).search(candidate(), "q", silent)
    for said in (searched, fetched, missing, unplugged):
        assert "***" in str(said)
        assert KEY not in str(said)
        assert "CANARY" not in repr(said)


@pytest.mark.rule("client.6")
async def test_urls_go_out_side_by_side_up_to_the_slots_of_the_provider() -> None:
    """Ten URLs through three slots: all answered, by index, three at once."""

    def answer_with_url(request: HttpRequest) -> tuple[int, bytes]:
        url = json.loads(request.body)["url"]
        return 200, json.dumps({"title": "", "content": url}).encode()

    transport = Answers(answer_with_url)
    told: dict[int, UrlAnswer] = {}
    answer = await client(transport).fetch(candidate(), URLS, None, silent, told.__setitem__)
    assert answer.failure is None
    assert [answer.entries[index] for index in range(10)] == [
        Fetched({"title": "", "content": url}) for url in URLS
    ]
    assert told == answer.entries
    assert transport.most == 3


@pytest.mark.rule("client.7")
async def test_the_first_failure_stops_new_requests_and_keeps_what_came() -> None:
    """After a 429 no further URL is sent; what was in flight may still bring its answer."""

    def answer(request: HttpRequest) -> tuple[int, bytes]:
        if b"/4" in request.body:
            return 429, b'{"error": {"message": "slow down"}}'
        return 200, b'{"title": "t", "content": "c"}'

    transport = Answers(answer)
    fetched = await client(transport).fetch(candidate(), URLS, None, silent, ignore)
    assert isinstance(fetched.failure, ProviderRefused)
    assert fetched.failure.status == 429
    assert {0, 1, 2, 3} <= set(fetched.entries)
    assert 4 not in fetched.entries
    assert len(transport.requests) <= 7


@pytest.mark.rule("client.8")
async def test_cancelling_a_fetch_cancels_every_request() -> None:
    """None stays in flight."""

    transport = Answers(_never_called)
    task = asyncio.create_task(client(transport).fetch(candidate(), URLS, None, silent, ignore))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert transport.in_flight == 0
    assert transport.cancelled == 3


@pytest.mark.rule("client.9")
async def test_a_url_failure_is_that_urls_alone() -> None:
    """The others are answered and the attempt has no failure."""

    def answer(request: HttpRequest) -> tuple[int, bytes]:
        if b"/1" in request.body:
            return 404, b'{"error": {"message": "failed to fetch URL"}}'
        return 200, b'{"title": "t", "content": "c"}'

    fetched = await client(answer).fetch(candidate(), URLS[:3], None, silent, ignore)
    assert fetched.failure is None
    assert isinstance(fetched.entries[1], UrlFailure)
    assert isinstance(fetched.entries[2], Fetched)


@pytest.mark.rule("client.11")
async def test_a_credential_that_does_not_come_is_a_failed_attempt() -> None:
    """A registry that hangs costs its own attempt and no more."""

    class Hangs(StaticRegistry):
        async def credentials(self, model: ChatModel) -> CredentialAnswer:
            await asyncio.Event().wait()
            return Credential("never")

    transport = Answers(lambda _request: (200, b"{}"))
    asking = evolve(client(transport, Hangs((), {})), patience=0.05)
    outcome = await asking.search(candidate(), "q", silent)
    assert isinstance(outcome, Failure)
    assert "no answer in time" in outcome.failure().message
    assert transport.requests == []


@pytest.mark.rule("client.10")
def test_every_interface_that_detection_knows_has_a_codec() -> None:
    """Families that fetch have a fetch codec, the others none."""
    for (family, _dialect), codec in CODECS.items():
        able = Candidate(DEEPSEEK, family, Dialect.NATIVE).can(Operation.FETCH)
        assert (codec.fetch is not None) == able
    assert {family for family, _dialect in CODECS} == set(Family)


def _never_called(_request: HttpRequest) -> tuple[int, bytes]:
    pytest.fail("the transport was cancelled")

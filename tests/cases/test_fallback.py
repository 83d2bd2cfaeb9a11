"""Who is asked after a failure, and with what, over real sockets."""

import json
from collections.abc import Callable, Mapping

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer, ReceivedRequest
from native_web_search.adapters.testing.speakers import (
    DEEPSEEK,
    JSON,
    OPENAI,
    RESPONSES,
    Login,
    Speaker,
    stream_of,
)
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Operation

Opened = Callable[..., WebSearch]

GOOD = response(stream_of(*RESPONSES))
DOWN = response(b'{"error":{"message":"down"}}', status=500, content_type=JSON)
A, B = "gpt-5.6-luna", "gpt-5.6-terra"


def model_of(request: ReceivedRequest) -> str:
    return str(json.loads(request.body)["model"])


@define
class ByModel:
    """An OpenAI that answers each model in its own way."""

    answers: Mapping[str, bytes]

    async def __call__(self, connection: RawConnection) -> None:
        request = await connection.request()
        await connection.send(self.answers.get(model_of(request), GOOD))


def at(url: str, model: str = A, *, provider: str = "openai", key: str = "sk-key-1") -> Login:
    login = OPENAI.at(url, key=key, provider=provider)
    return Login(ChatModel(provider, model, "openai-responses", url), login.credential)


async def cooling(
    web: WebSearch, operation: Operation, provider: str = "openai", model: str = "any"
) -> bool:
    """Whether a model of this provider cools for the operation."""
    ledger = await web.health.ledger()
    return ledger.remaining(operation, provider, model, web.clock.monotonic()) > 0


def without_current(web: WebSearch) -> None:
    """Nobody is in conversation: the order is that of the models alone."""
    assert isinstance(web.registry, StaticRegistry)
    web.registry = evolve(web.registry, current_model=None)


def missing(status: int, **error: str) -> bytes:
    return response(json.dumps({"error": error}).encode(), status=status, content_type=JSON)


@pytest.mark.case("F01")
@pytest.mark.parametrize(
    "refusal",
    [
        missing(404, code="model_not_found", message=f"no model {A}"),
        missing(403, code="model_not_found", message=f"no access to model {A}"),
        missing(404, message=f"The model '{A}' does not exist or you do not have access to it."),
        missing(400, message=f"Hosted tool 'web_search' is not supported with {A}."),
        response(stream_of({"type": "error", "code": "model_not_found", "message": "gone"})),
        response(stream_of(*RESPONSES[1:])),
    ],
)
async def test_a_missing_model_does_not_take_its_provider_down(
    opened: Opened, refusal: bytes
) -> None:
    """The sibling serves the same call and leads the next one; the provider does not cool."""
    async with (
        RawServer(ByModel({A: refusal})) as server,
        opened(at(server.url), at(server.url, B)) as web,
    ):
        without_current(web)
        for _call in range(2):
            assert not (await web.call({"query": "q"})).is_error
        assert not await cooling(web, Operation.SEARCH, model="another")
        assert await cooling(web, Operation.SEARCH, model=A)
    assert [model_of(request) for request in server.requests] == [A, B, B]


@pytest.mark.case("F01")
async def test_a_provider_that_is_down_takes_its_models_along(opened: Opened) -> None:
    """The counterpart: after a failure of the provider its second model is not asked."""
    async with (
        RawServer(ByModel({A: DOWN})) as server,
        opened(at(server.url), at(server.url, B)) as web,
    ):
        assert (await web.call({"query": "q"})).is_error
        assert await cooling(web, Operation.SEARCH, model=B)
    assert [model_of(request) for request in server.requests] == [A]


@pytest.mark.case("F12")
@pytest.mark.parametrize("base", ["/v1", "", "/deep/er/v1/"])
async def test_a_fallback_is_asked_with_its_own_model_address_and_key(
    opened: Opened, base: str
) -> None:
    """Nothing of the provider that failed reaches the one that serves."""
    async with RawServer(answering(DOWN)) as first, RawServer(answering(GOOD)) as second:
        one = at(first.url, "gpt-one", key="sk-key-one-0123456789")
        two = at(second.url + base, "gpt-two", provider="p2", key="sk-key-two-0123456789")
        async with opened(one, two) as web:
            assert not (await web.call({"query": "q"})).is_error
    (request,) = second.requests
    path = f"{base.rstrip('/')}/responses"
    assert request.line == f"POST {path} HTTP/1.1".encode()
    assert request.header(b"authorization") == b"Bearer sk-key-two-0123456789"
    assert model_of(request) == "gpt-two"
    assert b"one" not in request.head + request.body
    assert request.header(b"host") == second.url.removeprefix("http://").encode()


@pytest.mark.case("F12")
async def test_every_dialect_is_its_own_fallback(opened: Opened, speaker: Speaker) -> None:
    """Behind any interface, the next one sees neither the model nor the key nor the headers."""
    async with RawServer(answering(DOWN)) as first, RawServer(answering(GOOD)) as second:
        one = speaker.at(first.url, key="sk-CANARY-0123456789")
        two = at(second.url, "gpt-two", provider="p2", key="sk-key-two-0123456789")
        async with opened(one, two) as web:
            assert not (await web.call({"query": "q"})).is_error
    (sent,) = first.requests
    assert b"CANARY" in sent.head
    (request,) = second.requests
    for alien in (b"CANARY", speaker.model.encode(), b"account-1"):
        assert alien not in request.head + request.body


@define
class Pages:
    """DeepSeek's two tools; what they say is changed by the test."""

    fetch: Callable[[str], bytes] = lambda _url: DOWN
    search: bytes = response(b'{"results":[]}', content_type=JSON)
    asked: list[str] = field(factory=list)

    async def __call__(self, connection: RawConnection) -> None:
        request = await connection.request()
        is_fetch = request.line.startswith(b"POST /v1/tools/fetch ")
        self.asked.append("fetch" if is_fetch else "search")
        url = json.loads(request.body).get("url", "")
        await connection.send(self.fetch(url) if is_fetch else self.search)


PAGE = response(b'{"title":"T","content":"c"}', content_type=JSON)
GONE = response(b'{"error":"gone"}', status=404, content_type=JSON)


@pytest.mark.case("F14")
async def test_a_failed_fetch_says_nothing_about_searching(opened: Opened) -> None:
    """Search goes on where it was; one page got and one missing prove that fetching works."""
    pages, other = Pages(), ByModel({})
    async with (
        RawServer(pages) as first,
        RawServer(other) as second,
        opened(DEEPSEEK.at(first.url), at(second.url)) as web,
    ):
        without_current(web)
        assert (await web.call({"urls": ["https://e.example/1"]})).is_error
        assert await cooling(web, Operation.FETCH, "deepseek")
        assert not (await web.call({"query": "q"})).is_error
        assert (pages.asked, second.requests) == (["fetch", "search"], [])
        pages.fetch = lambda url: PAGE if url.endswith("1") else GONE
        urls = ["https://e.example/1", "https://e.example/2"]
        assert not (await web.call({"urls": urls})).is_error
        assert not await cooling(web, Operation.FETCH, "deepseek")


@pytest.mark.case("F14")
@pytest.mark.parametrize(
    ("answers", "cools"),
    [
        ([PAGE, PAGE], False),
        ([PAGE, GONE], False),
        ([GONE, GONE], True),
        ([PAGE, DOWN], True),
        ([DOWN, PAGE], True),
    ],
)
async def test_what_a_fetch_proves(opened: Opened, answers: list[bytes], *, cools: bool) -> None:
    """One page and no trouble with the provider clear a cooldown; missing pages alone do not."""
    pages = Pages()
    async with RawServer(pages) as server, opened(DEEPSEEK.at(server.url)) as web:
        await web.call({"urls": ["https://e.example/0"]})
        pages.fetch = lambda url: answers[int(url[-1])]
        await web.call({"urls": ["https://e.example/0", "https://e.example/1"]})
        assert await cooling(web, Operation.FETCH, "deepseek") == cools


@pytest.mark.case("F14")
async def test_a_failed_search_says_nothing_about_fetching(opened: Opened) -> None:
    """The other way round: who cannot search now is still asked for pages first."""
    pages = Pages(lambda _url: PAGE, search=DOWN)
    async with RawServer(pages) as server, opened(DEEPSEEK.at(server.url)) as web:
        assert (await web.call({"query": "q"})).is_error
        assert not (await web.call({"urls": ["https://e.example/1"]})).is_error
        assert not await cooling(web, Operation.FETCH, "deepseek")

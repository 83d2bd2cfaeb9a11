"""Keys that are echoed and tokens that change, in whole calls."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import cast
from urllib.parse import quote

import pytest
from attrs import define, field

from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.adapters.testing.speakers import DEEPSEEK, JSON, OPENAI, Speaker, stream_of
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Operation
from native_web_search.ports.registry import Credential, CredentialAnswer

Opened = Callable[..., WebSearch]

KEY = "sk-CANARY-123"
GOOD = response(OPENAI.answer)


def refusing(said: object, status: int = 401) -> bytes:
    body = said if isinstance(said, str) else json.dumps(said)
    return response(body.encode(), status=status, content_type=JSON)


async def told(opened: Opened, speaker: Speaker, said: bytes, arguments: object) -> str:
    """All that a host and its model get to see of a call."""
    async with RawServer(answering(said)) as server:
        async with opened(speaker.at(server.url, key=KEY)) as web:
            result = await web.call(arguments)
        assert any(KEY.encode() in request.head for request in server.requests)
    return f"{result.text}\n{result.details}\n{result!r}"


@pytest.mark.case("A03")
async def test_an_echoed_key_is_masked_and_the_rest_is_kept(
    opened: Opened, speaker: Speaker, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever repeats it: not in the text, not in the details, not in the log."""
    caplog.set_level("DEBUG")
    said = refusing({"error": {"message": f"Incorrect API key provided: {KEY}."}})
    shown = await told(opened, speaker, said, {"query": "q"})
    assert "HTTP 401: Incorrect API key provided: ***." in shown
    assert KEY not in shown + caplog.text
    assert "CANARY" not in shown + caplog.text


ECHOES: tuple[Callable[[str], bytes], ...] = (
    lambda key: refusing(f'{{"error": "{key}"}}', 400),
    lambda key: refusing(f"Bearer {key} is {key}{key}", 500),
    lambda key: refusing([{"error": {"details": [{"reason": key}], "message": key}}], 403),
    lambda key: refusing(f"<html>{key}</html>"),
    lambda key: refusing({"error": {"message": quote(f"key={key}&x")}}, 429),
    lambda key: refusing({"message": json.dumps({"inner": json.dumps({"key": key})})}),
    lambda key: refusing({"error": {"message": "".join(f"\\u{ord(c):04x}" for c in key)}}),
    lambda key: refusing({"error": {"message": "".join(f"%{ord(c):02X}" for c in key)}}),
    lambda key: refusing({"error": {"message": "".join(f"&#{ord(c)};" for c in key)}}),
    lambda key: refusing({"error": {"message": "x" * 1_995 + key}}),
    lambda key: refusing({"error": {"message": f"{key[:-1]} and {key[1:]}"}}),
    lambda key: response(f'{{"error": {{"message": "{key}"}}}}'.encode()),
    lambda key: response(stream_of({"type": "error", "message": key, "error": {"message": key}})),
    lambda key: response(f"data: {key}\n\n".encode()),
    lambda key: response(key.encode()),
    lambda key: f"HTTP/1.1 302 Found\r\nLocation: http://h/{key}?k={key}\r\n\r\n".encode(),
    lambda key: f"HTTP/1.1 {key}\r\n\r\n".encode(),
    lambda key: f"HTTP/1.1 200 OK\r\nContent-Encoding: {key}\r\n\r\n".encode(),
    lambda key: f"HTTP/1.1 200 OK\r\n{key}\r\n\r\n".encode(),
)


@pytest.mark.case("A03")
@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("arguments", [{"query": "q"}, {"urls": ["https://e.example/"]}])
async def test_no_echo_gets_through(
    opened: Opened,
    caplog: pytest.LogCaptureFixture,
    echo: Callable[[str], bytes],
    arguments: Mapping[str, object],
) -> None:
    """In whatever place, status, shape or spelling the key comes back, of a search or a fetch."""
    caplog.set_level("DEBUG")
    speakers = [DEEPSEEK] if "urls" in arguments else [DEEPSEEK, OPENAI]
    for speaker in speakers:
        shown = await told(opened, speaker, echo(KEY), arguments)
        assert "CANARY" not in shown + caplog.text
        assert "\\u0043\\u0041" not in shown
        assert "%43%41%4E" not in shown
        assert "&#67;&#65;" not in shown


@define
class Refreshed(StaticRegistry):
    """A login whose token changes when the test says so."""

    resolve: Callable[[], Awaitable[CredentialAnswer]] = field(kw_only=True)

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        if model.provider == "openai":
            return await self.resolve()
        return Credential("a test", key="another-key-0123")


@define
class Doorkeeper:
    """Lets in whoever has this token."""

    token: str

    async def __call__(self, connection: RawConnection) -> None:
        request = await connection.request()
        knows = request.header(b"authorization") == f"Bearer {self.token}".encode()
        await connection.send(GOOD if knows else refusing({"error": {"message": "expired"}}))


def asked_of(resolve: Callable[[], Awaitable[CredentialAnswer]], web: WebSearch) -> None:
    """Makes the tool resolve OpenAI's credential in this way."""
    models = web.registry.available()
    keys = {model.provider: Credential("a test", key="k") for model in models}
    web.registry = Refreshed(models, keys, models[0], resolve=resolve)
    assert isinstance(web.searcher, ProviderClient)
    object.__setattr__(web.searcher, "registry", web.registry)


def outcomes(result: ToolResult) -> list[tuple[object, object]]:
    made = cast("list[Mapping[str, object]]", result.details["attempts"])
    return [(attempt["provider"], attempt["outcome"]) for attempt in made]


SERVED, FELL = ("openai", "success"), [("openai", "provider"), ("healthy", "success")]


@pytest.mark.case("A06")
async def test_a_token_lives_for_one_attempt(opened: Opened) -> None:
    """The call after a change carries the new token; one that was refused is not tried again."""
    token, doorkeeper = "T1", Doorkeeper("T1")

    async def resolve() -> Credential:
        return Credential("login", key=token)

    async with RawServer(doorkeeper) as server, RawServer(answering(GOOD)) as other:
        logins = OPENAI.at(server.url), OPENAI.at(other.url, provider="healthy")
        async with opened(*logins, cooldown_ms=0) as web:
            asked_of(resolve, web)
            assert outcomes(await web.call({"query": "q"})) == [SERVED]
            doorkeeper.token = "T2"
            assert outcomes(await web.call({"query": "q"})) == FELL
            token = "T2"
            assert outcomes(await web.call({"query": "q"})) == [SERVED]
    sent = [request.header(b"authorization") for request in server.requests]
    assert sent == [b"Bearer T1", b"Bearer T1", b"Bearer T2"]


@pytest.mark.case("A06")
@pytest.mark.parametrize(
    "error", [OSError("CANARY"), KeyError("CANARY"), TimeoutError("CANARY"), RecursionError()]
)
async def test_a_resolver_that_raises_is_a_failed_attempt(
    opened: Opened, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """The next provider serves, the first cools, and the error's words are not shown."""

    async def resolve() -> CredentialAnswer:
        raise error

    async with (
        RawServer(answering(GOOD)) as server,
        opened(OPENAI.at(server.url), OPENAI.at(server.url, provider="healthy")) as web,
    ):
        asked_of(resolve, web)
        result = await web.call({"query": "q"})
        ledger, now = await web.health.ledger(), web.clock.monotonic()
    assert outcomes(result) == FELL
    assert ledger.remaining(Operation.SEARCH, "openai", OPENAI.model, now) > 0
    assert "CANARY" not in f"{result}{caplog.text}"
    assert len(server.requests) == 1


@pytest.mark.case("A06")
async def test_concurrent_calls_resolve_side_by_side(opened: Opened) -> None:
    """A slow resolver holds up nobody but its own call: all five wait for it at the same time."""
    together = asyncio.Barrier(5)

    async def resolve() -> Credential:
        await together.wait()
        return Credential("login", key="T1")

    async with RawServer(Doorkeeper("T1")) as server, opened(OPENAI.at(server.url)) as web:
        asked_of(resolve, web)
        calls = (web.call({"query": "q"}) for _ in range(5))
        results = await asyncio.gather(*calls)
    assert [outcomes(result) for result in results] == [[SERVED]] * 5


@pytest.mark.case("A06")
async def test_each_of_concurrent_calls_has_its_own_token(opened: Opened) -> None:
    """Tokens that change between resolving and sending are not mixed up."""
    tokens = iter(f"T{number}" for number in range(5))

    async def resolve() -> Credential:
        token = next(tokens)
        await asyncio.sleep(0.01)
        return Credential("login", key=token)

    async with RawServer(answering(GOOD)) as server, opened(OPENAI.at(server.url)) as web:
        asked_of(resolve, web)
        await asyncio.gather(*(web.call({"query": "q"}) for _ in range(5)))
    sent = sorted(str(request.header(b"authorization")) for request in server.requests)
    assert sent == [f"b'Bearer T{number}'" for number in range(5)]

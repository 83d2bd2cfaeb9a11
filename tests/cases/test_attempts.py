"""What an attempt may throw, and tools that outlive an event loop."""

import ssl
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Never, cast

import pytest
from aiohttp.http_exceptions import LineTooLong
from attrs import define, evolve

from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import OPENAI, Speaker
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.family import Candidate
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import Appetite, ResponseDecoder, ResponseHead

Opened = Callable[..., WebSearch]

GOOD = response(OPENAI.answer)

SEEN = (
    LineTooLong(b"x" * 9, 8),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "CANARY"),
    RecursionError("CANARY"),
    ssl.SSLError("CANARY"),
    KeyError("CANARY"),
)
MORE = (
    AttributeError("'str' object has no attribute 'get'"),
    MemoryError("CANARY"),
    TimeoutError("CANARY"),
    StopIteration("CANARY"),
    StopAsyncIteration("CANARY"),
    AssertionError(),
    ExceptionGroup("CANARY", [ValueError("CANARY")]),
)
STEPS = ("encode", "decoder", "begin", "feed", "end")


@define
class Clumsy:
    """A decoder that raises in one step and otherwise does its work."""

    inner: ResponseDecoder[SearchOutcome]
    step: str
    error: Exception

    def begin(self, head: ResponseHead) -> Appetite:
        self._raise_in("begin")
        return self.inner.begin(head)

    def feed(self, piece: bytes) -> Appetite:
        self._raise_in("feed")
        return self.inner.feed(piece)

    def end(self) -> SearchOutcome:
        self._raise_in("end")
        return self.inner.end()

    def _raise_in(self, step: str) -> None:
        if step == self.step:
            raise self.error.with_traceback(None)


def clumsy(provider: str, step: str, error: Exception) -> Callable[[Candidate], Codec]:
    """The codecs, of which this provider's raises in this step."""

    def fail(*_anything: object) -> Never:
        raise error.with_traceback(None)  # which would grow from test to test

    def codec(candidate: Candidate) -> Codec:
        usual = codec_of(candidate)
        if candidate.model.provider != provider:
            return usual
        match step:
            case "encode":
                return evolve(usual, search=evolve(usual.search, encode=fail))
            case "decoder":
                return evolve(usual, search=evolve(usual.search, decoder=fail))
            case _:
                made = usual.search.decoder
                search = evolve(usual.search, decoder=lambda: Clumsy(made(), step, error))
                return evolve(usual, search=search)

    return codec


async def assert_each_costs_one_attempt(
    opened: Opened, speaker: Speaker, pairs: Iterable[tuple[str, Exception]]
) -> None:
    said = response(speaker.answer, content_type=speaker.content_type)
    async with RawServer(answering(said)) as first, RawServer(answering(GOOD)) as second:
        logins = speaker.at(first.url), OPENAI.at(second.url, provider="healthy")
        async with opened(*logins, cooldown_ms=0) as web:
            assert isinstance(web.searcher, ProviderClient)
            usual = web.searcher
            for step, error in pairs:
                web.searcher = evolve(usual, codec_of=clumsy(speaker.provider, step, error))
                result = await web.call({"query": "q"})
                assert result.details["search"] == {"provider": "healthy", "model": OPENAI.model}
                (failed, _served) = cast("list[dict[str, object]]", result.details["attempts"])
                assert failed["outcome"] == "provider"
                assert failed["message"]
                assert "CANARY" not in f"{result.text}{result.details}"


@pytest.mark.case("F15")
async def test_whatever_a_dialect_throws_costs_one_attempt(
    opened: Opened, speaker: Speaker
) -> None:
    """In every step of an attempt an error is a failed attempt, and its words are not shown."""
    await assert_each_costs_one_attempt(opened, speaker, zip(STEPS, SEEN, strict=True))


@pytest.mark.case("F15")
@pytest.mark.parametrize("error", SEEN + MORE, ids=lambda error: type(error).__name__)
async def test_no_type_of_error_is_special(opened: Opened, error: Exception) -> None:
    """In each step: those that loops, generators and tests use for themselves are no exception."""
    await assert_each_costs_one_attempt(opened, OPENAI, ((step, error) for step in STEPS))


TWICE = """
import asyncio, sys
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import OPENAI, logged_in
from native_web_search.adapters.testing.stubs import response

async def staying(connection):
    while True:
        await connection.request()
        body = OPENAI.answer
        await connection.send(response(body, f"Content-Length: {len(body)}"))

async def search(web):
    asyncio.get_running_loop().slow_callback_duration = 60  # a busy machine is no warning
    async with RawServer(staying) as server:
        login = OPENAI.at(server.url)
        web.registry = logged_in(login)
        object.__setattr__(web.searcher, "registry", web.registry)
        for _time in range(2):
            result = await web.call({"query": "q"})
            print(result.is_error, len((await web.health.ledger()).cooldowns))
        if sys.argv[2] == "closing":
            await web.aclose()

web = open_web_search(logged_in(OPENAI.at("")), environ={}, preference_file=sys.argv[1])
for _run in range(3):
    asyncio.run(search(web))
"""


@pytest.mark.case("F16")
@pytest.mark.parametrize("ending", ["closing", "leaving"])
def test_one_tool_serves_several_event_loops(tmp_path: Path, ending: str) -> None:
    """Each loop succeeds, nobody cools, and no connection is left open, closed by us or not."""
    strict = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", TWICE]
    done = subprocess.run(
        [*strict, str(tmp_path / "preferences.json"), ending],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stderr, done.stdout, done.returncode) == ("", "False 0\n" * 6, 0)

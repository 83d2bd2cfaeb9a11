"""The event that ends a stream: without its empty line, cut, and before a server that stays."""

import asyncio
import gzip
import json
from collections.abc import Callable

import pytest
from attrs import define, field

from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer
from native_web_search.adapters.testing.speakers import OPENAI, RESPONSES, Speaker, stream_of
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.family import candidate_of
from native_web_search.domain.outcome import Failure

Opened = Callable[..., WebSearch]


@pytest.mark.case("S09")
@pytest.mark.parametrize("end", [b"", b"\n", b"\r", b"\r\n", b"\n: beat", b"\nid: 7\n", b"\nda"])
async def test_a_last_event_counts_without_its_empty_line(opened: Opened, end: bytes) -> None:
    """A gateway that hangs up right after the last data line has said everything."""
    body = stream_of(*RESPONSES).rstrip(b"\n") + end
    async with (
        RawServer(answering(response(body))) as server,
        opened(OPENAI.at(server.url)) as web,
    ):
        result = await web.call({"query": "q"})
    assert json.loads(result.text)["search"]["answer"] == "a"


@pytest.mark.case("S09")
async def test_a_last_event_that_was_cut_is_no_success(opened: Opened) -> None:
    """A beginning of JSON does not end a stream well, however much came before it."""
    body = stream_of(*RESPONSES[:-1]) + b'data: {"type":"resp'
    async with (
        RawServer(answering(response(body))) as server,
        opened(OPENAI.at(server.url)) as web,
    ):
        result = await web.call({"query": "q"})
    assert result.is_error


@pytest.mark.case("S09")
def test_every_dialect_takes_whole_last_events_and_no_others(streaming: Speaker) -> None:
    """Cut anywhere in its last event a stream is a failure, and whole it is an answer."""
    candidate = candidate_of(streaming.at("http://127.0.0.1").model)
    assert candidate is not None
    decoder = codec_of(candidate).search.decoder
    body = streaming.answer.rstrip(b"\n")
    start = body.rindex(b"data: ")
    answer = decoded(decoder(), body + b"\n\n")
    for end in (b"", b"\n", b"\r", b"\r\n"):
        assert decoded(decoder(), body + end) == answer
        for cut in range(start, len(body)):
            assert isinstance(decoded(decoder(), body[:cut] + end), Failure)


@define
class Stays:
    """Sends a body, then heartbeats until the client has gone, which it notices."""

    response: bytes
    beat: bytes = b": beat\n\n"
    beats: int = 0
    gone: asyncio.Event = field(factory=asyncio.Event)

    async def __call__(self, connection: RawConnection) -> None:
        await connection.request()
        await connection.send(self.response)
        beating = asyncio.create_task(self.go_on(connection))
        await connection.client_closed()
        self.gone.set()
        beating.cancel()

    async def go_on(self, connection: RawConnection) -> None:
        while self.beat:
            await asyncio.sleep(0.01)
            await connection.send(self.beat)
            self.beats += 1


def chunked(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + f"{len(body):x}\r\n".encode() + body + b"\r\n"


@pytest.mark.case("H09")
async def test_nothing_is_awaited_behind_the_terminal_event(
    opened: Opened, streaming: Speaker
) -> None:
    """A server that would go on for ever sees its client leave; silence and beats are alike."""
    whole = streaming.answer
    servers = (
        Stays(response(whole)),
        Stays(response(whole), beat=b""),
        Stays(response(stream_of(*streaming.events, end=b"\r")), beat=b""),
        Stays(response(whole + b": beat\n\n" + whole)),
        Stays(chunked(whole), beat=b"9\r\n: beat\n\n\n\r\n"),
        Stays(response(gzip.compress(whole), "Content-Encoding: gzip"), beat=b""),
    )
    for stays in servers:
        async with (
            RawServer(stays) as server,
            opened(streaming.at(server.url), timeout_ms=20_000) as web,
        ):
            result = await web.call({"query": "q"})
            assert not result.is_error
            assert await server.idle()
        assert stays.gone.is_set()


@pytest.mark.case("H09")
async def test_heartbeats_before_the_terminal_event_are_no_ending(
    opened: Opened, streaming: Speaker
) -> None:
    """The other way round: as long as the last event is missing, the answer is waited for."""

    async def late(connection: RawConnection) -> None:
        await connection.request()
        await connection.send(response(stream_of(*streaming.events[:-1])))
        for _beat in range(5):
            await connection.send(b": beat\n\n")
            await asyncio.sleep(0.01)
        await connection.send(stream_of(streaming.events[-1]))
        await connection.client_closed()

    async with RawServer(late) as server, opened(streaming.at(server.url)) as web:
        assert not (await web.call({"query": "q"})).is_error

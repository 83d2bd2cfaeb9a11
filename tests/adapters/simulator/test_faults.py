"""Each fault, seen from the other end of a real connection."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress

import httpx
import pytest

from native_web_search.adapters.simulator.faults import (
    Cut,
    Delay,
    Fault,
    Hang,
    Heartbeats,
    Replay,
    Reset,
    Stall,
    Status,
    Trickle,
)
from native_web_search.adapters.simulator.simulator import Simulator

BODY = {"query": "cooldown", "count": 3}


def _headers(simulator: Simulator, provider: str = "deepseek") -> dict[str, str]:
    return {"authorization": f"Bearer {simulator.credential(provider).key}"}


async def _search(client: httpx.AsyncClient, simulator: Simulator) -> httpx.Response:
    url = f"{simulator.base_url('deepseek')}/v1/tools/search"
    return await client.post(url, json=BODY, headers=_headers(simulator))


async def _first_bytes(client: httpx.AsyncClient, simulator: Simulator, pieces: int) -> list[bytes]:
    """Headers and so many pieces of the body, then go away."""
    url = f"{simulator.base_url('deepseek')}/v1/tools/search"
    headers = _headers(simulator)
    async with client.stream("POST", url, json=BODY, headers=headers) as response:
        iterator = response.aiter_raw()
        return [await anext(iterator) for _ in range(pieces)]


@pytest.mark.rule("simulator.8")
class TestReplaced:
    """Faults that say something else."""

    async def test_a_status_alone_has_the_providers_own_shape(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Without a body the provider words the error itself."""
        simulator.script("deepseek", Status(402))
        response = await _search(client, simulator)
        assert response.status_code == 402
        assert response.json()["error"]["message"] == "Payment Required"

    @pytest.mark.parametrize(
        ("body", "sent"),
        [
            ({"error": "é"}, '{"error":"é"}'.encode()),
            ([1, None], b"[1,null]"),
            ("<html>", b"<html>"),
            (b"\xff", b"\xff"),
            ("", b""),
        ],
    )
    async def test_a_status_with_a_body_sends_it(
        self, simulator: Simulator, client: httpx.AsyncClient, body: object, sent: bytes
    ) -> None:
        """Text and bytes go out as they are, everything else as JSON."""
        simulator.script("deepseek", Status(500, body))
        response = await _search(client, simulator)
        assert (response.status_code, response.content) == (500, sent)

    async def test_a_status_has_the_headers_it_was_given(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Headers of a fault reach the client, with and without a body."""
        headers = {"Retry-After": "7"}
        simulator.script("deepseek", Status(429, headers=headers), Status(429, "", headers))
        answers = [await _search(client, simulator) for _ in range(2)]
        assert [answer.headers["retry-after"] for answer in answers] == ["7", "7"]

    async def test_headers_of_a_status_beat_the_usual_ones(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """A type or a length of one's own is sent instead, so that anything can be staged."""
        page = Status(502, "<html>", {"Content-Type": "text/html"})
        simulator.script("deepseek", page, Status(200, b"", {"Content-Length": "0"}))
        answers = [await _search(client, simulator) for _ in range(2)]
        assert answers[0].headers["content-type"] == "text/html"
        assert answers[1].headers["content-length"] == "0"
        assert "transfer-encoding" not in answers[1].headers

    async def test_a_status_that_only_some_providers_know_works(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """A status without a standard phrase, such as 529, is answered all the same."""
        simulator.script("deepseek", Status(529))
        assert (await _search(client, simulator)).status_code == 529

    async def test_a_replay_is_sent_byte_for_byte(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """A recorded body arrives unchanged, with its type and status."""
        recorded = b"data: \xf0\x9f\x98\x80\r\n\r\n: half\xe2\x80"
        simulator.script("deepseek", Replay(recorded), Replay(b"{}", "application/json", 503))
        stream, document = [await _search(client, simulator) for _ in range(2)]
        assert stream.content == recorded
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert document.status_code == 503
        assert document.headers["content-type"].startswith("application/json")


@pytest.mark.rule("simulator.8")
class TestSlow:
    """Faults after which the answer is complete."""

    @pytest.mark.parametrize("fault", [Delay(0.2), Trickle(100, 0.02), Heartbeats(0.05, 4)])
    async def test_the_answer_is_late_but_right(
        self, simulator: Simulator, client: httpx.AsyncClient, fault: Fault
    ) -> None:
        """The answer takes its time and is the one that would have come at once."""
        usual = (await _search(client, simulator)).json()
        simulator.script("deepseek", fault)
        started = time.monotonic()
        late = (await _search(client, simulator)).json()
        assert late == usual
        assert time.monotonic() - started > 0.15

    async def test_a_trickle_comes_in_pieces(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Pieces have the size that was asked for."""
        simulator.script("deepseek", Trickle(3, 0.02))
        assert [len(piece) for piece in await _first_bytes(client, simulator, 3)] == [3, 3, 3]

    async def test_nothing_is_waited_for_after_the_last_piece(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """A body that fits into one piece of a trickle comes at once."""
        simulator.script("deepseek", Trickle(100_000, 60.0))
        assert (await _search(client, simulator)).status_code == 200

    async def test_heartbeats_of_json_are_blank_lines(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Before a JSON document, signs of life are empty lines."""
        simulator.script("deepseek", Heartbeats(0.01))
        assert await _first_bytes(client, simulator, 3) == [b"\n"] * 3

    async def test_heartbeats_of_a_stream_are_comments(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """In an event stream, signs of life are comments."""
        simulator.script("openai", Heartbeats(0.01))
        body = {"model": "gpt-5-mini", "input": "cooldown", "stream": True}
        url, headers = f"{simulator.base_url('openai')}/responses", _headers(simulator, "openai")
        async with client.stream("POST", url, json=body, headers=headers) as response:
            assert (await anext(response.aiter_raw())).startswith(b": ")


@pytest.mark.rule("simulator.8")
class TestBroken:
    """Faults after which there is no answer."""

    async def test_hanging_sends_no_headers(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Nothing comes back, not even a status."""
        simulator.script("deepseek", Hang())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_search(client, simulator), 0.2)
        assert simulator.requests[0].status is None

    @pytest.mark.parametrize("after_bytes", [0, 10])
    async def test_stalling_sends_headers_and_perhaps_a_beginning(
        self, simulator: Simulator, client: httpx.AsyncClient, after_bytes: int
    ) -> None:
        """The status and the first bytes come, then nothing more."""
        simulator.script("deepseek", Stall(after_bytes))
        url = f"{simulator.base_url('deepseek')}/v1/tools/search"
        headers = _headers(simulator)
        async with client.stream("POST", url, json=BODY, headers=headers) as response:
            iterator = response.aiter_raw()
            assert response.status_code == 200
            if after_bytes:
                assert len(await anext(iterator)) == after_bytes
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(iterator), 0.2)

    async def test_a_cut_breaks_the_connection(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """The client is told that the body is incomplete."""
        simulator.script("deepseek", Cut(100))
        with pytest.raises(httpx.RemoteProtocolError):
            await _search(client, simulator)

    async def test_an_orderly_cut_looks_complete(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """Only the content shows that something is missing."""
        usual = (await _search(client, simulator)).content
        simulator.script("deepseek", Cut(100, orderly=True))
        response = await _search(client, simulator)
        assert response.content == usual[:100]
        with pytest.raises(json.JSONDecodeError):
            response.json()

    async def test_a_reset_reports_an_error_at_once(
        self, simulator: Simulator, client: httpx.AsyncClient
    ) -> None:
        """The connection is gone before any header, and it was a reset."""
        simulator.script("deepseek", Reset())
        with pytest.raises(httpx.ReadError) as raised:
            await _search(client, simulator)
        assert isinstance(_root(raised.value), ConnectionResetError | OSError)
        assert simulator.requests[0].status is None

    @pytest.mark.parametrize("fault", [Cut(100), Reset(), Cut(5, orderly=True)])
    async def test_what_the_provider_broke_off_the_client_did_not_abort(
        self, simulator: Simulator, client: httpx.AsyncClient, fault: Fault
    ) -> None:
        """A connection that the simulator ends is not recorded as the client's doing."""
        simulator.script("deepseek", fault)
        with suppress(httpx.TransportError):
            await _search(client, simulator)
        assert await simulator.idle()
        assert not simulator.requests[0].aborted


@pytest.mark.rule("simulator.8")
@pytest.mark.parametrize(
    "build",
    [
        lambda: Status(100),
        lambda: Replay(b"", status=0),
        lambda: Delay(-1),
        lambda: Stall(-1),
        lambda: Trickle(0),
        lambda: Trickle(1, -1),
        lambda: Cut(-1),
        lambda: Heartbeats(-1),
        lambda: Heartbeats(1, -1),
    ],
)
def test_an_impossible_fault_cannot_be_made(build: Callable[[], Fault]) -> None:
    """A number that makes no sense is refused when the fault is written down."""
    with pytest.raises(ValueError, match="must be >="):
        build()


def _root(error: BaseException) -> BaseException:
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return error

"""Bodies that are one JSON document, and bodies that were packed for the way."""

import zlib
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import TypeVar

from fuzz.chance import chance, pieces, single_bytes
from fuzz.documents import json_from
from native_web_search.adapters.content_coding import GZIP, DecodedBody, coding_of
from native_web_search.adapters.providers import deepseek, ollama
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.reading import WINDOW
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.output_guard import fit
from native_web_search.domain.payload import FetchAnswer, Fetched
from native_web_search.ports.http import ResponseHead

R = TypeVar("R")

ENOUGH = 10_000_000  # characters, for everything that an input can say
OTHER_STATUSES = (0, 204, 301, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 503)
CAPS = (10, 3_000, 1_000_000)  # bytes of a body


def any_body_is_an_answer(data: bytes) -> None:
    """Of DeepSeek and of Ollama, with the status of a success and with another."""
    for codec in (deepseek.CODEC, ollama.CODEC):
        for status in (200, chance(data).choice(OTHER_STATUSES)):
            _judge_search(codec, ResponseHead(status), data)
            _judge_fetch(codec, ResponseHead(status), data)


def _judge_search(codec: Codec, head: ResponseHead, data: bytes) -> None:
    """A success is the body as it came, with its list of results."""
    match decoded(codec.search.decoder(), data, head=head):
        case Success(payload):
            assert head.status in range(200, 300)
            assert isinstance(payload["results"], list)
            assert _is_body(payload, data)
        case Failure(failure):
            assert str(failure)


def _judge_fetch(codec: Codec, head: ResponseHead, data: bytes) -> None:
    """One entry, or a failure that left the URL pending."""
    assert codec.fetch is not None
    answer = decoded(codec.fetch.decoder(("https://a.example/",)), data, head=head)
    assert isinstance(answer, FetchAnswer)
    assert (list(answer.entries) == [0]) is (answer.failure is None)
    for entry in answer.entries.values():
        assert not isinstance(entry, Fetched) or _is_body(entry.data, data)


def _is_body(payload: object, data: bytes) -> bool:
    return fit(payload, ENOUGH) == fit(json_from(data.removeprefix(b"\xef\xbb\xbf")), ENOUGH)


def any_packed_body_ends(data: bytes) -> None:
    """Bytes of any coding give bytes within the cap or a failure, the same kind however they are
    cut; what the standard library unpacks in one go is unpacked to the same.
    """
    draws = chance(data)
    cap = draws.choice(CAPS)
    for coding, bits in (("gzip", GZIP), ("deflate", zlib.MAX_WBITS), ("", None)):
        whole = _unpacked(coding, [data], cap)
        for cut in (pieces(data, draws), single_bytes(data)):
            assert _alike(_unpacked(coding, cut, cap), whole)
        expected = data if bits is None else _unpacked_at_once(data, bits)
        if expected is not None and len(expected) <= cap:
            assert whole == expected


def _unpacked(coding: str, cut: Iterable[bytes], cap: int) -> bytes | AttemptFailure:
    """All bytes of the body, or the failure in place of them."""
    known = coding_of(coding)
    assert known is not None
    body, read = DecodedBody(_arriving(cut), known, cap), b""
    while piece := _finished(body.read(WINDOW)):
        if not isinstance(piece, bytes):
            return piece
        assert len(piece) <= WINDOW
        read += piece
        assert len(read) <= cap
    return read


def _alike(one: bytes | AttemptFailure, other: bytes | AttemptFailure) -> bool:
    """A body both damaged and too large may be called either."""
    return one == other or (not isinstance(one, bytes) and type(one) is type(other))


def _arriving(cut: Iterable[bytes]) -> Callable[[], Awaitable[bytes | AttemptFailure]]:
    left = iter([piece for piece in cut if piece])

    async def pull() -> bytes | AttemptFailure:
        return next(left, b"")

    return pull


def _finished(steps: Coroutine[object, None, R]) -> R:
    """What a coroutine returns that waits for nothing but its turn."""
    while True:
        try:
            steps.send(None)
        except StopIteration as end:
            result: R = end.value
            return result


def _unpacked_at_once(data: bytes, bits: int) -> bytes | None:
    """None if the standard library calls it damaged, unfinished, or followed by something."""
    engine = zlib.decompressobj(bits)
    try:
        unpacked = engine.decompress(data, CAPS[-1] + 1)
    except zlib.error:
        return None
    return unpacked if engine.eof and not engine.unused_data else None

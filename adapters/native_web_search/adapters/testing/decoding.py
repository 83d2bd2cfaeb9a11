"""Running a response decoder without a network."""

from typing import TypeVar

from native_web_search.ports.http import Appetite, ResponseDecoder, ResponseHead

A = TypeVar("A")

STREAM = ResponseHead(200, {"content-type": "text/event-stream"})


def decoded(decoder: ResponseDecoder[A], *pieces: bytes, head: ResponseHead = STREAM) -> A:
    """What the decoder makes of a response that arrives in these pieces. As with a transport,
    nothing is fed after `DONE`; after `LINGER` the rest is in time.
    """
    appetite = decoder.begin(head)
    for piece in pieces:
        if appetite is Appetite.DONE:
            break
        appetite = decoder.feed(piece)
    return decoder.end()

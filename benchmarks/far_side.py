"""The far side of every client: canned answers, from a process of its own.

It does as little as a server can, so that what is measured is the client, and clients are charged
for nothing else. Event streams are sent in chunks, documents with their length, as providers do.
"""

import asyncio
import json
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from attrs import define, field, frozen

HOST = "127.0.0.1"
SEEN = "/seen"  # how often each path was asked for
CHUNK = 4_096  # bytes of a stream that are sent as one chunk

_LENGTH = re.compile(rb"content-length: *([0-9]+)", re.IGNORECASE)
_REASONS = {200: "OK", 500: "Internal Server Error"}


@frozen
class Canned:
    """What is answered, and after how many seconds."""

    body: bytes
    status: int = 200
    delay: float = 0.0
    streamed: bool = False

    def response(self) -> bytes:
        """All bytes of it."""
        status = f"HTTP/1.1 {self.status} {_REASONS[self.status]}\r\n"
        if self.streamed:
            head = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            return f"{status}{head}".encode() + _chunked(self.body)
        head = f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n\r\n"
        return f"{status}{head}".encode() + self.body


def _chunked(body: bytes) -> bytes:
    pieces = [body[at : at + CHUNK] for at in range(0, len(body), CHUNK)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


@contextmanager
def far_side(answers: Mapping[str, Canned]) -> Iterator[str]:
    """A server with an answer for each path, by its beginning; gives its origin."""
    plan = {
        path: [canned.delay, b64encode(canned.response()).decode()]
        for path, canned in answers.items()
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.far_side"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            if process.stdin and process.stdout:
                process.stdin.write(json.dumps(plan) + "\n")
                process.stdin.flush()
                yield f"http://{HOST}:{int(process.stdout.readline())}"
        finally:
            process.kill()


@define
class _Connection(asyncio.Protocol):
    """One client. It asks for the next thing when it has the last, as HTTP clients do."""

    plan: Mapping[str, tuple[float, bytes]]
    seen: Counter[str]
    _received: bytearray = field(init=False, factory=bytearray)
    _transport: asyncio.Transport | None = field(init=False, default=None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, body = bytes(self._received).partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if end and len(body) >= (int(length[1]) if length else 0):
            self._received.clear()
            self._answer(head.split(b" ", 2)[1].decode())

    def _answer(self, target: str) -> None:
        path = next((path for path in self.plan if target.startswith(path)), "")
        if target == SEEN:
            self._write(Canned(json.dumps(self.seen).encode()).response())
            return
        self.seen[path] += 1
        delay, response = self.plan[path]
        if delay:
            asyncio.get_running_loop().call_later(delay, self._write, response)
        else:
            self._write(response)

    def _write(self, response: bytes) -> None:
        if self._transport is not None:
            self._transport.write(response)


async def _serve(plan: Mapping[str, tuple[float, bytes]]) -> None:
    seen = Counter[str]()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(plan, seen), HOST, backlog=2_048)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    told = json.loads(sys.stdin.readline())
    asyncio.run(_serve({path: (delay, b64decode(body)) for path, (delay, body) in told.items()}))

"""The process that the extension starts: lines of JSON on standard input and output.

It lives as long as its standard input, which pi's end closes in every case.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import BinaryIO

from attrs import define

from native_web_search.adapters.compose import open_pi_web_search
from native_web_search.adapters.hosts.pi.bridge import Bridge
from native_web_search.adapters.hosts.pi.protocol import PROTOCOL
from native_web_search.adapters.hosts.pi.to_pi import Notice, ToPi, formatted

CLOSED, OTHER_PROTOCOL = 1, 2
STREAMS = ("stdin", "stdout", "stderr")


def main(arguments: list[str]) -> int:
    """Serve until the standard input ends; the exit code says if the extension fits."""
    if arguments != [PROTOCOL]:
        message = "pi's extension is of another version: run `native-web-search pi install` again"
        print(message, file=sys.stderr)  # noqa: T201 - the extension shows it to the user
        return OTHER_PROTOCOL
    if any(vars(sys)[name] is None for name in STREAMS):  # closed before we started
        print("pi's extension talks over standard streams, which are closed", file=sys.stderr)  # noqa: T201
        return CLOSED
    # Ctrl-C is for pi, which tells us what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    send = _sender(_protocol_alone())
    logging.getLogger("native_web_search").addHandler(_ToPi(send))
    asyncio.run(_serve(send))
    return 0


async def _serve(send: Callable[[ToPi], None]) -> None:
    await Bridge(send, open_pi_web_search, os.environ).run(_lines())


def _protocol_alone() -> BinaryIO:
    """The standard output, for us alone: what others print goes to the standard error."""
    wire = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return wire


def _sender(wire: BinaryIO) -> Callable[[ToPi], None]:
    """Writes whole lines, from any thread. A pipe without a reader ends us by its other end."""
    lock = threading.Lock()

    def send(message: ToPi) -> None:
        with lock, suppress(OSError):
            wire.write(formatted(message))
            wire.flush()

    return send


async def _lines() -> AsyncIterator[bytes]:
    """The standard input, read by a thread: not every platform's event loop can wait for it."""
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody is listening
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, b"")

    threading.Thread(target=read, daemon=True).start()
    while line := await queue.get():
        yield line


@define(eq=False)
class _ToPi(logging.Handler):
    """Shows warnings to the user of pi."""

    send: Callable[[ToPi], None]

    def __attrs_pre_init__(self) -> None:
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        self.send(Notice(record.getMessage()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

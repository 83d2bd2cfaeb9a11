"""A Valkey server on loopback that knows one script, ours, and fails to order.

It does what the script of the shared health does on a real server, with a clock that a test moves.
What happens to the next question can be scripted: nothing at all, a hang-up, or any bytes. It can
refuse to be written, as one does that is full, a replica, or another's.
"""

import asyncio
import ssl
from collections import deque
from types import TracebackType
from typing import Final, Self, TypeAlias

from attrs import define, field, frozen

from native_web_search.adapters.stores.dated_ledger import MAX_BYTES
from native_web_search.adapters.testing.raw_server import RawConnection, RawServer

NO_DOCUMENT: Final = b"!"  # what our script reads where a list is, or too long a value
OK: Final = b"+OK\r\n"


@frozen
class Silence:
    """Take the question and never answer."""


@frozen
class HangUp:
    """Close the connection instead of an answer."""


@frozen
class Reply:
    """Answer with these bytes."""

    raw: bytes


@frozen
class Rival:
    """Another process puts this document in place just before."""

    document: bytes


Turn: TypeAlias = Silence | HangUp | Reply | Rival


@define(eq=False)
class ScriptedValkey:
    """Used as `async with ScriptedValkey() as server`; `url` is where it is.

    `documents` are the values by key. `questions` lists whether each question that came would
    `read`, `swap` or `prove` that it may. `turns` are taken by the next questions, `always` by all
    others. `refusal` is the answer to whatever would write.
    """

    password: str | None = None
    tls: ssl.SSLContext | None = None
    microseconds: int = 1_785_000_000_000_000
    documents: dict[bytes, bytes] = field(factory=dict)
    lives: dict[bytes, int] = field(factory=dict)
    questions: list[str] = field(factory=list)
    turns: deque[Turn] = field(factory=deque)
    always: Turn | None = None
    refusal: bytes | None = None
    _server: RawServer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._server = RawServer(self._serve, self.tls)

    async def __aenter__(self) -> Self:
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._server.__aexit__(kind, error, trace)

    @property
    def url(self) -> str:
        return f"{'valkeys' if self.tls else 'valkey'}://127.0.0.1:{self._server.port}"

    @property
    def connections(self) -> int:
        """How many were opened so far."""
        return self._server.connections

    def pass_(self, seconds: float) -> None:
        self.microseconds += round(seconds * 1_000_000)

    async def idle(self) -> bool:
        """Wait until nobody is connected any more; whether that was so soon."""
        return await self._server.idle()

    async def _serve(self, connection: RawConnection) -> None:
        is_in = self.password is None
        while True:
            name, *rest = await _command(connection.reader)
            match name.upper():
                case b"AUTH":
                    is_in = self.password is not None and rest[-1] == self.password.encode()
                    refused = b"-WRONGPASS invalid username-password pair\r\n"
                    await connection.send(OK if is_in else refused)
                case _ if not is_in:
                    await connection.send(b"-NOAUTH Authentication required.\r\n")
                case b"EVAL":
                    self.questions.append("swap" if rest[3:] else "read")
                    if not await self._answer(connection, rest[2], rest[3:]):
                        return
                case b"SET":
                    self.questions.append("prove")
                    if not await self._answer(connection, rest[0], None):
                        return
                case _:
                    await connection.send(OK)

    async def _answer(
        self, connection: RawConnection, key: bytes, rest: list[bytes] | None
    ) -> bool:
        """Answer a question, whichever way; whether the connection lives on."""
        match self.turns.popleft() if self.turns else self.always:
            case Silence():
                await connection.client_closed()
                return False
            case HangUp():
                return False
            case Reply(raw):
                await connection.send(raw)
                return True
            case Rival(document):
                self.documents[key] = document
            case None:
                pass
        await connection.send((self.refusal or OK) if rest is None else self._run(key, rest))
        return True

    def _run(self, key: bytes, rest: list[bytes]) -> bytes:
        """What the script does, and replies."""
        held = self.documents.get(key, b"")
        if len(held) > MAX_BYTES:
            held = NO_DOCUMENT
        swapped = bool(rest) and rest[0] == held
        if swapped and self.refusal:
            return self.refusal
        if swapped:
            self.documents[key], self.lives[key] = rest[1], int(rest[2])
        if not self.documents.get(key):
            self.documents.pop(key, None)
        seconds, rest_of_it = divmod(self.microseconds, 1_000_000)
        parts = (str(seconds).encode(), str(rest_of_it).encode(), held)
        bulks = b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
        return b"*4\r\n:%d\r\n" % swapped + bulks


async def _command(reader: asyncio.StreamReader) -> list[bytes]:
    count = int((await reader.readuntil(b"\r\n"))[1:])
    words: list[bytes] = []
    for _word in range(count):
        length = int((await reader.readuntil(b"\r\n"))[1:])
        words.append((await reader.readexactly(length + 2))[:-2])
    return words

"""Server-sent events, cut out of bytes as they come.

The rules are those of the HTML standard. A line ends at LF, CR or CRLF and nowhere else; other line
separators of Unicode occur raw inside JSON strings. A line is a field (`data: value`, one blank
after the colon is not part of the value) or a comment (it begins with a colon). An empty line ends
the event; the values of its `data` lines, joined by LF, are what the event says. Everything else
(`event`, `id`, `retry`, unknown fields) is of no use to us: every provider repeats the event's name
inside its data.

A CR ends its line at once, and an LF that follows is skipped, also when it comes with the next
piece. So a stream of lone CRs is never late, and no cut changes what is read. Bytes that wait for
their line end are kept in one growing buffer: a line of many megabytes costs linear time, however
small the pieces are.

Three departures, all for the sake of real servers: an event with empty data is left out; the last
event counts without its closing empty line if its data is complete JSON; and a JSON object that
stands on lines of its own, without `data`, counts as the last event, because Google reports an
error like that in the middle of a stream.
"""

from collections.abc import Iterable, Iterator

from attrs import define, field

from native_web_search.adapters.providers.body import parse_json
from native_web_search.domain.outcome import Success

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@define
class EventStream:
    """Bytes in, the data of finished events out. Bytes that are no UTF-8 become U+FFFD."""

    _rest: bytearray = field(init=False, factory=bytearray)
    _data: list[str] = field(init=False, factory=list)
    _bare: list[str] = field(init=False, factory=list)
    _after_cr: bool = field(init=False, default=False)
    _at_start: bool = field(init=False, default=True)

    def feed(self, piece: bytes) -> list[str]:
        """The data of the events that this piece finishes, in order."""
        if not piece:
            return []
        continued = piece.removeprefix(b"\n") if self._after_cr else piece
        self._after_cr = piece.endswith(b"\r")
        one_kind = continued.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        finished, line_end, begun = one_kind.rpartition(b"\n")
        self._rest += finished
        events = list(self._events(self._lines())) if line_end else []
        self._rest += begun
        return events

    def end(self) -> list[str]:
        """The last event, if only its closing empty line or its `data` is missing: it is whole
        JSON.
        """
        unfinished = [*self._events([*self._lines(), ""]), "\n".join(self._bare)]
        return [data for data in unfinished if isinstance(parse_json(data), Success)]

    def _lines(self) -> list[str]:
        """The lines that were waiting for the end of the last of them. No cut between lines parts a
        character, so they can be decoded all at once.
        """
        if self._at_start:
            self._at_start = False
            self._rest = self._rest.removeprefix(BYTE_ORDER_MARK)
        text = self._rest.decode("utf-8", "replace")
        self._rest.clear()
        return text.split("\n")

    def _events(self, lines: Iterable[str]) -> Iterator[str]:
        """The data of the events that these lines end. Most lines are `data`, some are empty."""
        for line in lines:
            if line.startswith("data: "):
                self._data.append(line[6:])
            elif line:
                self._keep(line)
            elif self._data:
                data = "\n".join(self._data)
                self._data.clear()
                if data:
                    yield data

    def _keep(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value)
        elif self._bare or line.startswith("{"):
            self._bare.append(line)

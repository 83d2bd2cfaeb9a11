"""Server-sent events, cut out of bytes as they come.

The rules are those of the HTML standard. A line ends at LF, CR or CRLF and nowhere else, so lines
are found on bytes, before any decoding: other line separators of Unicode occur raw inside JSON
strings. A line is a field (`data: value`, one blank after the colon is not part of the value) or a
comment (it begins with a colon). An empty line ends the event; the values of its `data` lines,
joined by LF, are what the event says. Everything else (`event`, `id`, `retry`, unknown fields) is
of no use to us: every provider repeats the event's name inside its data.

A CR ends its line at once, and an LF that follows is skipped, also when it comes with the next
piece. So a stream of lone CRs is never late, and no cut changes what is read. Bytes that wait for
their line end are kept in one growing buffer: a line of many megabytes costs linear time, however
small the pieces are.

Three departures, all for the sake of real servers: an event with empty data is left out; the last
event counts without its closing empty line if its data is complete JSON; and a JSON object that
stands on lines of its own, without `data`, counts as the last event, because Google reports an
error like that in the middle of a stream.
"""

import re

from attrs import define, field

from native_web_search.adapters.providers.body import parse_json
from native_web_search.domain.outcome import Success

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LINE_END = re.compile(rb"\r\n|\r|\n")


@define
class EventStream:
    """Bytes in, the data of finished events out. Bytes that are no UTF-8 become U+FFFD."""

    _line: bytearray = field(init=False, factory=bytearray)
    _data: list[bytes] = field(init=False, factory=list)
    _bare: list[bytes] = field(init=False, factory=list)
    _after_cr: bool = field(init=False, default=False)
    _at_start: bool = field(init=False, default=True)

    def feed(self, piece: bytes) -> list[str]:
        """The data of the events that this piece finishes, in order."""
        if not piece:
            return []
        continued = piece.removeprefix(b"\n") if self._after_cr else piece
        self._after_cr = piece.endswith(b"\r")
        rest, *begun = LINE_END.split(continued)
        self._line += rest
        events: list[str] = []
        for following in begun:
            events += self._end_line()
            self._line += following
        return events

    def end(self) -> list[str]:
        """The last event, if only its closing empty line or its `data` is missing: it is whole
        JSON.
        """
        unfinished = [*self._end_line(), *self._end_event()]
        unfinished.append(b"\n".join(self._bare).decode("utf-8", "replace"))
        return [data for data in unfinished if isinstance(parse_json(data), Success)]

    def _end_line(self) -> list[str]:
        line = bytes(self._line)
        self._line.clear()
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line:
            return self._end_event()
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
        elif self._bare or line.startswith(b"{"):
            self._bare.append(line)
        return []

    def _end_event(self) -> list[str]:
        data = b"\n".join(self._data)
        self._data.clear()
        return [data.decode("utf-8", "replace")] if data else []

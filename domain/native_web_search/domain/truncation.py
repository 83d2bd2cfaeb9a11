"""Making a document shorter without breaking what is in it.

The text is written from its beginning to its end. What waits to be written are the parts of the
containers that are open: ready texts and claims. A claim on a container is settled by opening it,
so that no depth of the document is a depth of calls.

Room is only handed on, never made: a container divides its room among its parts, and what they
cannot use is *spare* and goes to the claim that is settled next. What is spare in the end
lengthens the strings that were cut, first come, first served. After that no cut string could be
longer by even one more legal cut.
"""

from collections.abc import Mapping

from attrs import define, field

from native_web_search.domain.claims import Claim, claim, is_divisible
from native_web_search.domain.json_strings import body, fitting
from native_web_search.domain.json_text import is_array, is_object
from native_web_search.domain.links import legal_cut
from native_web_search.domain.measure import Measure
from native_web_search.domain.shelves import Part, kept_entries, kept_fields

QUOTES = len('""')


def shortened(document: object, room: int) -> str:
    """The JSON text of as much of the document as is possible in `room` characters, two or more.

    For a document whose compact text is longer than that.
    """
    draft = _Draft()
    opened = [iter(_root(document, room))]
    while opened:
        for part in opened[-1]:
            if not isinstance(part, str):
                opened.append(iter(draft.settled(part)))
                break
            draft.add(part)
        else:
            opened.pop()
    draft.lengthen_cuts()
    return "".join(draft.pieces) or empty(document)


def _root(document: object, room: int) -> list[Part]:
    """The claim on everything; none if the document cannot be shortened to that room."""
    if not is_divisible(document, links=False):
        return []
    if isinstance(document, str):  # where it is everything, even a short string may be cut
        return [Claim("", document, room, links=False, identity={})]
    root = claim("", document, room, floor=room, links=False)
    return [root] if root else []


def empty(document: object) -> str:
    """The JSON text of nothing, of the same kind as the document if it is a container."""
    if is_object(document):
        return "{}"
    return "[]" if is_array(document) else '""'


@define
class _Cut:
    """A string that was cut behind its first `count` characters, and where it is written."""

    piece: int
    text: str
    count: int


@define
class _Draft:
    """The text written so far, and the room that nobody has used yet."""

    pieces: list[str] = field(init=False, factory=list)
    spare: int = field(init=False, default=0)
    _cuts: list[_Cut] = field(init=False, factory=list)
    _measure: Measure = field(init=False, factory=Measure)

    def add(self, part: str) -> None:
        """Write a text; the comma of what comes first in its container is not needed."""
        if part[0] == "," and self.pieces[-1][-1] in "{[":
            part = part[1:]
            self.spare += len(",")
        self.pieces.append(part)

    def settled(self, part: Claim) -> list[Part]:
        """Write what can be written of a claim; returns what has to be written next."""
        room = part.room + self.spare
        value = part.value
        if part.text is not None and len(part.text) <= room:
            self.spare = room - len(part.text)
            return [part.lead + part.text]
        if isinstance(value, str):
            self._cut(part.lead, value, room)
            return []
        if isinstance(value, (dict, Mapping)):
            parts, self.spare = kept_fields(value, part.identity, room, self._measure)
            return [part.lead + "{", *parts, "}"]
        parts, self.spare = kept_entries(value, room, self._measure, links=part.links)
        return [part.lead + "[", *parts, "]"]

    def _cut(self, lead: str, text: str, room: int) -> None:
        """Write as much of a string as fits; one of which nothing is left is not written."""
        count, kept = _longest_part(text, 0, room - QUOTES)
        if count == 0:
            self.spare = room + len(lead)
            return
        self.spare = room - QUOTES - len(kept)
        self.add(f'{lead}"{kept}"')
        if count < len(text):
            self._cuts.append(_Cut(len(self.pieces) - 1, text, count))

    def lengthen_cuts(self) -> None:
        """Spend the spare room on the strings that were cut, in order."""
        for cut in self._cuts:
            if self.spare == 0:
                break
            _, more = _longest_part(cut.text, cut.count, self.spare)
            self.pieces[cut.piece] = self.pieces[cut.piece][:-1] + more + '"'
            self.spare -= len(more)


def _longest_part(text: str, start: int, room: int) -> tuple[int, str]:
    """Up to where a string can be written from there on, and what is written between its quotes.

    `start` is a legal cut, and so is the end.
    """
    count, written = fitting(text[start : start + max(room, 0)], room, body)
    end = legal_cut(text, start + count)
    if end < start + count:
        written = written[: len(written) - len(body(text[end : start + count]))]
    return end, written

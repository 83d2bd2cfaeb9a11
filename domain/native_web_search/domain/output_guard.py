"""Making a result fit into the context of a model: the output guard.

A document that fits is written with indentation; if only that makes it too long, without. Nothing
is lost in either case. If it is too long even so, it is shortened, and a last line says so.

What holds for every document and every limit, whatever has to go:
- the text is never longer than the limit, it encodes as UTF-8, and what stands before the marker
  is JSON that strict parsers read, from the shortest limit on where JSON and marker fit together;
- what is kept is as it was: numbers to the last digit, the order of fields and entries, keys
  whole. Fields and entries are left out, the last ones first, and long strings lose their end;
- a link is whole or absent. So is what says of an object what it is: an object without its
  identity is left out altogether (the document itself becomes `{}`). Short strings are not cut;
- a string that was cut is as long as it can be: its next legal cut would exceed the limit;
- siblings share fairly above small floors, so that none starves and spare room finds a user.

Where that is written: `links` (legal cuts), `identity` (keys), `claims` (what a value needs),
`shelves` (what a container keeps), `shares` (fairness), `truncation` (the order of it all) and
`json_text` (writing up to a length). No part reads more of the document than it might keep: the
cost grows with the limit and not with the document.

Not promised: that a larger limit keeps everything that a smaller one kept; fairness between
siblings of different containers; any order of importance but identity first, then as it came.
Nothing can be used of the room where only links, identities, numbers and short strings are left.

Limits count code points, the marker included.
"""

from attrs import frozen

from native_web_search.domain.json_strings import encodable, fitting
from native_web_search.domain.json_text import COMPACT, PRETTY, written
from native_web_search.domain.links import legal_cut
from native_web_search.domain.measure import surely_longer
from native_web_search.domain.truncation import empty, shortened

MARKER = "[truncated]"
MARKER_LINE = "\n" + MARKER
SMALLEST_MARKED = len("{}" + MARKER_LINE)


@frozen
class Fitted:
    """A text that is no longer than its limit, and whether anything is missing from it."""

    text: str
    truncated: bool


def fit(document: object, limit: int, *, marker: bool = True) -> Fitted:
    """The document as JSON text of at most `limit` characters.

    `marker=False` leaves out the line that says that something is missing, so that the text is
    JSON and nothing else. Too little room for both, JSON and marker, means the marker alone; too
    little for the marker, an empty value of the document's kind, and for that, `0`. Raises
    `ValueError` for a limit below 1, and `TypeError` for a document that is not JSON.
    """
    _check(limit)
    if not surely_longer(document, limit):
        for layout in (PRETTY, COMPACT):
            text = written(document, limit, layout)
            if text is not None:
                return Fitted(text, truncated=False)
    return Fitted(_shortened_document(document, limit, marker=marker), truncated=True)


def _check(limit: int) -> None:
    if limit < 1:
        message = f"the limit of a text is at least 1, not {limit}"
        raise ValueError(message)


def _shortened_document(document: object, limit: int, *, marker: bool) -> str:
    if limit == 1:
        return "0"  # the only kind of JSON text with one character
    if not marker:
        return shortened(document, limit)
    if limit < len(MARKER):
        return empty(document)
    if limit < SMALLEST_MARKED:
        return MARKER
    return shortened(document, limit - len(MARKER_LINE)) + MARKER_LINE


def fit_text(text: str, limit: int, *, marker: bool = True) -> Fitted:
    """Plain text, as an error message is, under the same limit, cut at the same legal places.

    The limits of the marker are the same as well; below that the text is cut without one. Raises
    `ValueError` for a limit below 1.
    """
    _check(limit)
    if len(text) <= limit:
        whole = encodable(text)
        if len(whole) <= limit:
            return Fitted(whole, truncated=False)
    return Fitted(_shortened_text(text, limit, marker=marker), truncated=True)


def _shortened_text(text: str, limit: int, *, marker: bool) -> str:
    if not marker or limit < len(MARKER):
        return _beginning(text, limit)
    if limit < SMALLEST_MARKED:
        return MARKER
    beginning = _beginning(text, limit - len(MARKER_LINE))
    return beginning + MARKER_LINE if beginning else MARKER


def _beginning(text: str, room: int) -> str:
    count, _ = fitting(text, room, encodable)
    return encodable(text[: legal_cut(text, count)])

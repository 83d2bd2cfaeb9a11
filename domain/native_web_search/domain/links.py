"""What counts as a link inside text, and where text may be cut.

A *run* is a stretch of text without a blank, a control character, a quotation mark, an angle
bracket, a backtick or one of the full-width marks that end a clause in Chinese and Japanese,
where no blank would. A *link token* reaches from the first marker in a run to the end of the run;
a marker is `scheme://`, `mailto:` or `www.`, in any case. Closing brackets and commas belong to
the token, because addresses contain them: the price of that is a little text, never a link.

A cut is *legal* if it stands at either end of the text, or else
1. not inside a link token, so that every link of what is left is a link of the whole;
2. not between the halves of a surrogate pair that came as two characters;
3. not in front of a mark, a joiner or whatever else changes the character before it, as long as
   that character begins at most `LOOK_BACK` places back. Behind that, marks are parted: nobody
   writes so many, and text without end would have no legal cut at all.

Everything here looks at the neighbourhood of the cut, however long the text is. Only a run is
read from its beginning, for its first marker.
"""

import re
from collections.abc import Iterator
from unicodedata import category

LOOK_BACK = 32  # places; no script stacks as many marks on one base
LONGEST_SCHEME = 15  # without a bound, every letter of a long run would be tried as a beginning
LONGEST_MARKER = LONGEST_SCHEME + len("://")
FIRST_WINDOW = 256  # characters searched for the beginning of a run before looking farther

_END = r"\s\x00-\x1f\x7f-\x9f\"<>`\u2018-\u201f\u3000-\u303f\uff00-\uff65"
_MARKER = rf"[A-Za-z][A-Za-z0-9+.\-]{{1,{LONGEST_SCHEME - 1}}}+://|(?i:mailto:|www\.)"

_RUN_END = re.compile(rf"[{_END}]")
_LAST_RUN_END = re.compile(rf".*[{_END}]", re.DOTALL)
_FIRST_MARKER = re.compile(_MARKER)
_MARKER_ENDING = re.compile(
    r"[:.](?:(?<=[A-Za-z0-9+.\-]:)//|(?<=[oO]:)|(?<=[wW]\.))"  # of a scheme, mailto:, www.
)
_LINK = re.compile(rf"(?:{_MARKER})[^{_END}]*+")

_JOINER = "\u200d"
_EXTENDERS = frozenset({_JOINER, *map(chr, range(0x1F3FB, 0x1F400))})  # and skin tones


def links(text: str) -> Iterator[str]:
    """All link tokens of a text, in order."""
    return (found.group() for found in _LINK.finditer(text))


def leading_link(text: str, end: int) -> int:
    """The length of the link token that the text before `end` begins with, 0 if with none."""
    found = _LINK.match(text, 0, end)
    return found.end() if found else 0


def legal_cut(text: str, cut: int) -> int:
    """The last legal place to cut at, at `cut` or before it."""
    while 0 < cut < len(text):
        earlier = _before_marks(text, _before_link(text, cut))
        if earlier == cut:
            break
        cut = earlier
    return cut


def _before_link(text: str, cut: int) -> int:
    """The beginning of the link that the cut would part; the cut itself if it parts none.

    Trying a scheme at every letter is slow, so the search for the first marker begins shortly
    before the first place that looks like the end of one.
    """
    if _RUN_END.match(text, cut):
        return cut
    run, reach = _run_start(text, cut), cut + LONGEST_MARKER - 1
    ending = _MARKER_ENDING.search(text, run, reach)
    if not ending:
        return cut
    marker = _FIRST_MARKER.search(text, max(run, ending.start() - LONGEST_SCHEME), reach)
    return min(marker.start(), cut) if marker else cut


def _run_start(text: str, cut: int) -> int:
    """Where the run begins that the cut falls into, searched in ever larger windows."""
    window = FIRST_WINDOW
    while True:
        start = max(0, cut - window)
        end = _LAST_RUN_END.match(text, start, cut)
        if end or start == 0:
            return end.end() if end else 0
        window *= 4


def _before_marks(text: str, cut: int) -> int:
    """The cut, moved in front of the character whose parts it would separate."""
    if text[max(cut - 1, 0) : cut + 1].isascii():  # mostly, and nothing to be separated there
        return cut
    if _parts_pair(text, cut):
        cut -= 1
    for place in range(cut, max(cut - LOOK_BACK, 0) - 1, -1):
        if not _parts_character(text, place):
            return place
    return cut


def _parts_character(text: str, cut: int) -> bool:
    """Whether what stands on both sides of the cut is shown as one character."""
    if not 0 < cut < len(text):
        return False
    before, after = text[cut - 1], text[cut]
    return (
        before == _JOINER
        or after in _EXTENDERS
        or category(after).startswith("M")
        or _parts_pair(text, cut)
    )


def _parts_pair(text: str, cut: int) -> bool:
    return (
        "\ud800" <= text[cut - 1 : cut] <= "\udbff" and "\udc00" <= text[cut : cut + 1] <= "\udfff"
    )

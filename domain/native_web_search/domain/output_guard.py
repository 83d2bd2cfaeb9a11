from attrs import frozen
from native_web_search.domain.json_strings import encodable, fitting
from native_web_search.domain.json_text import COMPACT, PRETTY, surely_longer, written
from native_web_search.domain.links import legal_cut
from native_web_search.domain.truncation import empty, shortened

MARKER = "[truncated]"
MARKER_LINE = "\n" + MARKER
SMALLEST_MARKED = len("{}" + MARKER_LINE)


@frozen
class Fitted:
    """A text that fits, and whether anything was left out for that."""

    text: str
    truncated: bool


def fit(document: object, limit: int, *, marker: bool = True) -> Fitted:
    if limit < 1:
        message = f"the limit is {limit}, but no JSON text is shorter than one character"
        raise ValueError(message)
    if not surely_longer(document, limit):
        for layout in (PRETTY, COMPACT):
            text = written(document, limit, layout)
            if text is not None:
                return Fitted(text, truncated=False)
    return Fitted(_truncated(document, limit, marker=marker), truncated=True)


def _truncated(document: object, limit: int, *, marker: bool) -> str:
    if limit == 1:
        return "0"
    if not marker:
        return shortened(document, limit)
    if limit < len(MARKER):
        return empty(document)
    if limit < SMALLEST_MARKED:
        return MARKER
    return shortened(document, limit - len(MARKER_LINE)) + MARKER_LINE

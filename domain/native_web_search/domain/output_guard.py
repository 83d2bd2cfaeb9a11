from attrs import frozen
from native_web_search.domain.json_text import *
from native_web_search.domain.json_text import surely_longer
from native_web_search.domain.truncation import truncated_text
@frozen
class Fitted:
    text: str
    truncated: bool
MARKER="\n[truncated]"
def fit(document, limit, *, marker=True):
    if not surely_longer(document, limit):
        for layout in (PRETTY, COMPACT):
            text=written(document, limit, layout)
            if text is not None: return Fitted(text, False)
    room = limit-12 if marker else limit
    return Fitted(truncated_text(document, room)+(MARKER if marker else ""), True)

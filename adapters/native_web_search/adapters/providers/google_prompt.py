"""What Google's models are asked, for Gemini and Antigravity alike.

A search is the bare query, so that the model searches for what was asked and nothing else. URLs
go into the text, one a line, each exactly as it was given; a query about them stands before. A
video that the interface takes as such is a part of its own before the text, and not in it.
"""

import re
from collections.abc import Callable

from native_web_search.adapters.providers.json_values import Fields
from native_web_search.domain.failure import RequestRefused

# Google's limit for one request. It looks at the whole prompt, so that URLs in the query count.
MAX_URLS = 20

# Without a query there is no question to answer: what is wanted is the page itself.
FULL_CONTENT = (
    "Open each of the following and reproduce everything it says, completely and in its own "
    "words: no summary, no selection, nothing left out."
)

URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
PUNCTUATION = ".,:;!?)]}'"  # of the sentence around a URL

VIDEO = re.compile(
    r"(?i:https?://(?:www\.)?(?:youtube\.com/(?:watch\?v=|embed/)|youtu\.be/))"
    r"[\w-]{11}(?![\w-])",
    re.ASCII,
)


def search_request(query: str) -> Fields:
    """Contents and tool of a search."""
    return _asked([{"text": query}], "google_search")


def fetch_request(
    urls: tuple[str, ...], query: str | None, *, is_video: Callable[[str], bool]
) -> Fields:
    """Contents and tool of an analysis of all these URLs."""
    videos = [url for url in urls if is_video(url)]
    pages = [url for url in urls if not is_video(url)]
    listed = ["", "URLs:", *pages] if pages else []
    text = "\n".join([query or FULL_CONTENT, *listed])
    return _asked([*map(_video, videos), {"text": text}], "url_context")


def too_many(
    urls: tuple[str, ...], query: str | None, *, is_video: Callable[[str], bool]
) -> RequestRefused | None:
    """Why a request would be refused for the number of its pages, each counted once."""
    asked = (url.rstrip(PUNCTUATION) for url in URL.findall(query or ""))
    count = len({*asked, *(url for url in urls if not is_video(url))})
    if count <= MAX_URLS:
        return None
    return RequestRefused(
        f"Google analyzes at most {MAX_URLS} URLs a request, those in the query included; "
        f"these are {count}"
    )


def is_video(url: str) -> bool:
    """Whether a URL is of a form under which Google watches the video instead of the page."""
    return VIDEO.match(url) is not None


def _video(url: str) -> Fields:
    return {"file_data": {"file_uri": url, "mime_type": "video/mp4"}}


def _asked(parts: list[Fields], tool: str) -> Fields:
    options: Fields = {}
    return {"contents": [{"role": "user", "parts": parts}], "tools": [{tool: options}]}

"""Which of the requested URLs an answer of Google's stands on.

One answer serves all URLs, and a model may answer from memory: only the metadata tell what was
really opened. So a URL is answered if its entry says so, and is an error otherwise, be it another
status or no entry at all. Entries come in any order and in Google's spelling. A lone entry belongs
to the one page that was asked for; else the strings have to be equal, or name the same address to
a browser.

A video has no entry. It was watched if the answer came to its end and says anything.

The first URL that was answered carries the whole payload, every other one only its own entry:
twenty copies of one answer help nobody.
"""

from collections.abc import Callable, Mapping

from attrs import frozen

from native_web_search.adapters.providers.classify import one_line
from native_web_search.adapters.providers.google_reading import Told, spelled, url_entries
from native_web_search.adapters.providers.google_rules import CLEAN
from native_web_search.adapters.providers.json_values import Fields, text_in
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlAnswer, UrlFailure

RETRIEVED = "URL_RETRIEVAL_STATUS_SUCCESS"

NOT_VERIFIED = UrlFailure(
    "not verified: Google does not say that it opened this URL, so the answer may be from memory"
)


def fetched(urls: tuple[str, ...], told: Told, *, is_video: Callable[[str], bool]) -> FetchAnswer:
    """The entry of each URL, of an answer that may stand."""
    pages = frozenset(url for url in urls if not is_video(url))
    videos = frozenset(urls) - pages
    entries = [e for e in url_entries(told.url_context) if _address(e) not in videos]
    listed = _listed(entries, pages)
    answers = [_page(listed.about(u, pages)) if u in pages else _video(told) for u in urls]
    return FetchAnswer(dict(enumerate(_first_with_all(answers, told.payload()))))


def _first_with_all(answers: list[UrlAnswer], payload: Mapping[str, object]) -> list[UrlAnswer]:
    first = next((at for at, each in enumerate(answers) if isinstance(each, Fetched)), None)
    return [Fetched(payload) if at == first else each for at, each in enumerate(answers)]


def _page(entries: list[Fields]) -> UrlAnswer:
    """Any entry that reports success proves the page; else the last one has the last word."""
    if not entries:
        return NOT_VERIFIED
    entry = next(filter(_is_retrieved, entries), entries[-1])
    if _is_retrieved(entry):
        return Fetched({"urlContextMetadata": {"urlMetadata": [entry]}})
    status = _status(entry) or "no status"
    return UrlFailure(one_line(f"Google could not open this URL: {status}"))


def _video(told: Told) -> UrlAnswer:
    if told.finish == CLEAN and told.answer:
        return Fetched({})
    reason = told.finish if told.finish != CLEAN else "no text"
    return UrlFailure(one_line(f"Google did not finish its answer about this video: {reason}"))


@frozen
class _Listed:
    """The metadata entries by address, and those of other pages by their browsed address too."""

    entries: list[Fields]
    exact: Mapping[str, list[Fields]]
    browsed: Mapping[str, list[Fields]]

    def about(self, url: str, pages: frozenset[str]) -> list[Fields]:
        """The entries that speak of this page."""
        if len(pages) == 1 and len(self.entries) == 1:
            return self.entries
        return self.exact.get(url) or self.browsed.get(_browsed(url), [])


def _listed(entries: list[Fields], pages: frozenset[str]) -> _Listed:
    exact: dict[str, list[Fields]] = {}
    browsed: dict[str, list[Fields]] = {}
    for entry in entries:
        address = _address(entry)
        exact.setdefault(address, []).append(entry)
        if address not in pages:
            browsed.setdefault(_browsed(address), []).append(entry)
    return _Listed(entries, exact, browsed)


def _browsed(url: str) -> str:
    """The address as a browser writes it: host, escapes and dots in one spelling, no fragment and
    no slash at the end.
    """
    from ada_url import URL  # noqa: PLC0415 - only an answer with several URLs needs it

    try:
        address = URL(url).href
    except ValueError:
        address = url
    return address.partition("#")[0].rstrip("/")


def _address(entry: Fields) -> str:
    return text_in(spelled(entry, "retrievedUrl"))


def _status(entry: Fields) -> str:
    return text_in(spelled(entry, "urlRetrievalStatus"))


def _is_retrieved(entry: Fields) -> bool:
    return _status(entry) == RETRIEVED

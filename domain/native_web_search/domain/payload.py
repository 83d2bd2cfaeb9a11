"""What providers return, untouched, and the document that is made of it."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from attrs import frozen

from native_web_search.domain.failure import AttemptFailure, Skipped
from native_web_search.domain.outcome import Outcome

# The provider's own values under the keys `answer`, `results`, `citations`, `searchQueries`,
# `groundingMetadata`, `urlContextMetadata`; what the provider gave nothing for is absent or empty.
SearchPayload: TypeAlias = Mapping[str, object]

SearchOutcome: TypeAlias = Outcome[SearchPayload, AttemptFailure | Skipped]


@frozen
class Fetched:
    """A URL that was answered: the provider's payload for it, as it came."""

    data: object


@frozen
class UrlFailure:
    """The provider could not get this URL; nothing is said about its other URLs."""

    message: str


UrlAnswer: TypeAlias = Fetched | UrlFailure


@frozen
class FetchAnswer:
    """What one attempt brought for its URLs, by their index in the attempt.

    An index may be missing: that URL is still pending. What came is kept even when the attempt
    then failed.
    """

    entries: Mapping[int, UrlAnswer]
    failure: AttemptFailure | Skipped | None = None


@frozen
class FetchedEntry:
    """One element of `fetched` in the document: data or an error, never both."""

    url: str
    answer: UrlAnswer


def document(
    query: str | None,
    search: SearchPayload | None,
    fetched: tuple[FetchedEntry, ...],
) -> dict[str, object]:
    """The JSON wrapper of a result; parts that were not asked for are absent."""
    parts: dict[str, object] = {}
    if query is not None:
        parts["query"] = query
    if search is not None:
        parts["search"] = search
    if fetched:
        parts["fetched"] = [_entry(entry) for entry in fetched]
    return parts


def _entry(entry: FetchedEntry) -> dict[str, object]:
    match entry.answer:
        case Fetched(data):
            return {"url": entry.url, "data": data}
        case UrlFailure(message):
            return {"url": entry.url, "error": message}
        case _:
            assert_never(entry.answer)

"""What Gemini and Antigravity share: what is asked, and how the answer is read.

They differ in how a request travels (`posted`) and in whether videos are watched (`is_video`).
"""

from collections.abc import Callable

from native_web_search.adapters.providers.codec import (
    Ask,
    Codec,
    Encoded,
    FetchCodec,
    SearchCodec,
)
from native_web_search.adapters.providers.google_prompt import (
    fetch_request,
    search_request,
    too_many,
)
from native_web_search.adapters.providers.google_reading import GoogleReading, Told, searched
from native_web_search.adapters.providers.google_rules import RULES
from native_web_search.adapters.providers.google_urls import fetched
from native_web_search.adapters.providers.json_values import Fields
from native_web_search.adapters.providers.streamed import Streamed
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Failure
from native_web_search.domain.payload import FetchAnswer, SearchOutcome

Posted = Callable[[Ask, Fields], Encoded]


def google_codec(posted: Posted, *, is_video: Callable[[str], bool]) -> Codec:
    """The codec of an interface that takes Google's contents and tools."""

    def search(ask: Ask, query: str) -> Encoded:
        return posted(ask, search_request(query))

    def fetch(ask: Ask, urls: tuple[str, ...], query: str | None) -> Encoded:
        if refused := too_many(urls, query, is_video=is_video):
            return Failure(refused)
        return posted(ask, fetch_request(urls, query, is_video=is_video))

    def fetch_decoder(urls: tuple[str, ...]) -> Streamed[FetchAnswer]:
        def answered(told: Told) -> FetchAnswer:
            return fetched(urls, told, is_video=is_video)

        return Streamed(GoogleReading(answered, _nothing_fetched), RULES)

    return Codec(
        search=SearchCodec(search, _search_decoder),
        fetch=FetchCodec(fetch, fetch_decoder, one_url_a_request=False),
    )


def _search_decoder() -> Streamed[SearchOutcome]:
    return Streamed(GoogleReading(searched, _not_searched), RULES)


def _not_searched(failure: AttemptFailure) -> SearchOutcome:
    return Failure(failure)


def _nothing_fetched(failure: AttemptFailure) -> FetchAnswer:
    return FetchAnswer({}, failure)

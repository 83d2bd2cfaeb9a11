"""A provider as data: pure functions from a question to HTTP, and from HTTP to an answer."""

from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.family import Candidate
from native_web_search.domain.outcome import Outcome
from native_web_search.domain.payload import FetchAnswer, SearchOutcome
from native_web_search.ports.http import HttpRequest, ResponseDecoder
from native_web_search.ports.registry import Credential

Encoded: TypeAlias = Outcome[HttpRequest, AttemptFailure]


@frozen
class Ask:
    """What every request of an attempt needs: whom, with which credential, in which session.

    `session` is a random id of this `WebSearch`, for providers that want one; `user_agent` is
    ours, for providers that do not prescribe theirs.
    """

    candidate: Candidate
    credential: Credential
    session: str
    user_agent: str

    @property
    def base_url(self) -> str:
        """Where the credential sends us, else where the model lives."""
        return self.credential.base_url or self.candidate.model.base_url


@frozen
class SearchCodec:
    """Search: `encode` a query, `decoder` a fresh decoder for the one response."""

    encode: Callable[[Ask, str], Encoded]
    decoder: Callable[[], ResponseDecoder[SearchOutcome]]


@frozen
class FetchCodec:
    """Fetch: `encode` the URLs of one request and the query beside them, `decoder` for those URLs.

    With `one_url_a_request` it is called with exactly one URL at a time, side by side; else once
    with all. The entries of the decoded `FetchAnswer` are keyed by index within the request.
    """

    encode: Callable[[Ask, tuple[str, ...], str | None], Encoded]
    decoder: Callable[[tuple[str, ...]], ResponseDecoder[FetchAnswer]]
    one_url_a_request: bool


@frozen
class Codec:
    """One provider interface."""

    search: SearchCodec
    fetch: FetchCodec | None = None

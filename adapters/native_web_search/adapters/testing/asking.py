"""Asking a codec for a request, without a network."""

from collections.abc import Mapping

from native_web_search.adapters.providers.codec import Ask, Codec
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.ports.http import HttpRequest
from native_web_search.ports.registry import Credential


def ask_of(
    model: ChatModel,
    *,
    key: str | None = "key-1",
    headers: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Ask:
    """An ask with a credential of these parts. Codecs do not look at family and dialect."""
    credential = Credential("a test", key, tuple((headers or {}).items()), base_url)
    candidate = Candidate(model, Family.OPENAI, Dialect.OPENAI)
    return Ask(candidate, credential, session="session-1", user_agent="tester/1.0")


def request_of(codec: Codec, ask: Ask, query: str = "a query") -> HttpRequest:
    """The search request; raises `UnwrapFailedError` if the codec refuses to make one."""
    return codec.search.encode(ask, query).unwrap()


def refusal_of(codec: Codec, ask: Ask, query: str = "a query") -> AttemptFailure:
    """Why the codec sends nothing; raises `UnwrapFailedError` if it would send."""
    return codec.search.encode(ask, query).failure()


def headers_of(request: HttpRequest) -> dict[str, str]:
    """The headers by lower-case name."""
    return {name.lower(): value for name, value in request.headers}

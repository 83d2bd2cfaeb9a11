"""The Responses interface: one codec, put together from an address and a way to ask.

Two things vary, and independently. The *address* (URL, authentication, headers, the name of the
model) depends on who serves it: OpenAI, Azure, Codex, Copilot, OpenCode, xAI. The *body* depends on
the model behind: Grok wants plain input and refuses an `include` that GPT takes, and it does so on
Copilot as much as at xAI. Reading the answer is the same for all.

Never sent, because some model or gateway refuses it: `reasoning`, `max_output_tokens`,
`temperature`, a `tool_choice` that is an object, any field inside the tool.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import field, frozen

from native_web_search.adapters.providers.body import json_body
from native_web_search.adapters.providers.codec import Ask, Codec, Encoded, SearchCodec
from native_web_search.adapters.providers.headers import Header, authenticates, bearer, merged
from native_web_search.adapters.providers.responses_reading import ResponseReading
from native_web_search.adapters.providers.responses_rules import RULES
from native_web_search.adapters.providers.streamed import Streamed
from native_web_search.domain.failure import AttemptFailure, CredentialUnresolved
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.http import HttpRequest

SOURCES = "web_search_call.action.sources"
RESULTS = "web_search_call.results"

# Codex wants some; any text will do.
INSTRUCTIONS = "Search the web and answer from what you find."


@frozen
class Address:
    """Where a request goes, who it says it is from, and what the model is called there."""

    url: str
    headers: tuple[Header, ...] = field(repr=False)
    model: str


Addressing: TypeAlias = Callable[[Ask], Outcome[Address, AttemptFailure]]
Body: TypeAlias = Callable[[str, str], dict[str, object]]


def responses_codec(addressing: Addressing, body: Body) -> Codec:
    """The codec of whoever is at that address, asked in that way."""

    def encode(ask: Ask, query: str) -> Encoded:
        match addressing(ask):
            case Success(address):
                document = json_body(body(address.model, query))
                return Success(HttpRequest(address.url, address.headers, document))
            case Failure(failure):
                return Failure(failure)

    return Codec(SearchCodec(encode, lambda: Streamed(ResponseReading(), RULES)))


def openai_body(model: str, query: str) -> dict[str, object]:
    """What GPT models take; without a `tool_choice`, so that the evidence decides."""
    return _body(model, _parts(query), SOURCES, RESULTS)


def codex_body(model: str, query: str) -> dict[str, object]:
    """What Codex insists on. It would rather answer than search, hence `required`."""
    return _body(model, _parts(query), SOURCES) | {
        "instructions": INSTRUCTIONS,
        "tool_choice": "required",
        "parallel_tool_calls": True,
        "text": {"verbosity": "low"},
    }


def grok_body(model: str, query: str) -> dict[str, object]:
    """What Grok models take, wherever they are served."""
    return _body(model, query, SOURCES)


def _body(model: str, content: object, *include: str) -> dict[str, object]:
    return {
        "model": model,
        "input": [{"role": "user", "content": content}],
        "tools": [{"type": "web_search"}],
        "include": list(include),
        "stream": True,
        "store": False,
    }


def _parts(query: str) -> list[dict[str, str]]:
    return [{"type": "input_text", "text": query}]


def bearer_address(
    ask: Ask, url: str, dialect: Iterable[Header] = ()
) -> Outcome[Address, AttemptFailure]:
    """An address opened by a bearer token; `dialect` are the headers that its server wants.

    Whatever the model or the credential says about a header beats what stands here.
    """
    return addressed(ask, url, (*bearer(ask.credential.key), *dialect))


def addressed(
    ask: Ask, url: str, defaults: Iterable[Header], model: str | None = None
) -> Outcome[Address, AttemptFailure]:
    """An address with these headers where nobody else has set them, or a failure if none of them
    says who is asking.
    """
    chat_model = ask.candidate.model
    ours = (
        ("Content-Type", "application/json"),
        ("Accept", "text/event-stream"),
        ("User-Agent", ask.user_agent),
    )
    headers = merged((*ours, *defaults), chat_model.headers, ask.credential.headers)
    if not authenticates(headers):
        return Failure(CredentialUnresolved("neither a key nor an authentication header"))
    return Success(Address(url, headers, model or chat_model.id))


def joined(base_url: str, path: str) -> str:
    """The path appended to a base URL; a query of the base stays behind it."""
    base, mark, query = base_url.strip().partition("?")
    return f"{base.rstrip('/')}{path}{mark}{query}"

"""Anthropic's Messages interface, at Anthropic, behind gateways, on Copilot and on OpenCode.

One request, one tool: `web_search`, called by the model itself and not by code that it writes.
That restriction is what makes small models accept the tool at all. A message that stops for lack
of turns or tokens is not continued.

An API key has a header of its own. A token of a Claude subscription does not: it is a bearer
token, and the server takes it only from Claude Code, known by its headers and by the first line of
the system prompt; without that line the answer is a rate limit that is none. Third-party use of
such tokens is policed, and sending what is expected is no permission.
"""

import re
from collections.abc import Callable, Iterable

from native_web_search.adapters.providers import copilot
from native_web_search.adapters.providers.anthropic_reading import MessageReading
from native_web_search.adapters.providers.anthropic_rules import RULES
from native_web_search.adapters.providers.body import json_body
from native_web_search.adapters.providers.codec import Ask, Codec, Encoded, SearchCodec
from native_web_search.adapters.providers.headers import (
    AUTHORIZATION,
    Header,
    authenticates,
    bearer,
    merged,
)
from native_web_search.adapters.providers.json_values import Fields
from native_web_search.adapters.providers.opencode import session_headers
from native_web_search.adapters.providers.rest import endpoint
from native_web_search.adapters.providers.streamed import Streamed
from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.http import HttpRequest

PATH = "/v1/messages"
VERSIONED = re.compile(r"/v1\Z")  # a base URL that already says so

API_VERSION = "2023-06-01"
KEY_HEADER = "x-api-key"

TOOL: Fields = {
    "type": "web_search_20260209",
    "name": "web_search",
    "max_uses": 10,
    "allowed_callers": ["direct"],
}

# Long answers, bounded: a third of what the model can say, between these two.
LEAST_TOKENS, MOST_TOKENS = 1_024, 8_192
SHARE = 3
UNKNOWN_MODEL_TOKENS = 4_096  # where nobody says how much the model can say

# Claude Code, as the server wants to see it. Older versions of it are refused.
SUBSCRIPTION = "sk-ant-oat"  # part of every such token
CLAUDE_CODE: tuple[Header, ...] = (("User-Agent", "claude-cli/2.1.251"), ("x-app", "cli"))
BETAS = ("claude-code-20250219", "oauth-2025-04-20")
BETA_HEADER = "anthropic-beta"
SYSTEM = "You are Claude Code, Anthropic's official CLI for Claude."


def _codec(encode: Callable[[Ask, str], Encoded]) -> Codec:
    return Codec(SearchCodec(encode, lambda: Streamed(MessageReading(), RULES)))


def anthropic_request(ask: Ask, query: str) -> Encoded:
    """The request to Anthropic, or to a gateway that is addressed like it."""
    return _with_key(ask, query, ())


def opencode_request(ask: Ask, query: str) -> Encoded:
    """The same, in a session of OpenCode's gateway."""
    return _with_key(ask, query, session_headers(ask))


def copilot_request(ask: Ask, query: str) -> Encoded:
    """The request to Copilot, as one of its editors."""
    defaults = (*copilot.HEADERS, *bearer(ask.credential.key))
    return _posted(ask, copilot.base_url(ask), defaults, _body(ask, query))


def _with_key(ask: Ask, query: str, session: Iterable[Header]) -> Encoded:
    body = _body(ask, query)
    if _is_subscription(ask):
        body |= {"system": [{"type": "text", "text": SYSTEM}]}
        defaults = (*session, *CLAUDE_CODE, *bearer(ask.credential.key))
        return _posted(ask, ask.base_url, defaults, body, betas=BETAS)
    key = (ask.credential.key or "").strip()
    api_key = ((KEY_HEADER, key),) if key else ()
    return _posted(ask, ask.base_url, (*session, *api_key), body)


def _is_subscription(ask: Ask) -> bool:
    """Whether the credential is such a token, be it as a key or already in its header."""
    given = (value for name, value in ask.credential.headers if name.lower() == AUTHORIZATION)
    return any(SUBSCRIPTION in secret for secret in (ask.credential.key or "", *given))


def _posted(
    ask: Ask,
    base_url: str,
    defaults: Iterable[Header],
    body: Fields,
    *,
    betas: tuple[str, ...] = (),
) -> Encoded:
    ours = (
        ("Content-Type", "application/json"),
        ("Accept", "text/event-stream"),
        ("anthropic-version", API_VERSION),
        ("User-Agent", ask.user_agent),
    )
    headers = merged((*ours, *defaults), ask.candidate.model.headers, ask.credential.headers)
    if not authenticates(headers):
        return Failure(CredentialUnresolved("neither a key nor an authentication header"))
    match endpoint(base_url, VERSIONED, PATH):
        case Success(url):
            return Success(HttpRequest(url, _with_betas(headers, betas), json_body(body)))
        case Failure(no_address):
            return Failure(no_address)


def _with_betas(headers: tuple[Header, ...], betas: tuple[str, ...]) -> tuple[Header, ...]:
    """The headers with these betas behind those that are already there."""
    there = [value for name, value in headers if name.lower() == BETA_HEADER and value.strip()]
    missing = [beta for beta in betas if not any(beta in value for value in there)]
    wanted = ",".join([*there, *missing])
    return merged(headers, ((BETA_HEADER, wanted),) if wanted else (), ())


def _body(ask: Ask, query: str) -> dict[str, object]:
    model = ask.candidate.model
    return {
        "model": model.id,
        "max_tokens": max_tokens(model.max_tokens),
        "stream": True,
        "messages": [{"role": "user", "content": query}],
        "tools": [TOOL],
    }


def max_tokens(of_model: int) -> int:
    """How many tokens an answer may have, thoughts included, for what its model can say."""
    if of_model <= 0:
        return UNKNOWN_MODEL_TOKENS
    return min(max(LEAST_TOKENS, of_model // SHARE), MOST_TOKENS)


CODEC = _codec(anthropic_request)
COPILOT = _codec(copilot_request)
OPENCODE = _codec(opencode_request)

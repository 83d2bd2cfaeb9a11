"""OpenCode's gateway, Zen and Go: it routes by session and refuses requests without one."""

import re

from native_web_search.adapters.providers.codec import Ask
from native_web_search.adapters.providers.headers import Header
from native_web_search.adapters.providers.responses import (
    Address,
    bearer_address,
    grok_body,
    joined,
    openai_body,
    responses_codec,
)
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.outcome import Outcome

CLIENT = "native-web-search"
PROVIDERS = frozenset({"opencode", "opencode-go"})
HOST = re.compile(r"https?://opencode\.ai(?::\d+)?(?:[/?#].*)?", re.IGNORECASE | re.DOTALL)


def address(ask: Ask) -> Outcome[Address, AttemptFailure]:
    """OpenAI's address, and who is asking, in which session."""
    return bearer_address(ask, joined(ask.base_url, "/responses"), session_headers(ask))


def session_headers(ask: Ask) -> tuple[Header, ...]:
    """What the gateway wants to know on each of its interfaces."""
    return (("x-opencode-session", ask.session), ("x-opencode-client", CLIENT))


def is_gateway(ask: Ask) -> bool:
    """Whether an ask goes to the gateway, for the interfaces that are the same without it."""
    at_home = HOST.fullmatch(ask.base_url.strip()) is not None
    return at_home or ask.candidate.model.provider in PROVIDERS


OPENCODE = responses_codec(address, openai_body)
GROK_ON_OPENCODE = responses_codec(address, grok_body)

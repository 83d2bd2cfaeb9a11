"""GitHub Copilot, whose tokens say which of its hosts they belong to.

A token reads `tid=...;exp=...;proxy-ep=proxy.individual.githubcopilot.com;...`. Because a host that
is taken from a token receives the token back, it is believed only if it is one of Copilot's, by
the letter; otherwise the token says nothing.
"""

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

# Who Copilot serves: its editors. The catalogue of models brings these too, and beats them.
HEADERS: tuple[Header, ...] = (
    ("User-Agent", "GitHubCopilotChat/0.35.0"),
    ("Editor-Version", "vscode/1.107.0"),
    ("Editor-Plugin-Version", "copilot-chat/0.35.0"),
    ("Copilot-Integration-Id", "vscode-chat"),
    ("X-Initiator", "agent"),  # a call inside a turn; `user` would be billed as a new request
    ("Openai-Intent", "conversation-edits"),
)

MAX_HOST = 253  # characters, the limit of DNS
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
PROXY_FIELD = "proxy-ep="
PROXY_HOST = re.compile(rf"proxy\.((?:{LABEL}\.)+githubcopilot\.com)")


def address(ask: Ask) -> Outcome[Address, AttemptFailure]:
    """`{base}/responses`, as one of Copilot's editors."""
    return bearer_address(ask, joined(base_url(ask), "/responses"), HEADERS)


def base_url(ask: Ask) -> str:
    """Where this credential is served: its own base URL, else what its token says, else the
    model's. The same for all of Copilot's interfaces.
    """
    given = (ask.credential.base_url or "").strip()
    return given or base_url_in(ask.credential.key or "") or ask.candidate.model.base_url


def base_url_in(token: str) -> str | None:
    """The base URL that a token leads to, if it has exactly one field that does."""
    fields = [field for field in token.split(";") if field.startswith(PROXY_FIELD)]
    if len(fields) != 1:
        return None
    host = fields[0].removeprefix(PROXY_FIELD).lower()
    found = PROXY_HOST.fullmatch(host)
    return f"https://api.{found[1]}" if found and len(host) <= MAX_HOST else None


COPILOT = responses_codec(address, openai_body)
GROK_ON_COPILOT = responses_codec(address, grok_body)

"""OpenAI's own interface, and every server that is addressed like it."""

from native_web_search.adapters.providers.codec import Ask
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


def address(ask: Ask) -> Outcome[Address, AttemptFailure]:
    """`{base}/responses` with the key as bearer token."""
    return bearer_address(ask, joined(ask.base_url, "/responses"))


OPENAI = responses_codec(address, openai_body)
GROK_ON_OPENAI = responses_codec(address, grok_body)

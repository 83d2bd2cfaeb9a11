"""xAI's address, and Grok at the addresses of others."""

import json

import pytest

from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.providers.copilot import COPILOT, GROK_ON_COPILOT
from native_web_search.adapters.providers.opencode import GROK_ON_OPENCODE, OPENCODE
from native_web_search.adapters.providers.xai import XAI
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.domain.chat_model import ChatModel

GROK = ChatModel("xai", "grok-4.7", "openai-responses", "https://api.x.ai/v1")


@pytest.mark.rule("xai.2")
def test_xai_is_addressed_like_openai() -> None:
    """Bearer token, `/responses`, no header of its own."""
    request = request_of(XAI, ask_of(GROK))
    assert request.url == "https://api.x.ai/v1/responses"
    assert headers_of(request)["authorization"] == "Bearer key-1"
    assert len(request.headers) == 4


@pytest.mark.rule("xai.3")
@pytest.mark.parametrize(
    ("grok", "host"), [(GROK_ON_COPILOT, COPILOT), (GROK_ON_OPENCODE, OPENCODE)]
)
def test_a_host_of_grok_keeps_its_own_address(grok: Codec, host: Codec) -> None:
    """Only the body tells Grok's request from that of another model of the same host."""
    ask = ask_of(GROK)
    asked, usual = request_of(grok, ask), request_of(host, ask)
    assert (asked.url, asked.headers) == (usual.url, usual.headers)
    assert json.loads(asked.body)["include"] != json.loads(usual.body)["include"]

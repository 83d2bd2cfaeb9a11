"""OpenCode's address."""

import pytest

from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.providers.opencode import GROK_ON_OPENCODE, OPENCODE
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.domain.chat_model import ChatModel

MODEL = ChatModel(
    "opencode", "gpt-5.6", "openai-responses", "https://opencode.ai/inference/openai/v1"
)


@pytest.mark.rule("opencode.1")
@pytest.mark.parametrize("codec", [OPENCODE, GROK_ON_OPENCODE])
def test_the_gateway_is_told_the_session_and_the_client(codec: Codec) -> None:
    """It routes by session and refuses requests without one; there is no `session-id` header."""
    request = request_of(codec, ask_of(MODEL))
    assert request.url == "https://opencode.ai/inference/openai/v1/responses"
    assert headers_of(request) == {
        "authorization": "Bearer key-1",
        "content-type": "application/json",
        "accept": "text/event-stream",
        "user-agent": "tester/1.0",
        "x-opencode-session": "session-1",
        "x-opencode-client": "native-web-search",
    }


@pytest.mark.rule("opencode.2")
def test_a_session_that_is_set_already_stays() -> None:
    """A host that has a session of its own passes it with the credential."""
    headers = {"X-OpenCode-Session": "theirs", "x-opencode-client": "pi"}
    sent = headers_of(request_of(OPENCODE, ask_of(MODEL, headers=headers)))
    assert sent["x-opencode-session"] == "theirs"
    assert sent["x-opencode-client"] == "pi"


@pytest.mark.rule("opencode.3")
def test_the_anonymous_key_is_sent_like_any_other() -> None:
    """`public` is a key that the gateway knows."""
    sent = headers_of(request_of(OPENCODE, ask_of(MODEL, key="public")))
    assert sent["authorization"] == "Bearer public"

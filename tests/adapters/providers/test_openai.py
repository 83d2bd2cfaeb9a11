"""OpenAI's own address."""

import pytest

from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.providers.openai import GROK_ON_OPENAI, OPENAI
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.domain.chat_model import ChatModel

MODEL = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://api.openai.com/v1")


@pytest.mark.rule("responses.9")
@pytest.mark.parametrize("codec", [OPENAI, GROK_ON_OPENAI])
def test_the_key_is_a_bearer_token(codec: Codec) -> None:
    """Nothing but the usual headers goes to the model's base URL."""
    request = request_of(codec, ask_of(MODEL))
    assert request.url == "https://api.openai.com/v1/responses"
    assert headers_of(request) == {
        "authorization": "Bearer key-1",
        "content-type": "application/json",
        "accept": "text/event-stream",
        "user-agent": "tester/1.0",
    }


@pytest.mark.rule("responses.9")
def test_the_credential_may_lead_elsewhere() -> None:
    """A base URL that comes with the credential stands in place of the model's."""
    ask = ask_of(MODEL, base_url="http://127.0.0.1:9/v1/")
    assert request_of(OPENAI, ask).url == "http://127.0.0.1:9/v1/responses"

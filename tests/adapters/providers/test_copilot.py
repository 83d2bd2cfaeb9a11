"""Copilot's address, and the tokens that lead to it."""

import pytest
from attrs import evolve

from native_web_search.adapters.providers.copilot import COPILOT, base_url, base_url_in
from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.testing.asking import ask_of, headers_of, request_of
from native_web_search.domain.chat_model import ChatModel

MODEL = ChatModel(
    "github-copilot", "gpt-5.6", "openai-responses", "https://api.individual.githubcopilot.com"
)
BUSINESS = "tid=1;exp=2;proxy-ep=proxy.business.githubcopilot.com;st=dotcom"


def token(endpoint: str) -> str:
    """A token with this endpoint."""
    return f"tid=1;exp=2;proxy-ep={endpoint};st=dotcom"


@pytest.mark.rule("copilot.1")
def test_a_request_looks_like_one_of_the_editors() -> None:
    """`/responses` without `/v1`, and the headers by which Copilot knows its clients."""
    request = request_of(COPILOT, ask_of(MODEL))
    assert request.url == "https://api.individual.githubcopilot.com/responses"
    assert headers_of(request) == {
        "authorization": "Bearer key-1",
        "content-type": "application/json",
        "accept": "text/event-stream",
        "user-agent": "GitHubCopilotChat/0.35.0",
        "editor-version": "vscode/1.107.0",
        "editor-plugin-version": "copilot-chat/0.35.0",
        "copilot-integration-id": "vscode-chat",
        "x-initiator": "agent",
        "openai-intent": "conversation-edits",
    }


@pytest.mark.rule("copilot.2")
def test_headers_of_the_catalogue_win() -> None:
    """A model that brings newer headers, or another initiator, is believed."""
    headers = {"User-Agent": "GitHubCopilotChat/0.99.0", "X-Initiator": "user"}
    sent = headers_of(request_of(COPILOT, ask_of(evolve(MODEL, headers=headers))))
    assert sent["user-agent"] == "GitHubCopilotChat/0.99.0"
    assert sent["x-initiator"] == "user"
    assert sent["editor-version"] == "vscode/1.107.0"


@pytest.mark.rule("copilot.3")
def test_the_credentials_base_comes_first() -> None:
    """It beats the token; a blank one says nothing."""
    enterprise = "https://copilot-api.acme.example"
    assert base_url(ask_of(MODEL, key=BUSINESS, base_url=enterprise)) == enterprise
    business = "https://api.business.githubcopilot.com"
    assert base_url(ask_of(MODEL, key=BUSINESS, base_url="  ")) == business
    assert request_of(COPILOT, ask_of(MODEL, key=BUSINESS)).url == f"{business}/responses"


@pytest.mark.rule("copilot.4")
@pytest.mark.parametrize(
    ("endpoint", "base"),
    [
        ("proxy.individual.githubcopilot.com", "https://api.individual.githubcopilot.com"),
        ("PROXY.Business.githubcopilot.COM", "https://api.business.githubcopilot.com"),
        ("proxy.eu.a-b.githubcopilot.com", "https://api.eu.a-b.githubcopilot.com"),
        (f"proxy.{'a' * 63}.githubcopilot.com", f"https://api.{'a' * 63}.githubcopilot.com"),
    ],
)
def test_a_token_leads_to_its_own_host(endpoint: str, base: str) -> None:
    """The proxy's name becomes the interface's."""
    assert base_url_in(token(endpoint)) == base


@pytest.mark.rule("copilot.5")
@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "evil.example.com",
        "proxy.evil.example.com",
        "proxy.individual.githubcopilot.com.evil.example",
        "proxy.individual.evilgithubcopilot.com",
        "proxy.individual.githubcopilot.com/path",
        "proxy.individual.githubcopilot.com:443",
        "https://proxy.individual.githubcopilot.com",
        "user@proxy.individual.githubcopilot.com",
        "proxy.individual.githubcopilot.com\n",
        " proxy.individual.githubcopilot.com",
        "proxy.individual.githubcopilot.com.",
        "proxy.githubcopilot.com",
        "proxy..githubcopilot.com",
        "proxy.-a.githubcopilot.com",
        "proxy.a-.githubcopilot.com",
        "proxy.a_b.githubcopilot.com",
        "api.individual.githubcopilot.com",
        f"proxy.{'a' * 64}.githubcopilot.com",
        f"proxy.{'a.' * 120}githubcopilot.com",
    ],
)
def test_a_token_that_leads_anywhere_else_is_not_followed(endpoint: str) -> None:
    """The token goes to the host that it names, so only Copilot's own hosts are believed."""
    assert base_url_in(token(endpoint)) is None
    assert base_url(ask_of(MODEL, key=token(endpoint))) == MODEL.base_url


@pytest.mark.rule("copilot.5")
def test_two_endpoints_are_none() -> None:
    """A token that contradicts itself, or has no endpoint, says nothing."""
    assert base_url_in(f"{BUSINESS};proxy-ep=proxy.individual.githubcopilot.com") is None
    assert base_url_in("tid=1;exp=2") is None
    assert base_url_in("") is None


@pytest.mark.rule("copilot.6")
def test_other_providers_do_not_look_into_their_keys() -> None:
    """A key of someone else that reads like a token of Copilot leads nowhere."""
    ask = ask_of(ChatModel("openai", "m", base_url="https://api.example.com/v1"), key=BUSINESS)
    assert request_of(OPENAI, ask).url == "https://api.example.com/v1/responses"

"""Codex's address, and the account inside its token."""

import base64
import json

import pytest

from native_web_search.adapters.providers.codex import CODEX, account_id, endpoint
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved

MODEL = ChatModel(
    "openai-codex", "gpt-5.6", "openai-codex-responses", "https://chatgpt.com/backend-api"
)
CLAIM = "https://api.openai.com/auth"


def token(claims: object) -> str:
    """A token that claims this; header and signature are of no interest."""
    part = base64.urlsafe_b64encode(json.dumps(claims, ensure_ascii=False).encode())
    return f"eyJhbGciOiJub25lIn0.{part.decode().rstrip('=')}.signature"


def token_of(account: object) -> str:
    """A token of this account."""
    return token({CLAIM: {"chatgpt_account_id": account}})


@pytest.mark.rule("codex.2")
@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("", "https://chatgpt.com/backend-api/codex/responses"),
        ("https://h.example/api", "https://h.example/api/codex/responses"),
        ("https://h.example/api//", "https://h.example/api/codex/responses"),
        ("https://h.example/api/codex", "https://h.example/api/codex/responses"),
        ("https://h.example/api/codex/", "https://h.example/api/codex/responses"),
        ("https://h.example/codex/responses/", "https://h.example/codex/responses"),
        ("https://h.example/xcodex", "https://h.example/xcodex/codex/responses"),
        ("https://h.example/responses", "https://h.example/responses/codex/responses"),
        ("https://h.example/codex?a=b", "https://h.example/codex/responses?a=b"),
    ],
)
def test_the_url_leads_into_codex_once(base: str, url: str) -> None:
    """As much of the path as the base lacks is added."""
    assert endpoint(base) == url


@pytest.mark.rule("codex.3")
def test_the_account_goes_with_the_token() -> None:
    """Bearer token, account, originator, and no beta header."""
    key = token_of("account-1")
    request = request_of(CODEX, ask_of(MODEL, key=key))
    assert request.url == "https://chatgpt.com/backend-api/codex/responses"
    assert headers_of(request) == {
        "authorization": f"Bearer {key}",
        "content-type": "application/json",
        "accept": "text/event-stream",
        "user-agent": "tester/1.0",
        "chatgpt-account-id": "account-1",
        "originator": "codex_cli_rs",
    }


@pytest.mark.rule("codex.4")
def test_what_is_set_already_stays() -> None:
    """A given account needs no token that names one; a given originator is kept."""
    headers = {"ChatGPT-Account-Id": "theirs", "Originator": "pi"}
    sent = headers_of(request_of(CODEX, ask_of(MODEL, key="opaque", headers=headers)))
    assert (sent["chatgpt-account-id"], sent["originator"]) == ("theirs", "pi")


@pytest.mark.rule("codex.5")
def test_a_token_in_a_header_is_read_too() -> None:
    """A credential that brings only an Authorization header is enough."""
    headers = {"authorization": f"Bearer {token_of('account-2')}"}
    sent = headers_of(request_of(CODEX, ask_of(MODEL, key=None, headers=headers)))
    assert sent["chatgpt-account-id"] == "account-2"


@pytest.mark.rule("codex.6")
@pytest.mark.parametrize("account", ["a", "ab", "abc", "abcd", "ÿ>?ü", "12345678-90ab"])
def test_the_account_is_read_from_any_token(account: str) -> None:
    """Part two is base64url without padding, UTF-8 inside."""
    assert account_id(token_of(account)) == account


@pytest.mark.rule("codex.7")
@pytest.mark.parametrize(
    "key",
    [
        "sk-opaque",
        "a.b",
        "a.b.c",
        "a.b.c.d",
        "..",
        "é.é.é",
        token({}),
        token([]),
        token({CLAIM: "x"}),
        token({CLAIM: {}}),
        token_of(None),
        token_of(5),
        token_of(" "),
    ],
)
def test_a_token_without_an_account_is_not_sent(key: str) -> None:
    """The failure says what to do and does not show the token."""
    failure = refusal_of(CODEX, ask_of(MODEL, key=key))
    assert isinstance(failure, CredentialUnresolved)
    assert "ChatGPT account" in failure.message
    assert key not in failure.message


@pytest.mark.rule("codex.7")
def test_a_bottomless_token_names_no_account() -> None:
    """Claims that no parser can read are no claims."""
    claims = base64.urlsafe_b64encode(b"[" * 100_000).decode().rstrip("=")
    assert account_id(f"h.{claims}.s") is None

"""Addresses, without what may be a key."""

from ast import literal_eval

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from native_web_search.domain.address import is_key, keys_in_path, shown_address

KEY = "CANARYpath0123456789abcdef"


@pytest.mark.rule("masking.11")
@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://gw.example/v1", "https://gw.example/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("gw.example:80/v1", "gw.example:80/v1"),
        ("", ""),
        ("https://h/v1/{ACCOUNT_ID}/{GATEWAY_ID}", "https://h/v1/{ACCOUNT_ID}/{GATEWAY_ID}"),
        ("https://gw.example/v1?a=CANARY?&b", "https://gw.example/v1?..."),
        ("https://gw.example#CANARY", "https://gw.example#..."),
        ("https://user:CANARY@gw.example/v1?x=CANARY", "https://...@gw.example/v1?..."),
        ("https://CANARY@gw.example", "https://...@gw.example"),
        ("https://user:CAN@ARY@gw.example", "https://...@gw.example"),
        ("user:CANARY@gw.example/v1", "...@gw.example/v1"),
        (f"https://gw.example/s/{KEY}/v1", "https://gw.example/s/.../v1"),
        ("https://user:CAN/ARY@gw.example/v1", "..."),
        ("https://user:CAN?ARY@gw.example/v1", "..."),
        ("https://user:CAN#ARY@gw.example/v1", "..."),
        ("https://gw.example/v1?a=\nCANARY", "https://gw.example/v1?..."),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_key(url: str, shown: str) -> None:
    """User information, query, fragment and keys in the path; all of it, if it is no address."""
    assert shown_address(url) == repr(shown)


def test_no_address_is_shown_as_none() -> None:
    """A credential without one is the ordinary kind."""
    assert shown_address(None) == "None"


@pytest.mark.rule("masking.9")
@pytest.mark.parametrize(
    "segment",
    [
        KEY,
        "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "d41d8cd98f00b204e9800998ecf8427e",
        "sk-proj-a1B2c3D4e5F6",
        "tok_9f8e7d6c_5b4a3f2e",
        "bot:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
        "AKIAIOSFODNN7EXAMPLE",
        "gateway-abcdef1234567890",
    ],
)
def test_long_segments_with_mixed_words_are_keys(segment: str) -> None:
    """Random texts, UUIDs, and keys with a prefix."""
    assert is_key(segment)
    assert list(keys_in_path(f"https://h/{segment}/v1?x#y")) == [segment]


@pytest.mark.rule("masking.9")
@pytest.mark.parametrize(
    "segment",
    [
        "gpt-4o-mini-2024-07-18",
        "gpt-5.4-deployment-eastus2",
        "my-northcentralus2-deployment",
        "claude-sonnet-4-5@20250929",
        "us.anthropic.claude-haiku-4-5-20251001-v1:0",
        "accounts-fireworks-qwen3p8-max",
        "mixtral-8x22b-instruct-v0.1",
        "2024-10-21-preview",
        "my-project-382910",
        "123456789012345678",
        "chat-completions-gateway",
        "{CLOUDFLARE_ACCOUNT_ID}",
        "abc123def456ghi",
        "v1beta",
    ],
)
def test_names_are_no_keys(segment: str) -> None:
    """Models, deployments, projects, versions, numbers, and all that is short."""
    assert not is_key(segment)


@pytest.mark.rule("masking.11")
@given(url=st.text(st.sampled_from("aZ09:/?#@[]%.-")) | st.text())
@example(url="'?")  # its `repr` has other quotation marks
def test_every_text_is_shown_somehow(url: str) -> None:
    """And nothing of it stands behind a question mark or a number sign."""
    shown = literal_eval(shown_address(url))
    assert shown.partition("?")[2] in {"", "..."}
    assert set(keys_in_path(url)).isdisjoint(shown.split("/"))

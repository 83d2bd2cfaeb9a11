"""No message shows a secret."""

import pytest

from native_web_search.adapters.masking import MAX_MESSAGE, masked, secrets_of
from native_web_search.ports.registry import Credential

KEY = "sk-CANARY-0123456789abcdef"


@pytest.mark.rule("masking.1")
def test_the_literal_key_is_masked_and_the_rest_kept() -> None:
    """A provider that echoes the key does not make us show it."""
    said = masked(f"Incorrect API key provided: {KEY}. See docs.", (KEY,))
    assert said == "Incorrect API key provided: ***. See docs."


@pytest.mark.rule("masking.2")
def test_a_short_key_is_masked_whole() -> None:
    """Keys of twelve or fewer characters are looked for as they are."""
    assert masked("key sk-CANARY-12 is bad", ("sk-CANARY-12",)) == "key *** is bad"


@pytest.mark.rule("masking.3")
@pytest.mark.parametrize("start", range(len(KEY) - 11))
def test_any_piece_of_twelve_characters_is_masked(start: int) -> None:
    """A key shown in part is a key shown."""
    piece = KEY[start : start + 12]
    assert masked(f"... {piece} ...", (KEY,)) == "... *** ..."


@pytest.mark.rule("masking.4")
def test_the_url_encoded_form_is_masked() -> None:
    """An echo inside a URL counts."""
    key = "a+b/c=d e&f?g#h%i@"
    assert "%2F" not in masked("bad key a%2Bb%2Fc%3Dd%20e%26f%3Fg%23h%25i%40 given", (key,))


@pytest.mark.rule("masking.5")
def test_masking_comes_before_cutting() -> None:
    """A key that stands across the limit leaves nothing of itself before it."""
    message = "x" * (MAX_MESSAGE - 13) + KEY
    said = masked(message, (KEY,))
    assert len(said) <= MAX_MESSAGE
    assert "sk-CANARY" not in said


@pytest.mark.rule("masking.6")
def test_secrets_are_the_key_every_credential_header_and_telling_model_headers() -> None:
    """Bearer tokens are secrets without their scheme; ordinary model headers are none."""
    credential = Credential("test", key=KEY, headers=(("Authorization", "Bearer tok-1234567"),))
    found = secrets_of(credential, (("X-Api-Key", "model-key"), ("X-Title", "my app")))
    assert set(found) == {KEY, "Bearer", "tok-1234567", "model-key"}
    assert masked("nothing to hide", found) == "nothing to hide"

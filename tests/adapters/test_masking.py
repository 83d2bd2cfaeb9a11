"""No message shows a secret."""

import html
import json
import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.hosts.pi.protocol import Auth
from native_web_search.adapters.masking import MAX_MESSAGE, masked, secrets_of
from native_web_search.adapters.providers.classify import MAX_RAW, one_line
from native_web_search.adapters.registries.pi_credentials import StoredLogin
from native_web_search.adapters.registries.provider_entry import ModelEntry, ProviderEntry
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.http import HttpRequest
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


@pytest.mark.rule("masking.4")
def test_a_key_that_no_url_can_hold_is_masked_all_the_same() -> None:
    """Half a character in a key raises nothing."""
    assert masked("bad sk-\udcff-CANARY", ("sk-\udcff-CANARY",)) == "bad ***"


ODD = "sk-CANARY/12+34=5678/ab\"c\\d&e'f"


@pytest.mark.rule("masking.7")
@pytest.mark.parametrize(
    "echo",
    [
        quote(ODD, safe=""),
        quote(ODD, safe="/"),
        re.sub("%..", lambda code: code[0].lower(), quote(ODD, safe="")),
        re.sub("%..", lambda code: code[0].lower(), quote(ODD, safe="/=")),
        quote(quote(ODD)),
        json.dumps(ODD)[1:-1],
        json.dumps(json.dumps(ODD)[1:-1])[1:-1],
        ODD.replace("\\", "\\\\").replace("/", "\\/").replace('"', '\\"'),
        "".join(f"\\u{ord(c):04x}" for c in ODD),
        "".join(c if c.isalnum() else f"\\u{ord(c):04X}" for c in ODD),
        "".join(c if c.isalnum() else f"\\x{ord(c):02x}" for c in ODD),
        html.escape(ODD),
        html.escape(json.dumps(ODD)[1:-1]),
        "".join(f"&#{ord(c)};" for c in ODD),
        json.dumps(quote(ODD))[1:-1],
    ],
)
def test_an_escaped_echo_is_masked_whatever_the_spelling(echo: str) -> None:
    """For URLs, for JSON and for HTML, more than once, and nothing around it is lost."""
    assert masked(f"bad key {echo}, sorry", (ODD,)) == "bad key ***, sorry"


FOREIGN = "pässwort-秘密-😀😀-canary"


@pytest.mark.rule("masking.7")
@pytest.mark.parametrize(
    "echo",
    [
        quote(FOREIGN).lower(),
        quote(quote(FOREIGN)),
        json.dumps(FOREIGN)[1:-1],
        json.dumps(FOREIGN)[1:-1].replace("\\ud83d", "\\UD83D"),
        json.dumps(json.dumps(FOREIGN)[1:-1])[1:-1],
        "".join(f"&#{ord(c)};" for c in FOREIGN),
        "".join(f"&#x{ord(c):X};" for c in FOREIGN),
        FOREIGN.replace("ä", "\\xe4"),
        quote(json.dumps(FOREIGN)[1:-1]),
    ],
)
def test_an_escaped_echo_of_foreign_letters_is_masked(echo: str) -> None:
    """Letters of several bytes and of two code units are escaped in other ways than ASCII."""
    assert masked(f"bad key {echo}, sorry", (FOREIGN,)) == "bad key ***, sorry"


@pytest.mark.rule("masking.7")
@pytest.mark.parametrize("key", ["abcdefg%2Fh%41ijklm", "ab\\cd\\u0041ef\\gh-ij"])
def test_a_key_that_looks_escaped_is_masked_as_it_is_and_escaped(key: str) -> None:
    """What only looks like an escape belongs to the key."""
    for echo in (key, quote(key, safe=""), json.dumps(key)[1:-1]):
        assert masked(f"bad {echo}.", (key,)) == "bad ***."


@pytest.mark.rule("masking.8")
@pytest.mark.parametrize("key", ["canaryKEY012", KEY, "longer-" * 30])
def test_the_edge_of_a_message_that_was_cut_is_not_shown(key: str) -> None:
    """Neither blanks nor many masks bring the place of the first cut into view."""
    for filler in (" ", "\x00", f"{key} "):
        for start in range(7_960, 8_040, 3):
            text = (filler * start)[: start - 1] + " " + key
            said = masked(one_line(f"HTTP 401: {one_line(text)} "), (key,))
            assert key[:4] not in said


@pytest.mark.rule("masking.8")
def test_a_long_run_of_blanks_brings_no_half_of_a_key_into_view() -> None:
    """Not even where the reading of blanks ends."""
    for start in (MAX_RAW - 11, MAX_RAW - 5):
        said = masked(one_line("bad" + " " * (start - 3) + "canaryKEY012 x"), ("canaryKEY012",))
        assert said == "bad"


@pytest.mark.rule("masking.9")
def test_keys_in_a_base_url_are_secrets() -> None:
    """Longer values of the query, the password, a token alone; no version, no short value."""
    credential = Credential("test", base_url="https://me:pass-word@h/gw?sig=SECRETQUERY01&v=1")
    url = "https://token-000@h/gw?code=SECRETQUERYKEY99&api-version=2025-04-01-preview#x"
    found = secrets_of(credential, (), url)
    assert set(found) == {"pass-word", "SECRETQUERY01", "token-000", "SECRETQUERYKEY99"}


@pytest.mark.rule("masking.6")
@pytest.mark.parametrize(
    "name",
    ["X-Gateway-Password", "x-SIGNATURE", "X-Credential", "X-Session-Id", "X-JWT", "Db-Pwd"],
)
def test_names_of_model_headers_tell_a_secret(name: str) -> None:
    """Whatever their case."""
    assert secrets_of(Credential("test"), ((name, "ZZZTOPSECRET"),)) == ("ZZZTOPSECRET",)


@pytest.mark.rule("masking.6")
def test_long_values_of_other_model_headers_are_secrets_too() -> None:
    """Twelve characters or more, whole; but for headers that say who asks, and in which form."""
    plain = ("User-Agent", "ANTHROPIC-BETA", "Editor-Plugin-Version", "X-Title", "HTTP-Referer")
    assert secrets_of(Credential("test"), [(name, "copilot-chat/0.35.0") for name in plain]) == ()
    headers = (("X-Gateway-Pass", " CANARY 012345 "), ("X-Org", "CANARY-0123"))
    assert secrets_of(Credential("test"), headers) == ("CANARY 012345",)


@pytest.mark.rule("masking.9")
def test_keys_in_the_path_of_a_base_url_are_secrets() -> None:
    """The model's address and the credential's; a deployment's name is none."""
    url = "https://h/s/CANARYpath0123456789/openai/deployments/gpt-4o-mini-2024-07-18?x=1"
    credential = Credential("test", base_url="https://h/3fa85f64-5717-4562-b3fc-2c963f66afa6/v1")
    found = secrets_of(credential, (), url)
    assert found == ("CANARYpath0123456789", "3fa85f64-5717-4562-b3fc-2c963f66afa6")
    said = masked("Cannot POST /s/CANARYpath0123456789/openai/responses", found)
    assert said == "Cannot POST /s/***/openai/responses"


@pytest.mark.rule("masking.10")
@given(message=st.text(st.characters()), secret=st.text(st.characters()))
def test_masking_never_raises(message: str, secret: str) -> None:
    """Whatever the text, and no secret is left in it."""
    for text in (message, f"{message}{secret}{message}", quote(secret, errors="replace")):
        said = masked(text, (secret,))
        assert len(secret) < 4 or "*" in secret or secret not in said


@pytest.mark.rule("masking.11")
def test_no_repr_shows_a_key_in_an_address() -> None:
    """Not the password, not the query, nothing of the path that looks like a key."""
    url = "https://me:SECRET@h.example/s/SECRETpath0123456789/gw?code=SECRETQUERYKEY99"
    shown = "'https://...@h.example/s/.../gw?...'"
    for value in (
        ChatModel("p", "m", base_url=url),
        Credential("test", base_url=url),
        StoredLogin("k", 0, base_url=url),
        ProviderEntry(base_url=url, models=(ModelEntry(id="m", base_url=url),)),
    ):
        assert f"base_url={shown}" in repr(value)
        assert "SECRET" not in repr(value)
    assert repr(HttpRequest(url, (), b"")) == f"HttpRequest(url={shown})"
    assert "base_url=None" in repr(Credential("test"))
    assert "SECRET" not in repr(Auth(base_url=url))

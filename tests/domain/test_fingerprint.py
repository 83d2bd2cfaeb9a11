"""What names a set of models."""

from hashlib import sha256

import pytest
from attrs import evolve

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.fingerprint import fingerprint

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://api.deepseek.com")
AZURE = ChatModel("azure", "gpt-6-luna", "azure-openai-responses", "")


@pytest.mark.rule("fingerprint.1")
def test_known_digests() -> None:
    """The digest is that of the sorted lines, so that any program can compute it."""
    lines = b"azure/gpt-6-luna@\ndeepseek/deepseek-flash@https://api.deepseek.com"

    assert fingerprint([DEEPSEEK, AZURE]) == sha256(lines).hexdigest()[:32]
    assert fingerprint([DEEPSEEK, AZURE]) == "d8b4eaad2ef0932252d9bc896b6d22e9"
    assert fingerprint(()) == "e3b0c44298fc1c149afbf4c8996fb924"


@pytest.mark.rule("fingerprint.2")
def test_order_and_repetition_do_not_matter() -> None:
    """The same models in another order, or one of them twice, are the same set."""
    assert fingerprint([AZURE, DEEPSEEK]) == fingerprint((DEEPSEEK, AZURE, DEEPSEEK))


@pytest.mark.rule("fingerprint.3")
def test_every_part_of_a_name_matters() -> None:
    """Another provider id, model id, base URL, or another number of models is another set."""
    others = [
        evolve(AZURE, provider="azure2"),
        evolve(AZURE, id="gpt-6-sol"),
        evolve(AZURE, base_url="https://x.openai.azure.com"),
    ]
    digests = [fingerprint([each]) for each in (AZURE, *others)]

    assert len({*digests, fingerprint([AZURE, *others]), fingerprint([])}) == 6


@pytest.mark.rule("fingerprint.4")
def test_nothing_else_matters() -> None:
    """Api, headers, switches and limits are no part of the name, so no secret can leak into it."""
    changed = evolve(
        AZURE, api="openai-responses", headers={"k": "secret"}, compat={"a": 1}, max_tokens=1
    )

    assert fingerprint([changed]) == fingerprint([AZURE])


@pytest.mark.rule("fingerprint.5")
def test_odd_ids_have_a_digest() -> None:
    """Text that plain UTF-8 refuses is digested like any other, half a character as its bytes."""
    digest = sha256(b"\xed\xa0\x80/\xc3\xa9\n@").hexdigest()

    assert fingerprint([ChatModel("\ud800", "é\n")]) == digest[:32]

"""Merging the headers of defaults, model and credential."""

import pytest

from native_web_search.adapters.providers.headers import authenticates, bearer, merged

KEY = "sk-CANARY-0123456789"


@pytest.mark.rule("headers.1")
def test_the_credential_beats_the_model_and_the_model_beats_the_default() -> None:
    """Each place overrules the ones before it and leaves the other headers alone."""
    defaults = (("A", "default"), ("B", "default"), ("C", "default"))
    model = (("B", "model"), ("C", "model"))
    credential = (("C", "credential"),)

    assert merged(defaults, model, credential) == (
        ("A", "default"),
        ("B", "model"),
        ("C", "credential"),
    )


@pytest.mark.rule("headers.2")
def test_names_are_compared_without_case_and_the_winner_keeps_its_spelling() -> None:
    """`AUTHORIZATION` replaces `Authorization` instead of standing beside it."""
    assert merged(
        (("Authorization", "a"),), (("authorization", "b"),), (("AUTHORIZATION", "c"),)
    ) == (("AUTHORIZATION", "c"),)


@pytest.mark.rule("headers.2")
def test_a_name_that_one_place_gives_twice_appears_once() -> None:
    """The later of two spellings in the same place wins."""
    assert merged((), (("X-Team", "a"), ("x-team", "b")), ()) == (("x-team", "b"),)


@pytest.mark.rule("headers.3")
def test_an_authorization_header_of_the_model_replaces_the_key() -> None:
    """Exactly one `Authorization` is sent: the configured one, not the one made of the key."""
    sent = merged(bearer(KEY), (("authorization", "Basic abc"),), ())

    assert [value for name, value in sent if name.lower() == "authorization"] == ["Basic abc"]


@pytest.mark.rule("headers.3")
@pytest.mark.parametrize("key", [None, "", "  \n"])
def test_a_missing_or_blank_key_makes_no_header(key: str | None) -> None:
    """`Bearer` with nothing behind it is never sent."""
    assert bearer(key) == ()


@pytest.mark.rule("headers.4")
@pytest.mark.parametrize("name", ["Authorization", "API-KEY", "x-api-key", "X-Goog-Api-Key"])
def test_every_usual_header_for_a_key_authenticates(name: str) -> None:
    """A gateway may want its key under another name than `Authorization`."""
    assert authenticates(((name, KEY),))


@pytest.mark.rule("headers.4")
@pytest.mark.parametrize("headers", [(), (("X-Team", "a"),), (("Authorization", " "),)])
def test_other_headers_and_blank_ones_do_not_authenticate(
    headers: tuple[tuple[str, str], ...],
) -> None:
    """A label, or an empty `Authorization`, says nothing about who asks."""
    assert not authenticates(headers)

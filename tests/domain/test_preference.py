"""What is remembered, for whom, and how it is written down."""

import json

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.preference import (
    Preference,
    Preferences,
    is_foreign,
    plain_preferences,
    preferences_from,
    remembered,
    updated,
)

SEARCH, FETCH = Operation.SEARCH, Operation.FETCH
NOW, THEN = "0123456789abcdef0123456789abcdef", "f" * 32

HAIKU = ChatModel("anthropic", "claude-haiku-5-5", "anthropic-messages")
OPUS = ChatModel("anthropic", "claude-opus-5-5", "anthropic-messages")
ARGON = ChatModel("google", "gemini-4-argon", "google-generative-ai")
FLASH = ChatModel("google", "gemini-3.8-flash", "google-generative-ai")
MIXED = (
    ChatModel("opencode", "gpt-6-luna", "openai-responses"),
    ChatModel("opencode", "gemini-4-argon", "google-generative-ai"),
    ChatModel("opencode", "deepseek-v4-pro", "openai-completions"),
)
ALL = (HAIKU, OPUS, ARGON, FLASH, *MIXED)


def _candidate(model: ChatModel) -> Candidate:
    candidate = candidate_of(model)
    assert candidate is not None
    return candidate


def _found(
    provider: str, model: str, operation: Operation = SEARCH, available: tuple[ChatModel, ...] = ALL
) -> ChatModel | None:
    preference = Preference(provider, model)
    candidate = remembered(Preferences(NOW, preference, preference), NOW, available, operation)
    return None if candidate is None else candidate.model


@pytest.mark.rule("preference.1")
def test_a_preference_stands_for_its_model() -> None:
    """The remembered model is found among the available ones, for its own operation only."""
    preferences = Preferences(NOW, search=Preference("anthropic", "claude-opus-5-5"))

    assert remembered(preferences, NOW, ALL, SEARCH) == _candidate(OPUS)
    assert remembered(preferences, NOW, ALL, FETCH) is None
    assert _found("google", "gemini-4-argon", FETCH) == ARGON


@pytest.mark.rule("preference.2")
def test_another_fingerprint_hides_it() -> None:
    """Preferences of another set of models, or of none, are ignored."""
    preference = Preference("anthropic", "claude-opus-5-5")

    assert remembered(Preferences(THEN, preference), NOW, ALL, SEARCH) is None
    assert remembered(Preferences(None, preference), NOW, ALL, SEARCH) is None
    assert remembered(Preferences(), NOW, ALL, SEARCH) is None


@pytest.mark.rule("preference.3")
def test_the_best_of_the_provider_stands_in() -> None:
    """If the model is gone, the provider's best that can do the operation takes its place."""
    assert _found("anthropic", "claude-sonnet-5-5") == HAIKU
    assert _found("google", "gemini-9", FETCH) == FLASH


@pytest.mark.rule("preference.3")
def test_a_model_that_cannot_do_it_is_as_good_as_gone() -> None:
    """A model without an interface for the operation is passed over."""
    assert _found("opencode", "gpt-6-luna") == MIXED[0]
    assert _found("opencode", "gpt-6-luna", FETCH) == MIXED[1]
    assert _found("opencode", "deepseek-v4-pro") == MIXED[0]


@pytest.mark.rule("preference.4")
def test_a_provider_that_is_gone_is_forgotten() -> None:
    """Without an able model of that very provider id there is no candidate."""
    assert _found("xai", "grok-4.7") is None
    assert _found("Anthropic", "claude-haiku-5-5") is None
    assert _found("anthropic", "claude-haiku-5-5", FETCH) is None
    assert _found("anthropic", "claude-haiku-5-5", available=()) is None


@pytest.mark.rule("preference.5")
def test_a_success_is_recorded() -> None:
    """What served an operation replaces what served it before."""
    before = Preferences(NOW, Preference("a", "1"), Preference("b", "2"))

    after = updated(before, NOW, {SEARCH: _candidate(OPUS)})

    assert after == Preferences(
        NOW, Preference("anthropic", "claude-opus-5-5"), Preference("b", "2")
    )
    assert updated(before, NOW, {FETCH: _candidate(FLASH)}).search == Preference("a", "1")


@pytest.mark.rule("preference.6")
def test_a_new_fingerprint_drops_what_was_not_verified() -> None:
    """Under a new fingerprint only what just served is kept."""
    before = Preferences(THEN, Preference("a", "1"), Preference("b", "2"))
    google = Preference("google", "gemini-3.8-flash")

    assert updated(before, NOW, {FETCH: _candidate(FLASH)}) == Preferences(NOW, None, google)
    assert updated(before, NOW, {SEARCH: _candidate(FLASH), FETCH: _candidate(FLASH)}) == (
        Preferences(NOW, google, google)
    )


@pytest.mark.rule("preference.7")
def test_nothing_served_is_nothing_learnt() -> None:
    """Without a success the preferences stay as they are, whatever the fingerprint."""
    before = Preferences(THEN, Preference("a", "1"))

    assert updated(before, NOW, {}) is before


@pytest.mark.rule("preference.8")
def test_the_plain_form() -> None:
    """The written form holds provider ids, model ids and the fingerprint, and nothing else."""
    preferences = Preferences(
        NOW, Preference("deepseek", "deepseek-chat"), Preference("ollama-cloud", "gpt-oss:120b")
    )

    assert json.dumps(plain_preferences(preferences)) == (
        '{"version": 1, "fingerprint": "0123456789abcdef0123456789abcdef", '
        '"search": {"provider": "deepseek", "model": "deepseek-chat"}, '
        '"fetch": {"provider": "ollama-cloud", "model": "gpt-oss:120b"}}'
    )
    assert plain_preferences(Preferences()) == {"version": 1}


@pytest.mark.rule("preference.9")
@pytest.mark.parametrize(
    "odd", [None, 5, "x", [], [{"version": 1}], {}, {"fingerprint": NOW}, {"version": None}]
)
def test_what_is_no_form_is_empty(odd: object) -> None:
    """Anything but an object of version 1 is as good as no file, and may be overwritten."""
    assert preferences_from(odd) == Preferences()
    assert not is_foreign(odd)


@pytest.mark.rule("preference.9")
@pytest.mark.parametrize(
    "odd",
    [None, 5, "deepseek", [], {}, {"provider": "p"}, {"model": "m"}, {"provider": 1, "model": "m"}],
)
def test_one_bad_entry_does_not_lose_the_other(odd: object) -> None:
    """Each part is read for itself."""
    good = {"provider": "p", "model": "m", "more": True}
    read = Preference("p", "m")

    assert preferences_from({"version": 1, "search": odd, "fetch": good}).fetch == read
    assert preferences_from({"version": 1, "search": good, "fetch": odd}) == Preferences(None, read)
    assert preferences_from({"version": 1, "fingerprint": 5, "search": good}) == (
        Preferences(None, read)
    )


@pytest.mark.rule("preference.10")
@pytest.mark.parametrize("version", [0, 2, 1.5, "1", "2", True, False, [], {}])
def test_another_version_is_foreign(version: object) -> None:
    """A form of another version is not read, and marked as not to be overwritten."""
    plain = {"version": version, "fingerprint": NOW, "search": {"provider": "p", "model": "m"}}

    assert preferences_from(plain) == Preferences()
    assert is_foreign(plain)


@pytest.mark.rule("preference.10")
def test_version_one_is_ours() -> None:
    """Version 1 is read, also as a number with a point."""
    assert not is_foreign({"version": 1})
    assert preferences_from({"version": 1.0, "fingerprint": NOW}) == Preferences(NOW)

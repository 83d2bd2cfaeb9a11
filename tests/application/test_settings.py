"""Variables in, valid settings out."""

from collections.abc import Collection
from pathlib import Path

import pytest

from native_web_search.application.settings import ExposureMode, MarkerMode, Settings, settings_from
from native_web_search.domain.policy import CurrentOnly, Everyone, Only


@pytest.mark.rule("settings.1")
def test_without_variables_everything_has_its_default() -> None:
    """The defaults are those of the table in the README."""
    settings, warnings = settings_from({})
    assert warnings == ()
    assert settings == Settings()
    assert (settings.max_chars, settings.timeout_ms, settings.deadline_ms) == (
        96_000,
        60_000,
        180_000,
    )
    assert (settings.cooldown_ms, settings.max_response_bytes) == (60_000, 33_554_432)


@pytest.mark.rule("settings.2")
@pytest.mark.parametrize(
    ("variable", "text", "attribute", "value"),
    [
        ("MAX_CHARS", "1", "max_chars", 1),
        ("MAX_CHARS", "10000000", "max_chars", 10_000_000),
        ("TIMEOUT_MS", "3600000", "timeout_ms", 3_600_000),
        ("DEADLINE_MS", "0", "deadline_ms", 0),
        ("FAILURE_COOLDOWN_MS", "0", "cooldown_ms", 0),
        ("FAILURE_COOLDOWN_MS", "900000000", "cooldown_ms", 600_000),
        ("CACHE", "~/x.json", "preference_file", "~/x.json"),
        ("FALLBACK", "all", "fallback", Everyone()),
        ("FALLBACK", "CURRENT", "fallback", CurrentOnly()),
        ("FALLBACK", "deepseek, google", "fallback", Only(frozenset[str]({"deepseek", "google"}))),
        ("MODEL", "vercel/openai/gpt-5", "model", "vercel/openai/gpt-5"),
        ("EXPOSURE", "STABLE", "exposure", ExposureMode.STABLE),
        ("MARKER", "none", "marker", MarkerMode.NONE),
        ("MAX_RESPONSE_BYTES", "1000", "max_response_bytes", 1000),
        ("CONCURRENCY", "20", "concurrency", 20),
        ("MODELS", "m.json", "models_file", "m.json"),
        ("HEALTH_URL", "valkey://localhost", "health_url", "valkey://localhost"),
    ],
)
def test_a_good_value_is_taken(variable: str, text: str, attribute: str, value: object) -> None:
    """Each variable sets its setting, surrounding blanks ignored."""
    settings, warnings = settings_from({f"NATIVE_WEB_SEARCH_{variable}": f" {text} "})
    assert warnings == ()
    assert getattr(settings, attribute) == value


@pytest.mark.rule("settings.7")
@pytest.mark.parametrize("given", [["deepseek", "google"], {"google", "deepseek"}])
def test_provider_ids_may_come_in_any_collection(given: Collection[str]) -> None:
    """As an argument, a list is what comes to mind first."""
    assert Settings(fallback=given).fallback == Only(frozenset[str]({"deepseek", "google"}))


@pytest.mark.rule("settings.7")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("fallback", value) for value in ("", [], None, 5, ["all", "google"])],
        ("exposure", "always"),
        ("marker", "maybe"),
        ("model", "gpt"),
    ],
)
def test_an_argument_that_makes_no_sense_is_named(name: str, value: object) -> None:
    """At once, when the tool is opened, with what it has to be."""
    with pytest.raises(ValueError, match=f"{name} must be "):
        Settings(**{name: value})  # type: ignore[arg-type] # what a caller may do all the same


@pytest.mark.rule("settings.3")
@pytest.mark.parametrize("text", ["-1", "1.5", "1e3", "٣", "²", "0x10", "1_000", "", "1" * 5000])
@pytest.mark.parametrize(
    "variable", ["MAX_CHARS", "TIMEOUT_MS", "MAX_RESPONSE_BYTES", "CONCURRENCY"]
)
def test_a_bad_number_means_the_default_and_one_warning(variable: str, text: str) -> None:
    """No value crashes, and none means "no timeout"; a blank one is simply unset."""
    settings, warnings = settings_from({f"NATIVE_WEB_SEARCH_{variable}": text})
    assert settings == Settings()
    assert len(warnings) == (1 if text else 0)
    assert all(f"NATIVE_WEB_SEARCH_{variable}" in warning for warning in warnings)
    assert all(len(warning) < 200 for warning in warnings)


@pytest.mark.rule("settings.4")
@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("TIMEOUT_MS", "0"),
        ("TIMEOUT_MS", "3600001"),
        ("MAX_CHARS", "0"),
        ("CONCURRENCY", "101"),
        ("EXPOSURE", "sometimes"),
        ("MARKER", "yes"),
        ("MODEL", "gpt-5"),
        ("FALLBACK", "all,deepseek"),
    ],
)
def test_a_value_out_of_range_or_unknown_means_the_default(variable: str, text: str) -> None:
    """Limits are part of the value's meaning, and so are the words."""
    settings, warnings = settings_from({f"NATIVE_WEB_SEARCH_{variable}": text})
    assert settings == Settings()
    assert len(warnings) == 1


@pytest.mark.rule("settings.5")
def test_the_names_of_the_specification_are_aliases_that_lose() -> None:
    """A `PI_BETTER_WEB_SEARCH_` name works, and loses to ours; the newer settings have none."""
    old = {
        "PI_BETTER_WEB_SEARCH_MAX_CHARS": "500",
        "PI_BETTER_WEB_SEARCH_TIMEOUT_MS": "1000",
        "PI_BETTER_WEB_SEARCH_FAILURE_COOLDOWN_MS": "0",
        "PI_BETTER_WEB_SEARCH_CACHE": "/c.json",
        "PI_BETTER_WEB_SEARCH_DEADLINE_MS": "5",
    }
    settings, _warnings = settings_from({**old, "NATIVE_WEB_SEARCH_MAX_CHARS": "700"})
    assert (settings.max_chars, settings.timeout_ms, settings.cooldown_ms) == (700, 1000, 0)
    assert settings.preference_file == "/c.json"
    assert settings.deadline_ms == 180_000


@pytest.mark.rule("settings.6")
def test_an_argument_out_of_range_is_the_callers_mistake() -> None:
    """Arguments are code, so a wrong one raises instead of warning."""
    for wrong in (
        {"timeout_ms": 0},
        {"max_chars": 0},
        {"max_chars": True},
        {"max_chars": 100.5},
        {"max_chars": "100"},
        {"concurrency": 0},
        {"deadline_ms": -1},
        {"cooldown_ms": -1},
        {"fallback": "all, deepseek"},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Settings(**wrong)


@pytest.mark.rule("settings.7")
def test_arguments_take_the_words_and_paths_of_the_table() -> None:
    """What a variable may say, an argument may say too; a wrong word raises."""
    settings = Settings(
        marker="none", exposure="stable", fallback="Current", preference_file=Path("/c.json")
    )
    assert (settings.marker, settings.exposure) == (MarkerMode.NONE, ExposureMode.STABLE)
    assert settings.fallback == CurrentOnly()
    assert settings.preference_file == "/c.json"
    for wrong in ({"marker": "yes"}, {"exposure": "sometimes"}):
        with pytest.raises(ValueError, match=next(iter(wrong.values()))):
            Settings(**wrong)  # type: ignore[arg-type]

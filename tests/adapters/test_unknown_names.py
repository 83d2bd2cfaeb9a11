"""Names in the settings that nobody answers to."""

import json
import logging
from pathlib import Path

import pytest

from native_web_search.adapters.compose import open_pi_web_search, open_web_search
from native_web_search.adapters.registries.static import StaticRegistry

FALLBACK, MODEL = "NATIVE_WEB_SEARCH_FALLBACK", "NATIVE_WEB_SEARCH_MODEL"
OWN = {"baseUrl": "https://own.example/v1", "api": "openai-responses", "models": [{"id": "m"}]}


@pytest.mark.rule("settings.8")
@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("deepsek", "no known provider with 'deepsek': did you mean deepseek?"),
        ("xai, DeepSeek", "no known provider with 'DeepSeek': did you mean deepseek?"),
        ("currnt", "no known provider with 'currnt': did you mean current?"),
        ("zzz", "no known provider with 'zzz': known are deepseek, ollama-cloud, google,"),
        ("z" * 5000, f"no known provider with '{'z' * 60}...': known are deepseek,"),
    ],
)
def test_a_policy_that_names_nobody_is_warned_of(
    policy: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """With the id that is unknown, and those that may be meant."""
    open_web_search(environ={FALLBACK: policy})
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(f"{FALLBACK} names {said}")


@pytest.mark.rule("settings.9")
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openia/gpt-5", "'openia/gpt-5': did you mean openai?"),
        ("zzz/gpt-5", "'zzz/gpt-5': known are deepseek, ollama-cloud, google,"),
    ],
)
def test_a_model_that_resolves_to_nothing_is_warned_of(
    model: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """With its value, and the form that it should have."""
    open_web_search(environ={MODEL: model})
    (warning,) = caplog.messages
    start = f"{MODEL}, which has the form provider/id, names no known provider with "
    assert warning.startswith(start + said)


@pytest.mark.rule("settings.8")
@pytest.mark.rule("settings.9")
def test_names_that_somebody_has_are_fine(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Closed providers, those of a models file, and any model id of a known provider."""
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"providers": {"own": OWN}}))
    names = {FALLBACK: "deepseek, own", MODEL: "xai/grok-99"}
    open_web_search(environ={**names, "NATIVE_WEB_SEARCH_MODELS": str(file)})
    open_pi_web_search(environ={**names, "PI_CODING_AGENT_DIR": str(tmp_path)})
    assert caplog.messages == []


@pytest.mark.rule("settings.8")
@pytest.mark.rule("settings.9")
def test_pis_files_say_who_is_known_to_pi(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What they do not have is warned of, once, as is a setting that makes no sense."""
    environ = {FALLBACK: "own", MODEL: "own/m", "NATIVE_WEB_SEARCH_TIMEOUT_MS": "soon"}
    open_pi_web_search(environ={**environ, "PI_CODING_AGENT_DIR": str(tmp_path)})
    assert [message.split()[0] for message in caplog.messages] == [
        FALLBACK,
        f"{MODEL},",
        "NATIVE_WEB_SEARCH_TIMEOUT_MS",
    ]


@pytest.mark.rule("settings.8")
@pytest.mark.rule("settings.9")
def test_a_host_may_have_providers_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is said of a host's registry, nor of a variable that an argument beats: what is
    said names variables.
    """
    environ = {FALLBACK: "deepsek", MODEL: "openia/gpt-5"}
    open_web_search(StaticRegistry((), {}), environ=environ)
    open_web_search(environ=environ, fallback="my-own", model="my-own/m")
    assert caplog.messages == []

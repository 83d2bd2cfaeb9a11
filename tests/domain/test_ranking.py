"""Which of a family's models is asked first, by real ids."""

from itertools import permutations

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.ranking import preference_key


def _candidate(model_id: str, provider: str = "p", base_url: str = "", api: str = "") -> Candidate:
    model = ChatModel(provider, model_id, api, base_url)
    return Candidate(model, Family.ANTHROPIC, Dialect.NATIVE)


def _sorted(*ids: str) -> list[str]:
    candidates = [_candidate(each) for each in reversed(ids)]
    return [each.model.id for each in sorted(candidates, key=preference_key)]


def _is_order(*ids: str) -> bool:
    return _sorted(*ids) == list(ids)


@pytest.mark.rule("ranking.1")
def test_brands() -> None:
    """DeepSeek, OpenAI, Claude, Gemini with Gemma, then all others, whatever their versions."""
    assert _is_order(
        "deepseek/deepseek-r1",
        "openai/gpt-4",
        "anthropic/claude-fable-3",
        "google/gemini-2.5-pro",
        "moonshot/kimi-k9-flash",
    )
    assert _is_order("google/gemma-4-31b-it", "spacexai/grok-4.20-reasoning")


@pytest.mark.rule("ranking.2")
def test_gpt() -> None:
    """Versions go down; within one, luna, terra, sol, astra, then models without a tier."""
    assert _is_order(
        *["gpt-6.2-sol", "gpt-6.2-astra", "gpt-6.1-terra", "gpt-6.1-sol"],
        *["gpt-6-luna", "gpt-6-sol", "gpt-6-astra", "gpt-6-cyber"],
        *["gpt-5.6-luna", "gpt-5.6-terra", "gpt-5.6-sol"],
        *["gpt-5.5", "gpt-5.5-pro", "gpt-5.4-mini", "gpt-5.4-nano"],
        *["gpt-5.3-codex", "gpt-5.3-codex-spark", "gpt-5", "o4-mini", "o3", "o3-pro"],
        *["chat-latest", "gpt-oss-120b"],
    )


@pytest.mark.rule("ranking.2")
def test_claude() -> None:
    """Versions go down; within one, haiku, sonnet, opus, fable."""
    assert _is_order(
        *["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"],
        *["claude-fable-5-2", "claude-fable-5-1", "claude-sonnet-5", "claude-opus-5"],
        *["claude-fable-5", "claude-opus-4-8", "claude-sonnet-4-6"],
        *["claude-haiku-4-5", "claude-haiku-4-5-20251001", "claude-opus-4-1"],
        *["claude-sonnet-4-0", "claude-opus-4-20250514"],
        *["claude-3-7-sonnet-20250219", "claude-3-5-haiku-20241022", "claude-3-opus-20240229"],
        *["claude-haiku-latest", "claude-fable-latest"],
    )


@pytest.mark.rule("ranking.3")
def test_deepseek() -> None:
    """All flash models before the base ones, those before pro; newest first within each."""
    assert _is_order(
        *["deepseek-v4.1-flash", "deepseek-v4.1-flash-1017", "deepseek-v4-flash"],
        *["deepseek-v4-flash-0731", "deepseek-flash", "deepseek-flash-latest"],
        *["deepseek-v3.2", "deepseek-v3.1", "deepseek-r1", "deepseek-chat"],
        *["deepseek-v4-pro", "deepseek-v4-pro-0813"],
    )


@pytest.mark.rule("ranking.3")
def test_gemini_and_gemma() -> None:
    """Flash, then everything without a variant, then pro."""
    assert _is_order(
        *["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-3-flash-preview"],
        *["gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-flash-latest"],
        *["gemini-flash-lite-latest"],
        *["gemini-4-argon", "gemini-4-neon", "gemma-4-31b-it", "gemma-4-26b-a4b-it"],
        *["gemini-2.5-computer-use-preview-10-2025", "deep-research-preview-04-2026"],
        *["gemini-3.1-pro-preview", "gemini-3.1-pro-preview-customtools", "gemini-2.5-pro"],
        *["gemini-pro-latest"],
    )


@pytest.mark.rule("ranking.3")
def test_others() -> None:
    """Any other brand is ordered by variant, then by version, even across brands."""
    assert _is_order(
        *["zai/glm-5.3-flash", "qwen3.8-flash", "mai-code-2-flash", "mai-code-1.1-flash"],
        *["grok-4.20", "grok-4.7", "grok-4.3", "qwen4-max", "qwen3p8-max", "minimax-m3"],
        *["nemotron-3-super-120b-a12b", "muse-spark-1.3", "muse-ember-1.0", "grok-build-0.1"],
        *["sonar", "mimo-v2.6-pro", "sonar-pro"],
    )


@pytest.mark.case("V03")
@pytest.mark.rule("ranking.4")
def test_dot_and_dash_are_one_version() -> None:
    """Equal versions in different spelling are ordered by name alone, whatever came first."""
    candidates = [
        _candidate("gpt-5.1", "a"),
        _candidate("gpt-5-1", "b"),
        _candidate("gpt-5.1", "c"),
        _candidate("gpt-5-1", "d"),
    ]

    for each in permutations(candidates):
        assert sorted(each, key=preference_key) == candidates


@pytest.mark.rule("ranking.4")
def test_versions_compare_as_numbers() -> None:
    """5.10 is newer than 5.9, and 5.1 newer than 5; no version is older than all."""
    assert _is_order("gpt-5.10", "gpt-5.9", "gpt-5.1", "gpt-5", "gpt-0.1", "gpt-latest")
    assert _is_order("glm-10-flash", "glm-9.9-flash", "glm-flash")


@pytest.mark.case("V05")
@pytest.mark.rule("ranking.4")
def test_a_version_may_stand_before_the_tier() -> None:
    """Old Claude names put the version first, new ones the tier."""
    assert _sorted(
        *["claude-3-7-sonnet-20250219", "claude-3-7-sonnet-latest"],
        *["claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-5"],
    ) == [
        *["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"],
        *["claude-3-7-sonnet-20250219", "claude-3-7-sonnet-latest"],
    ]


@pytest.mark.case("V07")
@pytest.mark.rule("ranking.4")
def test_dates_do_not_outrank_versions() -> None:
    """A date behind a version never makes it newer."""
    assert _sorted("gpt-4-0613", "gpt-4o-2024-08-06", "gpt-4.1")[0] == "gpt-4.1"
    assert _is_order("gemini-3-flash", "gemini-2.5-flash-preview-09-2025")


@pytest.mark.case("V08")
@pytest.mark.rule("ranking.4")
def test_wrapped_ids() -> None:
    """A cloud's wrapping hides neither brand nor version."""
    assert _is_order(
        "anthropic/claude-sonnet-4.6",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "claude-sonnet-4@20250514",
    )


@pytest.mark.case("V09")
@pytest.mark.rule("ranking.5")
def test_a_plain_id_leads_its_twins() -> None:
    """Of equals, the id with fewer extra words is asked first."""
    assert _is_order("gemini-3-pro", "gemini-3-pro-preview-customtools", "gemini-2.5-pro-latest")
    assert _is_order("gpt-5.6-luna", "gpt-5.6-luna-batch", "gpt-5.6-luna-batch-free")
    assert _is_order("gpt-5.5", "gpt-5.5-pro")


@pytest.mark.rule("ranking.5")
def test_names_end_every_tie() -> None:
    """What is equal otherwise is ordered by `provider/id@baseUrl`, by code point."""
    assert preference_key(_candidate("gpt-5", "B")) < preference_key(_candidate("gpt-5", "a"))
    assert preference_key(_candidate("gpt-5", "a")) < preference_key(_candidate("gpt-5", "é"))
    near, far = _candidate("gpt-5", "a", "https://a"), _candidate("gpt-5", "a", "https://b")
    assert preference_key(near) < preference_key(far)


@pytest.mark.rule("ranking.14")
def test_two_models_never_share_a_place() -> None:
    """Names that look alike when written in one piece, and apis, still tell models apart."""
    alike = [
        _candidate("b/c", "a"),
        _candidate("c", "a/b"),
        _candidate("c", "a/b", api="openai-responses"),
        _candidate("m@h", "p", "x"),
        _candidate("m", "p", "h@x"),
    ]

    assert len({preference_key(each) for each in alike}) == len(alike)


@pytest.mark.case("V09")
@pytest.mark.rule("ranking.13")
def test_odd_ids_sort() -> None:
    """Ids that say nothing take a place like any other."""
    assert sorted(_sorted("", "latest", "²", "gpt-٥", "gpt-5", "/")) == sorted(
        ["", "latest", "²", "gpt-٥", "gpt-5", "/"]
    )
    assert _sorted("", "latest", "²", "gpt-٥", "gpt-5", "/")[:2] == ["gpt-5", "gpt-٥"]

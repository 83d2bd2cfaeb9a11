"""Model ids whose versions other programs misread."""

from collections.abc import Sequence
from itertools import islice, permutations

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.ranking import preference_key


def candidate(model_id: str, provider: str = "p", base_url: str = "") -> Candidate:
    model = ChatModel(provider, model_id, "anthropic-messages", base_url)
    return Candidate(model, Family.ANTHROPIC, Dialect.NATIVE)


def orders(candidates: Sequence[Candidate]) -> set[tuple[str, ...]]:
    """What sorting makes of them, whatever order they come in."""
    ordered = (sorted(each, key=preference_key) for each in islice(permutations(candidates), 720))
    return {tuple(f"{each.model.provider}/{each.model.id}" for each in one) for one in ordered}


def order(*ids: str) -> list[str]:
    (only,) = orders([candidate(each) for each in ids])
    return [name.removeprefix("p/") for name in only]


@pytest.mark.case("V03")
@pytest.mark.parametrize(
    "spellings",
    [
        ("claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("claude-4.5-sonnet", "claude-4-5-sonnet"),
        ("gpt-5.10", "gpt-5-10"),
        ("openai/gpt-5.1", "gpt_5_1"),
        ("gpt-5p1", "gpt-5.1"),
        ("gemini-2.5-flash", "gemini-2-5-flash"),
        ("gpt-5.0", "gpt-5"),
    ],
)
def test_spellings_of_a_version_are_equal(spellings: tuple[str, str]) -> None:
    """At two providers each, the provider's name decides, and the order of the input never."""
    dot, dash = spellings
    for first, second in ((dot, dash), (dash, dot)):
        pairs = [("a", first), ("b", second), ("c", first), ("d", second)]
        expected = tuple(f"{provider}/{model_id}" for provider, model_id in pairs)
        assert orders([candidate(model_id, provider) for provider, model_id in pairs]) == {expected}
    addresses = [candidate(dot, "a", f"https://{host}") for host in "zyx"]
    assert [each.model.base_url[-1] for each in sorted(addresses, key=preference_key)] == [*"xyz"]


@pytest.mark.case("V05")
@pytest.mark.parametrize(
    "ids",
    [
        ("claude-haiku-4-5", "claude-sonnet-4-5", "claude-3-7-sonnet-20250219"),
        ("claude-opus-4-1", "claude-opus-4", "claude-3-7-sonnet-latest", "claude-3-5-haiku"),
        ("claude-sonnet-4", "claude-3-5-haiku-20241022", "claude-3-haiku-20240307"),
        ("claude-opus-4-20250514", "claude-3-opus-20240229", "claude-2.1", "claude-instant"),
        ("claude-haiku-4.5", "claude-4-5-sonnet", "claude-opus-4-5", "claude-4-sonnet"),
    ],
)
def test_a_version_counts_on_either_side_of_the_tier(ids: tuple[str, ...]) -> None:
    """Newer before older, and the tier only inside one version."""
    assert order(*ids) == list(ids)


@pytest.mark.case("V07")
@pytest.mark.parametrize(
    "ids",
    [
        ("gpt-4.1", "gpt-4-1106-preview", "gpt-3.5-turbo-0125"),
        ("gpt-5", "gpt-4-20240613", "gpt-3.5"),
        ("gemini-3-flash", "gemini-2.5-flash-preview-2025-09-12"),
        ("gemini-3-flash", "gemini-2.5-flash-09-25", "gemini-2.5-flash-preview-04-17-thinking"),
        ("claude-sonnet-4-6", "claude-sonnet-4-5-20991231", "claude-sonnet-4-20991231"),
        ("deepseek-v4.1-flash", "deepseek-v4-flash-0731", "deepseek-v4-flash:1231"),
        ("grok-4.1", "grok-4-0709", "grok-3-2027-01-01"),
    ],
)
def test_no_date_outranks_a_version(ids: tuple[str, ...]) -> None:
    """Of four, six or eight digits, with dashes or without, in front of words or at the end."""
    assert order(*ids) == list(ids)


@pytest.mark.case("V08")
@pytest.mark.parametrize(
    "ids",
    [
        (
            "claude-opus-4-6",
            "apac.anthropic.claude-opus-4-5-20251101-v9:9",
            "vertex/anthropic/claude-opus-4-1@20250805",
        ),
        ("openrouter/openai/gpt-5.2", "openai.gpt-5.1-v2:0", "ft:gpt-5:org::id"),
        ("global.anthropic.claude-haiku-4-6", "anthropic/claude-haiku-4.5:beta"),
    ],
)
def test_a_wrapping_hides_nothing(ids: tuple[str, ...]) -> None:
    """Regions, vendors, revisions and dates around an id change neither brand nor version."""
    assert order(*ids) == list(ids)
    assert order(*ids, "llama-9") == [*ids, "llama-9"]


@pytest.mark.case("V09")
@pytest.mark.parametrize(
    "ids",
    [
        ("gemini-3-pro", "gemini-3-pro-preview", "gemini-2.5-pro", "gemini-pro-latest"),
        ("gpt-5", "gpt-5-preview", "gpt-4-latest", "gpt-latest"),
        ("claude-haiku-4-5", "claude-haiku-4-5-latest", "claude-haiku-latest"),
        ("gemini-3-flash-exp", "gemini-2.5-flash-001", "gemini-2-flash-exp-1206"),
    ],
)
def test_words_behind_a_version_are_no_version(ids: tuple[str, ...]) -> None:
    """`latest`, `preview` and a seller's own words beat no number; the plainer id leads."""
    assert order(*ids) == list(ids)


@pytest.mark.case("V09")
@pytest.mark.parametrize(
    "odd",
    [
        *["gpt-²", "claude-sonnet-４-５", "gpt-5.", "gpt-.5", "gpt--5"],
        *["-", ".", ":", "@", "/", "//", "gpt-5/", "v", "v1:0", "gpt-" + "9" * 5_000, "gpt-5.-1"],
        *["\x00", "\ud800", "İ", "ſ", "gpt-\u0665.\u0661", "claude-½", "o", "o１", " ", "\n"],
    ],
)
def test_no_id_raises(odd: str) -> None:
    """Whatever an id holds it has a place, the same in every order, and none before a real one."""
    first, *_rest = order(odd, "gpt-5.6-luna", "claude-haiku-4-5", "gemini-3-flash")
    assert first == "gpt-5.6-luna"

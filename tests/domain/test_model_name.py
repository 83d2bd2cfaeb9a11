"""Reading model ids, those of the facts and those that nobody foresaw."""

import pytest

from native_web_search.domain.model_name import Brand, ModelName, model_name

# The same table stands in docs/behaviour.md.
TABLE = """
| `deepseek-flash`                                | DeepSeek | flash  | none |
| `deepseek/deepseek-v4.1-flash-1017-fast`        | DeepSeek | flash  | 4.1  |
| `accounts/fireworks/models/deepseek-v4p1-flash` | DeepSeek | flash  | 4.1  |
| `deepseek-ai/DeepSeek-V4-Flash`                 | DeepSeek | flash  | 4.0  |
| `deepseek-v4-pro:0813`                          | DeepSeek | pro    | 4.0  |
| `deepseek/deepseek-v3.2-thinking`               | DeepSeek | base   | 3.2  |
| `deepseek-r1`                                   | DeepSeek | base   | 1.0  |
| `gpt-5.6-luna`                                  | OpenAI   | luna   | 5.6  |
| `openai/gpt-6.2-astra-fast`                     | OpenAI   | astra  | 6.2  |
| `gpt-5.5-pro`                                   | OpenAI   | none   | 5.5  |
| `gpt-4o-2024-11-20`                             | OpenAI   | none   | 4.0  |
| `gpt-4-0613`                                    | OpenAI   | none   | 4.0  |
| `gpt-oss:120b`                                  | OpenAI   | none   | none |
| `chat-latest`                                   | OpenAI   | none   | none |
| `o4-mini`                                       | OpenAI   | none   | 4.0  |
| `claude-sonnet-4-5-20250929`                    | Claude   | sonnet | 4.5  |
| `claude-3-7-sonnet-20250219`                    | Claude   | sonnet | 3.7  |
| `claude-opus-4-20250514`                        | Claude   | opus   | 4.0  |
| `~anthropic/claude-fable-latest`                | Claude   | fable  | none |
| `us.anthropic.claude-haiku-4-5-20251001-v1:0`   | Claude   | haiku  | 4.5  |
| `gemini-3.5-flash-lite`                         | Gemini   | flash  | 3.5  |
| `gemini-3.1-pro-preview-customtools`            | Gemini   | pro    | 3.1  |
| `gemini-4-argon`                                | Gemini   | base   | 4.0  |
| `gemini-2.5-computer-use-preview-10-2025`       | Gemini   | base   | 2.5  |
| `deep-research-preview-04-2026`                 | Gemini   | base   | none |
| `gemma-4-26b-a4b-it`                            | Gemini   | base   | 4.0  |
| `gemma4:31b`                                    | Gemini   | base   | 4.0  |
| `spacexai/grok-4.20-multi-agent-beta`           | other    | base   | 4.20 |
| `accounts/fireworks/models/qwen3p8-max`         | other    | base   | 3.8  |
| `MiniMax-M3`                                    | other    | base   | 3.0  |
"""

ROWS = [[cell.strip(" `") for cell in row.split("|")[1:-1]] for row in TABLE.split("\n") if row]


@pytest.mark.rule("ranking.6")
def test_the_table_has_thirty_ids() -> None:
    """Thirty ids, all different, fix how ids are read."""
    assert len({row[0] for row in ROWS}) == 30


@pytest.mark.rule("ranking.6")
@pytest.mark.parametrize(("model_id", "brand", "grade", "version"), ROWS)
def test_the_table(model_id: str, brand: str, grade: str, version: str) -> None:
    """Brand, tier or variant and version of each id are as the table says."""
    name = model_name(model_id)
    nothing = "none" if name.brand in {Brand.OPENAI, Brand.CLAUDE} else "base"

    assert name.brand.name == brand.upper()
    assert name.grade or nothing == grade
    assert (name.version and "{}.{}".format(*name.version)) == (
        None if version == "none" else version
    )


def _versions(*ids: str) -> list[tuple[int, int] | None]:
    return [model_name(each).version for each in ids]


@pytest.mark.rule("ranking.7")
def test_prefixes_say_nothing() -> None:
    """Vendors, aliases, account paths, regions and the mark of a fine-tune are passed over."""
    names = [
        *["claude-haiku-4-5", "anthropic/claude-haiku-4-5", "~anthropic/claude-haiku-4-5"],
        *["accounts/fireworks/routers/claude-haiku-4-5", "eu.anthropic.claude-haiku-4-5"],
        *["ft:claude-haiku-4-5", "a/b/c/claude-haiku-4-5", "/claude-haiku-4-5"],
    ]

    assert {model_name(each) for each in names} == {ModelName(Brand.CLAUDE, (4, 5), "haiku", 0)}


@pytest.mark.rule("ranking.8")
@pytest.mark.parametrize("version", ["5.1", "5-1", "5p1"])
def test_decimal_marks(version: str) -> None:
    """A dot, a dash and a `p` between two small numbers mean the same."""
    assert model_name(f"gpt-{version}-luna") == ModelName(Brand.OPENAI, (5, 1), "luna", 0)
    assert model_name(f"claude-opus-{version}") == ModelName(Brand.CLAUDE, (5, 1), "opus", 0)
    assert model_name(f"claude-{version}-opus") == ModelName(Brand.CLAUDE, (5, 1), "opus", 0)


@pytest.mark.rule("ranking.8")
def test_two_digit_minors() -> None:
    """5.10 is five and ten, not five and one."""
    assert _versions("gpt-5.10", "gpt_5_10", "grok-4.20") == [(5, 10), (5, 10), (4, 20)]


@pytest.mark.rule("ranking.8")
def test_a_minor_is_a_bare_number() -> None:
    """A second version word behind a number is no part of it, and more than two parts are cut."""
    assert _versions("glm-4-v2", "kimi-2-k3", "gpt-5-4o") == [(4, 0), (2, 0), (5, 0)]
    assert _versions("labs-1-5-1", "mistral-2.5.1") == [(1, 5), (2, 5)]


@pytest.mark.rule("ranking.9")
def test_dates_are_no_versions() -> None:
    """Days, months and years in all spellings leave the version alone."""
    assert _versions("gpt-4-0613", "gpt-4-20240613", "gpt-4-2024-08-06") == [(4, 0)] * 3
    assert _versions("claude-sonnet-4@20250514", "deepseek-v4-flash:0731") == [(4, 0)] * 2
    assert _versions("m-0731", "m-20250514", "m-2024-11-20", "m-10-2025", "m-04-2026") == [None] * 5
    assert _versions("gpt-10-20350514", "gpt-10-0613") == [(10, 0)] * 2
    assert _versions("m-12-06", "m-06-12", "codestral-2508", "m-001") == [None] * 4
    assert _versions("claude-sonnet-4-10-2025", "claude-4-12-06-x", "m-4-06-2025") == [(4, 0)] * 3
    assert _versions("gemini-3-10-2025", "gemini-3-11-2025-fast") == [(3, 0)] * 2
    assert _versions("m-4-10", "m-4-10-20251001", "m-4.10-10-2025") == [(4, 10)] * 3


@pytest.mark.rule("ranking.9")
def test_sizes_are_no_versions() -> None:
    """A number with a unit is a size, beside a version or alone."""
    assert _versions("gpt-oss-120b", "gpt-oss:20b", "mixtral-8x7b", "command-r7b") == [None] * 4
    assert _versions("gemma-4-31b-it", "gpt-4-32k", "qwen3-30b-a3b") == [(4, 0), (4, 0), (3, 0)]
    assert _versions("llama-70", "gpt-35-turbo") == [None] * 2


@pytest.mark.rule("ranking.9")
def test_revisions_are_no_versions() -> None:
    """The `v1:0` that a cloud appends is no version of the model."""
    assert _versions("anthropic.claude-opus-5-v1:0", "openai.gpt-oss-120b-1:0") == [(5, 0), None]
    assert _versions("deepseek.v3-v1:0", "amazon.nova-lite-v1:0") == [(3, 0), None]


@pytest.mark.rule("ranking.10")
def test_glued_digits() -> None:
    """Digits glued to a few letters and names are a version, to any other they are not."""
    assert _versions("gpt-4o", "gpt4", "o3-pro", "deepseek-v4", "kimi-k2.7-code", "MiniMax-M3") == [
        *[(4, 0), (4, 0), (3, 0), (4, 0), (2, 7), (3, 0)],
    ]
    assert _versions("deepseek-r1", "qwen3.8-flash", "qwen3p8", "gemma4:31b", "gemma-3n-it") == [
        *[(1, 0), (3, 8), (3, 8), (4, 0), (3, 0)],
    ]
    assert _versions("llama3-1-70b", "hy4-flash", "glm4", "gemma-e4b") == [None] * 4


@pytest.mark.rule("ranking.11")
def test_variants_and_tiers_are_words() -> None:
    """`flash-lite` is flash; `flashx`, and a tier's name at another brand, are extras."""
    assert model_name("gemini-3.5-flash-lite") == ModelName(Brand.GEMINI, (3, 5), "flash", 1)
    assert model_name("glm-5.3-flashx") == ModelName(Brand.OTHER, (5, 3), None, 1)
    assert model_name("gemini-4-opus-sol") == ModelName(Brand.GEMINI, (4, 0), None, 2)
    assert model_name("gpt-5.4-pro-flash") == ModelName(Brand.OPENAI, (5, 4), None, 2)
    assert model_name("deepseek-v3.1-base") == ModelName(Brand.DEEPSEEK, (3, 1), "base", 0)


@pytest.mark.rule("ranking.12")
def test_extras_are_counted() -> None:
    """Every word but the first that is neither version, tier nor variant is an extra."""
    ids = [
        "gpt-5.5",
        "gpt-5.5-pro",
        "gpt-5.6-luna-batch",
        "claude-haiku-4-5-20251001",
        "o3",
        "o3-pro",
    ]
    more = ["gemma4", "gemma4:31b", "flash", "flash-2", "grok-4.20_multi-agent@beta", "qwen3-5-max"]

    assert [model_name(each).extras for each in ids] == [0, 1, 1, 1, 0, 1]
    assert [model_name(each).extras for each in more] == [0, 1, 0, 0, 3, 1]


@pytest.mark.rule("ranking.13")
@pytest.mark.parametrize("odd", ["", "/", "-", ":", "latest", "²", "٥", "a/", "\ud800", "ft:"])
def test_odd_ids_have_no_version(odd: str) -> None:
    """Ids that say nothing belong to another brand and have no version."""
    assert model_name(odd).brand is Brand.OTHER
    assert model_name(odd).version is None


@pytest.mark.rule("ranking.13")
def test_foreign_digits_are_no_digits() -> None:
    """Digits of other scripts and superscripts are no numbers."""
    assert model_name("gpt-٥") == ModelName(Brand.OPENAI, None, None, 1)
    assert model_name("gpt-5²") == ModelName(Brand.OPENAI, None, None, 1)
    assert model_name("gpt-5-²") == ModelName(Brand.OPENAI, (5, 0), None, 1)

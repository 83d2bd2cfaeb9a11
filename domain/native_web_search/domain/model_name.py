"""What a model id says about its model: brand, version, tier or variant.

Ids are free text. One model is `claude-sonnet-4-5`, `anthropic/claude-sonnet-4.5` or
`us.anthropic.claude-sonnet-4-5-20250929-v1:0`, depending on who sells it. Reading goes in steps:

1. The name is what follows the last `/` (`vendor/`, `~vendor/`, `accounts/.../models/`), in lower
   case, without the mark of a fine-tune in front (`ft:`) or of a revision behind (`-v1:0`). It is
   cut into words at `-`, `:`, `@` and `_`.
2. The first word shows the brand, also behind dotted prefixes (`us.anthropic.claude`).
3. The version is the first small number: major, and minor if one follows behind `.`, `p` or `-`.
   It is a word of its own, or glued to one of a few letters and names (`v4`, `k2.7`, `gemma4`),
   and then perhaps to a letter (`4o`, `3n`). A number with a unit (`120b`) is a size.
4. Other digits begin a date or a serial (`20250514`, `0731`, `2024-11-20`), or belong to a name
   (`llama3`); so does a month before a year or a day (`10-2025`, `12-06`), behind a major version
   too. Nothing behind them is a version.
5. OpenAI and Claude have tiers, all other brands variants; the first such word counts.
6. All other words but the first are extras: `batch`, `preview`, `lite`, sizes, pieces of dates.

Nothing raises. An id that fits no step is a model of some other brand, without a version.
"""

import re
from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias

from attrs import frozen


class Brand(IntEnum):
    """Who made the model, in priority order; Gemma counts as Gemini."""

    DEEPSEEK = 0
    OPENAI = 1
    CLAUDE = 2
    GEMINI = 3
    OTHER = 4


BASE = "base"  # the variant of an id without such a word

# Both in priority order.
VARIANTS = ("flash", BASE, "pro")
TIERS: Mapping[Brand, tuple[str, ...]] = {
    Brand.OPENAI: ("luna", "terra", "sol", "astra"),
    Brand.CLAUDE: ("haiku", "sonnet", "opus", "fable"),
}

Version: TypeAlias = tuple[int, int]


@frozen
class ModelName:
    """A model id, read.

    `grade` is the tier of an OpenAI or Claude model, the variant of any other; None if the id names
    none. `extras` counts the words that say nothing about rank.
    """

    brand: Brand
    version: Version | None
    grade: str | None
    extras: int


_GRADES = tuple(frozenset(TIERS.get(brand, VARIANTS)) for brand in Brand)


def model_name(model_id: str) -> ModelName:
    """Read a model id; any text will do."""
    words = _words(model_id)
    brand = _brand(words[0])
    version, spent = _version(words)
    grade = next(filter(_GRADES[brand].__contains__, words), None)
    known = 1 + spent + (grade is not None and grade != words[0])
    return ModelName(brand, version, grade, len(words) - known)


_MARKS = re.compile(r"\Aft:|-v?[0-9]+:[0-9]\Z")


def _words(model_id: str) -> list[str]:
    name = model_id.rpartition("/")[2].lower()
    if ":" in name:
        name = _MARKS.sub("", name).replace(":", "-")
    return name.replace("@", "-").replace("_", "-").split("-")


# The groups stand in the order of `Brand`. Three names of OpenAI and Google carry no brand:
# `chat-latest`, `o3` and its kin, `deep-research-...`.
_BRAND_WORD = re.compile(
    r"(?:[a-z]+\.)*?"
    r"(?:(deepseek)|((?:chat)?gpt|codex|chat\Z|o[1-9]\Z)|(claude)|(gemini|gemma|deep\Z))"
)


# Words repeat all over a catalogue, ids do not: it pays to recall what was read in a word.
@lru_cache(maxsize=4096)
def _brand(word: str) -> Brand:
    found = _BRAND_WORD.match(word)
    return Brand.OTHER if found is None or found.lastindex is None else Brand(found.lastindex - 1)


def _version(words: list[str]) -> tuple[Version | None, int]:
    """The version, and how many words it takes up beside the first."""
    for at, word in enumerate(words):
        numbers = _numbers(word)
        if numbers is not None:
            following, behind = (*words[at + 1 : at + 3], "", "")[:2]
            if following in _MONTHS_LIKE_VERSIONS and _YEAR_OR_DAY.fullmatch(behind):
                following = ""
            version, spent = _completed(numbers, following)
            return version, spent if at else max(0, spent - 1)
    return None, 0


@lru_cache(maxsize=4096)
def _completed(numbers: tuple[int, ...], following: str) -> tuple[Version | None, int]:
    """The version that begins with a word of numbers, and how many words it takes up."""
    match numbers, _numbers(following):
        case (major, minor), _:
            return (major, minor), 1
        case (major,), (minor,) if following.isdigit():
            return (major, minor), 2
        case (major,), () if major in _TWO_DIGIT_MONTHS and _YEAR_OR_DAY.fullmatch(following):
            return None, 0
        case (major,), _:
            return (major, 0), 1
        case _:
            return None, 0


_TWO_DIGIT_MONTHS = range(10, 13)  # the others have a leading zero in dates, as no version has
_MONTHS_LIKE_VERSIONS = frozenset(map(str, _TWO_DIGIT_MONTHS))
_YEAR_OR_DAY = re.compile(r"20[0-9]{2}|0[0-9]")

# A major version is below 30: the 35 of `gpt-35-turbo` is a squeezed 3.5, and a bare 70 is a size.
# Letters behind it are those of `gpt-4o`, `gemma-3n` and `glm-5v`; any other is a unit.
_NUMBERS = re.compile(
    r"(?:[a-z]+\.)*(?:[ovkmr]|qwen|gemma|gpt)?"
    r"([0-9]|[12][0-9])(?:[.p]([0-9]{1,2})(?:\.[0-9]+)*)?[nov]?"
)
_OTHER_DIGITS = re.compile(r"[0-9]{2,}|.*[a-z][0-9][0-9.]*")


@lru_cache(maxsize=4096)
def _numbers(word: str) -> tuple[int, ...] | None:
    """The one or two numbers of a version; none of them, `()`, if the word holds other digits,
    such as a date, behind which no version follows; None if it is just a word.
    """
    found = _NUMBERS.fullmatch(word)
    if found is None:
        return () if _OTHER_DIGITS.fullmatch(word) else None
    return tuple(int(digits) for digits in found.groups() if digits)

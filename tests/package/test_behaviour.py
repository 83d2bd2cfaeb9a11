"""The list of rules and the tests hold each other to account."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULE = re.compile(r"^- \*\*([a-z_]+\.\d+)\*\* \S.*[.:]$", re.MULTILINE)
LISTED = re.compile(r"^- \*\*", re.MULTILINE)
CITED = re.compile(r'mark\.rule\(\s*((?:"[a-z_]+\.\d+",?\s*)+)\)')

QUOTED = re.compile(r'"([a-z_]+\.\d+)"')


def listed() -> list[str]:
    return RULE.findall((ROOT / "docs" / "behaviour.md").read_text("utf-8"))


def texts() -> str:
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))


def cited() -> set[str]:
    """The numbers in the marks of tests and classes."""
    return set(QUOTED.findall(" ".join(CITED.findall(texts()))))


def quoted() -> set[str]:
    """The numbers in tests, those of parametrized marks included."""
    return set(QUOTED.findall(texts()))


def test_every_rule_has_a_test() -> None:
    """No sentence of docs/behaviour.md is without a test that cites its number."""
    assert sorted(set(listed()) - quoted()) == []


def test_every_citation_has_a_rule() -> None:
    """No test cites a number that docs/behaviour.md does not have."""
    assert sorted(cited() - set(listed())) == []


def test_rules_are_numbered_once_and_in_order() -> None:
    """Numbers rise within each area, and each rule is one whole sentence on one line."""
    text = (ROOT / "docs" / "behaviour.md").read_text("utf-8")
    assert len(LISTED.findall(text)) == len(listed())
    areas: dict[str, list[int]] = {}
    for name in listed():
        area, number = name.split(".")
        areas.setdefault(area, []).append(int(number))
    assert [area for area, numbers in areas.items() if numbers != sorted(set(numbers))] == []

"""The page of cases and the tests that are marked with one hold each other to account."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cases.md"
ROW = re.compile(r"^\| ([A-Z]\d\d) \| (\S.*?\.) \| (.+) \|$", re.MULTILINE)
LINE = re.compile(r"^\| [A-Z]\d", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py(?:::\w+)+)`")
KINDS = "SFJUCATHV"  # in the order of the page


def rows() -> list[tuple[str, list[str]]]:
    """Each case with the tests that are named for it."""
    found = ROW.findall(PAGE.read_text("utf-8"))
    return [(case, TEST.findall(tests)) for case, _what, tests in found]


def marked() -> dict[str, set[str]]:
    """The tests that carry the marker, by case."""
    tests: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        if "mark.case(" in text:
            for name, case in _marks(ast.parse(text).body):
                tests.setdefault(case, set()).add(f"{path.relative_to(ROOT).as_posix()}::{name}")
    return tests


def _marks(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The name of each marked test of a module or class, and its cases."""
    for each in body:
        if isinstance(each, ast.ClassDef):
            for name, case in _marks(each.body):
                yield f"{each.name}::{name}", case
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in each.decorator_list:
                if ast.unparse(decorator).startswith("pytest.mark.case("):
                    assert isinstance(decorator, ast.Call)
                    yield each.name, ast.literal_eval(decorator.args[0])


def test_the_page_names_the_tests_that_there_are() -> None:
    """Every marked test is named for its case, and every named test exists and is marked."""
    assert {case: set(tests) for case, tests in rows()} == marked()


def test_cases_are_listed_once_and_in_order() -> None:
    """Kinds follow each other as on the page, numbers rise, and no row is malformed."""
    cases = [case for case, _tests in rows()]
    assert cases == sorted(set(cases), key=lambda case: (KINDS.index(case[0]), case))
    assert len(LINE.findall(PAGE.read_text("utf-8"))) == len(cases)


def test_no_test_is_named_twice_for_a_case() -> None:
    """A row names each of its tests once."""
    assert [case for case, tests in rows() if len(tests) != len(set(tests))] == []

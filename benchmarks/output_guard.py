"""What the output guard costs, beside what the standard encoder costs for the same document.

Run with `python benchmarks/output_guard.py`. Both are timed in turns, so that a busy machine is
busy for both, and the medians are compared. A ratio under its target is better than promised.
"""

import json
from collections.abc import Callable
from statistics import median
from time import perf_counter

from attrs import frozen

from native_web_search.domain.output_guard import fit

LIMIT = 96_000
ROUNDS = 15
WORDS = "search results of a provider, with a line break\nand a “quotation” every now and then. "
PLAIN = "search results of a provider, with a line break\nand a quotation every now and then. "
CHINESE = "搜索结果包含网页的标题和正文，每隔一段就有标点。没有空格\n"


@frozen
class Case:
    """A document, what it is compared with, and the ratio that is promised, if any is."""

    name: str
    document: object
    reference: Callable[[object], object]
    target: float | None = None


def compact(document: object) -> str:
    """What a truncation is compared with: writing everything on one line."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def indented(document: object) -> bytes:
    """What fitting is compared with: writing everything with indentation, ready to be sent."""
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


def text(length: int, words: str = PLAIN) -> str:
    """A text of that length."""
    return (words * (length // len(words) + 1))[:length]


def results(count: int, length: int, words: str = PLAIN) -> dict[str, object]:
    """An answer with results of that length."""
    return {
        "results": [
            {
                "url": f"https://site-{number}.example/path/to/page",
                "title": f"The title of page {number}",
                "content": text(length, words),
            }
            for number in range(count)
        ]
    }


def cases() -> list[Case]:
    """The targets first, then how it grows, then what else may come."""
    return [
        Case("10 results of 1 MB", results(10, 1_000_000), compact, 0.08),
        Case("10 results of 1 MB, Chinese", results(10, 1_000_000, CHINESE), compact),
        Case("1 000 results of 10 kB", results(1_000, 10_000), compact, 0.2),
        Case("20 000 results of 230 characters", results(20_000, 130), compact, 0.12),
        Case("1 MB in all", results(10, 100_000), compact),
        Case("4 MB", results(10, 400_000), compact),
        Case("16 MB", results(10, 1_600_000), compact),
        Case("64 MB", results(10, 6_400_000), compact),
        Case("100 000 digits", [number % 10 for number in range(100_000)], compact, 1.5),
        Case("100 000 integers", list(range(100_000)), compact, 1.5),
        Case("100 000 floats", [number / 7 for number in range(100_000)], compact, 1.5),
        Case("100 000 strings", [f"string {number}" for number in range(100_000)], compact, 1.5),
        Case("100 000 constants", [True, None] * 50_000, compact, 1.5),
        Case("100 000 keys", {f"key{number}": number for number in range(100_000)}, compact, 1.5),
        Case("100 000 small objects", [{"a": 1}] * 100_000, compact),
        Case("a string of 10 MB without a blank", {"data": "x" * 10_000_000}, compact),
        Case("a link of 10 MB", {"text": "see https://e.example/" + "x" * 10_000_000}, compact),
        Case("fits: 10 results of 9 kB", results(10, 9_000), indented, 1.2),
        Case("fits: 10 results of 9 kB, Chinese", results(10, 9_000, CHINESE), indented, 1.2),
        Case("fits: 10 results of 9 kB, some quotation marks", results(10, 9_000, WORDS), indented),
        Case("fits: 350 results of 230 characters", results(350, 130), indented),
        Case("fits: 6 000 integers", list(range(6_000)), indented),
    ]


def milliseconds(work: Callable[[], object]) -> float:
    """How long this takes, once."""
    start = perf_counter()
    _ = work()
    return (perf_counter() - start) * 1_000


def report(case: Case) -> str:
    """One line about one case."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours.append(milliseconds(lambda: fit(case.document, LIMIT)))
        theirs.append(milliseconds(lambda: case.reference(case.document)))
    ratio = median(ours) / median(theirs)
    target = f"   target {case.target}" if case.target else ""
    return f"{case.name:<48}{median(ours):>9.2f} ms{median(theirs):>9.2f} ms{ratio:>8.3f}{target}"


if __name__ == "__main__":
    print(f"{'limit 96 000':<48}{'guard':>12}{'json.dumps':>12}{'ratio':>8}")  # noqa: T201 a report
    for each in cases():
        print(report(each))  # noqa: T201 a report

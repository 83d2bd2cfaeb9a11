"""What the output guard costs, beside what the standard encoder costs for the same document."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

from benchmarks.documents import CHINESE, PLAIN, results
from benchmarks.measure import Measure
from benchmarks.sides import Pair, side
from native_web_search.domain.output_guard import Fitted, fit

LIMIT = 96_000

COMPACT = "compact json.dumps"
INDENTED = "json.dumps(indent=2, ensure_ascii=False).encode()"

FLAT = 0.1  # what an exponent may have of noise

Opened: TypeAlias = Callable[[int], AbstractContextManager[Pair]]


def _compact(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _indented(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


def _shortens(fitted: Fitted) -> object:
    """That it was shortened to its limit and is JSON."""
    json.loads(fitted.text.removesuffix("[truncated]"))
    return len(fitted.text) <= LIMIT and fitted.truncated


def _is_longer(written: str) -> object:
    return len(written) > LIMIT


def _shortening(document: Callable[[int], object]) -> Opened:
    @contextmanager
    def opened(size: int) -> Iterator[Pair]:
        given = document(size)
        yield Pair(
            side(lambda: fit(given, LIMIT), _shortens),
            side(lambda: _compact(given), _is_longer),
        )

    return opened


def _fitting(document: Callable[[int], object]) -> Opened:
    @contextmanager
    def opened(size: int) -> Iterator[Pair]:
        given = document(size)
        yield Pair(
            side(lambda: fit(given, LIMIT), lambda fitted: fitted.text.encode()),
            side(lambda: _indented(given), lambda written: written),
        )

    return opened


def _entries(kind: Callable[[int], object]) -> Opened:
    return _shortening(lambda count: [kind(number) for number in range(count)])


def _shortened(name: str, title: str, opened: Opened, target: float, *sizes: int) -> Measure:
    return Measure(
        f"guard-{name}",
        f"guard: {title}",
        COMPACT,
        opened,
        sizes,
        "entries" if sizes[-1] == MANY else "characters each",
        target=target,
    )


def _fitted(name: str, title: str, words: str) -> Measure:
    return Measure(
        f"guard-{name}",
        f"guard: {title}",
        INDENTED,
        _fitting(lambda length: results(10, length, words)),
        (900, 3_000, 9_000),
        "characters each",
        target=1.2,
    )


MANY = 100_000
SIZES = (MANY // 10, MANY // 3, MANY)

MEASURES = (
    _shortened(
        "10",
        "10 results of 1 MB",
        _shortening(lambda length: results(10, length)),
        0.08,
        *(100_000, 300_000, 1_000_000),
    ),
    _shortened(
        "1000",
        "1 000 results of 10 kB",
        _shortening(lambda length: results(1_000, length)),
        0.2,
        *(1_000, 3_000, 10_000),
    ),
    Measure(
        "guard-20000",
        "guard: 20 000 results of 230 characters",
        COMPACT,
        _shortening(lambda count: results(count, 130)),
        (2_000, 6_000, 20_000),
        "results",
        target=0.12,
    ),
    Measure(
        "guard-growth",
        "guard: 10 results of 1 to 64 MB in all",
        COMPACT,
        _shortening(lambda size: results(10, size // 10)),
        (1_000_000, 4_000_000, 16_000_000, 64_000_000),
        "characters",
        growth=FLAT,
    ),
    _shortened("integers", "100 000 integers", _entries(lambda n: n), 1.5, *SIZES),
    _shortened("floats", "100 000 floats", _entries(lambda n: n / 7), 1.5, *SIZES),
    _shortened("strings", "100 000 strings", _entries(lambda n: f"string {n}"), 1.5, *SIZES),
    _shortened("constants", "100 000 constants", _entries(lambda n: n % 2 == 0), 1.5, *SIZES),
    _shortened(
        "keys",
        "an object of 100 000 keys",
        _shortening(lambda count: {f"key{number}": number for number in range(count)}),
        1.5,
        *SIZES,
    ),
    _fitted("fits", "10 results of 9 kB, which fit", PLAIN),
    _fitted("fits-chinese", "10 results of 9 kB in Chinese, which fit", CHINESE),
)

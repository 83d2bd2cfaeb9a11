"""JSON documents: what providers send, and what else can be sent.

Everything is built from small pieces, so that an example shrinks to the piece that matters.
"""

from collections.abc import Callable
from functools import reduce

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

LONGEST_REPETITION = 100  # times a text; long enough to exceed every floor of the output guard

WORDS = (
    "search",
    "Ωμέγα ",
    "слово",
    "看文章",
    "検索結果",
    "نتيجة",
    "ผลลัพธ์",
    "हिन्दी",
    " ",
    "\n",
    "x",
)
ESCAPED = ('"', "\\", "\x00", "\x1f", "\t", "\\u0041", "/", "\u2028")
COMBINED = (
    "e\u0301",
    "\u0301",
    "👩\u200d🔬",
    "👍🏽",
    "🇩🇪",
    "\ud83d",
    "\ude00",
    "\ud83d\ude00",
    "\u200d",
)
LINK_PARTS = (
    "https://e.example/a",
    "HTTP://E.EXAMPLE/?q=ü",
    "www.e.example",
    "mailto:a@e.example",
    "看https://e.example/中文。",
    "(https://e.example/a_(b))",
    "ftp://",
    "://",
    "www.",
    "h",
)
KEYS = (
    *("url", "title", "id", "name", "siteName", "retrieved_url", "imageURL", "valid", "source"),
    *("urls", "citations", "links", "sources", "ids", "results", "content", "snippet", "type"),
)


def short_texts() -> SearchStrategy[str]:
    """Text of many scripts, with links, marks, escapes and lone surrogates."""
    piece = st.sampled_from(WORDS + ESCAPED + COMBINED + LINK_PARTS) | st.text(max_size=3)
    return st.lists(piece, max_size=8).map("".join)


def texts() -> SearchStrategy[str]:
    """The same, short or long."""
    repeated = st.tuples(short_texts(), st.integers(1, LONGEST_REPETITION))
    return short_texts() | repeated.map(lambda drawn: drawn[0] * drawn[1])


def plain_texts(min_size: int = 0, max_size: int = 2_000) -> SearchStrategy[str]:
    """Text in which every place is a legal cut and no character is escaped: letters only."""
    size = st.integers(min_size, max_size)
    return st.tuples(st.sampled_from("abcxyzäßяж検"), size).map(lambda drawn: drawn[0] * drawn[1])


def urls() -> SearchStrategy[str]:
    """Addresses that are links from their first to their last character."""
    path = st.text("abc/-_.~?=&%()", max_size=60)
    return st.tuples(st.sampled_from(("https://e.example/", "www.e.example/")), path).map("".join)


def numbers() -> SearchStrategy[object]:
    """Integers of any size and all floats, infinite ones and nan too."""
    return st.integers() | st.integers(-9, 9) | st.integers(10**40, 10**90) | st.floats()


def scalars() -> SearchStrategy[object]:
    """Values that contain no other."""
    return st.none() | st.booleans() | numbers() | texts() | urls()


def keys() -> SearchStrategy[str]:
    """Keys of providers, and any others."""
    return st.sampled_from(KEYS) | st.text(max_size=6) | texts()


def documents() -> SearchStrategy[object]:
    """Any JSON value."""

    def containers(child: SearchStrategy[object]) -> SearchStrategy[object]:
        return (
            st.lists(child, max_size=6)
            | st.dictionaries(keys(), child, max_size=6)
            | st.tuples(child, child)
        )

    return st.recursive(scalars(), containers, max_leaves=30)


def results() -> SearchStrategy[dict[str, object]]:
    """One result as search interfaces list them."""
    return st.fixed_dictionaries(
        {"url": urls(), "title": texts()},
        optional={
            "id": numbers() | st.text(max_size=8),
            "content": texts(),
            "published": st.just("2026-01-31"),
            "tags": st.lists(st.text(max_size=8), max_size=3),
        },
    )


def answers() -> SearchStrategy[dict[str, object]]:
    """A whole answer, in the wrapper that models are shown."""
    search = st.fixed_dictionaries(
        {"results": st.lists(results(), max_size=8)},
        optional={
            "answer": texts(),
            "citations": st.lists(urls() | results(), max_size=8),
            "sources": st.lists(texts(), max_size=8),
        },
    )
    return st.fixed_dictionaries({"query": texts(), "search": search})


_NESTINGS: tuple[Callable[[object], object], ...] = (
    lambda inner: [inner],
    lambda inner: {"a": inner},
    lambda inner: [0, inner],
    lambda inner: {"content": inner, "id": 1},
    lambda inner: [inner, "x" * 40],
)


def deep_documents(min_depth: int = 1, max_depth: int = 300) -> SearchStrategy[object]:
    """Containers in containers in containers."""
    nesting = st.lists(st.sampled_from(_NESTINGS), min_size=1, max_size=3)

    def nested(core: object, nestings: list[Callable[[object], object]], depth: int) -> object:
        levels = (nestings[level % len(nestings)] for level in range(depth))
        return reduce(lambda inner, nest: nest(inner), levels, core)

    return st.builds(nested, scalars(), nesting, st.integers(min_depth, max_depth))


def wide_documents(max_width: int = 1_000) -> SearchStrategy[object]:
    """Arrays of many small values, alike or not, and objects of many keys."""
    width = st.integers(0, max_width)
    small = st.none() | st.booleans() | numbers() | short_texts() | st.just({"a": [1]})
    return st.builds(_wide_array, st.lists(small, min_size=1, max_size=4), width) | st.builds(
        _wide_object, small, width
    )


def _wide_array(pattern: list[object], times: int) -> list[object]:
    return pattern * times


def _wide_object(value: object, width: int) -> dict[str, object]:
    return {f"key{index}": value for index in range(width)}


def all_documents(max_depth: int = 60) -> SearchStrategy[object]:
    """Documents of all these kinds."""
    return documents() | answers() | deep_documents(max_depth=max_depth) | wide_documents()

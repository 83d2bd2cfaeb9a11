"""The output guard on documents that broke other programs, and on its own hard cases."""

import json
import sys
from collections.abc import Callable, Mapping
from types import FrameType, MappingProxyType
from typing import Any

import pytest

from native_web_search.domain.links import links
from native_web_search.domain.output_guard import MARKER, MARKER_LINE, Fitted, fit, fit_text

LIMIT = 96_000
LINK = "https://e.example/" + "b" * 50


def refuse(constant: str) -> object:
    """Strict parsers know no NaN and no Infinity."""
    raise AssertionError(constant)


def kept(fitted: Fitted) -> object:
    """What stands before the marker, parsed strictly."""
    return json.loads(fitted.text.removesuffix(MARKER_LINE), parse_constant=refuse)


def compact(document: object) -> str:
    """The shortest complete text of a document."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.rule("guard.3")
def test_infinite_numbers_are_null_and_nothing_is_truncated() -> None:
    """What JSON cannot say is what browsers make of it."""
    document = {"results": [{"score": json.loads("1e400"), "n": float("nan")}]}
    fitted = fit(document, LIMIT)
    assert kept(fitted) == {"results": [{"score": None, "n": None}]}
    assert not fitted.truncated


@pytest.mark.rule("guard.3")
def test_an_integer_that_nobody_can_print_is_null() -> None:
    """No exception escapes, whether the document fits or not."""
    document = {"results": [], "n": 10**4_301}
    assert kept(fit(document, LIMIT)) == {"results": [], "n": None}
    shortened = fit({**document, "text": "x" * 500}, 100, marker=False)
    assert kept(shortened) == {"results": [], "n": None, "text": "x" * 67}


@pytest.mark.case("J10")
@pytest.mark.rule("guard.9")
def test_identity_is_whole_or_the_entry_goes() -> None:
    """Links, titles and ids are untouched in every entry that survives; one does."""
    link = "https://e.example/" + "u" * 282
    entries = [
        {"url": f"{link}{n}", "title": f"T{n}", "id": n, "content": "x" * 5_000} for n in range(9)
    ]
    document: dict[str, Any] = {"results": entries, "citations": [f"{link}{n}" for n in range(9)]}
    fitted = fit(document, 700)
    found: Any = kept(fitted)
    assert len(found["results"]) >= 1
    for entry, original in zip(found["results"], entries, strict=False):
        assert {**original, **entry} == {**original, "content": entry.get("content", "x" * 5_000)}
        assert all(entry[key] == original[key] for key in ("url", "title", "id"))
    assert all(link in document["citations"] for link in found["citations"])
    assert len(fitted.text) == 700


@pytest.mark.case("J11")
@pytest.mark.rule("guard.2")
def test_other_alphabets_are_not_escaped() -> None:
    """Sixty thousand characters are sixty thousand characters."""
    fitted = fit({"answer": "日本語" * 20_000}, LIMIT)
    assert "\\u" not in fitted.text
    assert not fitted.truncated


@pytest.mark.case("J12")
@pytest.mark.rule("guard.4")
def test_indentation_alone_is_no_loss() -> None:
    """Between compact and indented length the whole document is on one line."""
    document = {"results": [[1] * 200] * 20}
    assert fit(document, len(compact(document))) == Fitted(compact(document), truncated=False)
    assert fit(document, 10_000) == Fitted(compact(document), truncated=False)
    assert "\n" in fit(document, 60_000).text


@pytest.mark.case("J15")
@pytest.mark.rule("guard.21")
def test_a_huge_key_goes_and_its_neighbour_stays() -> None:
    """A field whose key does not fit is left out."""
    document = {"k" * 2_000_000: 1, "url": "https://e.example/"}
    assert fit(document, 1_000) == Fitted(
        '{"url":"https://e.example/"}' + MARKER_LINE, truncated=True
    )


@pytest.mark.case("J17")
@pytest.mark.rule("guard.20")
def test_a_fat_sibling_starves_nobody() -> None:
    """Small fields are complete, the large one takes all that is left."""
    document = {
        "answer": "x" * 1_000_000,
        "citations": [{"url": "https://e.example/1", "title": "T"}],
        "searchQueries": ["q"],
    }
    fitted = fit(document, 5_000)
    found = kept(fitted)
    assert isinstance(found, dict)
    assert {**document, **found} == {**document, "answer": found["answer"]}
    assert len(fitted.text) == 5_000


@pytest.mark.case("J18")
@pytest.mark.rule("guard.7")
def test_the_order_of_keys_is_kept() -> None:
    """Keys come as they came, digits and all."""
    entry = {"2": 1, "1": 2, "b": 3, "a": 4, "__proto__": 5}
    document = {"results": [entry], "text": "x" * 500}
    for limit in (LIMIT, 200):
        found = kept(fit(document, limit))
        assert isinstance(found, dict)
        assert list(found["results"][0]) == list(entry)


@pytest.mark.rule("guard.12")
@pytest.mark.parametrize(
    ("document", "limit", "used", "found"),
    [
        ({"t": "a https://" + "b" * 100 + " " + "c" * 1_000}, 100, 22, {"t": "a "}),
        ({"id": "x" * 100, "t": "y" * 1_000}, 100, 14, {}),
        ({"k" * 100: "y" * 1_000}, 100, 14, {}),
        ([LINK] * 5, 100, 84, [LINK]),
        ({"t": "e" + "\u0301" * 2_000}, 100, 100, {"t": "e" + "\u0301" * 79}),
        ({"a": "x" * 24}, 31, 14, {}),
        ({"id": "x" * 100}, 50, 14, {}),
        ([1, {"url": "https://" + "u" * 300}, 2, 3], 150, 19, [1, 2, 3]),
        ({"d": {"id": "x" * 100}, "t": "y" * 100}, 60, 60, {"t": "y" * 40}),
    ],
)
def test_what_cannot_hold_together(document: object, limit: int, used: int, found: object) -> None:
    """Where promises are at odds, links, identities and keys win over room."""
    fitted = fit(document, limit)
    assert kept(fitted) == found
    assert len(fitted.text) == used


@pytest.mark.rule("guard.14")
def test_two_halves_of_a_pair_stay_together() -> None:
    """They are written as two escapes and read back as one character, or not at all."""
    document = "a" * 30 + "\ud83d\ude00" + "b" * 30
    for limit in range(40, 70):
        assert "\ud83d" not in str(kept(fit(document, limit)))


@pytest.mark.rule("guard.20")
def test_many_entries_leave_some_that_are_useful() -> None:
    """Twenty thousand siblings do not get five characters each."""
    results = [{"url": f"https://e.example/{n}", "text": "x" * 400} for n in range(20_000)]
    found = kept(fit({"results": results}, LIMIT))
    assert isinstance(found, dict)
    assert 200 < len(found["results"]) <= 250
    assert all(len(entry["text"]) > 300 for entry in found["results"])


@pytest.mark.rule("guard.20")
def test_an_entry_that_never_fits_takes_nothing_from_its_neighbours() -> None:
    """The answer has its room although the results wish for more than there is."""
    document = {"results": [{"url": "https://" + "u" * 5_000}], "answer": "x" * 5_000}
    fitted = fit(document, 1_000)
    found = kept(fitted)
    assert isinstance(found, dict)
    assert found["results"] == []
    assert len(fitted.text) == 1_000


@pytest.mark.rule("guard.11")
@pytest.mark.parametrize("key", ["sources", "seed_urls", "id"])
def test_strings_of_link_lists_are_whole(key: str) -> None:
    """They may look like text: none is cut, and the object stays when some of them go."""
    names = [letter * 300 for letter in "abcd"]
    found: Any = kept(fit({"answer": {key: names, "text": "t" * 1_000}}, 900))
    assert found["answer"][key] == names[: len(found["answer"][key])]
    assert len(found["answer"][key]) in (1, 2)
    assert len(found["answer"]["text"]) > 200


@pytest.mark.rule("guard.18")
def test_long_entries_get_the_same() -> None:
    """Three that have room for their floors share evenly."""
    found: Any = kept(fit(["a" * 5_000, "b" * 5_000, "c" * 5_000], 1_000))
    assert [entry[0] for entry in found] == ["a", "b", "c"]
    assert all(325 <= len(entry) <= 327 for entry in found)


@pytest.mark.rule("guard.18")
def test_short_entries_are_whole_beside_long_ones() -> None:
    """What they need is taken off before the others share."""
    document = ["a" * 5_000, "b" * 300, "c" * 5_000, 7]
    found = kept(fit(document, 2_312))
    assert isinstance(found, list)
    assert [len(entry) for entry in found[:3]] == [994, 300, 994]
    assert found[3] == 7


@pytest.mark.rule("guard.6")
@pytest.mark.parametrize("document", [{"a": "x" * 50}, ["x" * 50], "x" * 50, 10**50])
def test_the_table_of_small_limits(document: object) -> None:
    """`0`, then an empty value, from 11 the marker alone, from 14 JSON and marker."""
    empty = "{}" if isinstance(document, dict) else "[]" if isinstance(document, list) else '""'
    texts = [fit(document, limit).text for limit in range(1, 15)]
    assert texts == ["0", *[empty] * 9, *[MARKER] * 3, empty + MARKER_LINE]


@pytest.mark.rule("guard.22")
def test_without_the_marker_everything_is_structural_at_once() -> None:
    """`0` at 1, from 2 on as much as fits; the flag tells that something is missing."""
    document = {"a": "x" * 50, "b": True}
    assert fit(document, 1, marker=False) == Fitted("0", truncated=True)
    assert fit(document, 2, marker=False) == Fitted("{}", truncated=True)
    assert fit(document, 20, marker=False) == Fitted('{"a":"xxxxxxxxxxxx"}', truncated=True)
    assert fit([1, 2, 3, "x"], 8, marker=False) == Fitted("[1,2,3]", truncated=True)
    assert fit(True, 3, marker=False) == Fitted('""', truncated=True)  # noqa: FBT003 the document


@pytest.mark.rule("guard.6")
@pytest.mark.parametrize("limit", [0, -1])
def test_limits_below_one_are_errors(limit: int) -> None:
    """No text is shorter than a character, of a document or not."""
    with pytest.raises(ValueError, match=str(limit)):
        _ = fit({}, limit)
    with pytest.raises(ValueError, match=str(limit)):
        _ = fit_text("", limit)


@pytest.mark.rule("guard.7")
def test_what_python_adds_to_json_is_written_as_usual() -> None:
    """Tuples are arrays, mappings are objects, keys that are no strings become strings."""
    document: Mapping[object, object] = MappingProxyType(
        {"a": (1, True, 1.0), 2: None, None: {}, "t": "x" * 200}
    )
    assert json.loads(fit(document, 400).text) == {
        "a": [1, True, 1.0],
        "2": None,
        "null": {},
        "t": "x" * 200,
    }
    assert fit(document, 80).text.startswith('{"a":[1,true,1.0],"2":null,"null":{},"t":"xxx')


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize("limit", [LIMIT, 200])
def test_what_is_not_json_is_a_type_error(limit: int) -> None:
    """Also where it would have been shortened."""
    with pytest.raises(TypeError, match="set"):
        _ = fit({"a": {1}, "t": "x" * 500}, limit)


NESTINGS: list[Callable[[object], object]] = [
    lambda inner: [inner],
    lambda inner: {"a": inner},
    lambda inner: [0, inner],
    lambda inner: [inner, "x" * 40],
    lambda inner: {"id": 1, "text": "x" * 40, "more": inner},
]


@pytest.mark.rule("guard.23")
@pytest.mark.parametrize("nest", NESTINGS)
def test_five_thousand_levels_are_no_obstacle(nest: Callable[[object], object]) -> None:
    """Neither for writing all of it nor for shortening it."""
    document: object = 1
    for _ in range(5_000):
        document = nest(document)
    for limit in (1, 13, 14, 500, 3_000):
        assert len(fit(document, limit).text) <= limit
    assert not fit(document, 10**6).truncated


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, those of C included."""
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        _ = work()
    finally:
        sys.setprofile(None)
    return calls


ENTRIES: list[Callable[[int], object]] = [
    lambda n: {"url": f"https://e.example/{n}", "content": "x" * 200},
    lambda n: {"content": "x" * 200, "url": f"https://e.example/{n}"},
    lambda n: f"{n} " + "x" * 200,
    lambda n: f"https://e.example/{n}?" + "q" * 180,
    lambda n: [[n] * 30] * 2,
    lambda n: {"id": n, "inner": {"id": n, "text": "x" * 170}},
]


@pytest.mark.case("J14")
@pytest.mark.rule("guard.24")
@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("key", ["results", "citations"])
def test_many_results_take_the_steps_of_a_few(entry: Callable[[int], object], key: str) -> None:
    """Twenty thousand results are shortened at once, not one after the other."""
    results = [entry(n) for n in range(20_000)]
    few = calls_of(lambda: fit({key: results[:2_000]}, LIMIT))
    assert calls_of(lambda: fit({key: results}, LIMIT)) <= 1.2 * few
    fitted = fit({key: results}, LIMIT)
    assert fitted.truncated
    assert len(fitted.text) > LIMIT - 300


@pytest.mark.rule("guard.24")
def test_the_cost_does_not_grow_with_the_document() -> None:
    """Results of a hundred times the length take the same steps, a hundred times as many of them
    hardly more, and arrays of numbers far fewer steps than there are numbers.
    """

    def steps(document: object) -> int:
        return calls_of(lambda: fit(document, 10_000))

    one = steps([{"url": LINK, "content": "x" * 10_000}] * 10)
    assert steps([{"url": LINK, "content": "x" * 1_000_000}] * 10) <= one
    some = steps([{"url": LINK, "content": "x" * 500}] * 1_000)
    assert steps([{"url": LINK, "content": "x" * 500}] * 100_000) <= 1.1 * some
    assert steps([7] * 100_000) < 20_000


@pytest.mark.rule("guard.25")
@pytest.mark.parametrize(
    ("text", "limit", "fitted"),
    [
        ("short", 5, Fitted("short", truncated=False)),
        ("", 1, Fitted("", truncated=False)),
        ("x" * 50, 20, Fitted("x" * 8 + MARKER_LINE, truncated=True)),
        ("x" * 50, 14, Fitted("xx" + MARKER_LINE, truncated=True)),
        ("x" * 50, 13, Fitted(MARKER, truncated=True)),
        ("x" * 50, 11, Fitted(MARKER, truncated=True)),
        ("x" * 50, 10, Fitted("x" * 10, truncated=True)),
        ("see " + LINK, 40, Fitted("see " + MARKER_LINE, truncated=True)),
        (LINK, 40, Fitted(MARKER, truncated=True)),
        (LINK, 5, Fitted("", truncated=True)),
        ('a "quoted"\nline', 15, Fitted('a "quoted"\nline', truncated=False)),
        ("\ud83d", 6, Fitted("\\ud83d", truncated=False)),
        ("\ud83d", 5, Fitted("", truncated=True)),
        ("a\ud83d\ude00bcdefghijkl", 22, Fitted("a" + MARKER_LINE, truncated=True)),
    ],
)
def test_plain_text_is_cut_at_legal_places(text: str, limit: int, fitted: Fitted) -> None:
    """With the marker from 14 on, the marker alone from 11 on, and without one below that."""
    assert fit_text(text, limit) == fitted


@pytest.mark.rule("guard.25")
def test_plain_text_can_do_without_the_marker() -> None:
    """Then all the room is the text's."""
    assert fit_text("x" * 50, 20, marker=False) == Fitted("x" * 20, truncated=True)
    assert fit_text("x" * 50, 12, marker=False) == Fitted("x" * 12, truncated=True)


@pytest.mark.rule("guard.12")
def test_links_of_chinese_text_survive_without_taking_the_page_along() -> None:
    """Where no blank ends a link, the punctuation of that script does."""
    page = "看https://e.example/中文。" + "文" * 3_000
    found = kept(fit({"content": page}, 1_000))
    assert isinstance(found, dict)
    assert len(found["content"]) > 900
    assert list(links(found["content"])) == ["https://e.example/中文"]

"""Documents that made other guards say something that is no JSON, too long, or too little."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from native_web_search.domain.output_guard import MARKER_LINE, Fitted, fit


def refuse(constant: str) -> object:
    raise AssertionError(constant)


def kept(fitted: Fitted) -> Any:  # noqa: ANN401 - JSON
    """What stands before the marker, parsed strictly."""
    return json.loads(fitted.text.removesuffix(MARKER_LINE), parse_constant=refuse)


def compact(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


IDENTITIES: tuple[Mapping[str, object], ...] = (
    {"url": "https://e.example/" + "u" * 282, "title": "T", "id": 7},
    {"title": "日本語" * 40, "href": "https://e.example/" + "я" * 200, "doi": "10.1/x"},
    {"link": "mailto:" + "m" * 250, "sourceUrl": "www.e.example", "name": "N" * 90},
    {"uuid": "u" * 36, "web_url": None, "siteName": "S" * 200, "domain": True},
)


@pytest.mark.case("J10")
@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize("content_first", [True, False])
def test_no_identity_is_ever_shortened(
    identity: Mapping[str, object], *, content_first: bool
) -> None:
    """At every limit around the case's each entry is there with its whole identity or not."""
    text = {"content": "x" * 5_000}
    entry = {**text, **identity} if content_first else {**identity, **text}
    document = {"results": [{**entry, "rank": at} for at in range(8)], "citations": ["a", "b"] * 99}
    for limit in (*range(20, 700, 17), *range(690, 711), *range(711, 3_000, 101)):
        fitted = fit(document, limit)
        assert len(fitted.text) <= limit
        found = kept(fitted).get("results", [])
        assert all({**each, **identity} == each for each in found)
        ranks = [each["rank"] for each in found if "rank" in each]
        assert ranks == sorted(ranks)
        assert found or limit < 700


@pytest.mark.case("J10")
@pytest.mark.parametrize("key", ["citations", "sources", "references", "urls", "links"])
def test_the_entries_of_link_lists_are_whole(key: str) -> None:
    """Strings in a list of links go as a whole, in whatever list and at whatever limit."""
    links = [f"https://e.example/{at}/" + "l" * 280 for at in range(9)]
    for limit in range(14, 1_500, 31):
        found = kept(fit({key: links, "text": "t" * 5_000}, limit)).get(key, [])
        assert found == links[: len(found)]


@pytest.mark.case("J11")
@pytest.mark.parametrize(
    "text",
    [
        "日本語",
        "ελληνικά",
        "😀👩‍👩‍👧",
        "العربية",
        "e\u0301",
        "\u2028\u2029\x7f",
        "\ue000ß\U0010ffff",
    ],
)
def test_every_character_is_itself(text: str) -> None:
    """A limit of exactly the document's code points is enough, and nothing is escaped."""
    document = {"answer": text * (60_000 // len(text))}
    exact = len(compact(document))
    fitted = fit(document, exact)
    assert fitted == Fitted(compact(document), truncated=False)
    assert "\\u" not in fitted.text
    less = fit(document, exact - 1)
    assert less.truncated
    assert "\\u" not in less.text
    assert document["answer"].startswith(kept(less)["answer"])


@pytest.mark.case("J12")
@pytest.mark.parametrize(
    "document",
    [
        [[1] * 200] * 20,
        {"a": [{}] * 300},
        {"a": {"b": {"c": [None] * 100}}},
        [[[[[]]]]] * 50,
        ["x"],
    ],
)
def test_indentation_is_given_up_first(document: object) -> None:
    """From the compact length on all data is there; from the indented length on, indented."""
    short, tall = compact(document), json.dumps(document, indent=2)
    for limit in (len(short), len(short) + 1, len(tall) - 1):
        assert fit(document, limit) == Fitted(short, truncated=False)
    for limit in (len(tall), len(tall) + 1):
        assert fit(document, limit) == Fitted(tall, truncated=False)
    assert fit(document, len(short) - 1).truncated


@pytest.mark.case("J15")
@pytest.mark.parametrize("size", [2_000_000, 1_000, 990])
@pytest.mark.parametrize("letter", ["k", "日", '"', "\n", "😀"])
def test_a_huge_key_costs_itself_alone(size: int, letter: str) -> None:
    """Before, behind and between its neighbours, at the top and deep down."""
    huge, url = letter * size, {"url": "https://e.example/"}
    for document in ({huge: 1, **url}, {**url, huge: 1}, {"a": 1, huge: {"b": 2}, **url}):
        found = kept(fit(document, 1_000))
        assert fit(document, 1_000).truncated
        assert found == {key: value for key, value in document.items() if key != huge}
    nested = kept(fit({"results": [{huge: [1], **url}, {huge + "2": 1, **url}]}, 1_000))
    assert nested == {"results": [url, url]}


@pytest.mark.case("J15")
def test_a_long_key_that_fits_stays() -> None:
    """Length alone is no reason: with room for it the key is whole, with one less it is gone."""
    document = {"k" * 900: 1, "url": "https://e.example/", "t": "x" * 5_000}
    whole = len('{"":1,"url":"https://e.example/"}') + 900 + len(MARKER_LINE)
    assert "k" * 900 in kept(fit(document, whole + 60))
    assert "k" * 900 not in kept(fit(document, 900))


SMALL: Mapping[str, object] = {
    "citations": [{"url": "https://e.example/1", "title": "T"}],
    "searchQueries": ["q"],
    "n": 1,
}


@pytest.mark.case("J17")
@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize(
    "fat", ["x" * 1_000_000, "x y " * 250_000, ["x" * 100] * 10_000, {"deep": ["x" * 1_000_000]}]
)
def test_a_fat_sibling_starves_nobody_wherever_it_stands(at: int, fat: object) -> None:
    """The small ones are whole, and what they leave is used."""
    fields = list(SMALL.items())
    document = dict([*fields[:at], ("answer", fat), *fields[at:]])
    fitted = fit(document, 5_000)
    found = kept(fitted)
    assert {key: found[key] for key in SMALL} == SMALL
    assert list(found) == list(document)
    assert len(fitted.text) > 4_500


@pytest.mark.case("J17")
@pytest.mark.parametrize("fats", [2, 3, 5])
def test_fat_siblings_share(fats: int) -> None:
    """Several long ones get the same, beside small ones that are whole."""
    document = {f"fat{at}": "x" * 100_000 for at in range(fats)} | dict(SMALL)
    found = kept(fit(document, 5_000))
    lengths = [len(found[f"fat{at}"]) for at in range(fats)]
    assert max(lengths) - min(lengths) <= fats  # odd characters
    assert {key: found[key] for key in SMALL} == SMALL

"""What the output guard promises, for every document and every limit."""

import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from inspect import currentframe
from typing import TypeAlias

import pytest
from attrs import frozen
from hypothesis import assume, example, given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.documents import (
    all_documents,
    answers,
    deep_documents,
    documents,
    plain_texts,
    texts,
)
from native_web_search.domain.identity import identity_keys, names_link_list
from native_web_search.domain.links import legal_cut, links
from native_web_search.domain.output_guard import MARKER, MARKER_LINE, Fitted, fit, fit_text

LONGEST_LIMIT = 200_000
ANY_DOCUMENT = all_documents()
PAGES = documents() | answers()

JsonList: TypeAlias = list[object] | tuple[object, ...]


@frozen
class Case:
    """A document, a limit that is mostly too small for it, and whether the marker is wanted."""

    document: object
    limit: int
    marker: bool

    def fitted(self) -> Fitted:
        return fit(self.document, self.limit, marker=self.marker)

    def kept(self) -> object:
        """What is kept, parsed strictly."""
        text = self.fitted().text
        return json.loads(text.removesuffix(MARKER_LINE), parse_constant=refuse)

    def is_kept(self, string: "StringRule", fields: "FieldRule | None" = None) -> bool:
        """Whether what is kept follows these rules; a root that could not be kept is empty."""
        rules = Rules(string, fields or (lambda _kept, _original: True))
        kept = self.kept()
        return kept in ({}, [], "") or is_kept_of(kept, self.document, rules)


@st.composite
def cases(
    draw: st.DrawFn,
    of: st.SearchStrategy[object] = ANY_DOCUMENT,
    *,
    shortest: int = 14,
    marker: bool | None = None,
) -> Case:
    """Any document; limits from where all of it fits down to where next to nothing does."""
    document = draw(of)
    longest = max(len(compact(document)) + 40, shortest)
    limit = draw(st.integers(shortest, longest) | st.integers(shortest, LONGEST_LIMIT))
    return Case(document, limit, draw(st.booleans()) if marker is None else marker)


def as_json(value: object) -> object:
    """The value as a parser would have given it, with `null` for what JSON cannot say."""
    if isinstance(value, dict):
        return {key: as_json(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(child) for child in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def escaped(text: str) -> str:
    """Lone surrogates as their escapes, as nothing else could be sent."""
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)


def json_text(value: object, indent: int | None = None) -> str:
    """A whole value, by the standard encoder."""
    separators = (",", ":") if indent is None else (",", ": ")
    return escaped(
        json.dumps(as_json(value), ensure_ascii=False, indent=indent, separators=separators)
    )


def compact(document: object) -> str:
    """The shortest complete text of a document."""
    return json_text(document)


def paired(text: str) -> str:
    """The text as parsers see it: two halves of a surrogate pair are one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def refuse(constant: str) -> object:
    """Strict parsers know no NaN and no Infinity."""
    raise AssertionError(constant)


def strings(value: object) -> Iterator[str]:
    """All strings of a document, keys included."""
    if isinstance(value, str):
        yield paired(value)
    for child in value if isinstance(value, list | tuple | dict) else ():
        yield from strings(child)
    for child in value.values() if isinstance(value, dict) else ():
        yield from strings(child)


@frozen
class KeptString:
    """What is kept of a string, the original, and whether it is an entry of a link list."""

    text: str
    original: str
    listed: bool

    @property
    def whole(self) -> str:
        """The original as a parser would see all of it."""
        return paired(self.original)


StringRule: TypeAlias = Callable[[KeptString], bool]
# Of an object: the fields that are kept, and the original ones.
FieldRule: TypeAlias = Callable[[dict[str, object], dict[str, object]], bool]


@frozen
class Rules:
    """What has to be true of every string and of every object that is kept."""

    string: StringRule
    fields: FieldRule


def is_kept_of(kept: object, original: object, rules: Rules, *, listed: bool = False) -> bool:
    """Whether one value is what may be left of another: parts missing, the others in order."""
    if isinstance(original, str):
        return isinstance(kept, str) and rules.string(KeptString(kept, original, listed))
    if isinstance(original, dict):
        return (
            isinstance(kept, dict)
            and rules.fields(kept, original)
            and _fields_are_kept(kept, original, rules)
        )
    if isinstance(original, list | tuple):
        return isinstance(kept, list) and _entries_are_kept(kept, original, rules, listed=listed)
    return same(kept, original)


def same(kept: object, original: object) -> bool:
    """Equal, and of the same type: `1` is neither `1.0` nor `true`."""
    expected = paired(original) if isinstance(original, str) else as_json(original)
    return type(kept) is type(expected) and kept == expected


def _fields_are_kept(kept: dict[str, object], original: dict[str, object], rules: Rules) -> bool:
    fields = iter(original.items())

    def is_next(key: str, value: object) -> bool:
        return any(
            paired(name) == key
            and is_kept_of(
                value,
                child,
                rules,
                listed=isinstance(child, list | tuple) and names_link_list(name),
            )
            for name, child in fields
        )

    return all(is_next(key, value) for key, value in kept.items())


def _entries_are_kept(
    kept: list[object], original: JsonList, rules: Rules, *, listed: bool
) -> bool:
    entries = iter(original)
    return all(
        any(is_kept_of(entry, child, rules, listed=listed) for child in entries) for entry in kept
    )


def is_beginning(kept: KeptString) -> bool:
    """The beginning of a string, and not nothing of something."""
    return kept.whole.startswith(kept.text) and bool(kept.text or not kept.original)


def is_standalone_link(text: str) -> bool:
    """Nothing but one link."""
    return next(links(text), None) == text


@pytest.mark.rule("guard.1")
@pytest.mark.rule("guard.2")
@pytest.mark.rule("guard.3")
class TestTheTextIsShortEncodableAndStrictJson:
    """Length within the limit, UTF-8, strict JSON before the marker."""

    @given(cases(shortest=1))
    def test_text_is_no_longer_than_the_limit(self, case: Case) -> None:
        """No text has more code points than the limit."""
        assert len(case.fitted().text) <= case.limit

    @given(cases(shortest=1))
    def test_text_encodes(self, case: Case) -> None:
        """Every text can be sent as UTF-8, even of documents with lone surrogates."""
        assert case.fitted().text.encode()

    @given(cases())
    def test_strict_parsers_read_it(self, case: Case) -> None:
        """From limit 14 on what stands before the marker is strict JSON."""
        _ = case.kept()

    @given(cases(marker=True))
    def test_marker_is_the_last_line(self, case: Case) -> None:
        """From limit 14 on the marker is the last line exactly if something is missing."""
        fitted = case.fitted()
        assert fitted.text.endswith(MARKER_LINE) is fitted.truncated


@pytest.mark.rule("guard.4")
@pytest.mark.rule("guard.5")
class TestNothingIsLostThatFits:
    """Truncated if and only if the compact text is too long; indented before compact."""

    @given(cases(shortest=1))
    def test_truncated_means_that_the_compact_text_is_too_long(self, case: Case) -> None:
        """The flag is set exactly if the shortest complete text exceeds the limit."""
        assert case.fitted().truncated is (len(compact(case.document)) > case.limit)

    @given(ANY_DOCUMENT)
    def test_what_fits_with_indentation_is_indented(self, document: object) -> None:
        """A limit of the indented length gives what the standard encoder writes."""
        pretty = json_text(document, indent=2)
        assert fit(document, len(pretty)) == Fitted(pretty, truncated=False)

    @given(ANY_DOCUMENT)
    def test_what_fits_only_compactly_is_complete(self, document: object) -> None:
        """One less than the indented length, if that is enough, gives the whole compact text."""
        limit = len(json_text(document, indent=2)) - 1
        assume(len(compact(document)) <= limit)
        assert fit(document, limit) == Fitted(compact(document), truncated=False)


@pytest.mark.rule("guard.6")
class TestTheSmallestLimits:
    """Limits below 14 by table."""

    @given(ANY_DOCUMENT, st.integers(1, 13))
    def test_table(self, document: object, limit: int) -> None:
        """An empty value up to 10, the marker alone from 11 to 13, `0` at 1."""
        assume(len(compact(document)) > limit)
        kind = "{}" if isinstance(document, dict) else "[]"
        empty = kind if isinstance(document, dict | list | tuple) else '""'
        expected = MARKER if limit > 10 else "0" if limit == 1 else empty
        assert fit(document, limit) == Fitted(expected, truncated=True)


@pytest.mark.rule("guard.7")
@pytest.mark.rule("guard.8")
class TestWhatIsKeptIsAsItWas:
    """Fields and entries in their order, numbers exact, strings beginnings of theirs."""

    @given(cases())
    def test_output_embeds_in_the_document(self, case: Case) -> None:
        """What is kept is part of the document, and no string is cut to nothing."""
        assert case.is_kept(is_beginning)


@pytest.mark.rule("guard.9")
@pytest.mark.rule("guard.10")
class TestAnObjectIsKeptWithItsIdentityOrNotAtAll:
    """Every identity scalar of every object that is present is there, and equal."""

    @given(cases(PAGES))
    def test_identity_is_complete(self, case: Case) -> None:
        """No object has lost a part of its identity, the document itself excepted."""

        def has_identity(kept: dict[str, object], original: dict[str, object]) -> bool:
            return all(
                isinstance(original[key], list | tuple | dict)
                or (paired(key) in kept and same(kept[paired(key)], original[key]))
                for key in identity_keys(original)
            )

        assert case.is_kept(is_beginning, has_identity)


@pytest.mark.rule("guard.11")
class TestLinksInListsAndAloneAreWhole:
    """Strings of link lists, and strings that are nothing but a link, are whole or absent."""

    @given(cases(PAGES))
    def test_links_are_whole(self, case: Case) -> None:
        """What is kept of such a string is all of it."""

        def is_whole(kept: KeptString) -> bool:
            atom = kept.listed or is_standalone_link(kept.whole)
            return kept.text == kept.whole if atom else is_beginning(kept)

        assert case.is_kept(is_whole)


@pytest.mark.rule("guard.12")
class TestNoLinkIsCut:
    """Every link of the output is a whole link of the document."""

    @given(cases())
    def test_links_come_from_the_document(self, case: Case) -> None:
        """Strings and keys hold no link that the document does not hold."""
        known = {link for text in strings(case.document) for link in links(text)}
        assert {link for text in strings(case.kept()) for link in links(text)} <= known


def signed(value: object, signs: Iterator[str]) -> object:
    """The document with a character in front of every string by which it can be told."""
    if isinstance(value, str):
        return next(signs) + value
    if isinstance(value, dict):
        return {key: signed(child, signs) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [signed(child, signs) for child in value]
    return value


def values(value: object) -> Iterator[str]:
    """All strings of a document but its keys."""
    if isinstance(value, str):
        yield value
    for child in value.values() if isinstance(value, dict) else ():
        yield from values(child)
    for child in value if isinstance(value, list | tuple) else ():
        yield from values(child)


SIGNS = "".join(chr(code) for code in range(0x4E00, 0x9FA0))


@pytest.mark.rule("guard.16")
class TestEveryCutStringIsAsLongAsItCanBe:
    """Maximality: the next legal cut of a string that was cut would exceed the limit."""

    @example(Case(["一\ud83d\ude00ftp://\ud83d\ude00ftp://"], 23, marker=False))
    @given(
        cases(
            (PAGES | deep_documents(max_depth=60)).map(
                lambda document: signed(document, iter(SIGNS))
            )
        )
    )
    def test_next_legal_cut_would_be_too_long(self, case: Case) -> None:
        """Giving any string what it takes to reach its next legal cut exceeds the limit."""
        originals = {text[0]: text for text in values(case.document)}
        left = case.limit - len(case.fitted().text)
        for kept in values(case.kept()):
            if kept and paired(original := originals[kept[0]]) != kept:
                count = _length_before_pairing(original, kept)
                longer = next_legal_cut(original, count)
                assert len(escaped_body(original[count:longer])) > left


def _length_before_pairing(original: str, kept: str) -> int:
    """How much of the original is kept. Half a pair is as long as the pair that it becomes, so the
    texts are compared and not their lengths.
    """
    return next(count for count in range(len(original) + 1) if paired(original[:count]) == kept)


def next_legal_cut(text: str, cut: int) -> int:
    """The first legal place to cut behind this one."""
    return next(place for place in range(cut + 1, len(text) + 1) if legal_cut(text, place) == place)


def escaped_body(text: str) -> str:
    """A string as JSON, without its quotes."""
    return escaped(json.dumps(text, ensure_ascii=False)[1:-1])


@pytest.mark.rule("guard.15")
class TestShortStringsAreNotCut:
    """A string whose JSON text has at most 32 characters is whole or absent."""

    @given(cases(PAGES))
    def test_short_strings_are_whole(self, case: Case) -> None:
        """Only the document itself is cut however short it is."""

        def is_whole(kept: KeptString) -> bool:
            short = len(json_text(kept.original)) <= 32
            return kept.text == kept.whole if short else is_beginning(kept)

        assert isinstance(case.document, str) or case.is_kept(is_whole)


@st.composite
def hidden_strings(draw: st.DrawFn) -> tuple[object, int]:
    """One plain string longer than the limit, up to six levels down, among small siblings."""
    limit = draw(st.integers(260, 5_000) | st.integers(260, LONGEST_LIMIT))
    document: object = {
        "text": draw(st.sampled_from("abcäжя検")) * (limit + draw(st.integers(1, 50)))
    }
    left = 100  # characters for everything else: few enough for the smallest of these limits
    for _ in range(draw(st.integers(0, 6))):
        small = draw(
            st.lists(st.integers(0, 9) | st.sampled_from(("ab", [1], {"n": 1})), max_size=3)
        )
        left -= len(compact(small)) + 10
        if left < 0:
            break
        where = draw(st.integers(0, len(small)))
        siblings = [*small[:where], document, *small[where:]]
        as_array = draw(st.booleans())
        document = siblings if as_array else {f"k{n}": child for n, child in enumerate(siblings)}
    return document, limit


@pytest.mark.rule("guard.17")
class TestRoomIsUsed:
    """Room: one plain string longer than the limit fills it, if its siblings are small."""

    @given(hidden_strings())
    def test_all_but_one_character_is_used(self, drawn: tuple[object, int]) -> None:
        """At every depth at least limit - 1 code points are used, marker included."""
        assert len(fit(*drawn).text) >= drawn[1] - 1

    @given(plain_texts(min_size=20), st.integers(14, 1_000), st.booleans())
    def test_a_document_that_is_a_string_fills_the_limit(
        self,
        text: str,
        limit: int,
        marker: bool,  # noqa: FBT001 drawn
    ) -> None:
        """A plain string that is the whole document is cut to exactly the limit."""
        assume(len(text) + 2 > limit)
        assert len(fit(text, limit, marker=marker).text) == limit


@pytest.mark.rule("guard.18")
class TestSiblingsShareFairly:
    """Fairness: fields of plain text share like brothers."""

    @given(st.lists(plain_texts(min_size=1), min_size=1, max_size=12), st.data())
    def test_nobody_starves_for_another(self, drawn: list[str], data: st.DataObject) -> None:
        """All fields stay; the ones that were cut differ by at most a character for each field,
        no whole one is longer than them by more than that, and the limit is used exactly.
        """
        document = {chr(97 + number): text for number, text in enumerate(drawn)}
        floors = 12 + len(drawn) * (32 + len(',"a":')) + 2
        assume(len(compact(document)) > floors)
        limit = data.draw(st.integers(floors, len(compact(document)) - 1))
        fitted = fit(document, limit)
        kept = json.loads(fitted.text.removesuffix(MARKER_LINE))
        assert list(kept) == list(document)
        assert len(fitted.text) == limit
        cut = [len(kept[key]) for key in kept if kept[key] != document[key]]
        whole = [len(kept[key]) for key in kept if kept[key] == document[key]]
        assert max(cut) - min(cut) <= len(drawn)
        assert max(whole, default=0) <= min(cut) + len(drawn)


@pytest.mark.rule("guard.22")
class TestWithoutTheMarkerTheTextIsJson:
    """`marker=False`: nothing but JSON, and the room of the marker is used."""

    @given(cases(shortest=1, marker=False))
    def test_whole_text_is_json(self, case: Case) -> None:
        """The text parses as it is, at every limit."""
        _ = json.loads(case.fitted().text, parse_constant=refuse)

    @given(ANY_DOCUMENT)
    def test_at_one_it_is_a_digit(self, document: object) -> None:
        """One character is enough for a digit only."""
        assume(len(compact(document)) > 1)
        assert fit(document, 1, marker=False) == Fitted("0", truncated=True)

    @given(hidden_strings())
    def test_all_but_one_character_is_used(self, drawn: tuple[object, int]) -> None:
        """The room of the marker goes to the document."""
        assert len(fit(*drawn, marker=False).text) >= drawn[1] - 1


def depth_of_calls() -> int:
    """How many frames of Python are active."""
    frame, depth = currentframe(), 0
    while frame:
        frame, depth = frame.f_back, depth + 1
    return depth


@pytest.mark.rule("guard.23")
class TestNoDepthMakesItRecurse:
    """Any depth of the document, a small depth of calls."""

    @given(deep_documents(min_depth=30), st.integers(1, 3_000))
    def test_few_frames_are_enough(self, document: object, limit: int) -> None:
        """With 30 frames to spare, documents ten times as deep are fitted."""
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(depth_of_calls() + 30)
        try:
            fitted = fit(document, limit)
        finally:
            sys.setrecursionlimit(usual)
        assert len(fitted.text) <= limit


@pytest.mark.rule("guard.25")
class TestPlainTextIsFittedToo:
    """Error texts: the same limit, marker and legal cuts."""

    @given(texts(), st.integers(1, 3_000), st.booleans())
    def test_text_is_short_and_encodes(
        self,
        text: str,
        limit: int,
        marker: bool,  # noqa: FBT001 drawn
    ) -> None:
        """No text is longer than the limit, and all can be sent as UTF-8."""
        fitted = fit_text(text, limit, marker=marker)
        assert len(fitted.text) <= limit
        assert fitted.text.encode() or not text or fitted.truncated

    @given(texts(), st.integers(1, 3_000))
    def test_truncated_means_that_the_text_is_too_long(self, text: str, limit: int) -> None:
        """A text that fits is left alone; of any other the flag tells."""
        whole = escaped(text)
        fits = len(whole) <= limit
        fitted = fit_text(text, limit)
        assert fitted.truncated is not fits
        assert fitted.text == whole or not fits

    @given(texts(), st.integers(1, 3_000), st.booleans())
    def test_what_is_kept_is_the_longest_legal_beginning(
        self,
        text: str,
        limit: int,
        marker: bool,  # noqa: FBT001 drawn
    ) -> None:
        """The next legal cut would exceed the room that the marker leaves."""
        assume(len(escaped(text)) > limit and (limit >= 14 or limit < 11 or not marker))
        room = limit - 12 if marker and limit >= 14 else limit
        kept = fit_text(text, limit, marker=marker).text
        kept = kept.removesuffix(MARKER_LINE if kept != MARKER else MARKER)
        count = len(kept) // 6  # the longest escape
        while escaped(text[:count]) != kept:
            count += 1
        assert legal_cut(text, count) == count
        assert len(escaped(text[: next_legal_cut(text, count)])) > room

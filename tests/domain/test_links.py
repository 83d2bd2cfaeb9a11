"""Link tokens, and where text may be cut."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.documents import short_texts
from native_web_search.domain.links import LOOK_BACK, leading_link, legal_cut, links

FAMILY = "👩\u200d👩\u200d👧"


@pytest.mark.rule("guard.13")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://e.example/a, then", ["https://e.example/a,"]),
        ("HTTP://E.EXAMPLE and ftp+ssh.x-1://h", ["HTTP://E.EXAMPLE", "ftp+ssh.x-1://h"]),
        ("mailto:a@e.example Www.e.example", ["mailto:a@e.example", "Www.e.example"]),
        ("https://e.example/a_(b)[c]", ["https://e.example/a_(b)[c]"]),
        ("http://[2001:db8::1]:8080/p?q#f", ["http://[2001:db8::1]:8080/p?q#f"]),
        ('<a href="https://e.example/">x</a>', ["https://e.example/"]),
        ("`https://e.example/`", ["https://e.example/"]),
        ("“https://e.example/”", ["https://e.example/"]),
        ("看https://e.example/中文。下一句", ["https://e.example/中文"]),
        ("（https://e.example/）「www.e.example」", ["https://e.example/", "www.e.example"]),
        ("https://a/b\nnext", ["https://a/b"]),
        ("https://a/b\x00next https://c\xa0d", ["https://a/b", "https://c"]),
        ("one https://a/?u=https://b/ token", ["https://a/?u=https://b/"]),
        ("a://b :// x:y e.example /path", []),
        ("https:/ /e.example", []),
        ("abcdefghijklmnop://h", ["bcdefghijklmnop://h"]),
    ],
)
def test_a_link_reaches_from_the_first_marker_of_a_run_to_its_end(
    text: str, found: list[str]
) -> None:
    """Blanks, controls, quotation marks and full-width punctuation end a run; brackets do not."""
    assert list(links(text)) == found


@pytest.mark.rule("guard.13")
@pytest.mark.parametrize(
    ("text", "end", "length"),
    [
        ("https://a/b c", 13, 11),
        ("https://a/b c", 10, 10),
        ("https://a/b c", 7, 0),
        ("www.e", 5, 5),
        (" https://a", 10, 0),
        ("", 0, 0),
    ],
)
def test_a_leading_link_begins_the_text(text: str, end: int, length: int) -> None:
    """Only a link at the very beginning counts, and of it what stands before the end."""
    assert leading_link(text, end) == length


@pytest.mark.rule("guard.14")
@pytest.mark.parametrize(
    ("text", "cut", "legal"),
    [
        ("plain text", 7, 7),
        ("a https://e.example/b c", 10, 2),
        ("a https://e.example/b c", 3, 2),
        ("a https://e.example/b c", 21, 21),
        ("a https://e.example/b c", 22, 22),
        ("a https://e.example/b", 21, 21),
        ("https://e.example/b", 18, 0),
        ("xhttps://e.example/b", 1, 0),
        ("看https://e.example/b", 1, 1),
        ("https://a b\u3000www.e", 14, 12),
        ("ab\ud83d\ude00", 3, 2),
        ("\ud83d\ud83d\ude00", 1, 1),
        ("ae\u0301b", 2, 1),
        ("ae\u0301\u0302b", 3, 1),
        ("ae\u0301b", 3, 3),
        ("a" + FAMILY, 3, 1),
        ("a" + FAMILY, 2, 1),
        ("a👍🏽", 2, 1),
        ("\u0301\u0301", 1, 0),
        ("www.e \u0301x", 6, 5),
        ("www.e\u302ax", 5, 0),
        ("text", 0, 0),
        ("text", 9, 9),
        ("abcdefghijklmno://x", 1, 0),
        ("abcdefghijklmnop://x", 1, 1),
        ("a://bcd", 5, 5),
        ("a\ud800\udc00b", 2, 1),
        ("a\udbff\udfffb", 2, 1),  # noqa: PT014 - other surrogates
        ("a\ud7ff\udc00b", 2, 2),
        ("a\ud800\ue000b", 2, 2),
        ("a\udc00b", 1, 1),
    ],
)
def test_a_cut_moves_to_the_last_legal_place(text: str, cut: int, legal: int) -> None:
    """Never inside a link, between two halves of a pair, or in front of marks and joiners."""
    assert legal_cut(text, cut) == legal


@pytest.mark.rule("guard.14")
def test_marks_are_parted_where_there_is_no_end_to_them() -> None:
    """A base is looked for 32 places back; behind that every place is legal."""
    text = "e" + "\u0301" * 100
    assert [legal_cut(text, cut) for cut in (1, LOOK_BACK, LOOK_BACK + 1, 99)] == [0, 0, 33, 99]


@pytest.mark.rule("guard.14")
def test_a_pair_is_not_parted_behind_endless_joiners() -> None:
    """The exception for marks is none for surrogate pairs."""
    text = "\u200d" * 50 + "\ud83d\ude00"
    assert legal_cut(text, 51) == 50


@pytest.mark.rule("guard.12")
@pytest.mark.parametrize("filler", ["x", "看", "a b ", "x:", "data:image/png;base64,iVBOR"])
def test_a_long_link_is_recognised_from_its_far_end(filler: str) -> None:
    """The beginning of a run is found however far away it is."""
    text = filler * 3 + " https://e.example/" + "b" * 5_000
    assert legal_cut(text, len(text) - 1) == len(filler) * 3 + 1


@pytest.mark.rule("guard.14")
class TestTheLastLegalPlace:
    """`legal_cut` against the definition, read out naively."""

    @given(short_texts(), st.integers(0, 200))
    def test_is_what_the_definition_says(self, text: str, cut: int) -> None:
        """It is the last place, at the cut or before, that no rule forbids."""
        cut = min(cut, len(text))
        assert legal_cut(text, cut) == max(
            place for place in range(cut + 1) if is_legal(text, place)
        )


def is_legal(text: str, cut: int) -> bool:
    """The three rules, one after the other."""
    if cut in (0, len(text)):
        return True
    return not (parts_link(text, cut) or parts_pair(text, cut) or parts_marks(text, cut))


def parts_link(text: str, cut: int) -> bool:
    """Whether some link begins before the cut and ends behind it."""
    end = 0
    for link in links(text):
        start = text.index(link, end)
        end = start + len(link)
        if start < cut < end:
            return True
    return False


def parts_pair(text: str, cut: int) -> bool:
    """Whether the cut stands between two halves of a surrogate pair."""
    return text[cut - 1] in map(chr, range(0xD800, 0xDC00)) and (
        text[cut] in map(chr, range(0xDC00, 0xE000))
    )


def parts_marks(text: str, cut: int) -> bool:
    """Whether the cut separates marks from a character that begins not too far back."""
    places = range(cut, max(cut - LOOK_BACK, 0) - 1, -1)
    return is_joined(text, cut) and not all(is_joined(text, place) for place in places)


def is_joined(text: str, cut: int) -> bool:
    """Whether a mark, a joiner, a skin tone or half a pair ties both sides together."""
    if cut in (0, len(text)):
        return False
    behind = text[cut]
    tied = behind in "\u200d🏻🏼🏽🏾🏿" or unicodedata.category(behind).startswith("M")
    return tied or text[cut - 1] == "\u200d" or parts_pair(text, cut)

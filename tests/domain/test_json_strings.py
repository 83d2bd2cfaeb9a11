"""Strings inside JSON text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.documents import short_texts
from native_web_search.domain.json_strings import body, encodable, fitting, quoted


@pytest.mark.rule("guard.2")
@pytest.mark.parametrize(
    ("text", "json_text"),
    [
        ("plain", '"plain"'),
        ("日本語 é 😀", '"日本語 é 😀"'),
        ('"\\\n\x00', '"\\"\\\\\\n\\u0000"'),
        ("\ud83d", '"\\ud83d"'),
        ("ä\ud83d\ude00", '"ä\\ud83d\\ude00"'),
        ("\u2028/", '"\u2028/"'),
    ],
)
def test_only_what_must_be_escaped_is(text: str, json_text: str) -> None:
    """Other alphabets stay themselves; a lone surrogate, which nobody could send, does not."""
    assert quoted(text) == json_text
    assert body(text) == json_text[1:-1]


@pytest.mark.rule("guard.2")
def test_encodable_text_is_left_alone() -> None:
    """Text without lone surrogates is returned as it is."""
    assert [encodable(text) for text in ("a\n", "é", "😀", "\udfff!")] == [
        "a\n",
        "é",
        "😀",
        "\\udfff!",
    ]


@pytest.mark.rule("guard.16")
@pytest.mark.parametrize(
    ("text", "room", "count"),
    [
        ("plain", 3, 3),
        ("plain", 9, 5),
        ("plain", 0, 0),
        ("plain", -1, 0),
        ("a\nb", 2, 1),
        ("a\nb", 3, 2),
        ("a\x00b", 5, 1),
        ("\x00", 5, 0),
        ("\x00\x00\x00", 17, 2),
        ("a" * 10 + "\x00" * 10, 30, 13),
        ("\ud83d\ude00", 11, 1),
    ],
)
def test_as_many_characters_fit_as_have_room_when_escaped(text: str, room: int, count: int) -> None:
    """Escapes are never parted."""
    assert fitting(text, room, body) == (count, body(text[:count]))


@pytest.mark.rule("guard.24")
@pytest.mark.parametrize("text", ["\x00", "\n", "x\n", "x" * 80 + "\n", "\ud83d"])
def test_little_is_escaped_to_find_out(text: str) -> None:
    """However many characters need an escape, a few rounds are enough."""
    read = 0

    def counted(part: str) -> str:
        nonlocal read
        read += 1 + len(part)
        return body(part)

    assert fitting(text * 100_000, 60_000, counted)[0] >= 10_000
    assert read < 400_000


@pytest.mark.rule("guard.16")
class TestFitting:
    """`fitting` against its definition."""

    @given(short_texts().map(lambda text: text * 5), st.integers(0, 400))
    def test_is_the_largest_count_that_fits(self, text: str, room: int) -> None:
        """One character more would be too long."""
        count, kept = fitting(text, room, body)
        assert kept == body(text[:count])
        assert len(kept) <= room
        assert count == len(text) or len(body(text[: count + 1])) > room

    @given(short_texts())
    def test_strings_read_back(self, text: str) -> None:
        """What is written is what is read, apart from halves of a pair that meet."""
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        assert json.loads(quoted(text)) == whole

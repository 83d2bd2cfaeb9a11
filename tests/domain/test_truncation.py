"""The order in which a document is shortened."""

import json

import pytest

from native_web_search.domain.truncation import empty, shortened

LINK = "https://e.example/" + "a" * 80


@pytest.mark.rule("guard.6")
@pytest.mark.parametrize(
    ("document", "nothing"),
    [({"a": 1}, "{}"), ([1], "[]"), ((1,), "[]"), ("text", '""'), (12, '""'), (None, '""')],
)
def test_nothing_has_the_kind_of_the_document(document: object, nothing: str) -> None:
    """Braces, brackets or quotes."""
    assert empty(document) == nothing


@pytest.mark.rule("guard.10")
@pytest.mark.parametrize(
    ("document", "room", "text"),
    [
        ({"id": "x" * 100, "t": "y" * 100}, 80, "{}"),
        ({"id": "x" * 20, "t": "y" * 100}, 40, '{"id":"xxxxxxxxxxxxxxxxxxxx","t":"yyyy"}'),
        (["x" * 100], 3, "[]"),
        ("x" * 100, 10, '"xxxxxxxx"'),
        ("short", 5, '"sho"'),
        (LINK, 50, '""'),
        (10**50, 20, '""'),
    ],
)
def test_the_document_itself_cannot_be_left_out(document: object, room: int, text: str) -> None:
    """Where nothing else can be kept, an empty value is."""
    assert shortened(document, room) == text


@pytest.mark.rule("guard.20")
def test_spare_room_goes_to_the_next_claim_and_in_the_end_to_cut_strings() -> None:
    """A link that does not fit leaves its room to its neighbours, before it and behind it."""
    document = {"a": "x" * 500, "b": LINK + LINK, "c": "y" * 500}
    kept = json.loads(shortened(document, 200))
    assert list(kept) == ["a", "c"]
    assert len(json.dumps(kept, separators=(",", ":"))) == 200


@pytest.mark.rule("guard.16")
def test_cut_strings_are_lengthened_by_legal_cuts_only() -> None:
    """Room that reaches into a link or parts an escape is of no use."""
    document = {"a": "x" * 40 + " " + LINK, "b": "y" * 10 + "\x00" * 40}
    assert json.loads(shortened(document, 100)) == {"a": "x" * 40 + " ", "b": "y" * 10 + "\x00" * 5}


@pytest.mark.rule("guard.1")
@pytest.mark.parametrize("room", range(2, 60))
def test_containers_of_which_nothing_is_left_cost_their_brackets_only(room: int) -> None:
    """The comma that is saved in front of a first child is not spent where there is none."""
    document = [[[[LINK + " x"] * 2, LINK + " y"], {"a": LINK + " z"}], "x" * 100]
    assert len(shortened(document, room)) <= room


@pytest.mark.rule("guard.20")
def test_the_only_claim_may_turn_out_to_be_whole() -> None:
    """Where everything else has no room, a string is not cut without need."""
    assert shortened({"a": "x" * 50, "k" * 500: 1}, 80) == '{"a":"' + "x" * 50 + '"}'


@pytest.mark.rule("guard.20")
def test_a_string_of_which_nothing_is_left_leaves_its_room_to_others() -> None:
    """Where not even the first character fits, its field goes, key and all."""
    text = shortened({"t": "x" * 100, "z": "\x00" * 50}, 48)
    assert text == '{"t":"' + "x" * 40 + '"}'


@pytest.mark.rule("guard.11")
@pytest.mark.parametrize(
    ("document", "room", "text"),
    [
        ({"urls": ["x " * 30 + LINK]}, 40, '{"urls":[]}'),
        ({"sources": ["x " * 10 + LINK, "y", "z"]}, 19, '{"sources":["y"]}'),
        ({"text": ["x" * 60]}, 40, '{"text":["' + "x" * 27 + '"]}'),
        ({"urls": "x" * 60}, 40, '{"urls":"' + "x" * 29 + '"}'),
        ([LINK, 1], 11, "[1]"),
        ([[], ["\\" + LINK, "www.e.example/_"]], 11, "[[],[]]"),
    ],
)
def test_what_is_cut_and_what_is_whole_depends_on_the_key(
    document: object, room: int, text: str
) -> None:
    """Entries of a link list are whole or absent; entries of another list, and a string, are cut;
    what is passed over leaves its place to what comes behind.
    """
    assert shortened(document, room) == text


@pytest.mark.rule("guard.20")
def test_a_long_array_of_numbers_is_used_up_to_the_limit() -> None:
    """Numbers are taken by the hundreds, and the next hundreds follow."""
    assert shortened([7] * 5_000, 3_000) == "[" + ",".join("7" * 1_499) + "]"


@pytest.mark.rule("guard.18")
def test_only_what_is_passed_over_tries_the_patience() -> None:
    """However many fields are cut, each gets its share."""
    document = {f"k{number}": "x" * 60 for number in range(1_100)}
    assert list(json.loads(shortened(document, 60_000))) == list(document)


@pytest.mark.rule("guard.10")
def test_all_of_an_identity_is_kept() -> None:
    """One scalar of it leaves room for the next."""
    result = {"id": 1, "url": LINK, "title": "T" * 20, "content": "x" * 500}
    kept = json.loads(shortened([result], 200))
    assert [list(each) for each in kept] == [["id", "url", "title", "content"]]


@pytest.mark.rule("guard.1", "guard.16")
@pytest.mark.parametrize(
    ("fields", "room", "lengths"),
    [
        (("x" * 60, "y" * 60, "\x00" * 20), 116, [32, 32, 5]),
        (("\x00" * 6, "y" * 60, "\x00" * 60), 122, [5, 40, 5]),
    ],
)
def test_what_one_cut_string_has_used_is_gone_for_the_next(
    fields: tuple[str, ...], room: int, lengths: list[int]
) -> None:
    """The room that is left in the end is spent once."""
    text = shortened(dict(zip("abc", fields, strict=True)), room)
    assert [len(kept) for kept in json.loads(text).values()] == lengths
    assert len(text) <= room


@pytest.mark.rule("guard.14", "guard.20")
def test_the_room_of_a_letter_with_too_many_marks_goes_to_the_next_field() -> None:
    """Where a string can only be cut to nothing, its neighbour takes all of its room."""
    document = {"t": "e" + "\u0301" * 30 + "x" * 100, "b": "y" * 100}
    assert shortened(document, 76) == '{"b":"' + "y" * 68 + '"}'

"""What a value needs to be kept."""

import pytest

from native_web_search.domain.claims import Claim, claim, is_divisible

LINK = "https://e.example/" + "a" * 50
FLOOR = 32


def room_of(value: object, room: int, *, floor: int = FLOOR, links: bool = False) -> int | None:
    """The room of the claim on a value, or None if there is none."""
    assert is_divisible(value, links=links)
    found = claim(",", value, room, floor=floor, links=links)
    return found.room if found else None


@pytest.mark.rule("guard.11")
@pytest.mark.parametrize(
    ("value", "links", "divisible"),
    [
        ("text", False, True),
        ("text", True, False),
        ({}, True, True),
        ([], True, True),
        ((), False, True),
        (1, False, False),
        (None, False, False),
        (True, True, False),
    ],
)
def test_containers_and_strings_outside_of_link_lists_have_parts(
    value: object,
    links: bool,  # noqa: FBT001 parametrized
    divisible: bool,  # noqa: FBT001 parametrized
) -> None:
    """Everything else is whole or absent."""
    assert is_divisible(value, links=links) is divisible


@pytest.mark.rule("guard.20")
@pytest.mark.parametrize(
    ("value", "least"),
    [
        ("x" * 31, 3),
        ("x" * 30, 32),
        ("\n" * 20, 3),
        ("\n" * 15, 32),
        (LINK, 70),
        (LINK + " and more", 70),
        ("see " + LINK, 3),
        ([1, 2], 2),
        ([], 2),
        ({"text": "x" * 99}, 2),
        ({"id": 12, "text": "x" * 99}, 9),
        ({"id": 12, "title": "T", "text": "x" * 99}, 21),
        ({"id": [1], "title": {"x": 1}, "url": None}, 12),
    ],
)
def test_least(value: object, least: int) -> None:
    """A character of a string or the link that it begins with, all of a short one, the brackets
    of an array, the identity of an object.
    """
    assert room_of(value, least, floor=0) is not None
    assert room_of(value, least - 1, floor=0) is None


@pytest.mark.rule("guard.9")
def test_the_claim_on_an_object_brings_its_identity() -> None:
    """The texts of its identity scalars, by key, with commas."""
    value: dict[str, object] = {"url": "u", "text": "x" * 99, "id": float("nan"), "name": ["x"]}
    expected = Claim(
        ",", value, 99, links=False, identity={"url": ',"url":"u"', "id": ',"id":null'}
    )
    assert claim(",", value, 99, floor=99) == expected


@pytest.mark.rule("guard.20")
@pytest.mark.parametrize(
    ("value", "wish"),
    [
        ("x" * 99, FLOOR),
        (LINK, 70),
        ({"text": "x" * 99}, 34),
        ({"url": "u" * 20, "text": "x" * 99}, 62),
        ([{"url": "u" * 20}], 64),
        ([], 34),
        ([[[1]]], 34),
        ([123], 37),
        ([LINK], 104),
        ([{"url": "u" * 2_000}], 34),
        (["https://" + "u" * 2_000], 34),
        ([10**2_000], 34),
    ],
)
def test_a_claim_gets_its_wish_where_there_is_room(value: object, wish: int) -> None:
    """Some text beside an identity, the first entry of an array if that is possible at all."""
    assert room_of(value, 1_000) == wish


@pytest.mark.rule("guard.11")
def test_an_array_of_links_wishes_for_its_whole_first_link() -> None:
    """The strings of a link list have a length of their own."""
    assert room_of(["x" * 100], 1_000, links=True) == 136


@pytest.mark.rule("guard.20")
@pytest.mark.parametrize(
    ("room", "got"), [(62, 62), (61, 32), (40, 32), (31, 31), (30, 30), (29, None)]
)
def test_a_claim_does_with_less(room: int, got: int | None) -> None:
    """Without the wish it gets the floor, without that all that is left, without the least none."""
    assert room_of({"url": "u" * 20, "text": "x" * 99}, room) == got

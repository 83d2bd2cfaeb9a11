"""Which children of a container are kept."""

from collections.abc import Mapping

import pytest

from native_web_search.domain.claims import Claim
from native_web_search.domain.measure import Measure
from native_web_search.domain.shelves import (
    CROWD,
    ENTRY,
    FIELD,
    PATIENCE,
    Part,
    kept_entries,
    kept_fields,
)

LONG = "x" * 1_000
LINK = "https://e.example/" + "a" * 80


def shown(part: Part) -> tuple[str, int] | str:
    """A part as it is, or lead and room of a claim."""
    return (part.lead, part.room) if isinstance(part, Claim) else part


def fields(mapping: Mapping[str, object], room: int) -> list[tuple[str, int] | str]:
    """The parts of an object without identity."""
    return [shown(part) for part in kept_fields(mapping, {}, room, Measure())[0]]


def entries(array: list[object], room: int, *, links: bool = False) -> list[tuple[str, int] | str]:
    """The parts of an array."""
    return [shown(part) for part in kept_entries(array, room, Measure(), links=links)[0]]


@pytest.mark.rule("guard.20")
def test_short_fields_are_whole_and_long_ones_share_the_rest() -> None:
    """Up to `FIELD` characters a field is taken as it is."""
    mapping = {"a": LONG, "b": "y" * (FIELD - 2), "c": LONG, "d": [1]}
    left = 202 - 2 - 4 * 5 - FIELD - 3
    expected = [
        (',"a":', left // 2 + left % 2),
        ',"b":"' + "y" * 30 + '"',
        (',"c":', left // 2),
        ',"d":[1]',
    ]
    assert fields(mapping, 202) == expected


@pytest.mark.rule("guard.21")
def test_fields_without_room_are_passed_over() -> None:
    """The ones behind are not lost with them."""
    mapping = {"a": [7] * 9, "k" * 99: 1, "n": 10**40, "b": 2}
    assert fields(mapping, 60) == [',"a":[7,7,7,7,7,7,7,7,7]', ',"b":2']


@pytest.mark.rule("guard.20")
def test_an_only_claim_gets_what_is_left() -> None:
    """Less than its floor is better than nothing."""
    mapping = {"a": "x" * 28, "b": LONG, "c": LONG}
    assert fields(mapping, 60) == [',"a":"' + "x" * 28 + '"', (',"b":', 60 - 2 - 35 - 5)]


@pytest.mark.rule("guard.20")
def test_there_are_no_stumps_beside_other_claims() -> None:
    """What is too little for one more is better shared by the others."""
    assert entries([LONG] * 3, 2 * 257 + 200) == [(",", 355), (",", 355)]
    assert entries([LONG] * 3, 2 * 257 + 259) == [(",", 256), (",", 256), (",", 256)]
    assert fields({"a": LONG, "b": LONG}, 70) == [(',"a":', 63)]


@pytest.mark.rule("guard.20")
def test_no_array_is_shared_by_more_than_a_crowd() -> None:
    """Where there is more room, long entries get more each, and longer ones count as short."""
    array = ["x" * 350, *[LONG] * 1_000]
    parts, _ = kept_entries(array, 400 * CROWD, Measure(), links=False)
    assert parts[0] == ',"' + "x" * 350 + '"'
    rooms = [part.room for part in parts if isinstance(part, Claim)]
    assert CROWD - 5 < len(rooms) < CROWD
    assert min(rooms) >= 400


@pytest.mark.rule("guard.9")
def test_identity_has_its_room_first_and_its_place_in_the_order() -> None:
    """It costs others their room, wherever it stands."""
    identity = {"url": ',"url":"u"'}
    mapping = {"text": "x" * 15, "n": 1, "url": "u"}
    parts, _ = kept_fields(mapping, identity, 2 + 10 + 6, Measure())
    assert parts == [',"n":1', ',"url":"u"']


@pytest.mark.rule("guard.9")
def test_identity_is_kept_behind_any_number_of_fields() -> None:
    """It is found although nobody has the patience for so many misfits."""
    mapping: dict[str, object] = {f"{n}": LINK for n in range(3 * PATIENCE)}
    parts, _ = kept_fields({**mapping, "id": 1}, {"id": ',"id":1'}, 60, Measure())
    assert parts == [',"id":1']


@pytest.mark.rule("guard.24")
def test_after_many_misfits_fields_are_not_looked_at() -> None:
    """One that would fit behind a thousand misfits is lost."""
    mapping: dict[str, object] = {f"{n}": LINK for n in range(PATIENCE)}
    assert fields(mapping | {"a": 1}, 60) == []
    del mapping["0"]
    assert fields(mapping | {"a": 1}, 60) == [',"a":1']


@pytest.mark.rule("guard.21")
def test_the_last_entries_go_first() -> None:
    """An entry without room ends the array, even if a smaller one comes behind."""
    assert entries(["a" * 20, "b" * 20, {"id": "i" * 32}, "c"], 60) == [
        ',"' + "a" * 20 + '"',
        ',"' + "b" * 20 + '"',
    ]


@pytest.mark.rule("guard.21")
def test_an_entry_for_which_the_whole_array_is_too_small_is_skipped() -> None:
    """The ones behind are kept."""
    array: list[object] = [LINK, 1, {"url": LINK}, 2, 10**90, 3]
    assert entries(array, 60) == [",1", ",2", ",3"]


@pytest.mark.rule("guard.24")
def test_after_many_skipped_entries_the_array_ends() -> None:
    """There is an end to everything."""
    array: list[object] = [LINK] * (PATIENCE - 1)
    assert entries([*array, 1], 60) == [",1"]
    assert entries([*array, LINK, 1], 60) == []


@pytest.mark.rule("guard.20")
def test_entries_have_room_to_be_useful() -> None:
    """Up to `ENTRY` characters an entry is whole, longer ones get that much at least."""
    short = {"content": "x" * (ENTRY - 14)}
    parts = entries([short, {"content": LONG}, {"content": LONG}], 1_000)
    assert parts == [',{"content":"' + "x" * (ENTRY - 14) + '"}', (",", 370), (",", 369)]


@pytest.mark.rule("guard.24")
def test_numbers_are_taken_in_runs() -> None:
    """As many as fit, one after the other where a run does not."""
    assert entries([7] * 20, 1_000) == [",7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7"]
    assert entries([7] * 20, 22) == [",7"] * 10


@pytest.mark.rule("guard.11")
def test_strings_of_a_link_list_are_whole_or_absent() -> None:
    """Plain text in such a list is not cut either; objects are, and lists in it are like it."""
    assert entries(["x" * 300, "y" * 300], 400, links=True) == [',"' + "x" * 300 + '"']
    assert entries([{"text": LONG}], 400, links=True) == [(",", 397)]
    parts, _ = kept_entries([[LONG]], 400, Measure(), links=True)
    assert isinstance(parts[0], Claim)
    assert parts[0].links
    assert fields({"urls": ["x" * 300]}, 100) == [(',"urls":', 90)]


@pytest.mark.rule("guard.20")
def test_unused_room_is_handed_back() -> None:
    """What nobody can use is the second half of the answer."""
    assert kept_entries([1], 100, Measure(), links=False) == ([",1"], 96)
    assert kept_fields({}, {}, 100, Measure()) == ([], 98)

"""Which children of a container are kept, and how much room each of them gets.

Children are taken in order, as long as there is room. What is short is taken whole: up to `FIELD`
characters in an object, up to `ENTRY` in an array, or more where room is ample. Everything else
becomes a claim, and gets that much for the time being, or its wish if that is more, or its least.
What is left in the end is shared among the claims. An only claim may have all that is left to it,
however little; a further one for which there is less than for the others has no room.

The identity of an object has its room before everything else, wherever it stands. A field without
room is passed over; so is an entry for which the whole array would be too small, while any other
entry without room ends the array. In this way the last fields and entries are the first to go,
and a monster at the beginning does not take the others along.
"""

from typing import TypeAlias

from attrs import define, field

from native_web_search.domain.claims import BRACKETS, Claim, Identity, claim, is_divisible
from native_web_search.domain.identity import names_link_list
from native_web_search.domain.json_scalars import key_text, run_text, runs
from native_web_search.domain.json_strings import quoted
from native_web_search.domain.json_text import JsonArray, JsonObject, is_array
from native_web_search.domain.measure import Measure
from native_web_search.domain.shares import grant

FIELD = 32  # a few words: no field starves the ones behind it
ENTRY = 256  # link, title and a line: rather fewer of these than many stumps
CROWD = 250  # long entries that share an array; with more room they get more each
PATIENCE = 1_000  # children that were passed over; after that the rest is not even looked at
SHORTEST_FIELD = len(',"":0')

# A child of a container with the comma before it: its text, or a claim to be settled later.
Part: TypeAlias = str | Claim


def kept_fields(
    mapping: JsonObject, identity: Identity, room: int, measure: Measure
) -> tuple[list[Part], int]:
    """The fields of an object that are kept, in order, and the room that none of them can use."""
    shelf = _Shelf(room - sum(map(len, identity.values())), FIELD, measure)
    for key, value in mapping.items():
        if key in identity:
            shelf.parts.append(identity[key])
        elif shelf.patience and not _take_field(shelf, key_text(key), value):
            shelf.patience -= 1
    return shelf.shared()


def _take_field(shelf: "_Shelf", key: str, value: object) -> bool:
    if len(key) + SHORTEST_FIELD > shelf.left:
        return False
    links = is_array(value) and names_link_list(key)
    return shelf.take(f",{quoted(key)}:", value, links=links)


def kept_entries(
    array: JsonArray, room: int, measure: Measure, *, links: bool
) -> tuple[list[Part], int]:
    """The entries of an array that are kept; `links` says that it is a link list."""
    shelf = _Shelf(room, max(ENTRY, room // CROWD), measure)
    for run in runs(array, room):
        text = run_text(run, ",")
        if text is not None and shelf.put("," + text):
            continue
        if not all(_take_entry(shelf, entry, links=links) for entry in run):
            break
    return shelf.shared()


def _take_entry(shelf: "_Shelf", entry: object, *, links: bool) -> bool:
    """Take the entry or pass it over; False if the array ends here."""
    if shelf.take(",", entry, links=links):
        return True
    shelf.patience -= 1
    alone = _Shelf(shelf.room, shelf.floor, shelf.measure)
    return shelf.patience > 0 and not alone.take(",", entry, links=links)


@define
class _Shelf:
    """The children that are kept so far in the room of one container, and what is left of it.

    `floor` is what a claim gets at first; what is no longer than that is short.
    """

    room: int
    floor: int
    measure: Measure
    parts: list[Part] = field(init=False, factory=list)
    claims: list[Claim] = field(init=False, factory=list)
    left: int = field(init=False)
    patience: int = field(init=False, default=PATIENCE)

    def __attrs_post_init__(self) -> None:
        self.left = self.room - BRACKETS

    def put(self, text: str) -> bool:
        """Keep this text, if there is room for it."""
        if len(text) > self.left:
            return False
        self.parts.append(text)
        self.left -= len(text)
        return True

    def take(self, lead: str, value: object, *, links: bool) -> bool:
        """Keep this child in one form or another, if there is room for any."""
        room = self.left - len(lead)
        if not is_divisible(value, links=links):
            text = self.measure.text(value, room)
            return text is not None and self.put(lead + text)
        text = self.measure.text(value, min(room, self.floor))
        if text is not None:
            return self.put(lead + text)
        part = claim(lead, value, room, floor=self.floor, links=links)
        if part is None or (part.room < self.floor and self.claims):
            return False
        self.parts.append(part)
        self.claims.append(part)
        self.left = room - part.room
        return True

    def shared(self) -> tuple[list[Part], int]:
        """All parts, after the claims among them have shared what is left."""
        return self.parts, grant(self.claims, self.left, self.measure)

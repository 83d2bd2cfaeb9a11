"""What a value needs to be kept, when not everything can be.

Some values are whole or absent: numbers and constants, strings whose JSON text is short, and the
strings of a link list. Of a longer string at least one character is kept, or all of a link that
it begins with; of an array the brackets; of an object the braces and every identity field whose
value is a scalar, whole. That is the *least* of a value. To be worth having, an object needs room
for some text beside its identity, and an array for its first entry: that is its *wish*.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias, TypeGuard

from attrs import define

from native_web_search.domain.identity import identity_keys
from native_web_search.domain.json_strings import quoted
from native_web_search.domain.json_text import (
    JsonArray,
    JsonObject,
    is_array,
    is_container,
    is_object,
    written,
)
from native_web_search.domain.links import leading_link

SHORT_STRING = 32  # characters of JSON text: keeps dates, states, types and names of sites whole
SOME_TEXT = 32  # characters beside an identity: a few words and their key
BRACKETS = len("[]")
ONE_CHARACTER = len('"x"')

# The text of each identity field that has to be kept, by key, with the comma before it.
Identity: TypeAlias = Mapping[str, str]

Divisible: TypeAlias = str | JsonObject | JsonArray

_NOTHING: Identity = MappingProxyType({})


@define
class Claim:
    """A string or container that is kept, with the room it has got so far, maybe not for all of it.

    `lead` is written before it and takes no room of its own: a comma and the key of a field.
    `links` says that it is a link list. `text` is all of it, once that turned out to be short.
    """

    lead: str
    value: Divisible
    room: int
    links: bool
    identity: Identity
    text: str | None = None


def is_divisible(value: object, *, links: bool) -> TypeGuard[Divisible]:
    """Whether a part of the value can be kept; the strings of a link list are whole or absent."""
    return not links if isinstance(value, str) else is_container(value)


def claim(
    lead: str, value: Divisible, room: int, *, floor: int, links: bool = False
) -> Claim | None:
    """The claim on a value, with as much of the room as it should have for the time being.

    That is `floor`, or the wish if that is more; without the wish, if there is no room for it; or
    all the room, if there is none for the floor. None if not even the least fits.
    """
    identity = _NOTHING
    if isinstance(value, str):
        least = wish = _least_of_string(value, room)
    elif isinstance(value, (dict, Mapping)):
        found = _identity(value, room)
        if found is None:
            return None
        identity = found
        least = _least_of_object(identity)
        wish = least + SOME_TEXT
    else:
        least = BRACKETS
        wish = BRACKETS + _least_of_first(value, room, links=links) + SOME_TEXT
    if least > room:
        return None
    granted = max(floor, wish)
    if granted > room:
        granted = min(max(floor, least), room)
    return Claim(lead, value, granted, links, identity)


def _identity(mapping: JsonObject, room: int) -> Identity | None:
    """The identity of an object, or None if it takes more than the room."""
    identity: dict[str, str] = {}
    for key in identity_keys(mapping):
        value = mapping[key]
        if is_container(value):
            continue
        text = written(value, room)
        if text is None:
            return None
        identity[key] = f",{quoted(key)}:{text}"
        room -= len(identity[key])
    return identity


def _least_of_object(identity: Identity) -> int:
    return BRACKETS + max(sum(map(len, identity.values())) - len(","), 0)


def _least_of_first(array: JsonArray, room: int, *, links: bool) -> int:
    """The least of the first entry; nothing, if there is none, or no room for it.

    Nothing is asked for an array in an array either: how deep it goes must not matter here.
    """
    if not array or is_array(array[0]):
        return 0
    first = array[0]
    if is_object(first):
        identity = _identity(first, room)
        return 0 if identity is None else _least_of_object(identity)
    if isinstance(first, str) and not links:
        least = _least_of_string(first, room)
        return least if least <= room else 0
    return len(written(first, room) or "")


def _least_of_string(text: str, room: int) -> int:
    if len(text) < SHORT_STRING and (least := len(quoted(text))) <= SHORT_STRING:
        return least
    link = leading_link(text, room)
    return len(quoted(text[:link])) if link else ONE_CHARACTER

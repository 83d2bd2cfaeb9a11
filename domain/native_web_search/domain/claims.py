"""What a value needs to be kept, when not everything can be.

Some values are *atoms*, whole or absent: numbers and constants, strings whose JSON text is short,
and the strings of a link list. Of a longer string at least one character is kept, or all of a
link that it begins with; of an array the brackets; of an object the braces and every identity
field whose value is a scalar, whole. That is its *least*. To be worth having, an object needs
room for some text beside its identity, and an array for its first entry: its *wish*.
"""

from collections.abc import Mapping
from typing import TypeAlias, TypeGuard

from attrs import define, field, frozen

from native_web_search.domain.identity import identity_keys
from native_web_search.domain.json_strings import quoted
from native_web_search.domain.json_text import JsonArray, JsonObject, is_array, is_object, written
from native_web_search.domain.links import leading_link

SHORT_STRING = 32  # characters of JSON text: keeps dates, states, types and names of sites whole
SOME_TEXT = 32  # characters beside an identity: a few words and their key
BRACKETS = len("[]")
ONE_CHARACTER = len('"x"')

# The JSON text of each identity field that has to be kept, by key, with the comma before it.
Identity: TypeAlias = Mapping[str, str]

Divisible: TypeAlias = str | JsonObject | JsonArray


@frozen
class Demand:
    """The least and the wish of a value, in characters, and the identity of an object."""

    least: int
    wish: int
    identity: Identity = field(factory=dict)


@define
class Claim:
    """A string or container that is kept, with the room it has got so far, maybe not for all of it.

    `lead` is written before it and takes no room of its own: a comma and the key of a field.
    `links` says that it is a link list. `text` is all of it, once that turned out to be short.
    """

    lead: str
    value: Divisible
    links: bool
    identity: Identity
    room: int
    text: str | None = None


def is_divisible(value: object, *, links: bool) -> TypeGuard[Divisible]:
    """Whether a part of the value can be kept; the strings of a link list are whole or absent."""
    return not links if isinstance(value, str) else is_array(value) or is_object(value)


def demand(value: object, cap: int, *, links: bool) -> Demand | None:
    """What the value needs, or None if its least is more than `cap`."""
    if is_object(value):
        found = _demand_of_object(value, cap)
    elif is_array(value):
        first = _least_of_first(value, cap, links=links)
        found = Demand(BRACKETS, BRACKETS + first + SOME_TEXT)
    elif isinstance(value, str) and not links:
        least = _least_of_string(value, cap)
        found = Demand(least, least)
    else:
        least = len(written(value, cap) or " " * (cap + 1))
        found = Demand(least, least)
    return found if found and found.least <= cap else None


def _demand_of_object(mapping: JsonObject, cap: int) -> Demand | None:
    identity: dict[str, str] = {}
    least = BRACKETS - len(",")
    for key in identity_keys(mapping):
        value = mapping[key]
        if is_divisible(value, links=True):
            continue
        text = written(value, cap - least)
        if text is None:
            return None
        identity[key] = f",{quoted(key)}:{text}"
        least += len(identity[key])
    least = max(least, BRACKETS)
    return Demand(least, least + SOME_TEXT, identity)


def _least_of_first(array: JsonArray, cap: int, *, links: bool) -> int:
    """One level deep only: of an array of arrays nothing is asked."""
    first = None if not array or is_array(array[0]) else demand(array[0], cap, links=links)
    return first.least if first else 0


def _least_of_string(text: str, cap: int) -> int:
    if len(text) < SHORT_STRING and len(quoted(text)) <= SHORT_STRING:
        return len(quoted(text))
    link = leading_link(text[:cap])
    return len(quoted(text[:link])) if link else ONE_CHARACTER

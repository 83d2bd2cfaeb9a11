"""Reading JSON of which nothing is promised: whatever is not as expected counts as empty."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias, cast

Fields: TypeAlias = Mapping[str, object]

NO_FIELDS: Fields = MappingProxyType({})


def object_in(value: object) -> Fields:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def list_in(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def objects_in(value: object) -> Iterator[Fields]:
    """The objects of a list that hold something; its other elements are passed over."""
    return filter(None, map(object_in, list_in(value)))


def text_in(value: object) -> str:
    return value if isinstance(value, str) else ""

"""JSON values out of any bytes.

Changing a byte of JSON mostly makes it something else, and an input that is no JSON says little
about a function of documents. So what is no JSON is read as if it were meant to be: brackets open
and close, commas part, and all else is a number or a string.
"""

import json
import re
from typing import TypeAlias

Container: TypeAlias = "list[object] | dict[str, object]"

PART = re.compile(r"[\[\]{}]|[^\[\]{},]+")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def json_from(data: bytes) -> object:
    """The JSON value, as Python's lenient reader sees it; raises `ValueError` if it is none."""
    try:
        value: object = json.loads(data)
    except RecursionError as too_deep:
        message = "nested too deeply"
        raise ValueError(message) from too_deep
    return value


def document_from(data: bytes) -> object:
    """The JSON value, or what resembles it most."""
    try:
        return json_from(data)
    except ValueError:
        return _resembling(data.decode("utf-8", "replace"))


def depth_of(value: object) -> int:
    """How many containers stand inside each other."""
    depth, level = 0, [value]
    while level := [child for parent in level for child in _children(parent)]:
        depth += 1
    return depth


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _resembling(text: str) -> object:
    root: list[object] = []
    open_containers: list[Container] = [root]
    name = ""
    for part in PART.findall(text):
        if part in ("[", "{"):
            inner: Container = [] if part == "[" else {}
            _put(open_containers[-1], name, inner)
            open_containers.append(inner)
        elif part in ("]", "}"):
            open_containers[1:] = open_containers[1:-1]
        else:
            name, colon, value = part.partition(":")
            if value or not colon:
                _put(open_containers[-1], name, _scalar(value or name))
    return root[0] if len(root) == 1 else root


def _put(container: Container, name: str, value: object) -> None:
    if isinstance(container, dict):
        container[_text(name)] = value
    else:
        container.append(value)


def _scalar(part: str) -> object:
    try:
        value: object = json.loads(part)
    except (ValueError, RecursionError):
        return _text(part)
    return value


def _text(part: str) -> str:
    """Quotes are no part of it; an escape may give half a surrogate pair."""
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)), part.strip().strip('"'))

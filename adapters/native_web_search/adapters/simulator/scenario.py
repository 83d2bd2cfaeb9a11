"""Scripts of faults in a file.

A scenario is a JSON object: provider ids, each with a list of faults, one for each of its
requests, in order. One member names the fault; the others are its fields, all optional.

    {
      "openai": [
        {"replay": "failed.sse"},
        {"status": 500, "body": {"error": "down"}, "headers": {"retry-after": "7"}}
      ],
      "deepseek": [
        {"delay": 1.5},
        {"hang": true},
        {"stall": true, "after_bytes": 10},
        {"trickle": true, "bytes_per_piece": 3, "interval": 0.1},
        {"cut": 100, "orderly": true},
        {"reset": true},
        {"heartbeats": true, "interval": 0.5, "count": 3}
      ]
    }

The file of a `replay` is looked for beside the scenario; `content_type` and `status` may follow.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from native_web_search.adapters.simulator.catalogue import PROVIDERS
from native_web_search.adapters.simulator.exchange import elements, members, string
from native_web_search.adapters.simulator.faults import (
    Cut,
    Delay,
    Fault,
    Hang,
    Heartbeats,
    Replay,
    Reset,
    Stall,
    Status,
    Trickle,
)
from native_web_search.adapters.small_file import MAX_BYTES, Why, content_of
from native_web_search.domain.outcome import Failure, Success

# The member that names a fault, the fault, and the field that the member's own value fills; where
# there is none, the value is `true`.
NAMES: Mapping[str, tuple[Callable[..., Fault], str | None]] = MappingProxyType(
    {
        "status": (Status, "code"),
        "replay": (Replay, "body"),
        "delay": (Delay, "seconds"),
        "hang": (Hang, None),
        "stall": (Stall, None),
        "trickle": (Trickle, None),
        "cut": (Cut, "after_bytes"),
        "reset": (Reset, None),
        "heartbeats": (Heartbeats, None),
    }
)

# What a member holds, if not anything.
KINDS: Mapping[str, type] = MappingProxyType(
    {
        "after_bytes": int,
        "bytes_per_piece": int,
        "content_type": str,
        "count": int,
        "cut": int,
        "delay": float,
        "headers": dict,
        "interval": float,
        "orderly": bool,
        "replay": str,
        "status": int,
    }
)


MAX_REPLAYED = 67_108_864  # above what any client of ours reads, so that its limit can be tried


class ScenarioError(ValueError):
    """A scenario that cannot be read; the message says where and why."""


def load_scenario(path: Path) -> Mapping[str, Sequence[Fault]]:
    """Read a scenario for `Simulator(faults=...)`.

    Raises `OSError` if a file cannot be read and `ScenarioError` if it makes no sense.
    """
    content = _content(path)
    try:
        scenario: object = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        message = f"{path.name} is not JSON: {error}"
        raise ScenarioError(message) from error
    if not isinstance(scenario, dict):
        message = f"{path.name} is not a JSON object"
        raise ScenarioError(message)
    return {
        provider: _faults(provider, value, path.parent)
        for provider, value in members(cast("object", scenario)).items()
    }


def _faults(provider: str, value: object, folder: Path) -> tuple[Fault, ...]:
    if provider not in PROVIDERS:
        message = f"there is no provider {provider!r}; there are {', '.join(PROVIDERS)}"
        raise ScenarioError(message)
    if not isinstance(value, list):
        message = f"{provider} is not a list"
        raise ScenarioError(message)
    return tuple(
        _fault(f"{provider}[{index}]", members(entry), folder)
        for index, entry in enumerate(elements(cast("object", value)))
    )


def _fault(where: str, entry: Mapping[str, object], folder: Path) -> Fault:
    name = next((name for name in NAMES if name in entry and not _is_field(name, entry)), None)
    if name is None:
        message = f"{where} names no fault; there are {', '.join(NAMES)}"
        raise ScenarioError(message)
    wrong = next((each for each, value in entry.items() if not _fits(each, value)), None)
    if wrong is not None:
        message = f"{where} has an unusable {wrong}"
        raise ScenarioError(message)
    build, own = NAMES[name]
    fields = {field: value for field, value in entry.items() if field != name}
    if own is not None:
        fields[own] = _replayed(folder, entry[name]) if name == "replay" else entry[name]
    try:
        return build(**cast("dict[str, Any]", fields))
    except (TypeError, ValueError) as error:
        message = f"{where}: {error.args[0]}"
        raise ScenarioError(message) from error


def _is_field(name: str, entry: Mapping[str, object]) -> bool:
    """Whether this is the status of a replay, not a fault of its own."""
    return name == "status" and "replay" in entry


def _replayed(folder: Path, name: object) -> bytes:
    return _content(folder / string(name), MAX_REPLAYED)


def _content(path: Path, most: int = MAX_BYTES) -> bytes:
    match content_of(path, most):
        case Success(content):
            return content
        case Failure(unread):
            kind = FileNotFoundError if unread.why is Why.MISSING else OSError
            message = f"{path}: {unread.says}"
            raise kind(message)


def _fits(member: str, value: object) -> bool:
    """Whether a member can have this value. Unknown members are found when the fault is built."""
    if member in NAMES and NAMES[member][1] is None:
        return value is True
    kind = KINDS.get(member, object)
    if isinstance(value, bool):
        return kind in {bool, object}
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)

"""Which form of the tool a model is offered, if any.

Only what can work is shown: the tool needs a model that is usable and maps to a family, its `urls`
one whose interface fetches. Usable means available, or current with a proven credential. Both ways
in stand on the same function: hosts that ask get `tool_spec`, hosts that are told get `plan_sync`.
"""

from collections.abc import Mapping
from enum import Enum
from typing import assert_never

from attrs import field, frozen

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Operation, candidate_of
from native_web_search.domain.request import MAX_URLS

TOOL_NAME = "web_search"
DESCRIPTION = "Search the web or analyze specified URLs"

QUERY_DESCRIPTION = "What to search the web for."
URLS_DESCRIPTION = (
    f"Pages to analyze: complete http or https URLs, at most {MAX_URLS}. No query is needed; with"
    " one, the web is searched as well."
)


class Exposure(Enum):
    """What the model sees: nothing, a tool that searches, or one that also analyzes URLs."""

    HIDDEN = "hidden"
    QUERY = "query"
    QUERY_AND_URLS = "query and urls"


@frozen
class ToolSpec:
    """The tool as a host registers it. `schema` is plain JSON, made afresh for each spec."""

    name: str
    description: str
    schema: Mapping[str, object] = field(hash=False)
    exposure: Exposure


def exposure(
    current: ChatModel | None, available: tuple[ChatModel, ...], *, can_use: bool
) -> tuple[Exposure, str]:
    """What to show, and why, in one sentence for people.

    `can_use`: the current model, if it is not among the available ones, has proven its
    credential. The order of `available` does not matter.
    """
    usable = _usable(current, available, can_use=can_use)
    searcher, fetcher = _first(usable, Operation.SEARCH), _first(usable, Operation.FETCH)
    if searcher is None:
        return Exposure.HIDDEN, _why_hidden(current, available)
    if fetcher is None:
        return Exposure.QUERY, f"{searcher} can search, but no usable model can analyze URLs."
    if fetcher == searcher:
        return Exposure.QUERY_AND_URLS, f"{searcher} can search and analyze URLs."
    return Exposure.QUERY_AND_URLS, f"{searcher} can search, and {fetcher} can analyze URLs."


def tool_spec(exposure: Exposure, name: str = TOOL_NAME) -> ToolSpec | None:
    """The tool in the form that the exposure asks for; `None` if it is hidden."""
    match exposure:
        case Exposure.HIDDEN:
            return None
        case Exposure.QUERY:
            schema = {**_schema("query"), "required": ["query"]}
        case Exposure.QUERY_AND_URLS:
            schema = _schema("query", "urls")
        case _:
            assert_never(exposure)
    return ToolSpec(name, DESCRIPTION, schema, exposure)


def _usable(
    current: ChatModel | None, available: tuple[ChatModel, ...], *, can_use: bool
) -> tuple[ChatModel, ...]:
    """The current model first if it is usable, then the available ones in an order of their own."""
    known = sorted(available, key=lambda model: model.key)
    if current is None or not (can_use or any(model.key == current.key for model in known)):
        return tuple(known)
    return current, *known


def _first(usable: tuple[ChatModel, ...], operation: Operation) -> str | None:
    """The name of the first model that can do the operation."""
    candidates = (candidate_of(model) for model in usable)
    able = (candidate.model for candidate in candidates if candidate and candidate.can(operation))
    return next((_name(model) for model in able), None)


def _why_hidden(current: ChatModel | None, available: tuple[ChatModel, ...]) -> str:
    if current is not None and candidate_of(current) is not None:
        return f"{_name(current)} can search but has no credential, nor has any other that could."
    if not available:
        return "There is no credential for any model."
    return "No model with a credential speaks an interface that can search the web."


def _name(model: ChatModel) -> str:
    return f"{model.provider}/{model.id}"


def _schema(*names: str) -> dict[str, object]:
    """A plain object without conditions at the top: some providers refuse every request that
    carries a tool with `anyOf` there, so that "query or urls" is checked when the tool runs.
    """
    properties: dict[str, object] = {
        "query": {"type": "string", "description": QUERY_DESCRIPTION},
        "urls": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": MAX_URLS,
            "description": URLS_DESCRIPTION,
        },
    }
    return {"type": "object", "properties": {name: properties[name] for name in names}}

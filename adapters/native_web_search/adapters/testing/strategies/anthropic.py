"""Events of Anthropic's streams, proper ones and such as nobody would send."""

from collections.abc import Mapping

from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.rest import json_values

# Everything that the reading looks at, and the kinds that it knows.
NAMES: tuple[str, ...] = (
    "type", "index", "content_block", "delta", "text", "partial_json", "citation", "citations",
    "input", "query", "name", "content", "error_code", "stop_reason", "stop_details", "category",
    "explanation", "error", "message",
)  # fmt: skip
KINDS = (
    "message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop",
    "server_tool_use", "web_search_tool_result", "text", "text_delta", "input_json_delta",
    "citations_delta", "refusal", "web_search",
)  # fmt: skip


def anthropic_events() -> st.SearchStrategy[Mapping[str, object]]:
    """Anything under the names that mean something, in any place."""
    leaves = json_values() | st.sampled_from([*KINDS, 0, 1])
    values = st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
        ),
        max_leaves=10,
    )
    return st.dictionaries(st.sampled_from(NAMES), values, max_size=5)


def result_blocks() -> st.SearchStrategy[Mapping[str, object]]:
    """The result of a search with its hits, among fields that nobody knows."""
    hits = st.lists(json_values(), min_size=1, max_size=3)
    return _block("web_search_tool_result", {"content": hits})


def call_blocks() -> st.SearchStrategy[Mapping[str, object]]:
    """The call of a search whose input is yet to come."""
    inputs: st.SearchStrategy[object] = st.just({})
    return _block("server_tool_use", {"name": st.just("web_search"), "input": inputs})


def _block(
    kind: str, fields: Mapping[str, st.SearchStrategy[object]]
) -> st.SearchStrategy[Mapping[str, object]]:
    others = st.dictionaries(st.text(max_size=8), json_values(), max_size=3)
    known = st.fixed_dictionaries({"type": st.just(kind), **fields})
    return st.tuples(others, known).map(_joined)


def _joined(parts: tuple[Mapping[str, object], Mapping[str, object]]) -> Mapping[str, object]:
    others, known = parts
    return {**others, **known}

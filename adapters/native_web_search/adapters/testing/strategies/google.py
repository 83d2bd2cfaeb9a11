"""Events of Google's streams, proper ones and such as nobody would send."""

from collections.abc import Mapping

from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.rest import json_values

FINISHES = ("STOP", "MAX_TOKENS", "SAFETY", "OTHER", "PUP_LIMITED_DISABLED", "NEWS_TO_ME", "")
STATUSES = tuple(
    f"URL_RETRIEVAL_STATUS_{word}" for word in ("SUCCESS", "ERROR", "PAYWALL", "UNSAFE")
)

# Everything that the reading looks at, in both spellings.
NAMES: tuple[str, ...] = (
    "response", "candidates", "content", "parts", "text", "thought", "finishReason",
    "finish_reason", "finishMessage", "groundingMetadata", "grounding_metadata",
    "webSearchQueries", "groundingChunks", "urlContextMetadata", "url_context_metadata",
    "urlMetadata", "url_metadata", "retrievedUrl", "urlRetrievalStatus", "promptFeedback",
    "blockReason", "blockReasonMessage", "error", "code", "details", "metadata", "violations",
)  # fmt: skip


def google_events() -> st.SearchStrategy[Mapping[str, object]]:
    """Anything under the names that mean something, in any place."""
    leaves = json_values() | st.sampled_from([*FINISHES, *STATUSES, True, 429])
    values = st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
        ),
        max_leaves=10,
    )
    return st.dictionaries(st.sampled_from(NAMES), values, max_size=5)


def grounding_metadata() -> st.SearchStrategy[Mapping[str, object]]:
    """Evidence of a search among fields that nobody knows."""
    names = st.sampled_from(["webSearchQueries", "groundingChunks"])
    evidence = st.dictionaries(names, st.lists(json_values(), min_size=1, max_size=3), min_size=1)
    others = st.dictionaries(st.text(max_size=8), json_values(), max_size=3)
    return st.tuples(others, evidence).map(_joined)


def url_entries(urls: st.SearchStrategy[str]) -> st.SearchStrategy[list[Mapping[str, object]]]:
    """What became of some of these URLs, or of the same one several times."""
    entry: st.SearchStrategy[Mapping[str, object]] = st.fixed_dictionaries(
        {"retrievedUrl": urls, "urlRetrievalStatus": st.sampled_from(STATUSES)}
    )
    return st.lists(entry, max_size=5)


def _joined(parts: tuple[Mapping[str, object], Mapping[str, object]]) -> Mapping[str, object]:
    others, evidence = parts
    return {**others, **evidence}

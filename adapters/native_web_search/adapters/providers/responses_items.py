"""What the output items of a response say.

Items stay raw dictionaries, because what a provider adds tomorrow must survive today. Anything may
be missing or of an odd type: a search without an `action`, a message part without annotations, a
source without a URL. Such things are passed over here and returned as they are.
"""

from collections.abc import Iterator

from native_web_search.adapters.providers.json_values import (
    Fields,
    list_in,
    object_in,
    objects_in,
    text_in,
)
from native_web_search.domain.payload import SearchPayload


def payload_of(items: tuple[Fields, ...]) -> SearchPayload:
    """Answer, search items and citations, raw and in order; queries only if there are any.

    The texts are joined by nothing, as the parts of one answer are meant to be.
    """
    queries = [query for item in searches(items) for query in _queries(item)]
    return {
        "answer": "".join(text_in(part.get("text")) for part in _parts(items, "output_text")),
        "results": list(searches(items)),
        "citations": list(citations(items)),
        **({"searchQueries": queries} if queries else {}),
    }


def searches(items: tuple[Fields, ...]) -> Iterator[Fields]:
    """The items of web searches, whatever came of them."""
    return (item for item in items if item.get("type") == "web_search_call")


def citations(items: tuple[Fields, ...]) -> Iterator[Fields]:
    """The citations of web pages; those of files are no evidence of a search."""
    for part in _parts(items, "output_text"):
        for annotation in objects_in(part.get("annotations")):
            if annotation.get("type") == "url_citation" or "url_citation" in annotation:
                yield annotation


def refusals(items: tuple[Fields, ...]) -> Iterator[str]:
    """What the model said where it refused to answer; the text may be empty."""
    for part in _parts(items, "refusal"):
        yield text_in(part.get("refusal"))


def _queries(item: Fields) -> Iterator[str]:
    """The newer list of queries if it is there, else the older single one."""
    action = object_in(item.get("action"))
    queries = list_in(action.get("queries"))
    return filter(None, map(text_in, queries or [action.get("query")]))


def _parts(items: tuple[Fields, ...], kind: str) -> Iterator[Fields]:
    for item in items:
        if item.get("type") == "message":
            yield from (p for p in objects_in(item.get("content")) if p.get("type") == kind)

"""What a simulated model writes about the pages it found: one sentence a page, and why."""

import re

from attrs import frozen

from native_web_search.adapters.simulator.corpus import Hit, Page

PAGES = 5  # pages that an answer talks about, of those that were found
SENTENCE = 240  # code points that an answer takes from a page

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"^[#>\-|*\s]+|[*`|]", re.MULTILINE)


@frozen
class Sentence:
    """A piece of an answer, and the page it rests on."""

    text: str
    page: Page | None = None


def sentences(query: str, hits: list[Hit]) -> tuple[Sentence, ...]:
    """An answer to a search; without hits it says that there is nothing."""
    if not hits:
        return (Sentence(f"I could not find anything about “{query}”."),)
    return (Sentence(f"Here is what I found about “{query}”. "), *findings(hits))


def findings(hits: list[Hit]) -> tuple[Sentence, ...]:
    """The same without an opening: only what rests on a page."""
    return tuple(
        Sentence(f"{hit.page.title}: {excerpt(hit.passage)} ", hit.page) for hit in hits[:PAGES]
    )


def from_memory(query: str) -> str:
    """What a model says that did not search."""
    return f"I did not search the web. From what I remember, “{query}” is a fine question."


def excerpt(text: str, length: int = SENTENCE) -> str:
    """The beginning of a text as one line without Markdown, with an ellipsis if it goes on."""
    plain = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())
    return plain if len(plain) <= length else plain[: length - 1].rstrip() + "…"

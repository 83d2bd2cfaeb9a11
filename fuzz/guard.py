"""The output guard: whatever the document and the limit, what is left is short, whole and true.

The rules are those of the guard's own properties; only the documents come from elsewhere.
"""

from fuzz.chance import chance
from fuzz.documents import depth_of, document_from
from native_web_search.domain.links import links
from native_web_search.domain.output_guard import fit, fit_text
from tests.properties.test_output_guard import (
    Case,
    KeptString,
    compact,
    is_beginning,
    is_standalone_link,
    strings,
)

SMALLEST_WITH_JSON = 14  # from this limit on JSON and marker both fit
DEEPEST_READ = 60  # containers; the rules read documents by recursion


def what_is_kept_is_true(data: bytes) -> None:
    """At a limit between nothing and everything, with and without the marker."""
    document = document_from(data)
    if depth_of(document) > DEEPEST_READ:
        assert len(fit(document, len(data) // 2 + 1).text) <= len(data) // 2 + 1
        return
    draws = chance(data)
    longest = len(compact(document)) + 40
    for marker in (True, False):
        _judge(Case(document, draws.randint(1, longest), marker=marker))


def _judge(case: Case) -> None:
    fitted = case.fitted()
    assert len(fitted.text) <= case.limit
    assert fitted.text.encode()
    assert fitted.truncated is (len(compact(case.document)) > case.limit)
    if case.limit >= SMALLEST_WITH_JSON:
        assert case.is_kept(_is_whole)
        known = {link for text in strings(case.document) for link in links(text)}
        assert {link for text in strings(case.kept()) for link in links(text)} <= known


def _is_whole(kept: KeptString) -> bool:
    """An entry of a link list, and a string that is nothing but a link, is kept whole."""
    if kept.listed or is_standalone_link(kept.whole):
        return kept.text == kept.whole
    return is_beginning(kept)


def any_text_is_fitted(data: bytes) -> None:
    """A message is shortened at legal places, too."""
    text = data.decode("utf-8", "surrogateescape")
    limit = chance(data).randint(1, len(text) + 20)
    fitted = fit_text(text, limit)
    assert len(fitted.text) <= limit
    assert fitted.text.encode() or not text or fitted.truncated

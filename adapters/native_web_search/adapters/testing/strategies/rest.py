"""What a provider may answer to a plain POST: good answers, errors, and anything else."""

import json
from collections.abc import Mapping

from hypothesis import strategies as st

from native_web_search.ports.http import ResponseHead

TELLING_STATUSES = (0, 200, 204, 301, 304, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 503)

BROKEN_BODIES = (
    b"",
    b"\n\n",
    b"\xff\xfe",
    b"\xef\xbb\xbf[]",
    b"<html>Sign in</html>",
    b"null",
    b"[" * 3_000,
    b'{"error":' * 900 + b"1" + b"}" * 900,
    b'{"results":[NaN]}',
    b'{"results":[' + b"7" * 4_400 + b"]}",
)


def json_values() -> st.SearchStrategy[object]:
    """Any value that JSON can say, numbers beyond every machine word included."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.integers(-(10**40), 10**40)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=12)
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_names(), inner, max_size=4),
        max_leaves=8,
    )


def search_answers() -> st.SearchStrategy[Mapping[str, object]]:
    """Answers to a search: `results`, empty ones included, among fields that nobody knows."""
    return _with_unknown_fields({"results": st.lists(_objects(), max_size=4)})


def pages() -> st.SearchStrategy[Mapping[str, object]]:
    """Answers to a fetch: a title, a content or both, among fields that nobody knows."""
    titles, contents = st.text(max_size=12) | st.none(), st.text(max_size=40)
    return st.one_of(
        _with_unknown_fields({"title": titles, "content": contents}),
        _with_unknown_fields({"content": contents, "links": st.lists(st.text(), max_size=3)}),
        _with_unknown_fields({"title": titles}),
    )


def errors() -> st.SearchStrategy[object]:
    """Error bodies: an object or a text under `error`, and the forms that odd gateways have."""
    words = st.text(max_size=20) | json_values()
    fields = st.fixed_dictionaries(
        {"message": words},
        optional={"type": words, "code": words, "param": words, "details": words},
    )
    under_error = st.fixed_dictionaries({"error": fields | words})
    return st.one_of(
        under_error,
        st.lists(under_error, max_size=2),
        st.fixed_dictionaries({"detail": words}),
        fields,
    )


def bodies() -> st.SearchStrategy[bytes]:
    """Any bytes at all, often ones that look like an answer."""
    documents = st.one_of(search_answers(), pages(), errors(), json_values()).map(written)
    return st.one_of(
        documents, documents.flatmap(_cut), st.sampled_from(BROKEN_BODIES), st.binary(max_size=60)
    )


def heads() -> st.SearchStrategy[ResponseHead]:
    """Any status, with headers that may say anything."""
    odd = st.text(max_size=20)
    headers = st.fixed_dictionaries(
        {},
        optional={
            "content-type": st.sampled_from(["application/json", "text/html"]) | odd,
            "date": st.just("Wed, 21 Oct 2015 07:28:00 GMT") | odd,
            "location": st.just("https://u:pw@elsewhere.example/?q=1") | odd,
            "retry-after": st.sampled_from(["7", "-5", "nan", "1e9", "٣"]) | odd,
        },
    )
    return st.builds(ResponseHead, st.sampled_from(TELLING_STATUSES) | st.integers(0, 999), headers)


def written(document: object) -> bytes:
    """A document as a provider may send it."""
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _names() -> st.SearchStrategy[str]:
    return st.sampled_from(["title", "url", "error", "results", "code"]) | st.text(max_size=6)


def _objects() -> st.SearchStrategy[Mapping[str, object]]:
    return st.dictionaries(_names(), json_values(), max_size=5)


def _with_unknown_fields(
    fields: Mapping[str, st.SearchStrategy[object]],
) -> st.SearchStrategy[Mapping[str, object]]:
    """The fields, before or after others, none of which says that there was an error."""
    others = st.dictionaries(
        st.text(max_size=6).filter(lambda name: name != "error"), json_values(), max_size=3
    )
    return st.tuples(others, st.fixed_dictionaries(fields), others).map(_joined)


def _joined(parts: tuple[Mapping[str, object], ...]) -> Mapping[str, object]:
    before, known, after = parts
    return {**before, **known, **after, **known}


def _cut(body: bytes) -> st.SearchStrategy[bytes]:
    return st.integers(0, len(body)).map(lambda end: body[:end])

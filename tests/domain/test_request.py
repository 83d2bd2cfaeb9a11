"""Reading the arguments of a call."""

import sys

import pytest

from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.request import (
    MAX_QUERY,
    TRIMMED,
    InvalidRequest,
    RefusedUrl,
    Request,
    ValidUrl,
    parse_request,
)

GOOD = "https://e.example/"


def _request(arguments: object) -> Request:
    match parse_request(arguments):
        case Success(request):
            return request
        case Failure(invalid):
            pytest.fail(invalid.message)


def _error(arguments: object) -> str:
    match parse_request(arguments):
        case Success(request):
            pytest.fail(f"no error, but {request}")
        case Failure(InvalidRequest(message)):
            return message


def _refused(given: object) -> RefusedUrl:
    """What becomes of one bad URL beside a good one."""
    bad, good = _request({"urls": [given, GOOD]}).urls
    assert good == ValidUrl(GOOD)
    assert isinstance(bad, RefusedUrl)
    return bad


@pytest.mark.rule("request.1")
@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        *[(None, "null"), (True, "a boolean"), (5, "a number"), (0.5, "a number")],
        *[("q", "a string"), (["q"], "a list"), (b"q", "a value of type bytes")],
    ],
)
def test_arguments_that_are_no_object_are_an_error(arguments: object, kind: str) -> None:
    """A model that sends something else is shown what an object looks like."""
    assert _error(arguments) == (
        'The arguments must be an object such as {"query": "..."} or {"urls": ["https://..."]},'
        f" not {kind}."
    )


@pytest.mark.rule("request.2")
def test_null_is_absent_and_the_unknown_is_ignored() -> None:
    """Arguments that nobody knows do no harm, and `null` means that there is none."""
    assert _request({"query": "q", "urls": None, "limit": 5}) == Request("q", ())
    assert _request({"query": None, "urls": [GOOD]}) == Request(None, (ValidUrl(GOOD),))


@pytest.mark.rule("request.3")
def test_a_query_is_trimmed_and_otherwise_left_alone() -> None:
    """Outer blanks go; operators, inner blanks and everything else stay."""
    query = 'site:example.com  "a  b" -c\n\x85'

    assert _request({"query": f"\n \ufeff{query}\t\u3000"}).query == query


@pytest.mark.rule("request.3")
def test_what_is_trimmed_is_what_javascript_trims() -> None:
    """The characters are those of JavaScript's `trim`: not U+0085, not U+180E, not U+200B."""
    points = [*range(9, 14), 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029]
    points += [0x202F, 0x205F, 0x3000, 0xFEFF]

    trimmed = [p for p in range(sys.maxunicode + 1) if not chr(p).strip(TRIMMED)]

    assert trimmed == points
    assert _request({"query": "\x85"}).query == "\x85"


@pytest.mark.rule("request.4")
@pytest.mark.parametrize(
    ("query", "kind"), [(5, "a number"), (["q"], "a list"), ({}, "an object"), (False, "a boolean")]
)
def test_a_query_that_is_no_string_is_an_error(query: object, kind: str) -> None:
    """Half of the work must not be dropped silently, so that good URLs do not save the call."""
    assert _error({"query": query, "urls": [GOOD]}) == f"`query` must be a string, not {kind}."


@pytest.mark.rule("request.5")
def test_a_query_has_a_limit() -> None:
    """32768 characters pass, blanks around them aside; one more is an error beside any URL."""
    longest = "😀" * MAX_QUERY

    assert MAX_QUERY == 32_768
    assert _request({"query": f" {longest} "}).query == longest
    assert _error({"query": longest + "x", "urls": [GOOD]}) == (
        "`query` has 32769 characters; at most 32768 are allowed. Shorten it."
    )


@pytest.mark.rule("request.6")
@pytest.mark.parametrize(
    ("urls", "kind"),
    [(GOOD, "a string"), ('["https://e.example"]', "a string"), ({"0": GOOD}, "an object")],
)
def test_urls_that_are_no_list_are_an_error(urls: object, kind: str) -> None:
    """One URL, or a list that was written into a string, is shown what a list looks like."""
    assert _error({"query": "q", "urls": urls}) == (
        '`urls` must be a list of strings such as ["https://..."],'
        f" not {kind}; a single URL is a list of one."
    )


@pytest.mark.rule("request.6")
def test_a_tuple_is_as_good_as_a_list() -> None:
    """Callers in Python may hand over the URLs in a tuple."""
    assert _request({"urls": (GOOD,)}).urls == (ValidUrl(GOOD),)


@pytest.mark.rule("request.7")
def test_twenty_urls_pass_and_one_more_is_an_error() -> None:
    """Too many URLs are an error even beside a query: none of them is cut off silently."""
    assert _request({"urls": [GOOD] * 20}).urls == (ValidUrl(GOOD),) * 20
    assert _error({"query": "q", "urls": [GOOD] * 21}) == (
        "`urls` has 21 entries; at most 20 are allowed. Use several calls."
    )


@pytest.mark.rule("request.8")
@pytest.mark.parametrize(
    "arguments", [{}, {"query": " ", "urls": []}, {"query": None, "urls": None}, {"q": "x"}]
)
def test_a_call_without_work_is_an_error(arguments: object) -> None:
    """The schema cannot say that one of both is needed, so that the error says it."""
    assert _error(arguments) == (
        "Nothing to do: give a `query` that is not blank, or `urls`, or both."
    )


@pytest.mark.rule("request.8")
def test_a_call_with_nothing_but_bad_urls_lists_them() -> None:
    """The model reads what was wrong with each of its URLs."""
    assert _error({"query": " ", "urls": ["ftp://u:pw@h/", "", 5]}) == (
        "There is no `query`, and none of the `urls` can be fetched:\n"
        '- "ftp://***@h/": only http:// and https:// URLs can be fetched\n'
        '- "": the URL is empty\n'
        '- "(a number)": a URL must be a string'
    )


@pytest.mark.rule("request.9")
def test_bad_urls_do_not_keep_a_query_from_being_searched() -> None:
    """With a query the call is good, and the bad URLs are reported beside its result."""
    assert _request({"query": "q", "urls": ["x"]}) == Request(
        "q", (RefusedUrl("x", "only http:// and https:// URLs can be fetched"),)
    )


@pytest.mark.rule("request.9")
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        *[(None, "(null)"), (5, "(a number)"), (True, "(a boolean)"), ([GOOD], "(a list)")],
        ({"u": "http://u:s3cr3t@h/"}, "(an object)"),
        pytest.param(10**5000, "(a number)", id="too long for Python to print"),
    ],
)
def test_what_is_no_string_is_refused_in_its_place(given: object, shown: str) -> None:
    """Something else in the place of a URL is named by its kind, never by its content."""
    assert _refused(given) == RefusedUrl(shown, "a URL must be a string")


@pytest.mark.rule("request.9")
@pytest.mark.parametrize("bad", ["", "   ", "ftp://h/", "http://", "//h/x", "http://[::1"])
def test_a_bad_url_is_refused_in_its_place(bad: str) -> None:
    """One bad URL costs itself alone."""
    assert _refused(bad).shown == bad


@pytest.mark.rule("request.9")
@pytest.mark.rule("request.10")
def test_urls_keep_their_order_their_duplicates_and_their_spelling() -> None:
    """Nothing is put right, sorted or left out on the way to a provider."""
    urls = ["HTTPS://E.example:443/a/../b?utm_source=x#y", GOOD, "http://h/路径?q=é", GOOD]

    assert _request({"urls": urls}).urls == tuple(map(ValidUrl, urls))


@pytest.mark.rule("request.20")
def test_a_url_given_twice_is_to_be_fetched_once() -> None:
    """Where it first came; another spelling is another URL."""
    urls = ["http://h/b", GOOD, "http://h/b", "HTTP://h/b", GOOD]
    assert _request({"urls": urls}).valid_urls == ("http://h/b", GOOD, "HTTP://h/b")


@pytest.mark.rule("request.9")
def test_refused_urls_are_not_among_those_to_fetch() -> None:
    """Whoever fetches sees the good URLs only, in their order."""
    assert _request({"urls": [GOOD, "ftp://h/", "http://h/"]}).valid_urls == (GOOD, "http://h/")


@pytest.mark.rule("request.17")
def test_a_refused_url_shows_no_password() -> None:
    """A URL that was refused for its password does not repeat it in the result."""
    assert _refused("https://user:s3cr3t@h/") == RefusedUrl(
        "https://***@h/", "the URL contains a user name or a password"
    )

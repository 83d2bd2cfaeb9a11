"""Which URLs pass, and how the others look in an error."""

import subprocess
import sys
import unicodedata

import pytest

from native_web_search.domain.url import BLANKS, MAX_SHOWN, MAX_URL, refusal, shown


def _assert_refused(url: str, because: str) -> None:
    reason = refusal(url)
    assert reason is not None
    assert because in reason


@pytest.mark.rule("request.11")
@pytest.mark.parametrize("url", ["http://h", "https://h/", "HTTPS://E.example/", "hTTp://h?q#f"])
def test_web_urls_pass(url: str) -> None:
    """The schemes http and https pass, in whatever case they are written."""
    assert refusal(url) is None


@pytest.mark.rule("request.11")
@pytest.mark.parametrize(
    "url",
    ["ftp://h/", "javascript:alert(1)//http://x", "//h/x", "h.example", "httpsx://h/", "file:///x"],
)
def test_other_schemes_are_refused(url: str) -> None:
    """Nothing else is fetched, and the scheme has to be written out."""
    _assert_refused(url, "only http:// and https:// URLs")


@pytest.mark.case("U05")
@pytest.mark.rule("request.12")
@pytest.mark.parametrize(
    "url",
    [
        *["http://", "http:///x", "https:example.com", "https:/example.com", "http://?x"],
        *["http://#x", "http:////h/x", "http:"],
    ],
)
def test_a_host_has_to_follow_at_once(url: str) -> None:
    """A URL whose host a parser would have to look for is refused, not repaired."""
    assert refusal(url) == "the URL has no host; it has to follow http:// or https:// at once"


@pytest.mark.rule("request.13")
@pytest.mark.parametrize(
    "url", ["http://u:pw@h/", "http://u@h/", "http://:pw@h/", "https://a@b@h/", "http://%40:@h/"]
)
def test_credentials_are_refused(url: str) -> None:
    """A URL with a user name or a password is handed to nobody."""
    _assert_refused(url, "a user name or a password")


@pytest.mark.rule("request.13")
@pytest.mark.parametrize("url", ["http://@h/", "https://:@h/", "https://h/@x", "https://h/?a@b"])
def test_an_empty_user_info_passes(url: str) -> None:
    """An `@` that names nobody, or that is not in front of the host, does no harm."""
    assert refusal(url) is None


@pytest.mark.case("U11")
@pytest.mark.rule("request.14")
def test_the_length_limit_counts_characters() -> None:
    """8192 characters pass, one more does not; bytes and percent signs do not count."""
    longest = "https://h.example/".ljust(MAX_URL, "a")

    assert MAX_URL == 8_192
    assert refusal(longest) is None
    _assert_refused(longest + "a", "8193 characters; at most 8192")
    assert refusal("https://h.example/" + "я" * 4_000) is None


@pytest.mark.rule("request.15")
def test_no_character_of_these_classes_passes() -> None:
    """Every control, surrogate, blank and line separator of Unicode is refused, anywhere."""
    classes = {"Cc", "Cs", "Zs", "Zl", "Zp"}
    every = (chr(point) for point in range(sys.maxunicode + 1))
    odd = [char for char in every if unicodedata.category(char) in classes or char in "\ufeff\\"]

    assert len(odd) == 65 + 2_048 + 19 + 2
    assert all(refusal(f"https://h/a{char}b") for char in odd)


@pytest.mark.rule("request.15")
@pytest.mark.parametrize("char", ["\u00ad", "\u200b", "\ue000", "\u0378", "ß", "😀", "|", '"', "<"])
def test_other_characters_pass(char: str) -> None:
    """Any other character in a path is the provider's business."""
    assert refusal(f"https://h/a{char}b") is None


OUTER_BLANK = "begins or ends with a blank; leave it out"
INNER_BLANK = "contains a blank; write it percent-encoded, a space as %20"
BACKSLASH = "contains a backslash; write a slash, or %5C"
HALF_A_PAIR = "contains half of a surrogate pair, which no encoding can express"


@pytest.mark.rule("request.15")
@pytest.mark.parametrize(
    ("url", "because"),
    [
        ("http://exa\tmple.com/", "contains the control character U+0009"),
        ("http://e.example/\nX-A: b", INNER_BLANK),
        ("http://e.example/\nX-A:b", "contains the control character U+000A"),
        ("\n", "contains the control character U+000A"),
        (" http://e.example/", OUTER_BLANK),
        ("http://e.example/\u00a0", OUTER_BLANK),
        ("\ufeffhttp://e.example/", OUTER_BLANK),
        ("http://e.example/a b", INNER_BLANK),
        ("http://e.example\\x", BACKSLASH),
        ("http:\\\\e.example/", BACKSLASH),
        ("http://e.example/\ud800", HALF_A_PAIR),
        ("", "is empty"),
        ("   ", "is empty"),
        ("\ufeff", "is empty"),
    ],
)
def test_the_reason_says_what_to_change(url: str, because: str) -> None:
    """A refusal names the character, so that the model can write the URL again."""
    assert refusal(url) == f"the URL {because}"


@pytest.mark.rule("request.16")
@pytest.mark.parametrize(
    "url",
    [
        *["http://[::1", "http://]::1[/", "http://[127.0.0.1]/", "http://::1/", "http://[::1]x/"],
        *["http://h:99999/", "http://h:x/", "http://:80/", "http://@/", "http://1.2.3.999/"],
        *["http://a%40b/", "http://h%2fx/", "http://h<x/", "http://%00/"],
    ],
)
def test_what_does_not_parse_is_refused(url: str) -> None:
    """A host or a port that the WHATWG rules do not allow is refused, without an exception."""
    assert refusal(url) == "the URL is malformed: its host or its port is not valid"


@pytest.mark.rule("request.16")
@pytest.mark.parametrize(
    "url",
    [
        *["http://[2001:db8::1]:8080/p", "http://bücher.example/", "http://😀.example/"],
        *["http://a..b/", "http://xn--a/", "http://xn--/", f"http://{'a' * 64}.example/"],
    ],
)
def test_what_parses_is_the_providers_business(url: str) -> None:
    """A host that nobody will find is no reason to refuse, as long as it parses."""
    assert refusal(url) is None


@pytest.mark.rule("request.17")
@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("http://user:pw@h/x", "http://***@h/x"),
        ("https://:pw@h/", "https://***@h/"),
        ("https://a@b:c@h/@x?e=f@g", "https://***@h/@x?e=f@g"),
        ("http:user:pw@h/", "***@h/"),
        ("http:/user:pw@h/", "http:/***@h/"),
        ("see http:\\user:pw@h/", "see http:\\***@h/"),
        ("http:////user:pw@h/", "http:////***@h/"),
        ("http:\\\\user:pw@h\\x", "http:\\\\***@h\\x"),
        ("ht\ttp://us\ner:pw@h/", "http://***@h/"),
        ("[x](https:user:pw@h/)", "***@h/)"),
        ("user:pw@h/", "***@h/"),
        ("//user:pw@h/", "//***@h/"),
        ("ftp://user:pw@h/a@b", "ftp://***@h/a@b"),
        ("<https://user:pw@h/>", "<https://***@h/>"),
        ("https://a/?to=https://user:pw@h/ x", "https://a/?to=https://***@h/ x"),
        ("https://user:p/w@h/x", "https://***@h/x"),
        ("https://user:x#p?w@h/x", "https://***@h/x"),
        ("https://h:80/x@y z", "https://h:80/x@y z"),
        ("http://[::1]/x@y z", "http://[::1]/x@y z"),
        ("https://h/a@1/b@2 c", "https://h/a@1/b@2 c"),
    ],
)
def test_a_refused_url_is_shown_without_its_user_info(url: str, masked: str) -> None:
    """User name and password are masked wherever they may stand, and nothing else is."""
    assert shown(url) == masked


@pytest.mark.rule("request.17")
def test_a_refused_url_is_shown_in_part() -> None:
    """The mask comes before the cut at 200 code points: a cut must not hide what it has to see."""
    assert shown("ftp://h/" + "я" * 1_000) == "ftp://h/" + "я" * (MAX_SHOWN - 8)
    assert shown(f"http://user:{'s3cr3t' * 100}@h/") == "http://***@h/"


@pytest.mark.rule("request.17")
@pytest.mark.parametrize(
    "unit", ["/", "\\", "//", "@", "/@", ":", "http://", "http://a:b/", "\t/", "http:"]
)
def test_showing_takes_no_longer_than_reading(unit: str) -> None:
    """A long text is shown at once, whatever it is made of."""
    assert len(shown(unit * 50_000)) <= MAX_SHOWN


@pytest.mark.rule("request.15")
def test_blanks_are_the_separators_of_unicode() -> None:
    """What counts as a blank is what Unicode calls a separator, and the byte order mark."""
    every = (chr(point) for point in range(sys.maxunicode + 1))

    assert set(BLANKS) == {c for c in every if unicodedata.category(c)[0] == "Z"} | {"\ufeff"}


@pytest.mark.rule("request.19")
def test_the_parser_is_loaded_with_the_first_url() -> None:
    """Whoever only searches does not pay for a URL parser."""
    code = """
import sys
from native_web_search.domain.request import parse_request
parse_request({"query": "q"})
assert "ada_url" not in sys.modules
parse_request({"urls": ["http://h/"]})
assert "ada_url" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)

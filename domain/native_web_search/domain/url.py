"""Which URLs may be handed to a provider, and how the others are shown.

What passes goes out byte for byte as it was given. A URL is therefore only inspected, never
repaired: whatever a parser would silently strip, swap or fill in (tabs and line breaks, outer
blanks, backslashes, missing slashes) is refused before a parser sees it. What is left has to parse
by the WHATWG rules, which also settle ports, brackets and host names; a dubious host that parses
is the provider's business. An empty user info (`http://@host/`) names nobody and passes.
"""

import re

MAX_URL = 8_192  # code points; the documented limit of DeepSeek's fetch, held for every provider
MAX_SHOWN = 200  # code points of a refused URL, enough to recognise it by

# The Unicode classes Zs, Zl and Zp and the byte order mark: what looks like nothing.
BLANKS = (
    " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000\u2028\u2029\ufeff"
)

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_BLANK = re.compile(f"[{BLANKS}]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WEB = re.compile(r"https?:", re.IGNORECASE)
_WITH_HOST = re.compile(r"https?://[^/?#\\]", re.IGNORECASE)

# What stands before an `@` where a host may begin: at the start, after two slashes, or after
# `http:` with fewer. Anywhere, because a refused text may hold its URL inside something else.
_USER_INFO = re.compile(
    r"(?:^|(?<=[/\\]{2})|(?<=http:[/\\])|(?<=https:[/\\])|(?<![^/?#\\])(?=[^/?#\\]*https?:))"
    r"(?:[^/?#\\@]*+@)+",
    re.IGNORECASE,
)
# A password with a `/`, `?` or `#` in it ends the host early and leaves a port that is no number;
# the secret then reaches to the last `@`.
_BROKEN_USER_INFO = re.compile(
    r"^([^:/?#\\@]*+:[/\\]{2,}+)[^:/?#\\@\[]*+:(?!\d*+(?:[/?#\\]|$))[^/?#\\@]*+[/?#\\].*@",
    re.DOTALL,
)


def refusal(url: str) -> str | None:
    """Why this URL is not handed to a provider, as a clause for people; `None` if it is."""
    if not url.strip(BLANKS):
        return "the URL is empty"
    if len(url) > MAX_URL:
        return f"the URL has {len(url)} characters; at most {MAX_URL} are allowed"
    return _odd_character(url) or _no_address(url) or _no_web_url(url)


def shown(url: str) -> str:
    """A refused URL for an error entry: without control characters, user name and password as
    `***`, and no longer than `MAX_SHOWN`. The mask comes before the cut.
    """
    visible = _CONTROL.sub("", url)
    masked = _USER_INFO.sub("***@", _BROKEN_USER_INFO.sub(r"\1***@", visible))
    return masked[:MAX_SHOWN]


def _odd_character(url: str) -> str | None:
    if url.strip(BLANKS) != url:
        return "the URL begins or ends with a blank; leave it out"
    if _BLANK.search(url):
        return "the URL contains a blank; write it percent-encoded, a space as %20"
    if control := _CONTROL.search(url):
        return f"the URL contains the control character U+{ord(control[0]):04X}"
    if _SURROGATE.search(url):
        return "the URL contains half of a surrogate pair, which no encoding can express"
    if "\\" in url:
        return "the URL contains a backslash; write a slash, or %5C"
    return None


def _no_address(url: str) -> str | None:
    if not _WEB.match(url):
        return "only http:// and https:// URLs can be fetched"
    if not _WITH_HOST.match(url):
        return "the URL has no host; it has to follow http:// or https:// at once"
    return None


def _no_web_url(url: str) -> str | None:
    from ada_url import URL  # noqa: PLC0415  a compiled parser; most calls bring no URL

    try:
        parsed = URL(url)
    except ValueError:
        return "the URL is malformed: its host or its port is not valid"
    if parsed.username or parsed.password:
        return "the URL contains a user name or a password"
    return None

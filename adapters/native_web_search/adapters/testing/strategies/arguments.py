"""Strategies for what models write into the arguments of a tool call."""

from hypothesis import strategies as st

_LABEL = st.from_regex(r"[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,4})?", fullmatch=True)
_PLAIN_HOST = st.lists(_LABEL, min_size=1, max_size=3).map(".".join)
_AWKWARD_HOST = st.sampled_from(
    ["localhost", "127.0.0.1", "[2001:db8::1]", "bücher.example", "😀.example", "a..b", "xn--a"]
)
# Unicode classes that no accepted URL contains, and the characters that delimit its parts.
_PART = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="\\\ufeff"),
    max_size=12,
)


def json_values() -> st.SearchStrategy[object]:
    """Any value that a JSON parser can return, lone surrogates and endless numbers included."""
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | _any_text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_any_text(), inner, max_size=4),
        max_leaves=12,
    )


def arguments() -> st.SearchStrategy[object]:
    """Arguments of any kind, most of them objects with the two names that are known."""
    urls = st.lists(web_urls() | refused_urls() | json_values(), max_size=22)
    known = st.fixed_dictionaries(
        {},
        optional={
            "query": _any_text() | json_values(),
            "urls": urls | json_values(),
            "limit": json_values(),
        },
    )
    return known | json_values()


def web_urls() -> st.SearchStrategy[str]:
    """URLs that may be handed to a provider."""
    ports = st.just("") | st.integers(0, 65_535).map(lambda port: f":{port}")
    tails = st.just("") | st.tuples(st.sampled_from("/?#"), _PART).map("".join)
    return st.tuples(
        st.sampled_from(["http://", "https://", "HTTPS://", "http://@", "https://:@"]),
        _PLAIN_HOST | _AWKWARD_HOST,
        ports,
        tails,
    ).map("".join)


def refused_urls() -> st.SearchStrategy[str]:
    """Texts in the place of a URL that may not be handed to a provider."""
    return st.one_of(
        st.sampled_from(_NO_WEB_URLS),
        urls_with_user_info(),
        st.builds(_with_odd_character, web_urls(), st.sampled_from(_ODD), st.integers(0, 99)),
        web_urls().map(lambda url: url.replace("//", "", 1)),
    )


def urls_with_user_info(secret: str = "s3cr3t") -> st.SearchStrategy[str]:  # noqa: S107  no secret
    """URLs with a password that contains `secret`, wherever a password may hide."""
    before = st.sampled_from(["", "\t", "[a page](", "<", "- ", "url: ", "view-source:"])
    schemes = st.sampled_from(
        ["http://", "https://", "HTTP://", "https:", "http:/", "ftp://", "//"]
    )
    passwords = _password_parts().map(lambda rest: secret + rest)
    users = _password_parts()
    return st.builds("{}{}{}:{}@{}/path".format, before, schemes, users, passwords, _PLAIN_HOST)


def _any_text() -> st.SearchStrategy[str]:
    return st.text(st.characters(), max_size=12)


def _password_parts() -> st.SearchStrategy[str]:
    return st.text(st.sampled_from("abXY019:@.-_~%$&+=äß😀"), max_size=6)


def _with_odd_character(url: str, odd: str, at: int) -> str:
    return url[:at] + odd + url[at:]


_ODD = ["\t", "\n", "\r", "\x00", "\x7f", "\x85", " ", "\u00a0", "\u2028", "\u3000", "\ufeff", "\\"]
_NO_WEB_URLS = [
    *["", "   ", "example.com/page", "//h/x", "ftp://h/", "javascript:alert(1)//http://x"],
    *["http://", "http:///x", "https:example.com", "http://?x", "http://#x", "http://:80/"],
    *["http:////h/x", "http://[::1", "http://]::1[/", "http://[127.0.0.1]/", "http://::1/"],
    *["http://[::1]x/", "http://h:99999/", "http://h:x/", "http://a%40b/", "http://\ud800/"],
]

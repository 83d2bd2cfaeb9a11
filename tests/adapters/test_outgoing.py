"""What is looked at before anything is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from native_web_search.adapters.outgoing import refusal_of
from native_web_search.adapters.proxies import proxy_for
from native_web_search.domain.failure import CredentialUnresolved, Unreachable
from native_web_search.ports.http import HttpRequest

GOOD = "https://api.example.com/v1"


def refusal(url: str = GOOD, *headers: tuple[str, str]) -> object:
    return refusal_of(HttpRequest(url, headers, b""), "deepseek")


@pytest.mark.rule("transport.17")
class TestTheAddress:
    """Where a request is to go."""

    @pytest.mark.parametrize(
        "url",
        [
            "http://h",
            "HTTPS://E.example:8443/a%7eb?q=%2F#f",
            "http://my_container:11434/api",
            "http://[::1]:80/x",
            "http://127.0.0.1?key=1",
            "https://h/{a}|b^",
        ],
    )
    def test_may_be_any_http_address(self, url: str) -> None:
        """What HTTP can ask for is let through as it is."""
        assert refusal(url) is None

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "/v1/responses",
            "api.example.com/v1",
            "ftp://h/",
            "file:///etc/passwd",
            "https:///v1",
            "https://:443/v1",
            "https://me:CANARY@h/v1",
            "https://h:99999/",
            "https://h:0/",
            "https://h:8a/",
            "https://h:１２/",
            "https://[::::]/",
            "https://[::1/",
            "https://h/a b",
            "https://h/\r\nX-A: b",
            "https://h/\n",
            "https://bücher.example/",
            "https://h/é",
            "https://h\\x/",
            "{BASE_URL}/v1",
        ],
    )
    def test_that_is_none_is_refused_by_the_providers_name(self, url: str) -> None:
        """The text names the provider whose base URL to set, and not the address, which may hold
        a key or a password.
        """
        assert refusal(url) == Unreachable(
            "the base URL of deepseek is not usable; set one such as https://api.example.com/v1, "
            "without user name and password"
        )

    @given(st.text() | st.from_regex(r"https?://[^/]{0,20}(/.*)?") | st.just("http://[v1.x]/"))
    def test_that_is_let_through_makes_no_trouble_later(self, url: str) -> None:
        """Whatever passes is an address for the libraries below, too."""
        if refusal(url) is None:
            assert URL(url, encoded=True).host
            proxy_for(url)


@pytest.mark.rule("transport.16")
class TestHeaders:
    """What a request carries."""

    @given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
    def test_may_hold_any_printable_ascii(self, value: str) -> None:
        """Keys, versions, JSON: all that is plain text."""
        assert refusal(GOOD, ("Authorization", value), ("X-Any", value)) is None

    @given(
        st.sampled_from(["X-Any", "x-initiator", "Cookie"]),
        st.text(max_size=3),
        st.characters(max_codepoint=31) | st.characters(min_codepoint=127),
        st.text(max_size=3),
    )
    def test_hold_nothing_else(self, name: str, before: str, bad: str, after: str) -> None:
        """One control or non-ASCII character anywhere refuses the request, by the header's name."""
        assert refusal(GOOD, ("X-Good", "a"), (name, before + bad + after)) == Unreachable(
            f"the header {name} holds a control or non-ASCII character; nothing was sent"
        )

    @pytest.mark.parametrize("name", ["authorization", "X-API-Key", "x-goog-api-key", "Api-Key"])
    def test_with_a_credential_make_it_unresolved(self, name: str) -> None:
        """A key with a line break at its end was copied badly: that is the credential's failure."""
        assert refusal(GOOD, (name, "sk-CANARY\n")) == CredentialUnresolved(
            f"the header {name} holds a control or non-ASCII character; nothing was sent"
        )

    @pytest.mark.parametrize("name", ["", "a b", "a:b", "Authorization: sk-CANARY", "x\n", "é"])
    def test_have_names_that_http_allows(self, name: str) -> None:
        """A name that may be a value gone astray is refused and not shown."""
        assert refusal(GOOD, (name, "a")) == Unreachable(
            "a header has a name that HTTP does not allow; nothing was sent"
        )

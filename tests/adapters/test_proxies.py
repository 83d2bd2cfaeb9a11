"""Which proxy an address goes through, by the environment."""

from base64 import b64encode

import pytest

from native_web_search.adapters.proxies import proxy_for, proxy_secrets
from native_web_search.domain.outcome import Failure, Success

PROXY = "http://proxy.example:3128"


@pytest.mark.rule("transport.19")
class TestTheProxy:
    """The proxy that the environment names."""

    def test_is_none_without_a_setting(self) -> None:
        """Nothing set, nothing used."""
        assert proxy_for("https://api.example/v1") == Success(None)

    @pytest.mark.parametrize(
        ("name", "url"),
        [
            ("HTTP_PROXY", "http://api.example/"),
            ("http_proxy", "http://api.example/"),
            ("HTTPS_PROXY", "HTTPS://api.example:8443/?q"),
            ("ALL_PROXY", "https://api.example/"),
            ("all_proxy", "http://[2001:db8::1]/"),
        ],
    )
    def test_is_named_by_the_scheme_or_for_all(
        self, monkeypatch: pytest.MonkeyPatch, name: str, url: str
    ) -> None:
        """The usual variables count, in either case."""
        monkeypatch.setenv(name, PROXY)
        assert proxy_for(url) == Success(PROXY)

    def test_for_one_scheme_is_not_for_the_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """`HTTP_PROXY` says nothing about https."""
        monkeypatch.setenv("HTTP_PROXY", PROXY)
        assert proxy_for("https://api.example/") == Success(None)

    def test_of_the_scheme_beats_the_one_for_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The more exact variable decides."""
        monkeypatch.setenv("ALL_PROXY", "socks5://other.example:1080")
        monkeypatch.setenv("HTTPS_PROXY", PROXY)
        assert proxy_for("https://api.example/") == Success(PROXY)

    def test_set_to_nothing_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An empty variable switches the proxy off."""
        monkeypatch.setenv("HTTPS_PROXY", "")
        assert proxy_for("https://api.example/") == Success(None)

    @pytest.mark.parametrize(
        ("entry", "url"),
        [
            ("api.example", "http://api.example/"),
            ("other.example, api.example", "http://api.example:8080/"),
            (".example", "http://api.example/"),
            ("api.example:8080", "http://api.example:8080/"),
            ("127.0.0.1", "http://127.0.0.1:11434/"),
            ("10.0.0.0/8", "http://10.1.2.3/"),
            ("x,fd00::/8", "http://[fd00::1]:80/"),
            ("::1", "http://[::1]:80/"),
            ("*", "http://api.example/"),
        ],
    )
    def test_is_passed_by_for_what_no_proxy_lists(
        self, monkeypatch: pytest.MonkeyPatch, entry: str, url: str
    ) -> None:
        """Hosts, domains, hosts with a port, addresses and ranges of addresses are exempt."""
        monkeypatch.setenv("HTTP_PROXY", PROXY)
        monkeypatch.setenv("NO_PROXY", entry)
        assert proxy_for(url) == Success(None)

    @pytest.mark.parametrize(
        ("entry", "url"),
        [
            ("api.example:9090", "http://api.example:8080/"),
            ("api.example", "http://api.example.org/"),
            ("10.0.0.0/8", "http://11.1.2.3/"),
            ("10.0.0.0/99, nonsense/", "http://10.1.2.3/"),
        ],
    )
    def test_is_used_for_what_no_proxy_does_not_list(
        self, monkeypatch: pytest.MonkeyPatch, entry: str, url: str
    ) -> None:
        """Another port, another domain, another range, an entry that makes no sense."""
        monkeypatch.setenv("HTTP_PROXY", PROXY)
        monkeypatch.setenv("NO_PROXY", entry)
        assert proxy_for(url) == Success(PROXY)


@pytest.mark.rule("transport.20")
class TestASetting:
    """What a proxy variable may hold."""

    @pytest.mark.parametrize(
        "proxy",
        ["http://me:p@ss:w0rd@proxy.example", "https://[::1]:8443/", "HTTP://a%40b:c@h:1"],
    )
    def test_may_hold_a_password(self, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
        """User name and password belong to the address of a proxy."""
        monkeypatch.setenv("HTTP_PROXY", proxy)
        assert proxy_for("http://api.example/") == Success(proxy)

    @pytest.mark.parametrize(
        "proxy",
        [
            "127.0.0.1:1",
            "me:CANARY@proxy.example:3128",
            "socks5://me:CANARY@proxy.example:1080",
            "http://me:CANARY@proxy.example:99999",
            "http://",
            "http://me:CANARY@[::::]:1",
            "http://proxy.example/CANARY path",
            "http://me:2024/CANARY@proxy.example",
            "http://CANARY?me:1@proxy.example",
            "http://CANARY#@proxy.example",
            "http://proxÿ.example/",
        ],
    )
    def test_that_is_unusable_is_named_but_not_shown(
        self, monkeypatch: pytest.MonkeyPatch, proxy: str
    ) -> None:
        """The text says which variable to mend, and never what is in it."""
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        outcome = proxy_for("https://api.example/")
        assert isinstance(outcome, Failure)
        message = outcome.failure().message
        assert message.startswith("HTTPS_PROXY is not usable: set it to http://host:port")
        assert "CANARY" not in message
        assert "127.0.0.1" not in message

    def test_that_is_unusable_does_not_matter_where_it_is_not_used(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`NO_PROXY` is looked at first."""
        monkeypatch.setenv("HTTP_PROXY", "127.0.0.1:1")
        monkeypatch.setenv("NO_PROXY", "localhost")
        assert proxy_for("http://localhost/") == Success(None)


@pytest.mark.rule("transport.30")
def test_secrets_are_what_the_settings_hold_before_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As written, decoded, and as the header that carries them; nothing of a proxy without any."""
    monkeypatch.setenv("HTTP_PROXY", PROXY)
    assert proxy_secrets() == ()
    monkeypatch.setenv("HTTPS_PROXY", "http://me:p%40ss@proxy.example:3128")
    basic = b64encode(b"me:p@ss").decode()
    assert {"me:p%40ss", "p%40ss", "me:p@ss", "p@ss", basic} <= set(proxy_secrets())
    assert "proxy.example" not in "".join(proxy_secrets())

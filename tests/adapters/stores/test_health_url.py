"""What is wrong with a health URL, in words that show nothing of it."""

import pytest

from native_web_search.adapters.stores.health_url import (
    BLANK,
    NO_DATABASE,
    NO_PLACE,
    NO_SCHEME,
    NO_VALUE,
    TWICE,
    UNCLEAR,
    UNKNOWN,
)
from native_web_search.adapters.stores.valkey_server import valkey_server
from native_web_search.domain.outcome import Failure, Success

BEFORE = "redis://:secret@h.example"
FORMS = ("valkey://h", "valkeys://u", "redis://h", "rediss://u", "unix:///")


def said_of(url: str) -> str:
    match valkey_server(url, "a-key", 5.0):
        case Failure(wanted):
            return wanted
        case Success(server):
            pytest.fail(f"{server.place} {server._options.get('db')}")


@pytest.mark.rule("shared_health.20")
@pytest.mark.parametrize(
    "url",
    [
        "valkey://:pa\tss@h.example/0",
        "valkey://h.example\t/0",
        "redis://h.example/0\n",
        "redis://h /0",
    ],
)
def test_a_blank_is_not_dropped(url: str) -> None:
    """A password would be another one without it."""
    assert said_of(url).startswith(BLANK)


@pytest.mark.rule("shared_health.20")
@pytest.mark.parametrize(
    ("path", "database"),
    [("", 0), ("/", 0), ("/0", 0), ("/3", 3), ("/15/", 15), ("?db=3", 3), ("/?db=3", 3), ("?", 0)],
)
def test_a_database_is_one_number(path: str, database: int) -> None:
    """In the path or as an option; none is the first."""
    server = valkey_server(BEFORE + path, "a-key", 5.0).unwrap()
    assert server._options.get("db", 0) == database


@pytest.mark.rule("shared_health.20")
@pytest.mark.parametrize(
    "path",
    [
        *("/3x", "/-1", "/+3", "/1_0", "/1/2", "//3", "/٣", "/%D9%A3", "/3;x", "/9999999999"),
        *("?db=-1", "?db=+3", "?db=1_0", "?db=٣", "?db=secret", "/secret"),
    ],
)
def test_what_is_no_database_is_not_the_first_one(path: str) -> None:
    """A wrong one would share health with strangers, or with nobody."""
    said = said_of(BEFORE + path)
    assert said.startswith(f"{NO_DATABASE}; it must be a URL")
    assert "secret" not in said


@pytest.mark.rule("shared_health.20")
@pytest.mark.parametrize(
    ("url", "flaw"),
    [
        ("", NO_SCHEME),
        ("https://:secret@h.example", NO_SCHEME),
        ("redis:secret", NO_SCHEME),
        (f"{BEFORE}/0#secret", UNCLEAR),
        (f"{BEFORE}:0", NO_PLACE),
        (f"{BEFORE}:65536", NO_PLACE),
        (f"{BEFORE}:secret", NO_PLACE),
        (f"{BEFORE}%20", NO_PLACE),
        ("redis://:secret@[h.example", NO_PLACE),
        ("redis://:secret@?host=h.example&port=0", NO_PLACE),
        ("unix://", NO_PLACE),
        ("unix://run/secret.sock", NO_PLACE),
        ("unix://:7000/run/secret.sock", NO_PLACE),
        (f"{BEFORE}?ssl_ca_certs", NO_VALUE),
        (f"{BEFORE}?client_name=", NO_VALUE),
        (f"{BEFORE}?db=", NO_VALUE),
        (f"{BEFORE}?db=1&db=2", TWICE),
        (f"{BEFORE}/1?db=2", TWICE),
        (f"{BEFORE}?password=secret", TWICE),
        (f"{BEFORE}?host=secret", TWICE),
        (f"{BEFORE}:7000?port=7001", TWICE),
        ("redis://secret@h.example?username=secret", TWICE),
        ("unix:///run/secret.sock?path=/run/other.sock", TWICE),
        ("rediss://h.example?connection_class=secret", TWICE),
        (f"{BEFORE}?secret=1", UNKNOWN),
        (f"{BEFORE}?path=/run/secret.sock", UNKNOWN),
        (f"{BEFORE}?ssl_ca_certs=/secret.pem", UNKNOWN),
        (f"{BEFORE}?health_check_interval=secret", UNKNOWN),
    ],
)
def test_nothing_in_a_url_is_passed_over(url: str, flaw: str) -> None:
    """What is wrong is named, with an example of each form, and nothing of the URL."""
    said = said_of(url)
    assert said.startswith(f"{flaw}; it must be a URL")
    assert all(form in said for form in FORMS)
    assert "secret" not in said

"""Pi's stored credentials, read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.registries.pi_credentials import (
    Stored,
    StoredKey,
    StoredLogin,
    Unusable,
    parse_credentials,
)
from native_web_search.domain.outcome import Failure, Success

LOGIN = {"type": "oauth", "access": "a-token", "refresh": "r", "expires": 2_000_000_000_000}
BUSINESS = "tid=1;proxy-ep=proxy.business.githubcopilot.com;exp=2"


def stored(provider: str, entry: object) -> Stored:
    match parse_credentials(json.dumps({provider: entry}).encode()):
        case Success(entries):
            return entries[provider]
        case Failure(reason):
            pytest.fail(reason)


@pytest.mark.rule("pi_files.2")
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"type": "api_key", "key": "$KEY"}, StoredKey("$KEY")),
        ({"type": "api_key", "key": "k", "env": {"A": "b"}}, StoredKey("k", {"A": "b"})),
        ({"type": "api_key", "env": {"A": "b"}}, StoredKey(None, {"A": "b"})),
        ({"type": "api_key", "key": ""}, StoredKey(None)),
    ],
)
def test_a_key_comes_with_the_variables_beside_it(entry: object, expected: Stored) -> None:
    """Either may be missing."""
    assert stored("deepseek", entry) == expected


@pytest.mark.rule("pi_files.6")
def test_a_login_is_its_access_token_and_the_time_until_when() -> None:
    """Pi writes milliseconds."""
    assert stored("anthropic", LOGIN) == StoredLogin("a-token", 2_000_000_000.0)


@pytest.mark.rule("pi_files.7")
@pytest.mark.parametrize(
    ("more", "base_url"),
    [
        ({}, None),
        ({"access": BUSINESS}, "https://api.business.githubcopilot.com"),
        (
            {"access": BUSINESS, "enterpriseUrl": "ghe.example.com"},
            "https://api.business.githubcopilot.com",
        ),
        ({"enterpriseUrl": "https://GHE.example.com/"}, "https://copilot-api.ghe.example.com"),
        ({"enterpriseUrl": "ghe.example.com"}, "https://copilot-api.ghe.example.com"),
        ({"enterpriseUrl": "evil.example/path?x=.githubcopilot.com"}, None),
        ({"enterpriseUrl": "user@ghe.example.com"}, None),
        ({"enterpriseUrl": 7}, None),
    ],
)
def test_a_copilot_login_knows_where_it_is_served(
    more: dict[str, object], base_url: str | None
) -> None:
    """Where the token says, else at the enterprise's host; a doubtful host is none."""
    found = stored("github-copilot", {**LOGIN, **more})
    assert isinstance(found, StoredLogin)
    assert found.base_url == base_url


@pytest.mark.rule("pi_files.7")
@pytest.mark.parametrize(
    ("listed", "models"),
    [(["gpt-5.5", 7], frozenset({"gpt-5.5"})), ([], frozenset()), ("gpt-5.5", None), (None, None)],
)
def test_a_copilot_login_knows_its_models(listed: object, models: frozenset[str] | None) -> None:
    """Without a list, all are allowed; an empty list allows none."""
    found = stored("github-copilot", {**LOGIN, "availableModelIds": listed})
    assert isinstance(found, StoredLogin)
    assert found.models == models


@pytest.mark.rule("pi_files.8")
@pytest.mark.parametrize("provider", ["antigravity", "google-antigravity"])
def test_an_antigravity_login_carries_its_project(provider: str) -> None:
    """Token and project travel together; without a project the token goes alone."""
    found = stored(provider, {**LOGIN, "projectId": "p-1"})
    assert isinstance(found, StoredLogin)
    assert json.loads(found.key) == {"token": "a-token", "projectId": "p-1"}
    assert stored(provider, LOGIN) == StoredLogin("a-token", 2_000_000_000.0)


@pytest.mark.rule("pi_files.12")
@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        "sk-1",
        {},
        {"type": "token", "key": "k"},
        {"type": "api_key", "key": 1},
        {"type": "api_key", "key": "k", "env": {"A": 1}},
        {"type": "api_key", "key": "k", "env": ["A"]},
        {"type": "oauth", "access": " ", "expires": 1},
        {"type": "oauth", "access": "a"},
        {"type": "oauth", "access": "a", "expires": "soon"},
        {"type": "oauth", "access": "a", "expires": -1},
        {"type": "oauth", "access": "a", "expires": 10**400},
    ],
)
def test_an_entry_that_makes_no_sense_is_unusable(entry: object) -> None:
    """It is kept as such, so that it closes its provider and no other."""
    assert stored("deepseek", entry) == Unusable()


@pytest.mark.rule("pi_files.11")
def test_a_byte_order_mark_is_no_mistake() -> None:
    """Editors write one."""
    assert parse_credentials(b"\xef\xbb\xbf{}") == Success({})


@pytest.mark.rule("pi_files.11")
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"a": NaN}', b"[" * 100_000])
def test_a_broken_file_is_a_reason(content: bytes) -> None:
    """The reason shows nothing of it."""
    assert parse_credentials(content) == Failure("it is no JSON object")


@pytest.mark.rule("pi_files.14")
def test_no_repr_shows_a_secret() -> None:
    """Neither a key nor a variable nor a token."""
    keys = [StoredKey("SECRET", {"A": "SECRET"}), StoredLogin("SECRET", 1.0)]
    assert "SECRET" not in repr(keys)


@pytest.mark.rule("pi_files.16")
@given(
    st.binary()
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(["oauth", "api_key"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "key", "env", "access", "expires", "github-copilot"])
                | st.text(),
                inner,
                max_size=4,
            )
        ),
    ).map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_are_entries_or_a_reason(content: bytes) -> None:
    """Whatever stands in the file, nothing is raised."""
    assert isinstance(parse_credentials(content), Success | Failure)

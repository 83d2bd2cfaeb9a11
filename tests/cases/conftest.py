"""What the cases share: no proxy of this machine, a tool for any logins, and every dialect."""

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Unpack

import pytest

from native_web_search.adapters.compose import Arguments, open_web_search
from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import (
    DEEPSEEK,
    JSON,
    SPEAKERS,
    STREAMING,
    Login,
    Speaker,
    logged_in,
)
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.web_search import WebSearch


@pytest.fixture(autouse=True)
def _without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., WebSearch]:
    """Opens the tool for a user of these logins, in conversation with the first."""

    def web_search(*logins: Login, **arguments: Unpack[Arguments]) -> WebSearch:
        arguments.setdefault("preference_file", tmp_path / "preferences.json")
        return open_web_search(logged_in(*logins), environ={}, **arguments)

    return web_search


@pytest.fixture
def only_good(opened: Callable[..., WebSearch]) -> Callable[..., Awaitable[None]]:
    """Asserts that of these URLs the bad ones are entries with an error, each in its place, and
    that a provider is asked for the good ones alone, as they were given.
    """
    page = response(b'{"title":"T","content":"c"}', content_type=JSON)

    async def assert_only_good(bad: Sequence[object], good: Sequence[str]) -> None:
        async with RawServer(answering(page)) as server, opened(DEEPSEEK.at(server.url)) as web:
            result = await web.call({"urls": [*bad, *good]})
        assert not result.is_error
        asked = [json.loads(request.body)["url"] for request in server.requests]
        assert sorted(asked) == sorted(good)
        entries = json.loads(result.text)["fetched"]
        refused, fetched = entries[: len(bad)], entries[len(bad) :]
        assert all(set(entry) == {"url", "error"} and entry["error"] for entry in refused)
        assert [entry["url"] for entry in fetched if "data" in entry] == list(good)

    return assert_only_good


@pytest.fixture(params=SPEAKERS, ids=str)
def speaker(request: pytest.FixtureRequest) -> Speaker:
    """Each dialect in turn."""
    assert isinstance(request.param, Speaker)
    return request.param


@pytest.fixture(params=STREAMING, ids=str)
def streaming(request: pytest.FixtureRequest) -> Speaker:
    """Each dialect that answers with a stream, in turn."""
    assert isinstance(request.param, Speaker)
    return request.param

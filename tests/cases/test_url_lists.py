"""Lists of URLs with anything in them, and with too much, in whole calls."""

import json
from collections.abc import Awaitable, Callable

import pytest

from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import DEEPSEEK, JSON
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.web_search import WebSearch

Opened = Callable[..., WebSearch]
OnlyGood = Callable[..., Awaitable[None]]

GOOD = "https://good.example/a?b=%2F#c"
PAGE = response(b'{"title":"T","content":"c","results":[]}', content_type=JSON)


@pytest.mark.case("U12")
async def test_anything_may_stand_in_the_place_of_a_url(only_good: OnlyGood) -> None:
    """Other types and schemes are entries with an error; the good ones are fetched."""
    bad: list[object] = [
        None,
        5,
        {},
        "",
        "   ",
        "ftp://h/",
        "javascript:alert(1)//http://x",
        "//h/x",
    ]
    await only_good(bad, ["HTTPS://E.example/", GOOD])


@pytest.mark.case("U12")
async def test_more_of_what_is_no_url(only_good: OnlyGood) -> None:
    """Nested lists, booleans, floats, objects with a URL inside, and schemes that look alike."""
    bad: list[object] = [
        *[[], [GOOD], {"url": GOOD}, True, False, 1.5, float("nan"), 10**5_000, "\t"],
        *["http", "httpx://h/", "http//h/", "file:///etc/passwd", "data:,x", "h.example", "?"],
    ]
    await only_good(bad, [GOOD])


@pytest.mark.case("U12")
@pytest.mark.parametrize(("count", "fetched"), [(1, 1), (19, 19), (20, 20), (21, 0), (1_000, 0)])
@pytest.mark.parametrize("query", [None, "q"])
async def test_twenty_are_the_most(
    opened: Opened, count: int, fetched: int, query: str | None
) -> None:
    """More are an error before anything is sent, beside a query too; none is left out silently."""
    urls = [f"https://h.example/{at}" for at in range(count)]
    async with RawServer(answering(PAGE)) as server, opened(DEEPSEEK.at(server.url)) as web:
        result = await web.call({"query": query, "urls": urls})
    assert result.is_error == (fetched == 0)
    sent = [json.loads(request.body).get("url") for request in server.requests]
    assert sorted(filter(None, sent)) == sorted(urls[:fetched])
    assert fetched or not sent


@pytest.mark.case("U12")
@pytest.mark.parametrize(
    "urls", [[None], [5, {}], ["", "   "], ["ftp://h/", "//h/x"], ["x"] * 20, [[]], [None] * 20]
)
async def test_bad_ones_alone_are_an_error_of_the_call(opened: Opened, urls: list[object]) -> None:
    """Without a query there is nothing to do, and each is named; with one, the search counts."""
    async with RawServer(answering(PAGE)) as server, opened(DEEPSEEK.at(server.url)) as web:
        result = await web.call({"urls": urls})
        both = await web.call({"query": "q", "urls": urls})
    assert result.is_error
    assert len(result.text.splitlines()) == len(urls) + 1
    assert len(server.requests) == 1
    assert [set(entry) for entry in json.loads(both.text)["fetched"]] == [{"url", "error"}] * len(
        urls
    )

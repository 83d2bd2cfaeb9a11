"""URLs that other programs repaired, sent on or stumbled over, in whole calls."""

from collections.abc import Awaitable, Callable

import pytest

from native_web_search.adapters.testing.raw_server import RawServer
from native_web_search.adapters.testing.speakers import GEMINI, JSON, OLLAMA, Speaker
from native_web_search.adapters.testing.stubs import answering, response
from native_web_search.application.web_search import WebSearch

Opened = Callable[..., WebSearch]
OnlyGood = Callable[..., Awaitable[None]]

GOOD = "https://good.example/a?b=%2F#c"
PAGE = response(b'{"title":"T","content":"c","results":[]}', content_type=JSON)


HIDDEN = [
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\x0b",
    "\x1f",
    "\x7f",
    "\x85",
    "\u2028",
    "\u00a0",
    "\ufeff",
]


@pytest.mark.case("U01")
async def test_characters_that_parsers_delete_are_refused(only_good: OnlyGood) -> None:
    """A tab in the host and a line break in the path are errors of their own URLs."""
    bad = ["http://exa\tmple.com/", "http://e.example/\nX-A: b"]
    await only_good(bad, [GOOD])


@pytest.mark.case("U01")
@pytest.mark.parametrize("odd", HIDDEN, ids=ascii)
async def test_no_hidden_character_is_sent_anywhere(only_good: OnlyGood, odd: str) -> None:
    """Wherever it stands in the URL, around it as well, whoever is asked."""
    places = ("{}https://h.example/", "https://h.example/{}", "ht{}tps://h.example/")
    more = ("https:{}//h.example/", "https://{}h.example/", "https://h.ex{}ample:8{}0/a{}?b{}#c{}")
    bad = [place.replace("{}", odd) for place in (*places, *more)]
    await only_good(bad, [GOOD])


@pytest.mark.case("U01")
@pytest.mark.parametrize("speaker", [OLLAMA, GEMINI], ids=str)
async def test_nobody_is_asked_for_a_url_that_was_refused(opened: Opened, speaker: Speaker) -> None:
    """Every interface that fetches sees the good URL alone."""
    async with RawServer(answering(PAGE)) as server, opened(speaker.at(server.url)) as web:
        await web.call({"urls": ["http://exa\tmple.com/", GOOD, "http://e.example/\nX-A: b"]})
    sent = b"".join(request.body for request in server.requests)
    assert GOOD.encode() in sent
    assert b"mple.com" not in sent
    assert b"e.example/" not in sent.replace(b"good.example/", b"")


@pytest.mark.case("U05")
async def test_urls_without_a_host_are_refused(only_good: OnlyGood) -> None:
    """Nothing is put in the place of a host that is missing."""
    bad = ["http://", "http:///x", "https:example.com", "http://?x", "http://#x", "http://:80/"]
    await only_good([*bad, "http:////h/x"], [GOOD])


@pytest.mark.case("U05")
async def test_nor_is_a_host_looked_for(only_good: OnlyGood) -> None:
    """Missing slashes, the other slash, a port or a user alone, a host that is only a dot mark."""
    bad = [
        *[
            "https:/h.example",
            "https:\\\\h.example/",
            "https:/\\h.example/",
            "https://\\h.example/",
        ],
        *["http:", "https", "://h/", "http://:/", "http://@/", "http://@:80/", "http://:@/"],
        *["http://%20/", "http://[]/", "http://:80", "HTTP:///h"],
    ]
    await only_good(bad, [GOOD])


@pytest.mark.case("U08")
async def test_broken_brackets_are_refused(only_good: OnlyGood) -> None:
    """In one call with a good address in brackets, which is fetched."""
    bad = ["http://[::1", "http://]::1[/", "http://[127.0.0.1]/", "http://::1/", "http://[::1]x/"]
    await only_good(bad, ["http://[2001:db8::1]:8080/p"])


@pytest.mark.case("U08")
async def test_addresses_in_brackets_are_read_to_the_letter(only_good: OnlyGood) -> None:
    """Zones, spare colons, wrong digits and ports out of range are errors, odd forms are not."""
    bad = [
        *["http://[fe80::1%25eth0]/", "http://[:::1]/", "http://[::1]]/", "http://[[::1]]/"],
        *["http://[1:2:3:4:5:6:7:8:9]/", "http://[::g]/", "http://[::1]:65536/", "http://[::1]:x/"],
        *["http://[::1.2.3.999]/", "http://a[::1]/", "http://[", "http://]"],
    ]
    good = [
        "http://[::]/",
        "http://[::ffff:1.2.3.4]/",
        "http://[0:0::1]:65535/",
        "HTTP://[ABCD::]/",
    ]
    await only_good(bad, good)


@pytest.mark.case("U09")
async def test_names_that_cannot_be_encoded_raise_nothing(only_good: OnlyGood) -> None:
    """What parses goes out as it is, whatever a name service will think of it."""
    good = ["http://xn--a/", "http://xn--/", f"http://{'a' * 64}.example/", "http://a..b/"]
    await only_good([], [*good, "http://bücher.example/", "http://😀.example/"])


@pytest.mark.case("U09")
async def test_odd_names_cost_themselves_alone(only_good: OnlyGood) -> None:
    """What the rules for hosts forbid is refused; long, foreign and half-encoded names pass."""
    bad = [
        *[
            "http://%00.example/",
            "http://a<b/",
            "http://a|b/",
            "http://a%2fb/",
            "http://1.2.3.256/",
        ],
        *["http://0x1ffffffff/", "http://\ufffd.example/", "http://a\ud800.example/"],
    ]
    good = [
        *["http://xn--bcher-kva.example/", "http://ExAmPlE.例え/", "http://مثال.example/"],
        *[f"http://{'a.' * 200}example/", f"http://{'ü' * 70}.example/", "http://a_b.example/"],
        *["http://-a.example/", "http://127.1/"],
    ]
    await only_good(bad, good)


@pytest.mark.case("U11")
@pytest.mark.parametrize(
    ("start", "fill"),
    [("https://h.example/", "a"), ("https://h.example/?", "я"), ("https://h.example/#", "😀")],
)
async def test_the_length_is_counted_in_characters(
    only_good: OnlyGood, start: str, fill: str
) -> None:
    """8,192 pass, one more does not, however long either is when it is percent-encoded."""
    longest = start.ljust(8_192, fill)
    await only_good([longest + fill, longest * 9], [longest, GOOD])

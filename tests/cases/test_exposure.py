"""What models are shown of the tool, and calls that do not fit what they were shown."""

import json
from collections.abc import Callable, Iterator

import pytest
from attrs import evolve

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    RecordingHost,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.adapters.testing.speakers import (
    ANTHROPIC,
    DEEPSEEK,
    GEMINI,
    OLLAMA,
    OPENAI,
    Login,
    logged_in,
)
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.exposure import Exposure, tool_spec
from native_web_search.ports.registry import Credential

Opened = Callable[..., WebSearch]

HERE = "https://e.example"
GOOD = "https://page.example/"


def offline(web: WebSearch) -> tuple[ScriptedSearcher, ScriptedFetcher]:
    """Lets the tool ask nobody but a script; returns what records who was asked."""
    web.searcher, web.fetcher = searcher, fetcher = ScriptedSearcher(), ScriptedFetcher()
    return searcher, fetcher


def schemas() -> Iterator[dict[str, object]]:
    for shown in Exposure:
        spec = tool_spec(shown)
        if spec is not None:
            yield dict(spec.schema)


@pytest.mark.case("T03")
def test_no_schema_has_a_choice_in_it() -> None:
    """Both forms are plain objects, at the top and inside; what providers refuse is nowhere."""
    both = list(schemas())
    assert len(both) == 2
    for schema in both:
        assert schema["type"] == "object"
        text = json.dumps(schema)
        odd = ["anyOf", "oneOf", "allOf", "not", "$ref", "if", "$defs", "const", "pattern"]
        assert not [word for word in odd if f'"{word}"' in text]
        assert json.loads(text) == schema


@pytest.mark.case("T03")
@pytest.mark.parametrize(
    "arguments",
    [
        *[{}, {"query": " ", "urls": []}, {"query": ""}, {"urls": []}, {"query": None}],
        *[{"urls": None}, {"query": "\ufeff\u3000\n", "urls": None}, {"Query": "q"}, {"url": GOOD}],
        *[None, [], "q", 5, [{"query": "q"}]],
    ],
)
async def test_that_one_of_both_is_needed_is_said_when_it_runs(
    opened: Opened, arguments: object
) -> None:
    """A call without any work is an error that says what is missing, and asks nobody."""
    web = opened(DEEPSEEK.at(HERE))
    searcher, fetcher = offline(web)
    result = await web.call(arguments)
    assert result.is_error
    assert "query" in result.text
    assert "urls" in result.text
    assert (searcher.asked, fetcher.asked) == ([], [])


def users() -> dict[str, tuple[StaticRegistry, ...]]:
    """Changes in what a user has that change nothing in what the tool can do."""
    deepseek, ollama, openai = (each.at(HERE) for each in (DEEPSEEK, OLLAMA, OPENAI))
    anthropic = ANTHROPIC.at(HERE)
    headed = Login(evolve(openai.model, headers=(("x", "y"),)), openai.credential)
    rotated = Login(openai.model, Credential("a test", "another-key"))
    return {
        "equal": (logged_in(openai), logged_in(OPENAI.at(HERE))),
        "order": (logged_in(openai, anthropic), logged_in(anthropic, openai)),
        "key": (logged_in(openai), logged_in(rotated)),
        "headers": (logged_in(openai), logged_in(headed)),
        "more of the same": (logged_in(openai), logged_in(openai, anthropic)),
        "another fetcher": (logged_in(deepseek), logged_in(ollama, openai)),
    }


@pytest.mark.case("T05")
@pytest.mark.parametrize("kind", users())
async def test_what_changes_nothing_is_not_registered_again(opened: Opened, kind: str) -> None:
    """Ten syncs between users who can do the same register once and activate once."""
    web, host = opened(OPENAI.at(HERE)), RecordingHost()
    registries = users()[kind]
    web.registry = registries[0]
    state = await web.sync(host)
    for number in range(9):
        web.registry = registries[number % len(registries)]
        state = await web.sync(host, state)
    assert (len(host.registered), len(host.changes)) == (1, 1)


@pytest.mark.case("T05")
async def test_a_change_of_form_is_registered_once(opened: Opened) -> None:
    """Each change of what the tool can do is one registration, and the way back is another."""
    web, host = opened(OPENAI.at(HERE)), RecordingHost()
    state = await web.sync(host)
    for login in (OPENAI, GEMINI, GEMINI, DEEPSEEK, OPENAI, ANTHROPIC):
        web.registry = logged_in(login.at(HERE))
        state = await web.sync(host, state)
    shown = [spec.exposure for spec in host.registered]
    assert shown == [Exposure.QUERY, Exposure.QUERY_AND_URLS, Exposure.QUERY]
    assert len(host.changes) == 1


@pytest.mark.case("T06")
async def test_urls_are_served_whatever_form_was_shown(opened: Opened) -> None:
    """A stale call with URLs is fetched by a usable fetcher; without one nothing is sent."""
    web, host = opened(OPENAI.at(HERE)), RecordingHost()
    state = await web.sync(host)
    assert [spec.exposure for spec in host.registered] == [Exposure.QUERY]
    searcher, fetcher = offline(web)
    for arguments in ({"urls": [GOOD]}, {"query": "q", "urls": [GOOD]}):
        refused = await web.call(arguments)
        assert refused.is_error
        assert "Call the tool again with `query` alone" in refused.text
    assert (searcher.asked, fetcher.asked) == ([], [])
    web.registry = logged_in(OPENAI.at(HERE), DEEPSEEK.at(HERE))
    served = await web.call({"urls": [GOOD]})
    assert json.loads(served.text)["fetched"] == [{"url": GOOD, "data": {"title": GOOD}}]
    await web.sync(host, state)
    both = [spec.exposure for spec in host.registered]
    assert both == [Exposure.QUERY, Exposure.QUERY_AND_URLS]


@pytest.mark.case("T06")
@pytest.mark.parametrize(
    "extra",
    [
        {"limit": 5, "recency": "day"},
        {"": None, "Query": 5, "URLS": [GOOD], "url": GOOD},
        {"urls ": 5, "query\n": []},
        {"__proto__": {"query": 5}, "constructor": "x"},
    ],
)
async def test_unknown_fields_are_ignored(opened: Opened, extra: dict[str, object]) -> None:
    """Whatever they hold, the call is the one without them."""
    web = opened(DEEPSEEK.at(HERE))
    searcher, fetcher = offline(web)
    result = await web.call({"query": "q", "urls": [GOOD], **extra})
    assert not result.is_error
    assert (searcher.asked[0][1], fetcher.asked[0][1]) == ("q", (GOOD,))


@pytest.mark.case("T06")
@pytest.mark.parametrize(
    "urls",
    ['["https://e.example"]', GOOD, "[]", "", 5, True, {"0": GOOD}, {}, b"https://h/", {GOOD}],
)
@pytest.mark.parametrize("query", [None, "q"])
async def test_urls_in_another_form_are_a_clear_error(
    opened: Opened, urls: object, query: str | None
) -> None:
    """A list inside of a string is not taken apart, and the error shows what a list looks like."""
    web = opened(DEEPSEEK.at(HERE))
    searcher, fetcher = offline(web)
    result = await web.call({"query": query, "urls": urls})
    assert result.is_error
    assert '`urls` must be a list of strings such as ["https://..."]' in result.text
    assert (searcher.asked, fetcher.asked) == ([], [])

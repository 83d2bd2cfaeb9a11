"""Gemini and Antigravity: what they answer, and what they refuse."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from native_web_search.adapters.simulator.corpus import Page, bundled
from native_web_search.adapters.simulator.exchange import Answer, SeenRequest, compact
from native_web_search.adapters.simulator.keys import ANTIGRAVITY_BEARER, key_of
from native_web_search.adapters.simulator.wire_google import antigravity, gemini

PAGE = "https://docs.example/cooldown"
SEARCH: tuple[Mapping[str, object], ...] = ({"google_search": {}},)
READ: tuple[Mapping[str, object], ...] = ({"url_context": {}},)
VIDEO = {"file_data": {"file_uri": "https://youtu.be/AAAAAAAAAAA", "mime_type": "video/mp4"}}


def _contents(*parts: object) -> list[object]:
    return [{"role": "user", "parts": list(parts)}]


def _text(text: str) -> Mapping[str, object]:
    return {"contents": _contents({"text": text})}


def _gemini(
    body: object,
    model: str = "gemini-3.5-flash",
    *,
    route: str = "v1beta/models/{}:streamGenerateContent",
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] = {"alt": "sse"},
) -> Answer:
    path = f"/google/{route.format(model)}"
    given = {"x-goog-api-key": key_of("google")} if headers is None else headers
    raw = compact(body)
    seen = SeenRequest("google", "POST", path, query, given, json.loads(raw), raw)
    return gemini(seen, bundled())


def _antigravity(
    request: object,
    changes: Mapping[str, object] = {},
    headers: Mapping[str, str] = {},
    query: Mapping[str, str] = {"alt": "sse"},
) -> Answer:
    usual = {
        "authorization": f"Bearer {ANTIGRAVITY_BEARER}",
        "user-agent": "antigravity/hub/2.8.0 linux/x64",
    }
    wrapper = {"project": "aicode-consumers", "model": "gemini-3.6-flash-low"}
    agent = {"requestType": "AGENT", "userAgent": "antigravity"}
    raw = compact({**wrapper, "request": request, **agent, **changes})
    path = "/antigravity/v1internal:streamGenerateContent"
    given = {**usual, **headers}
    seen = SeenRequest("antigravity", "POST", path, query, given, json.loads(raw), raw)
    return antigravity(seen, bundled())


def _events(answer: Answer, line_end: str = "\r\n") -> list[dict[str, Any]]:
    assert (answer.status, answer.content_type) == (200, "text/event-stream")
    blocks = answer.body.decode().removesuffix(line_end * 2).split(line_end * 2)
    assert all(block.startswith("data: ") for block in blocks)
    return [json.loads(block.removeprefix("data: ")) for block in blocks]


def _answer(events: list[dict[str, Any]]) -> str:
    return "".join(event["candidates"][0]["content"]["parts"][0]["text"] for event in events)


@pytest.mark.rule("simulator.2")
class TestSearch:
    """Search with grounding."""

    def test_the_evidence_comes_last_and_is_empty_before(self) -> None:
        """Every event has metadata, only the last one has some in it, and it finishes."""
        events = _events(_gemini({**_text("how long is a cooldown"), "tools": SEARCH}))
        candidates = [event["candidates"][0] for event in events]
        assert len(candidates) > 2
        assert all(each["groundingMetadata"] == {} for each in candidates[:-1])
        assert "finishReason" not in candidates[0]
        assert candidates[-1]["finishReason"] == "STOP"
        assert candidates[-1]["groundingMetadata"]["webSearchQueries"] == ["how long is a cooldown"]

    @pytest.mark.parametrize("query", ["cooldown", "冷却时间", "مهلة التهدئة"])
    def test_supports_count_bytes(self, query: str) -> None:
        """Offsets cut the supported text out of the answer's UTF-8, and zero is left out."""
        events = _events(_gemini({**_text(query), "tools": SEARCH}))
        metadata = events[-1]["candidates"][0]["groundingMetadata"]
        supports, chunks = metadata["groundingSupports"], metadata["groundingChunks"]
        answer = _answer(events).encode()
        for support in supports:
            segment = support["segment"]
            cut = answer[segment.get("startIndex", 0) : segment["endIndex"]]
            assert cut.decode() == segment["text"]
            (index,) = support["groundingChunkIndices"]
            assert chunks[index]["web"]["uri"]
        written = ["startIndex" in support["segment"] for support in supports]
        assert written == [False, *[True] * (len(supports) - 1)]

    def test_chunks_are_redirects_titled_by_host(self) -> None:
        """The address is hidden behind a redirect and the title is the bare host."""
        events = _events(_gemini({**_text("cooldown"), "tools": SEARCH}))
        chunks = events[-1]["candidates"][0]["groundingMetadata"]["groundingChunks"]
        assert all("/grounding-api-redirect/" in chunk["web"]["uri"] for chunk in chunks)
        assert chunks[0]["web"]["title"] == "docs.example"

    @pytest.mark.rule("simulator.5")
    def test_nothing_found_has_queries_and_no_chunks(self) -> None:
        """A search without hits says what was searched for."""
        metadata = _events(_gemini({**_text("xyzzy"), "tools": SEARCH}))[-1]["candidates"][0][
            "groundingMetadata"
        ]
        assert metadata["webSearchQueries"] == ["xyzzy"]
        assert "groundingChunks" not in metadata

    @pytest.mark.parametrize("spelling", ["google_search", "googleSearch"])
    def test_both_spellings_are_understood(self, spelling: str) -> None:
        """Names in snake case and camel case mean the same."""
        events = _events(_gemini({**_text("cooldown"), "tools": [{spelling: {}}]}))
        assert events[-1]["candidates"][0]["groundingMetadata"]["groundingChunks"]

    @pytest.mark.rule("simulator.14")
    def test_without_the_tool_there_is_no_evidence(self) -> None:
        """An answer from memory has no metadata at all."""
        events = _events(_gemini(_text("cooldown")))
        assert all("groundingMetadata" not in event["candidates"][0] for event in events)


@pytest.mark.rule("simulator.6")
class TestRead:
    """Pages with `url_context`."""

    def test_each_address_has_a_status(self) -> None:
        """Success, error, paywall and unsafe, in an order of the service's own."""
        urls = [PAGE, "https://a.example/", "https://paywall.example/", "https://unsafe.example/"]
        text = "\n".join(["what is this?", "", "URLs:", *urls])
        events = _events(_gemini({**_text(text), "tools": READ}))
        metadata = events[0]["candidates"][0]["urlContextMetadata"]["urlMetadata"]
        statuses = {each["retrievedUrl"]: each["urlRetrievalStatus"][21:] for each in metadata}
        assert statuses == dict(zip(urls, ["SUCCESS", "ERROR", "PAYWALL", "UNSAFE"], strict=True))
        assert [each["retrievedUrl"] for each in metadata] != urls
        assert "urlContextMetadata" not in events[-1]["candidates"][0]

    def test_the_answer_holds_the_pages(self) -> None:
        """The text of each page that was read is in the answer, and the page is a chunk."""
        events = _events(_gemini({**_text(f"read\n\nURLs:\n{PAGE}"), "tools": READ}))
        page = bundled().read(PAGE)
        assert isinstance(page, Page)
        assert page.text in _answer(events)
        chunks = events[-1]["candidates"][0]["groundingMetadata"]["groundingChunks"]
        assert [chunk["web"]["uri"] for chunk in chunks] == [PAGE]

    def test_nothing_readable_is_said_plainly(self) -> None:
        """The answer admits it, and the statuses are there."""
        events = _events(_gemini({**_text("URLs:\nhttps://a.example/"), "tools": READ}))
        assert _answer(events) == "None of these pages could be read."
        assert "groundingMetadata" not in events[-1]["candidates"][0]

    def test_a_video_is_watched_without_metadata(self) -> None:
        """A video part gets an answer and no entry of its own."""
        body = {"contents": _contents(VIDEO, {"text": "What happens?"}), "tools": READ}
        events = _events(_gemini(body))
        assert "AAAAAAAAAAA" in _answer(events)
        assert all("urlContextMetadata" not in event["candidates"][0] for event in events)

    def test_both_tools_bring_both_kinds_of_evidence(self) -> None:
        """Search and pages in one call have both kinds of metadata."""
        body = {**_text(f"cooldown\n\nURLs:\n{PAGE}"), "tools": [*READ, *SEARCH]}
        events = _events(_gemini(body))
        assert events[0]["candidates"][0]["urlContextMetadata"]["urlMetadata"]
        assert events[-1]["candidates"][0]["groundingMetadata"]["webSearchQueries"] == ["cooldown"]

    @pytest.mark.rule("simulator.4")
    def test_the_twenty_first_address_is_too_many(self) -> None:
        """Addresses in the prompt are counted, wherever they stand."""
        twenty = "\n".join([PAGE] * 20)
        assert _gemini({**_text(twenty), "tools": READ}).status == 200
        answer = _gemini({**_text(f"about {PAGE}\n{twenty}"), "tools": READ})
        assert answer.status == 400
        assert "(21 > 20)" in answer.body.decode()


@pytest.mark.rule("simulator.2")
class TestForms:
    """The same answer in other forms."""

    def test_without_alt_the_stream_is_one_array(self) -> None:
        """And an error is an array too."""
        body = {**_text("cooldown"), "tools": SEARCH}
        answer = _gemini(body, query={})
        assert json.loads(answer.body) == _events(_gemini(body))
        (wrapped,) = json.loads(_gemini({}, query={}).body)
        assert wrapped["error"]["code"] == 400

    def test_a_call_that_does_not_stream_has_everything_at_once(self) -> None:
        """Whole text and both kinds of metadata in one candidate."""
        body = {**_text(f"cooldown\n\nURLs:\n{PAGE}"), "tools": [*READ, *SEARCH]}
        (candidate,) = json.loads(_gemini(body, route="v1beta/models/{}:generateContent").body)[
            "candidates"
        ]
        assert candidate["content"]["parts"] == [{"text": _answer(_events(_gemini(body)))}]
        assert candidate["urlContextMetadata"]["urlMetadata"]
        assert candidate["groundingMetadata"]["groundingChunks"]
        assert candidate["finishReason"] == "STOP"

    def test_antigravity_wraps_every_event(self) -> None:
        """The response is a member beside a trace, and lines end with a line feed."""
        events = _events(_antigravity({**_text("cooldown"), "tools": SEARCH}), "\n")
        assert all(list(event) == ["response", "traceId", "metadata"] for event in events)
        plain = _events(_gemini({**_text("cooldown"), "tools": SEARCH}))
        assert _answer([event["response"] for event in events]) == _answer(plain)

    @pytest.mark.rule("simulator.14")
    def test_claude_on_antigravity_does_not_search(self) -> None:
        """Models of other makers answer without grounding."""
        request = {**_text("cooldown"), "tools": SEARCH}
        events = _events(_antigravity(request, {"model": "claude-sonnet-5"}), "\n")
        assert all("groundingMetadata" not in e["response"]["candidates"][0] for e in events)


@pytest.mark.rule("simulator.4")
class TestRefused:
    """Requests that somebody got wrong."""

    @pytest.mark.parametrize(
        ("body", "model", "said"),
        [
            ({}, "gemini-3.5-flash", "Expected an object"),
            ([], "gemini-3.5-flash", "Expected an object"),
            ({"contents": []}, "gemini-3.5-flash", "contents is not specified"),
            ({"contents": _contents({"text": " "})}, "gemini-3.5-flash", "contents"),
            ({**_text("q"), "tolls": []}, "gemini-3.5-flash", 'Unknown name "tolls"'),
            (
                {**_text("q"), "tools": [{"google_serch": {}}]},
                "gemini-3.5-flash",
                "Unknown name \"googleSerch\" at 'tools[0]'",
            ),
            (
                {**_text("q"), "tools": [{"google_search": {"max": 1}}]},
                "gemini-3.5-flash",
                'Unknown name "max"',
            ),
            (
                {**_text("q"), "tools": [{"google_search_retrieval": {}}]},
                "gemini-3.5-flash",
                "use google_search field",
            ),
            (
                {**_text("q"), "tools": [*SEARCH, {"function_declarations": []}]},
                "gemini-3.5-flash",
                "function calling is unsupported",
            ),
            ({**_text("q"), "tools": SEARCH}, "gemma-4-27b-it", "Search as tool is not enabled"),
            ({**_text("q"), "tools": READ}, "gemini-2.0-flash", "Browse tool is not supported."),
        ],
    )
    def test_gemini_says_what_is_wrong(self, body: object, model: str, said: str) -> None:
        """Status 400, INVALID_ARGUMENT, and a message that names it."""
        answer = _gemini(body, model)
        error = json.loads(answer.body)["error"]
        assert (answer.status, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
        assert said in error["message"]

    @pytest.mark.rule("simulator.13")
    def test_a_bottomless_body_is_refused_like_any_other(self) -> None:
        """Nesting does not bring the provider down."""
        body: object = "q"
        for _ in range(400):
            body = {"parts": [body]}
        assert _gemini({"contents": [body]}).status == 400

    @pytest.mark.parametrize(
        ("model", "version", "status"),
        [
            ("gemini-flash-latest", "v1beta", 200),
            ("gemini-flash-latest", "v1", 404),
            ("claude-x", "v1beta", 404),
        ],
    )
    def test_a_model_that_is_not_served_is_not_found(
        self, model: str, version: str, status: int
    ) -> None:
        """Unknown names, and aliases on the version that lacks them."""
        answer = _gemini(_text("q"), model, route=f"{version}/models/{{}}:streamGenerateContent")
        assert answer.status == status
        assert (f"models/{model} is not found" in answer.body.decode()) is (status == 404)

    @pytest.mark.parametrize("path", ["/google/models/gemini-3.5-flash:streamGenerateContent", "/"])
    def test_a_wrong_path_is_a_page(self, path: str) -> None:
        """Without a version there is HTML and no JSON."""
        seen = SeenRequest("google", "POST", path, {}, {"x-goog-api-key": key_of("google")})
        answer = gemini(seen, bundled())
        assert (answer.status, answer.content_type) == (404, "text/html")

    @pytest.mark.rule("simulator.3")
    @pytest.mark.parametrize(
        ("headers", "status", "said"),
        [
            ({}, 403, "unregistered callers"),
            ({"x-goog-api-key": "wrong"}, 400, "API_KEY_INVALID"),
            ({"authorization": "Bearer wrong"}, 400, "API_KEY_INVALID"),
        ],
    )
    def test_a_wrong_key_is_refused_as_google_does(
        self, headers: Mapping[str, str], status: int, said: str
    ) -> None:
        """No key is forbidden, a wrong one is a bad request with a reason."""
        answer = _gemini(_text("q"), headers=headers)
        assert answer.status == status
        assert said in answer.body.decode()

    def test_a_key_in_the_address_does_not_count(self) -> None:
        """A client that would leak its key into logs is not let in."""
        query = {"alt": "sse", "key": key_of("google")}
        assert _gemini(_text("q"), headers={}, query=query).status == 403

    @pytest.mark.parametrize(
        ("headers", "changes", "status", "said"),
        [
            ({"authorization": "Bearer x"}, {}, 401, "UNAUTHENTICATED"),
            ({"user-agent": "python"}, {}, 403, "no longer supported"),
            ({}, {"project": "other"}, 403, "PERMISSION_DENIED"),
            ({}, {"model": "unknown-1"}, 404, "model unknown-1"),
            ({}, {"model": None}, 404, "NOT_FOUND"),
            ({}, {"extra": 1}, 400, 'Unknown name \\"extra\\"'),
        ],
    )
    def test_antigravity_says_what_is_wrong(
        self, headers: Mapping[str, str], changes: dict[str, object], status: int, said: str
    ) -> None:
        """Doors, wrapper and model are checked before the request inside."""
        answer = _antigravity(_text("q"), changes, headers)
        assert answer.status == status
        assert said in answer.body.decode()

    @pytest.mark.parametrize("request_inside", [None, [], {}])
    def test_antigravity_wants_a_request_inside(self, request_inside: object) -> None:
        """An empty wrapper is refused like an empty request."""
        answer = _antigravity(request_inside)
        assert answer.status == 400
        assert "contents is not specified" in answer.body.decode()

    def test_antigravity_only_streams_events(self) -> None:
        """Any other form is refused, and any other path is not there."""
        assert _antigravity(_text("q"), query={}).status == 400
        seen = SeenRequest("antigravity", "POST", "/antigravity/v1internal:load", {}, {})
        assert antigravity(seen, bundled()).status == 404

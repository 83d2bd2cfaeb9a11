"""DeepSeek and Ollama Cloud: what they answer, and what they refuse."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.exchange import Answer, SeenRequest, compact
from native_web_search.adapters.simulator.keys import key_of
from native_web_search.adapters.simulator.wire_rest import deepseek, ollama

DEEPSEEK_ORDER = [
    "rerank_score",
    "title",
    "url",
    "snippet",
    "summary",
    "content",
    "site_name",
    "site_icon",
    "date",
    "authority",
]


def _ask(provider: str, route: str, body: object, headers: Mapping[str, str] = {}) -> Answer:
    usual = {
        "authorization": f"Bearer {key_of(provider)}",
        "content-type": "application/json",
    }
    seen = SeenRequest(
        provider, "POST", f"/{provider}{route}", {}, {**usual, **headers}, body, compact(body)
    )
    return (deepseek if provider == "deepseek" else ollama)(seen, bundled())


def _json(answer: Answer) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(answer.body)
    return value


@pytest.mark.rule("simulator.2")
class TestDeepSeek:
    """`/v1/tools/search` and `/v1/tools/fetch`."""

    def test_results_have_every_field_in_the_vendors_order(self) -> None:
        """Each result has the documented fields, best result first, on a scale up to three."""
        results = _json(_ask("deepseek", "/v1/tools/search", {"query": "raw results"}))["results"]
        assert all(list(result) == DEEPSEEK_ORDER for result in results)
        scores = [result["rerank_score"] for result in results]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] == 3
        assert type(scores[0]) is int

    def test_unknown_sites_and_dates_are_null(self) -> None:
        """A page that does not tell its site has nulls, the others a name and an icon."""
        results = _json(_ask("deepseek", "/v1/tools/search", {"query": "provider"}))["results"]
        without = next(result for result in results if "raw-results" in result["url"])
        assert (without["site_name"], without["site_icon"]) == (None, None)
        other = next(result for result in results if result["site_name"])
        assert other["site_icon"].endswith("/favicon.ico")
        assert other["date"].endswith("T00:00:00+00:00")

    @pytest.mark.parametrize("wanted", [None, False, True])
    def test_content_is_filled_on_demand(self, wanted: bool | None) -> None:  # noqa: FBT001 - a value of the wire
        """`need_content` fills `content`; without it the field is there and empty."""
        asked = {} if wanted is None else {"need_content": wanted}
        body = {"query": "cooldown", **asked}
        result = _json(_ask("deepseek", "/v1/tools/search", body))["results"][0]
        assert bool(result["content"]) is (wanted is True)

    def test_count_limits_the_results(self) -> None:
        """The count is obeyed, ten being the default."""
        for count, asked in ((10, {}), (2, {"count": 2})):
            answer = _ask("deepseek", "/v1/tools/search", {"query": "provider search", **asked})
            assert len(_json(answer)["results"]) == count

    def test_nothing_found_is_an_empty_list(self) -> None:
        """A search without a match is a search."""
        assert _json(_ask("deepseek", "/v1/tools/search", {"query": "xyzzy"})) == {"results": []}

    def test_unknown_fields_are_ignored(self) -> None:
        """A field that the service does not know changes nothing."""
        plain = _ask("deepseek", "/v1/tools/search", {"query": "ranking"})
        assert _ask("deepseek", "/v1/tools/search", {"query": "ranking", "model": "x"}) == plain

    def test_optional_fields_are_taken(self) -> None:
        """An original question, an address of the user, and their absence as null."""
        body = {"query": "q", "ori_question": None, "localization": "2001:db8::1"}
        assert _ask("deepseek", "/v1/tools/search", body).status == 200

    def test_a_page_has_a_title_and_its_text(self) -> None:
        """Fetching answers with title and content and nothing else."""
        page = _json(_ask("deepseek", "/v1/tools/fetch", {"url": "https://docs.example/cooldown"}))
        assert list(page) == ["title", "content"]
        assert page["content"].startswith("# Cooldown")

    @pytest.mark.rule("simulator.6")
    @pytest.mark.parametrize(
        ("url", "status"),
        [
            ("https://docs.example/nothing", 404),
            ("https://paywall.example/", 404),
            ("https://unsafe.example/", 403),
        ],
    )
    def test_a_page_that_cannot_be_read_is_its_own_failure(self, url: str, status: int) -> None:
        """Missing pages are 404, refused ones 403, in the shape of every error."""
        answer = _ask("deepseek", "/v1/tools/fetch", {"url": url})
        assert answer.status == status
        assert list(_json(answer)["error"]) == ["message", "type", "param", "code"]

    @pytest.mark.rule("simulator.4")
    @pytest.mark.parametrize(
        ("route", "body", "message"),
        [
            ("search", {}, "missing field 'query'"),
            ("search", {"query": ""}, "'query'"),
            ("search", {"query": " \n"}, "'query'"),
            ("search", {"query": 5}, "'query'"),
            ("search", {"query": "x" * 129}, "128"),
            ("search", {"query": "q", "count": 0}, "'count' must be between 1 and 50"),
            ("search", {"query": "q", "count": 51}, "'count' must be between 1 and 50"),
            ("search", {"query": "q", "count": True}, "'count'"),
            ("search", {"query": "q", "count": "10"}, "'count'"),
            ("search", {"query": "q", "ori_question": ""}, "'ori_question'"),
            ("search", {"query": "q", "localization": "zh-CN"}, "'localization'"),
            ("search", {"query": "q", "need_content": "yes"}, "'need_content'"),
            ("search", [], "JSON object"),
            ("search", None, "JSON object"),
            ("fetch", {}, "missing field 'url'"),
            ("fetch", {"url": "docs.example"}, "valid HTTP or HTTPS URL"),
            ("fetch", {"url": "ftp://docs.example/"}, "valid HTTP or HTTPS URL"),
            ("fetch", {"url": "https://u:p@docs.example/"}, "valid HTTP or HTTPS URL"),
            ("fetch", {"url": "https://docs.example/" + "x" * 8_192}, "valid HTTP or HTTPS URL"),
            ("fetch", {"url": "http://["}, "valid HTTP or HTTPS URL"),
            ("fetch", {"url": None}, "valid HTTP or HTTPS URL"),
        ],
    )
    def test_a_malformed_request_is_refused(self, route: str, body: object, message: str) -> None:
        """Each rule about a field is enforced, with status 400 and a text that names it."""
        answer = _ask("deepseek", f"/v1/tools/{route}", body)
        assert answer.status == 400
        assert message in _json(answer)["error"]["message"]

    def test_the_longest_query_is_taken(self) -> None:
        """Exactly 128 characters pass, however many bytes they are."""
        assert _ask("deepseek", "/v1/tools/search", {"query": "😀" * 128}).status == 200

    @pytest.mark.rule("simulator.3")
    @pytest.mark.parametrize("authorization", ["", "Bearer sk-wrong-1234", "Basic abc"])
    def test_a_wrong_key_is_a_401(self, authorization: str) -> None:
        """The error echoes the end of the key, as the service does."""
        headers = {"authorization": authorization}
        answer = _ask("deepseek", "/v1/tools/search", {"query": "q"}, headers)
        assert answer.status == 401
        assert _json(answer)["error"]["type"] == "authentication_error"
        assert ("1234" in _json(answer)["error"]["message"]) is ("1234" in authorization)

    @pytest.mark.rule("simulator.4")
    def test_the_content_type_is_mandatory(self) -> None:
        """JSON under another name is refused."""
        headers = {"content-type": "application/octet-stream"}
        assert _ask("deepseek", "/v1/tools/search", {"query": "q"}, headers).status == 400

    @pytest.mark.rule("simulator.4")
    def test_a_wrong_path_is_a_bare_404(self) -> None:
        """Outside of the two tools there is no JSON."""
        answer = _ask("deepseek", "/tools/search", {"query": "q"})
        assert (answer.status, answer.content_type) == (404, "text/plain")


@pytest.mark.rule("simulator.2")
class TestOllama:
    """`/api/web_search` and `/api/web_fetch`."""

    def test_results_are_title_url_and_content(self) -> None:
        """Five results unless told otherwise, with three members each."""
        results = _json(_ask("ollama-cloud", "/api/web_search", {"query": "provider"}))["results"]
        assert len(results) == 5
        assert all(list(result) == ["title", "url", "content"] for result in results)

    def test_the_number_of_results_can_be_chosen(self) -> None:
        """Up to ten."""
        body = {"query": "provider search", "max_results": 10}
        assert len(_json(_ask("ollama-cloud", "/api/web_search", body))["results"]) == 10

    @pytest.mark.parametrize(
        ("url", "linked"),
        [("https://docs.example/ranking", True), ("docs.example/cooldown", False)],
    )
    def test_links_are_there_if_the_page_has_any(self, url: str, linked: bool) -> None:  # noqa: FBT001 - an expectation
        """A page without links leaves the member out; an address needs no scheme."""
        page = _json(_ask("ollama-cloud", "/api/web_fetch", {"url": url}))
        assert list(page) == ["title", "content", *(["links"] if linked else [])]
        assert "https://docs.example/fallback" in page.get("links", []) or not linked

    @pytest.mark.rule("simulator.6")
    def test_a_page_that_cannot_be_read_is_its_own_failure(self) -> None:
        """The error is a string, and says why."""
        answer = _ask("ollama-cloud", "/api/web_fetch", {"url": "https://paywall.example/"})
        assert (answer.status, list(_json(answer))) == (404, ["error"])
        assert "paywall" in _json(answer)["error"]

    @pytest.mark.rule("simulator.4")
    @pytest.mark.parametrize(
        ("route", "body"),
        [
            ("web_search", {"query": "  "}),
            ("web_search", {"query": "q", "max_results": 11}),
            ("web_search", {"query": "q", "max_results": 0}),
            ("web_search", {}),
            ("web_search", None),
            ("web_fetch", {"url": ""}),
            ("web_fetch", {}),
        ],
    )
    def test_a_malformed_request_is_refused(self, route: str, body: object) -> None:
        """Status 400, and the error is a string."""
        answer = _ask("ollama-cloud", f"/api/{route}", body)
        assert answer.status == 400
        assert isinstance(_json(answer)["error"], str)

    @pytest.mark.rule("simulator.3")
    def test_a_wrong_key_is_a_401(self) -> None:
        """In one word."""
        headers = {"authorization": "Bearer wrong"}
        answer = _ask("ollama-cloud", "/api/web_search", {"query": "q"}, headers)
        assert (answer.status, _json(answer)) == (401, {"error": "Unauthorized"})

    @pytest.mark.rule("simulator.4")
    def test_a_wrong_path_is_a_page(self) -> None:
        """The doubled path of a wrong base URL ends at the site's own error page."""
        answer = _ask("ollama-cloud", "/api/api/web_search", {"query": "q"})
        assert (answer.status, answer.content_type) == (404, "text/html")

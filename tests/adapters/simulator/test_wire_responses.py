"""The six providers of the Responses API: what they answer, and what they refuse."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

import pytest
from attrs import field, frozen

from native_web_search.adapters.simulator.catalogue import COPILOT_HEADERS, PROVIDERS
from native_web_search.adapters.simulator.corpus import bundled
from native_web_search.adapters.simulator.exchange import Answer, SeenRequest, compact
from native_web_search.adapters.simulator.keys import CODEX_ACCOUNT, key_of

T = TypeVar("T")

SOURCES = "web_search_call.action.sources"
RESULTS = "web_search_call.results"
MESSAGE = {"role": "user", "content": [{"type": "input_text", "text": "how long is a cooldown"}]}
GROK_MESSAGE = {"role": "user", "content": "how long is a cooldown"}

OPENAI_BODY: Mapping[str, object] = {
    "model": "gpt-5.6-luna",
    "input": [MESSAGE],
    "tools": [{"type": "web_search"}],
    "include": [SOURCES, RESULTS],
    "stream": True,
    "store": False,
}
CODEX_BODY: Mapping[str, object] = {
    **OPENAI_BODY,
    "instructions": "Search.",
    "tool_choice": "required",
    "parallel_tool_calls": True,
    "text": {"verbosity": "low"},
    "include": [SOURCES],
}
GROK_BODY: Mapping[str, object] = {
    **OPENAI_BODY,
    "model": "grok-4.7",
    "input": [GROK_MESSAGE],
    "include": [SOURCES],
}


@frozen
class Door:
    """A request that a provider accepts."""

    path: str
    body: Mapping[str, object]
    headers: Mapping[str, str] = field(factory=dict)
    query: Mapping[str, str] = field(factory=dict)


def _bearer(provider: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key_of(provider)}"}


GOOD = {
    "openai": Door("/openai/v1/responses", OPENAI_BODY, _bearer("openai")),
    "azure": Door(
        "/azure/openai/v1/responses",
        OPENAI_BODY,
        {"api-key": key_of("azure")},
        {"api-version": "v1"},
    ),
    "openai-codex": Door(
        "/codex/responses",
        CODEX_BODY,
        _bearer("openai-codex")
        | {"chatgpt-account-id": CODEX_ACCOUNT, "originator": "codex_cli_rs"},
    ),
    "github-copilot": Door(
        "/copilot/responses",
        OPENAI_BODY,
        _bearer("github-copilot") | {name.lower(): value for name, value in COPILOT_HEADERS},
    ),
    "opencode": Door(
        "/opencode/v1/responses",
        OPENAI_BODY,
        _bearer("opencode") | {"x-opencode-session": "session-1"},
    ),
    "xai": Door("/xai/v1/responses", GROK_BODY, _bearer("xai")),
}
EVERYONE = sorted(GOOD)


def _ask(
    provider: str,
    changes: Mapping[str, object] = {},
    *,
    headers: Mapping[str, str | None] = {},
    path: str | None = None,
    query: Mapping[str, str] | None = None,
) -> Answer:
    """Send the good request with some changes; a change to None takes something away."""
    door = GOOD[provider]
    asked = door.query if query is None else query
    raw = compact(_without_none({**door.body, **changes}))
    given = _without_none({**door.headers, **headers})
    seen = SeenRequest(provider, "POST", path or door.path, asked, given, json.loads(raw), raw)
    return PROVIDERS[provider].wire(seen, bundled())


def _without_none(values: Mapping[str, T | None]) -> dict[str, T]:
    return {name: value for name, value in values.items() if value is not None}


def _events(answer: Answer) -> list[dict[str, Any]]:
    assert (answer.status, answer.content_type) == (200, "text/event-stream")
    blocks = answer.body.decode().removesuffix("\n\n").split("\n\n")
    return [json.loads(block.partition("\ndata: ")[2]) for block in blocks]


def _response(provider: str, changes: Mapping[str, object] = {}) -> dict[str, Any]:
    """The finished response of a call that does not stream."""
    response: dict[str, Any] = json.loads(_ask(provider, {**changes, "stream": False}).body)
    return response


def _items(answer: Answer, kind: str) -> list[dict[str, Any]]:
    done = [
        event["item"] for event in _events(answer) if event["type"] == "response.output_item.done"
    ]
    return [item for item in done if item["type"] == kind]


@pytest.mark.rule("simulator.2")
class TestStream:
    """What a search looks like on the wire."""

    @pytest.mark.parametrize("provider", EVERYONE)
    def test_every_provider_accepts_its_own_request(self, provider: str) -> None:
        """The request that its clients send gets two search items and a cited message."""
        answer = _ask(provider)
        kinds = [item["action"]["type"] for item in _items(answer, "web_search_call")]
        assert kinds == ["search", "open_page"]
        (message,) = _items(answer, "message")
        assert message["content"][0]["annotations"]

    @pytest.mark.parametrize("provider", EVERYONE)
    def test_events_are_numbered_and_end_with_the_response(self, provider: str) -> None:
        """Sequence numbers count from zero, and the last one is the completed response."""
        events = [event for event in _events(_ask(provider)) if event["type"] != "ping"]
        assert [event["sequence_number"] for event in events] == list(range(len(events)))
        assert events[-1]["type"] == "response.completed"
        assert events[-1]["response"]["status"] == "completed"

    def test_only_codex_ends_without_repeating_the_items(self) -> None:
        """The terminal event of Codex has an empty output; the others repeat everything."""
        empty = {
            provider: not [e for e in _events(_ask(provider)) if e["type"] != "ping"][-1][
                "response"
            ]["output"]
            for provider in EVERYONE
        }
        assert [provider for provider in EVERYONE if empty[provider]] == ["openai-codex"]

    def test_opencode_has_a_word_after_the_last(self) -> None:
        """The price comes after the terminal event, and in the same piece."""
        answer = _ask("opencode")
        assert _events(answer)[-1]["type"] == "ping"
        assert b"response.completed" in answer.body
        assert answer.pieces[-1].endswith(b"\n\n")
        assert b"event: ping" in answer.pieces[-1]
        assert not answer.pieces[-1].startswith(b"event: ping")

    @pytest.mark.parametrize("provider", EVERYONE)
    def test_offsets_cut_out_exactly_the_link(self, provider: str) -> None:
        """In code points, from start to end, stands the link with the cited address."""
        (message,) = _items(_ask(provider), "message")
        text = message["content"][0]["text"]
        for citation in message["content"][0]["annotations"]:
            link = text[citation["start_index"] : citation["end_index"]]
            assert citation["url"] in link
            assert (link[0], link[-1]) in {("(", ")"), ("[", ")")}

    def test_grok_numbers_its_links_and_lists_all_addresses(self) -> None:
        """Titles are numbers as strings, and the response has the addresses at its top."""
        response = _response("xai")
        annotations = response["output"][-1]["content"][0]["annotations"]
        assert [each["title"] for each in annotations] == [
            str(number + 1) for number in range(len(annotations))
        ]
        searched = response["output"][0]["action"]["sources"]
        assert response["citations"] == [source["url"] for source in searched]

    def test_others_mark_where_the_visitor_came_from(self) -> None:
        """Cited addresses carry a tracking parameter, with the right joint; sources do not."""
        response = _response("openai", {"input": "output guard and limits"})
        annotations = response["output"][-1]["content"][0]["annotations"]
        assert all(each["url"].endswith("utm_source=openai") for each in annotations)
        assert all(each["url"].count("?") == 1 for each in annotations)
        assert "citations" not in response

    def test_included_parts_are_there_only_on_demand(self) -> None:
        """Sources and results appear exactly if they were asked for."""
        (call, _) = _items(_ask("openai", {"include": None}), "web_search_call")
        assert "sources" not in call["action"]
        assert "results" not in call
        (call, _) = _items(_ask("openai"), "web_search_call")
        assert len(call["action"]["sources"]) == len(call["results"]) > 1

    @pytest.mark.rule("simulator.5")
    def test_nothing_found_is_a_search_all_the_same(self) -> None:
        """Without hits there is a search item with no source, and no citation."""
        answer = _ask("openai", {"input": "xyzzy"})
        (call,) = _items(answer, "web_search_call")
        assert call["action"]["sources"] == []
        (message,) = _items(answer, "message")
        assert message["content"][0]["annotations"] == []

    @pytest.mark.parametrize(
        "changes",
        [{"tools": None}, {"tools": []}, {"tool_choice": "none"}],
    )
    @pytest.mark.rule("simulator.14")
    def test_without_the_tool_nobody_searches(self, changes: dict[str, object]) -> None:
        """A model that has no tool, or may not use it, answers from memory."""
        answer = _ask("openai", changes)
        assert _items(answer, "web_search_call") == []
        assert len(_items(answer, "message")) == 1

    @pytest.mark.rule("simulator.14")
    def test_a_translated_model_loses_its_search(self) -> None:
        """On OpenCode, models of other makers answer without evidence."""
        assert _items(_ask("opencode", {"model": "kimi-k3"}), "web_search_call") == []

    @pytest.mark.parametrize("provider", ["github-copilot", "opencode"])
    def test_gateways_serve_grok_in_its_own_dialect(self, provider: str) -> None:
        """A Grok model behind a gateway takes Grok's request and numbers its links."""
        answer = _ask(
            provider, {"model": "grok-4.6", "input": [GROK_MESSAGE], "include": [SOURCES]}
        )
        (message,) = _items(answer, "message")
        assert message["content"][0]["annotations"][0]["title"] == "1"

    def test_the_question_is_the_last_of_the_user(self) -> None:
        """Earlier messages and other roles are not searched for."""
        messages = [MESSAGE, {"role": "user", "content": "opt-out"}, {"role": "system"}]
        (call, _) = _items(_ask("openai", {"input": messages}), "web_search_call")
        assert call["action"]["query"] == "opt-out"

    def test_the_same_request_gets_the_same_answer(self) -> None:
        """Ids included; another question gets others."""
        assert _ask("openai") == _ask("openai")
        assert _ask("openai").headers != _ask("openai", {"input": "ranking"}).headers


@pytest.mark.rule("simulator.3")
class TestDoors:
    """Who may not come in."""

    @pytest.mark.parametrize(
        ("provider", "headers", "status", "said"),
        [
            ("openai", {"authorization": None}, 401, "invalid_api_key"),
            ("openai", {"authorization": "Bearer sk-wrong"}, 401, "invalid_api_key"),
            ("azure", {"api-key": None}, 401, "Access denied"),
            ("azure", {"api-key": "wrong"}, 401, "Access denied"),
            ("azure", {"authorization": f"Bearer {key_of('azure')}"}, 401, "Access denied"),
            ("openai-codex", {"authorization": "Bearer a.b.c"}, 401, "expired"),
            ("openai-codex", {"chatgpt-account-id": None}, 401, "account"),
            ("openai-codex", {"chatgpt-account-id": "other"}, 401, "account"),
            ("openai-codex", {"originator": None}, 400, "originator"),
            ("github-copilot", {"authorization": "Bearer tid=x"}, 401, "IDE token expired"),
            ("github-copilot", {"editor-version": None}, 400, "Editor-Version"),
            ("github-copilot", {"copilot-integration-id": None}, 400, "Copilot-Integration-Id"),
            ("opencode", {"authorization": "Bearer wrong"}, 401, "AuthError"),
            ("opencode", {"x-opencode-session": None}, 400, "MissingSessionID"),
            ("xai", {"authorization": "Bearer xai-wrong"}, 400, "Incorrect API key provided"),
            ("xai", {"authorization": None}, 400, "Incorrect API key provided"),
        ],
    )
    def test_a_wrong_credential_is_refused_in_the_providers_words(
        self, provider: str, headers: Mapping[str, str | None], status: int, said: str
    ) -> None:
        """Each provider has a status and a shape of its own for it."""
        answer = _ask(provider, headers=headers)
        assert answer.status == status
        assert said in answer.body.decode()

    def test_azure_takes_a_token_instead_of_the_key(self) -> None:
        """Either kind of credential alone opens the door."""
        headers = {"api-key": None, "authorization": f"Bearer {key_of('azure')}"}
        assert _ask("azure", headers=headers).status == 200

    @pytest.mark.rule("simulator.4")
    @pytest.mark.parametrize(
        ("path", "version", "status"),
        [
            ("/azure/openai/v1/responses", "v1", 200),
            ("/azure/openai/v1/responses", "preview", 200),
            ("/azure/openai/v1/responses", None, 200),
            ("/azure/openai/v1/responses", "v2", 400),
            ("/azure/openai/responses", "2025-04-01-preview", 200),
            ("/azure/openai/responses", "2025-04-01", 200),
            ("/azure/openai/responses", "v1", 400),
            ("/azure/openai/responses", None, 400),
            ("/azure/openai/deployments/d/responses", "v1", 404),
        ],
    )
    def test_azure_checks_the_version(self, path: str, version: str | None, status: int) -> None:
        """The new path takes `v1` and may do without, the classic one takes dates."""
        query = {} if version is None else {"api-version": version}
        assert _ask("azure", path=path, query=query).status == status

    @pytest.mark.rule("simulator.4")
    @pytest.mark.parametrize("provider", EVERYONE)
    def test_another_path_is_a_404(self, provider: str) -> None:
        """There is nothing beside the one route."""
        path = GOOD[provider].path.replace("responses", "response")
        assert _ask(provider, path=path).status == 404

    @pytest.mark.rule("simulator.3")
    def test_an_error_echoes_pieces_of_the_key(self) -> None:
        """As real ones do, so that clients have something to mask."""
        answer = _ask("openai", headers={"authorization": "Bearer sk-abcdefgh-9876"})
        assert "9876" in answer.body.decode()

    @pytest.mark.rule("simulator.14")
    def test_claude_on_copilot_cannot_search(self) -> None:
        """It is served at the path of messages, refuses the tool, and checks the key first."""
        body = {"model": "claude-haiku-4-5", "tools": [{"type": "web_search_20260209"}]}
        path = "/copilot/v1/messages"
        answer = _ask("github-copilot", body, path=path)
        assert (answer.status, json.loads(answer.body)["error"]["param"]) == (400, "tools")
        wrong = _ask("github-copilot", path=path, headers={"authorization": "Bearer tid=x"})
        assert wrong.status == 401


@pytest.mark.rule("simulator.4")
class TestRefused:
    """Requests that somebody got wrong."""

    @pytest.mark.parametrize(
        ("changes", "status", "code", "said"),
        [
            ({"model": None}, 400, "missing_required_parameter", "'model'"),
            ({"model": "unknown-1"}, 404, "model_not_found", "does not exist"),
            ({"model": "gpt-4.1-nano"}, 400, None, "Hosted tool 'web_search' is not supported"),
            ({"input": None}, 400, "missing_required_parameter", "'input'"),
            ({"input": []}, 400, "missing_required_parameter", "'input'"),
            ({"inputs": "x"}, 400, "unknown_parameter", "'inputs'"),
            ({"tools": [{"type": "websearch"}]}, 400, "invalid_value", "'websearch'"),
            ({"tools": [{}]}, 400, "invalid_value", "Supported values"),
            ({"tools": [{"type": "web_search_preview"}]}, 400, None, "is not supported with"),
            ({"tools": [{"type": "web_search", "x": 1}]}, 400, "unknown_parameter", "tools[0].x"),
            ({"include": ["web_search_call.sources"]}, 400, "invalid_value", "Supported values"),
            ({"tool_choice": "always"}, 400, "invalid_value", "'always'"),
            ({"tool_choice": "required", "tools": []}, 400, "invalid_request_body", "required"),
            ({"reasoning": {"effort": "minimal"}}, 400, None, "reasoning.effort 'minimal'"),
            ({"max_output_tokens": 8}, 400, "integer_below_min_value", "at least 16"),
            ({"search_parameters": {}}, 400, "unknown_parameter", "search_parameters"),
        ],
    )
    def test_openai_says_what_is_wrong(
        self, changes: dict[str, object], status: int, code: str | None, said: str
    ) -> None:
        """The error names the parameter and has a code where the service has one."""
        answer = _ask("openai", changes)
        error = json.loads(answer.body)["error"]
        assert (answer.status, error["code"]) == (status, code)
        assert said in error["message"]
        assert list(error) == ["message", "type", "param", "code"]

    @pytest.mark.parametrize(
        ("changes", "status", "said"),
        [
            ({"include": [SOURCES, RESULTS]}, 400, "Argument not supported: include"),
            ({"input": [MESSAGE]}, 422, "content is a string"),
            ({"input": "text"}, 422, "content is a string"),
            ({"tool_choice": {"type": "web_search"}}, 422, "invalid ModelToolChoice"),
            ({"search_parameters": {}}, 410, "Live search is deprecated"),
            ({"reasoning": {"effort": "low"}}, 400, "reasoningEffort"),
            ({"model": "gpt-5-mini", "input": "x"}, 404, "does not exist or your team"),
            ({"tools": [{"type": "web_search_preview"}]}, 400, "not supported with"),
        ],
    )
    def test_xai_says_what_is_wrong(
        self, changes: dict[str, object], status: int, said: str
    ) -> None:
        """In its flat shape, or in plain text where its parser gives up."""
        answer = _ask("xai", changes)
        assert answer.status == status
        assert said in answer.body.decode()
        if status != 422:
            assert sorted(json.loads(answer.body)) == ["code", "error"]

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"store": None}, "Store must be set to false"),
            ({"store": True}, "Store must be set to false"),
            ({"stream": False}, "Stream must be set to true"),
            ({"instructions": None}, "Instructions are required"),
            ({"max_output_tokens": 100}, "Unsupported parameter: max_output_tokens"),
            ({"temperature": 1}, "Unsupported parameter: temperature"),
            ({"what": 1}, "Unsupported parameter: what"),
            ({"model": "claude-x"}, "is not supported when using Codex with a ChatGPT account"),
        ],
    )
    def test_codex_says_what_is_wrong(self, changes: dict[str, object], said: str) -> None:
        """In one member, `detail`."""
        answer = _ask("openai-codex", changes)
        body = json.loads(answer.body)
        assert (answer.status, list(body)) == (400, ["detail"])
        assert said in body["detail"]

    @pytest.mark.parametrize(
        ("provider", "model", "status", "sign"),
        [
            ("azure", "unknown-1", 404, "DeploymentNotFound"),
            ("github-copilot", "unknown-1", 400, "model_not_supported"),
            ("github-copilot", "claude-opus-5", 400, "unsupported_api_for_model"),
            ("opencode", "?", 401, "ModelError"),
        ],
    )
    def test_a_model_that_is_not_served_is_refused_in_the_providers_words(
        self, provider: str, model: str, status: int, sign: str
    ) -> None:
        """Statuses differ, and so do the signs."""
        answer = _ask(provider, {"model": model})
        assert answer.status == status
        assert sign in answer.body.decode()

    def test_opencode_passes_on_what_the_maker_said(self) -> None:
        """An upstream error keeps its code, inside the gateway's shape and not as JSON."""
        answer = _ask("opencode", {"include": ["nonsense"]})
        assert answer.content_type == "text/plain"
        error = json.loads(answer.body)
        assert (error["type"], error["error"]["code"]) == ("error", "invalid_value")

    @pytest.mark.parametrize("body", [None, [], "x"])
    def test_a_body_that_is_no_object_is_refused(self, body: object) -> None:
        """Status 400, not an exception."""
        door = GOOD["openai"]
        seen = SeenRequest("openai", "POST", door.path, {}, door.headers, body)
        assert PROVIDERS["openai"].wire(seen, bundled()).status == 400

"""How the events of a Responses stream become an outcome."""

import json

import pytest

from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.testing.decoding import decoded
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    NotSearched,
    ProviderRefused,
    RequestRefused,
    Unreachable,
    Unreadable,
)
from native_web_search.domain.payload import SearchOutcome, SearchPayload
from native_web_search.ports.http import Appetite, ResponseHead

Event = dict[str, object]

SEARCH: Event = {"id": "ws_1", "type": "web_search_call", "status": "completed"}
CITATION: Event = {"type": "url_citation", "url": "https://a.example/", "title": "A"}
REFUSED: Event = {"type": "refusal", "refusal": "I will not."}


def text(said: str, *annotations: Event) -> Event:
    """A part of a message."""
    return {"type": "output_text", "text": said, "annotations": list(annotations)}


def message(*parts: object) -> Event:
    """A message item."""
    return {"type": "message", "role": "assistant", "content": list(parts)}


def done(index: object, item: object) -> Event:
    """The event of a finished item."""
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def progress(index: int) -> Event:
    """The event of a search that goes on."""
    return {"type": "response.web_search_call.searching", "output_index": index, "item_id": "x"}


def ended(*output: object, name: str = "response.completed", **response: object) -> Event:
    """A terminal event."""
    return {"type": name, "response": {"output": list(output)} | response}


def incomplete(reason: str | None, *output: object) -> Event:
    """A terminal event of an answer that was cut short."""
    details = {"reason": reason} if reason else None
    return ended(
        *output, name="response.incomplete", status="incomplete", incomplete_details=details
    )


def written(*events: Event) -> bytes:
    """The events as a stream."""
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def outcome(*events: Event) -> SearchOutcome:
    """What a stream of these events amounts to."""
    return decoded(OPENAI.search.decoder(), written(*events))


def payload(*events: Event) -> SearchPayload:
    """What a good stream brings."""
    return outcome(*events).unwrap()


def failure(*events: Event) -> object:
    """Why a bad stream fails."""
    return outcome(*events).failure()


class TestItems:
    """Where text, search items and citations come from."""

    @pytest.mark.rule("responses.22")
    def test_finished_items_serve_if_the_terminal_event_has_none(self) -> None:
        """An empty terminal output leaves the finished items, in the order of their index."""
        told = payload(
            done(2, message(text("b"))), done(0, message(text("a"))), done(1, SEARCH), ended()
        )
        assert told == {"answer": "ab", "results": [SEARCH], "citations": []}

    @pytest.mark.rule("responses.22")
    def test_a_terminal_output_replaces_the_finished_items(self) -> None:
        """Text that came twice counts once."""
        told = payload(
            done(0, SEARCH | {"id": "old"}),
            done(1, message(text("old"))),
            ended(SEARCH, message(text("new"))),
        )
        assert told == {"answer": "new", "results": [SEARCH], "citations": []}

    @pytest.mark.rule("responses.22")
    def test_an_item_that_comes_again_takes_its_own_place(self) -> None:
        """The same index means the same item, whatever its id; no index means the next place."""
        told = payload(
            done(0, SEARCH | {"id": "first"}),
            done(0, SEARCH | {"id": "again"}),
            done(None, message(text("last"))),
            ended(),
        )
        assert told == {"answer": "last", "results": [SEARCH | {"id": "again"}], "citations": []}

    @pytest.mark.rule("responses.22")
    def test_deltas_are_not_counted(self) -> None:
        """Text and annotations that only pass by in deltas repeat the items."""
        delta: Event = {"type": "response.output_text.delta", "output_index": 0, "delta": "twice"}
        annotation: Event = {
            "type": "response.output_text.annotation.added",
            "annotation": CITATION,
        }
        told = payload(delta, annotation, done(0, SEARCH), ended(message(text("once")), SEARCH))
        assert told == {"answer": "once", "results": [SEARCH], "citations": []}

    @pytest.mark.rule("responses.21")
    def test_texts_of_all_messages_are_joined_by_nothing(self) -> None:
        """Parts and messages follow each other as they came."""
        told = payload(ended(message(text("a "), text("b")), SEARCH, message(text("c"))))
        assert told["answer"] == "a bc"

    @pytest.mark.rule("responses.21")
    def test_only_citations_of_web_pages_count(self) -> None:
        """Citations of files are left out; one that nests its fields is kept as it is."""
        nested: Event = {"url_citation": {"url": "https://b.example/"}}
        file: Event = {"type": "file_citation", "file_id": "f"}
        told = payload(ended(message(text("a", CITATION, file, nested, CITATION))))
        assert told["citations"] == [CITATION, nested, CITATION]

    @pytest.mark.rule("responses.21")
    def test_unknown_fields_and_odd_values_survive(self) -> None:
        """Items are not repaired: missing actions, sources without a URL, new fields stay."""
        odd: list[Event] = [
            {"type": "web_search_call"},
            SEARCH | {"action": None, "results": [{"new": 1.0}], "née": "ü"},
            SEARCH | {"action": {"type": "other", "sources": [{"type": "api", "name": "oai"}]}},
        ]
        assert payload(ended(*odd)) == {"answer": "", "results": odd, "citations": []}

    @pytest.mark.rule("responses.23")
    @pytest.mark.parametrize(
        ("action", "queries"),
        [
            ({"query": "one", "queries": ["two", "three", "two"]}, ["two", "three", "two"]),
            ({"query": "one", "queries": []}, ["one"]),
            ({"query": "one"}, ["one"]),
            ({"queries": ["a", 5, None, "b"]}, ["a", "b"]),
        ],
    )
    def test_queries_are_those_of_the_searches(self, action: Event, queries: list[str]) -> None:
        """The newer list wins over the older single query; what is no text is skipped."""
        assert payload(ended(SEARCH | {"action": action}))["searchQueries"] == queries

    @pytest.mark.rule("responses.23")
    @pytest.mark.parametrize("action", [{"query": ""}, {"query": 5}, {"queries": [5]}, "x", None])
    def test_without_queries_there_is_no_such_key(self, action: object) -> None:
        """Searches that name no query add nothing to the payload."""
        assert "searchQueries" not in payload(ended(SEARCH | {"action": action}))


class TestEvidence:
    """What proves that a search was made."""

    @pytest.mark.rule("responses.24")
    @pytest.mark.parametrize(
        "status", ["in_progress", "searching", "completed", "incomplete", None]
    )
    def test_a_search_item_is_evidence(self, status: str | None) -> None:
        """An item that did not fail is evidence, even without results, sources or text."""
        item = SEARCH | {"status": status}
        assert payload(ended(item))["results"] == [item]

    @pytest.mark.rule("responses.24")
    def test_a_citation_is_evidence(self) -> None:
        """A cited page was found somewhere."""
        assert payload(ended(message(text("a", CITATION))))["citations"] == [CITATION]

    @pytest.mark.rule("responses.24")
    def test_a_failed_search_alone_is_none(self) -> None:
        """A search that failed was not made; the model keeps its siblings."""
        told = failure(progress(0), ended(SEARCH | {"status": "failed"}, message(text("sorry"))))
        assert told == NotSearched("the provider's web search failed")

    @pytest.mark.rule("responses.24")
    def test_a_failed_search_beside_evidence_stays(self) -> None:
        """A failed item is provider data like any other once there is evidence."""
        failed = SEARCH | {"status": "failed"}
        assert payload(ended(failed, SEARCH))["results"] == [failed, SEARCH]

    @pytest.mark.rule("responses.24")
    def test_a_search_whose_item_never_came_is_evidence(self) -> None:
        """Progress was told, the response ended well, only the item is missing."""
        told = payload(progress(0), done(1, message(text("a"))), ended())
        assert told == {"answer": "a", "results": [], "citations": []}

    @pytest.mark.rule("responses.24")
    @pytest.mark.parametrize("other", [message(text("hi")), {"type": "custom_tool_call"}, {}])
    def test_anything_else_is_none(self, other: Event) -> None:
        """An answer from memory is a failure of the model."""
        assert failure(ended(other)) == NotSearched("the model answered without searching the web")


class TestEndings:
    """The ways a response ends."""

    @pytest.mark.rule("responses.25")
    @pytest.mark.parametrize("name", ["response.completed", "response.done"])
    def test_both_names_of_a_good_ending(self, name: str) -> None:
        """Codex calls it done."""
        assert payload(ended(SEARCH, name=name))["results"] == [SEARCH]

    @pytest.mark.rule("responses.26")
    @pytest.mark.parametrize("reason", ["max_output_tokens", "max_messages", "steered", None])
    def test_an_answer_cut_short_stands_on_its_evidence(self, reason: str | None) -> None:
        """With evidence, what is there is the answer; without, the model did not search."""
        told = payload(incomplete(reason, SEARCH, message(text("half"))))
        assert told["answer"] == "half"
        assert isinstance(failure(incomplete(reason, message(text("half")))), NotSearched)

    @pytest.mark.rule("responses.27")
    def test_a_content_filter_is_about_the_request(self) -> None:
        """It is REQUEST even beside evidence."""
        assert isinstance(failure(incomplete("content_filter", SEARCH)), RequestRefused)

    @pytest.mark.rule("responses.27")
    @pytest.mark.parametrize("reason", [None, "max_output_tokens"])
    def test_a_refusal_is_about_the_request(self, reason: str | None) -> None:
        """It is REQUEST even beside evidence, and its words are the message, on one line."""
        refused = message(REFUSED | {"refusal": "I will\nnot."})
        ending = incomplete(reason, SEARCH, refused) if reason else ended(SEARCH, refused)
        assert failure(ending) == RequestRefused("the model refused to answer: I will not.")

    @pytest.mark.rule("responses.27")
    def test_a_refusal_without_words_is_one(self) -> None:
        """Odd refusals are refusals."""
        told = failure(ended(SEARCH, message({"type": "refusal", "refusal": None})))
        assert told == RequestRefused("the model refused to answer:")

    @pytest.mark.rule("responses.28")
    @pytest.mark.parametrize(
        ("error", "expected"),
        [
            ({"code": "server_error", "message": "m"}, ProviderRefused("m")),
            ({"code": "insufficient_quota", "message": "m"}, ProviderRefused("m")),
            ({"code": "data_residency_mismatch", "message": "m"}, ProviderRefused("m")),
            ({"code": "invalid_prompt", "message": "m"}, RequestRefused("m")),
            ({"code": "context_length_exceeded", "message": "m"}, ModelRefused("m")),
            ("only words", ProviderRefused("only words")),
        ],
    )
    def test_a_failed_response_fails_by_its_code(
        self, error: object, expected: AttemptFailure
    ) -> None:
        """Nothing seen before matters."""
        events = done(0, SEARCH), done(1, message(text("half")))
        assert failure(*events, ended(name="response.failed", error=error)) == expected

    @pytest.mark.rule("responses.28")
    @pytest.mark.parametrize("status", ["failed", "cancelled"])
    def test_the_status_beats_the_name_of_the_event(self, status: str) -> None:
        """Proxies send failed responses as completed."""
        error = {"code": "model_not_found", "message": "m"}
        assert failure(ended(SEARCH, status=status, error=error)) == ModelRefused("m")
        assert isinstance(failure(ended(SEARCH, status=status)), ProviderRefused)

    @pytest.mark.rule("responses.28")
    def test_an_incomplete_status_is_heard_too(self) -> None:
        """A response that was blocked is not completed, whatever the event is called."""
        details = {"reason": "content_filter"}
        told = failure(ended(SEARCH, status="incomplete", incomplete_details=details))
        assert isinstance(told, RequestRefused)

    @pytest.mark.rule("responses.28")
    def test_a_failed_event_fails_whatever_its_status(self) -> None:
        """The name of a failure is not overruled."""
        ending = ended(SEARCH, name="response.failed", status="completed")
        assert isinstance(failure(ending), ProviderRefused)

    @pytest.mark.rule("responses.28")
    def test_other_places_of_a_reason_are_read(self) -> None:
        """A message of the event, or the detail of incompleteness, explains a failure."""
        flat = ended(name="response.failed") | {"message": "m", "code": "cyber_policy"}
        assert failure(flat) == RequestRefused("m")
        details = {"reason": "content_filter"}
        told = failure(ended(name="response.failed", incomplete_details=details))
        assert told == RequestRefused("content_filter")


class TestWaitingForAReason:
    """A failure that does not say why."""

    BARE = ended(name="response.failed", status="failed", error=None)

    @pytest.mark.rule("responses.29")
    def test_it_waits(self) -> None:
        """The decoder lingers, and without an explanation the provider failed."""
        decoder = OPENAI.search.decoder()
        decoder.begin(ResponseHead(200))
        assert decoder.feed(written(self.BARE)) is Appetite.LINGER
        told = decoder.end().failure()
        assert isinstance(told, ProviderRefused)
        assert "no reason" in told.message

    @pytest.mark.rule("responses.29")
    def test_the_error_that_follows_decides(self) -> None:
        """Azure explains itself right after."""
        error: Event = {
            "type": "error",
            "error": {"code": "content_policy_violation", "message": "no"},
        }
        assert failure(self.BARE, progress(0), error) == RequestRefused("no")

    @pytest.mark.rule("responses.29")
    def test_a_failure_with_a_reason_does_not_wait(self) -> None:
        """What is explained is finished."""
        decoder = OPENAI.search.decoder()
        decoder.begin(ResponseHead(200))
        ending = ended(name="response.failed", error={"code": "x", "message": "m"})
        assert decoder.feed(written(ending)) is Appetite.DONE


class TestDocuments:
    """A response that comes as one JSON document."""

    @pytest.mark.rule("responses.30")
    def test_a_finished_response_is_read_like_a_terminal_event(self) -> None:
        """A gateway that does not stream is understood."""
        document = {"object": "response", "status": "completed", "output": [SEARCH]}
        told = decoded(OPENAI.search.decoder(), json.dumps(document).encode()).unwrap()
        assert told["results"] == [SEARCH]

    @pytest.mark.rule("responses.30")
    @pytest.mark.parametrize(
        "document",
        [
            {"object": "response", "status": "in_progress", "output": [SEARCH]},
            {"object": "response", "output": [SEARCH]},
            {"status": "completed", "output": [SEARCH]},
            {"object": "list", "data": []},
        ],
    )
    def test_anything_else_is_unreadable(self, document: Event) -> None:
        """An unfinished response, or another document, is no answer."""
        told = decoded(OPENAI.search.decoder(), json.dumps(document).encode()).failure()
        assert isinstance(told, Unreadable)

    @pytest.mark.rule("responses.30")
    def test_a_failed_document_fails_by_its_code(self) -> None:
        """Its error is classified like any other."""
        error = {"code": "invalid_prompt", "message": "m"}
        document = {"object": "response", "status": "failed", "error": error}
        told = decoded(OPENAI.search.decoder(), json.dumps(document).encode()).failure()
        assert told == RequestRefused("m")


class TestNoEnding:
    """A stream without a terminal event."""

    @pytest.mark.rule("responses.31")
    def test_it_was_cut_whatever_it_held(self) -> None:
        """Items, text and `[DONE]` are no ending."""
        events = written(done(0, SEARCH), done(1, message(text("a", CITATION))))
        told = decoded(OPENAI.search.decoder(), events + b"data: [DONE]\n\n").failure()
        assert isinstance(told, Unreachable)

    @pytest.mark.rule("responses.31")
    def test_unknown_events_are_passed_over(self) -> None:
        """Keepalives, pings and whatever comes next year do no harm."""
        noise: list[Event] = [
            {"type": "keepalive"},
            {"type": "response.reasoning_text.delta", "delta": "hm"},
            {"type": 5},
            {"type": ["response.completed"]},
            {"response": {"status": "completed"}},
        ]
        assert payload(*noise, ended(SEARCH))["results"] == [SEARCH]

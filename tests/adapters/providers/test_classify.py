"""From error responses to failures."""

import json

import pytest

from native_web_search.adapters.providers.classify import (
    MAX_MESSAGE,
    Refusal,
    Rule,
    failure_of,
    message_in,
    one_line,
    refusal_of_error,
    refusal_of_response,
    retry_after,
    signs_in,
)
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    ProviderRefused,
    RequestRefused,
    Scope,
    Unreadable,
    scope_of,
)
from native_web_search.ports.http import ResponseHead

OPENAI_STYLE = {
    "error": {
        "message": "no model A",
        "type": "invalid_request_error",
        "param": None,
        "code": "Model_Not_Found",
    }
}


def refusal(status: int, body: object, **headers: str) -> Refusal:
    """An error response with this body, JSON unless it is bytes."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return refusal_of_response(ResponseHead(status, named), raw)


class TestRules:
    """A table of rules decides how far a refusal reaches."""

    @pytest.mark.rule("classify.1")
    @pytest.mark.parametrize(
        ("rule", "expected"),
        [
            (Rule(Scope.PROVIDER), ProviderRefused("m", 400, 3.0)),
            (Rule(Scope.MODEL), ModelRefused("m", 400, 3.0)),
            (Rule(Scope.REQUEST), RequestRefused("m", 400)),
        ],
    )
    def test_the_first_rule_that_matches_decides(
        self, rule: Rule, expected: AttemptFailure
    ) -> None:
        """Later rules are not asked, and message, status and waiting time are handed on."""
        elsewhere = Rule(Scope.MODEL, statuses=frozenset({500}))
        later = (Rule(Scope.MODEL), Rule(Scope.REQUEST), Rule(Scope.PROVIDER))
        table = (elsewhere, rule, *later)

        assert failure_of(Refusal(400, "m", frozenset(), 3.0), table) == expected

    @pytest.mark.rule("classify.1")
    def test_what_no_rule_matches_is_the_providers(self) -> None:
        """An unknown error counts as an outage of the provider."""
        assert failure_of(Refusal(418, "m", frozenset()), ()) == ProviderRefused("m", 418)

    @pytest.mark.rule("classify.2")
    @pytest.mark.parametrize(
        "rule",
        [
            Rule(Scope.MODEL),
            Rule(Scope.MODEL, statuses=frozenset({404, 500})),
            Rule(Scope.MODEL, signs=frozenset({"model_not_found", "x"})),
            Rule(Scope.MODEL, phrases=("nothing", "no model")),
            Rule(Scope.MODEL, holds=lambda body: body == OPENAI_STYLE),
            Rule(Scope.MODEL, frozenset({404}), frozenset({"model_not_found"}), ("no model",)),
        ],
    )
    def test_a_rule_matches_when_all_of_its_conditions_hold(self, rule: Rule) -> None:
        """A condition is satisfied by any of its values; one that is not given holds."""
        assert rule.matches(refusal(404, OPENAI_STYLE))

    @pytest.mark.rule("classify.2")
    @pytest.mark.parametrize(
        "rule",
        [
            Rule(Scope.MODEL, statuses=frozenset({500})),
            Rule(Scope.MODEL, signs=frozenset({"x"})),
            Rule(Scope.MODEL, phrases=("nothing",)),
            Rule(Scope.MODEL, holds=lambda body: body is None),
            Rule(Scope.MODEL, frozenset({500}), frozenset({"model_not_found"}), ("no model",)),
            Rule(Scope.MODEL, frozenset({404}), frozenset({"x"}), ("no model",)),
            Rule(Scope.MODEL, frozenset({404}), frozenset({"model_not_found"}), ("nothing",)),
        ],
    )
    def test_one_condition_that_fails_is_enough_not_to_match(self, rule: Rule) -> None:
        """The other conditions may hold as they like."""
        assert not rule.matches(refusal(404, OPENAI_STYLE))

    @pytest.mark.rule("classify.11")
    @pytest.mark.parametrize(
        ("message", "scope"),
        [
            ("HTTP 400: The model gpt-4.1-mini does not exist", Scope.MODEL),
            ("the model does not exist", Scope.PROVIDER),
            ("does not exist: the model x", Scope.PROVIDER),
            ("The model is fine. The page does not exist", Scope.PROVIDER),
            ("Which model? Model 5 does not exist", Scope.MODEL),
            ("model " * 100_000, Scope.PROVIDER),
        ],
    )
    def test_a_gap_in_a_phrase_reaches_to_the_end_of_the_sentence(
        self, message: str, scope: Scope
    ) -> None:
        """The pieces stand in one sentence, in this order; a dot inside a word ends none."""
        rule = Rule(Scope.MODEL, phrases=("model … does … exist",))
        assert scope_of(failure_of(Refusal(400, message, frozenset()), (rule,))) is scope

    @pytest.mark.rule("classify.3")
    def test_a_redirect_is_an_unreadable_answer_whatever_the_rules_say(self) -> None:
        """Redirects are not followed, and the message says where this one leads."""
        asked_away = refusal(301, b"", location="https://u:pw@ollama.com/api/x@y?key=sk-1#f")

        assert failure_of(asked_away, (Rule(Scope.MODEL),)) == Unreadable(
            "HTTP 301: unexpected redirect to https://ollama.com/api/x@y"
        )

    @pytest.mark.rule("classify.3")
    def test_a_redirect_to_nowhere_is_named_as_well(self) -> None:
        """A 3xx without a `Location` is still a redirect."""
        assert refusal(302, b"").message == "HTTP 302: unexpected redirect to nowhere"


class TestMessages:
    """What a person reads about an error response."""

    @pytest.mark.rule("classify.4")
    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (OPENAI_STYLE, "no model A"),
            ({"error": "Unauthorized", "signin_url": "https://x/"}, "Unauthorized"),
            ({"message": "m"}, "m"),
            ({"detail": "Content Exists Risk"}, "Content Exists Risk"),
            ({"error": None, "message": "m"}, "m"),
            ({"error": True, "message": "m"}, "m"),
            ({"error": {"message": None, "detail": "d"}}, "d"),
            ({"error": {"message": {"a": ["é"]}}}, '{"a": ["é"]}'),
            ({"error": {"message": 5}}, '{"message": 5}'),
            ({"error": {"code": "quota"}}, '{"code": "quota"}'),
            ([{"error": {"message": "m", "code": 400}}, {}], "m"),
            ("busy", "busy"),
            ({}, ""),
            ([], ""),
            (None, ""),
            (17, ""),
        ],
    )
    def test_the_providers_own_words_are_found(self, body: object, said: str) -> None:
        """Strings and objects under `error`, bare `message` and `detail`, else the JSON itself."""
        assert message_in(body) == said

    @pytest.mark.rule("classify.4")
    @pytest.mark.parametrize("kind", ["list", "object", "message"])
    def test_a_bottomless_error_is_opened_no_further_than_it_can_be(self, kind: str) -> None:
        """Nesting deeper than the interpreter's stack gives a short message, not an exception."""
        body: object = "deep"
        for _ in range(5_000):
            body = [body] if kind == "list" else {"error" if kind == "object" else "x": body}

        assert message_in({"message": body} if kind == "message" else body) == ""

    @pytest.mark.rule("classify.5")
    @pytest.mark.parametrize(
        ("body", "kind", "message"),
        [
            ({"error": "rate limit exceeded"}, "application/json", "HTTP 429: rate limit exceeded"),
            (b'\xef\xbb\xbf{"error":"e"}', "text/plain", "HTTP 429: e"),
            (b" slow\r\ndown\n", "text/plain", "HTTP 429: slow down"),
            (b"", "application/json", "HTTP 429"),
            (b"\x1b\x00", "text/plain", "HTTP 429"),
            (b"<html>big</html>", "text/plain", "HTTP 429: an HTML page instead of an answer"),
            (b"sorry", "text/html; charset=utf-8", "HTTP 429: an HTML page instead of an answer"),
            (b"\xff\x00", "image/png", "HTTP 429: \N{REPLACEMENT CHARACTER}"),
        ],
    )
    def test_the_message_names_the_status_and_what_was_said(
        self, body: object, kind: str, message: str
    ) -> None:
        """The content type does not matter for JSON; a page is named and never quoted."""
        assert refusal(429, body, content_type=kind).message == message

    @pytest.mark.rule("classify.6")
    def test_a_message_is_one_line_without_control_characters(self) -> None:
        """Line breaks, escapes and direction marks become one blank; joined emoji stay whole."""
        assert one_line("a\r\n\x00\x1b b\u2028c\u202e d\ud800 👩‍👧 ") == "a b c d 👩‍👧"

    @pytest.mark.rule("classify.6")
    def test_a_huge_body_makes_a_bounded_message(self) -> None:
        """No more than the first few thousand characters are looked at."""
        message = refusal(500, b"x" * 1_000_000).message
        assert message == "HTTP 500: " + "x" * MAX_MESSAGE

    @pytest.mark.rule("classify.7")
    def test_an_error_inside_a_success_is_opened_alike(self) -> None:
        """The words and the signs are found; the status is what the caller knows of it."""
        opened = refusal_of_error(OPENAI_STYLE, status=404)

        assert opened == Refusal(
            404, "no model A", frozenset({"invalid_request_error", "model_not_found"})
        )
        assert opened.body == OPENAI_STYLE

    @pytest.mark.rule("classify.7")
    def test_an_error_that_says_nothing_still_gives_a_message(self) -> None:
        """An empty error, or one of control characters, is reported in our words."""
        ours = "the provider reported an error without a message"
        assert refusal_of_error({}).message == ours
        assert refusal_of_error({"error": "\x1b"}).message == ours


class TestSigns:
    """The structured fields that rules read."""

    @pytest.mark.rule("classify.8")
    @pytest.mark.parametrize(
        ("body", "signs"),
        [
            (OPENAI_STYLE, {"model_not_found", "invalid_request_error"}),
            ({"code": "Permission-Denied", "error": "text"}, {"permission-denied"}),
            ({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}, {"resource_exhausted"}),
            (
                [{"error": {"details": [{"reason": "API_KEY_INVALID"}, {"param": "model"}]}}],
                {"api_key_invalid", "model"},
            ),
            ({"message": "model_not_found"}, set()),
            ("model_not_found", set()),
        ],
    )
    def test_signs_are_the_strings_in_known_fields_and_never_free_text(
        self, body: object, signs: set[str]
    ) -> None:
        """At the top, under `error`, under `details`, and in lists of these; lower-case."""
        assert signs_in(body) == signs

    @pytest.mark.rule("classify.8")
    def test_signs_of_an_endless_list_are_read_from_its_beginning(self) -> None:
        """The work is bounded, whatever is sent."""
        assert signs_in([{"code": str(number)} for number in range(1_000)]) == {
            str(number) for number in range(20)
        }


class TestRetryAfter:
    """How long a provider asks to be left alone."""

    @pytest.mark.rule("classify.9")
    @pytest.mark.parametrize(
        ("value", "seconds"), [("0", 0.0), (" 17 ", 17.0), ("9" * 400, 999_999_999.0)]
    )
    def test_plain_digits_are_seconds(self, value: str, seconds: float) -> None:
        """A number of any length gives a finite waiting time."""
        assert retry_after({"retry-after": value}) == seconds

    @pytest.mark.rule("classify.9")
    def test_a_date_counts_from_the_date_of_the_response(self) -> None:
        """No clock of ours is asked."""
        headers = {
            "retry-after": "Wed, 21 Oct 2015 07:28:30 GMT",
            "date": "Wed, 21 Oct 2015 07:28:00 GMT",
        }
        assert retry_after(headers) == 30.0

    @pytest.mark.rule("classify.9")
    @pytest.mark.parametrize(
        "value",
        [
            "",
            "-5",
            "nan",
            "inf",
            "1e9",
            "1.5",
            "abc",
            "٣",
            "Wed, 21 Oct 2015 07:27:00 GMT",
            "Wed, 21 Oct 2015 07:29:00 -0000",
            "Wed, 99 Oct 99999 07:29:00 GMT",
        ],
    )
    def test_anything_odd_is_no_waiting_time(self, value: str) -> None:
        """Signs, words, fractions, past dates and dates without a zone are ignored."""
        headers = {"retry-after": value, "date": "Wed, 21 Oct 2015 07:28:00 GMT"}
        assert retry_after(headers) is None

    @pytest.mark.rule("classify.9")
    def test_a_date_without_a_date_to_count_from_is_none(self) -> None:
        """A response that does not say when it was made gives no waiting time."""
        assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:30 GMT"}) is None

    @pytest.mark.rule("classify.9")
    def test_a_refusal_carries_the_waiting_time(self) -> None:
        """A response with the header hands it to the failure."""
        assert failure_of(refusal(429, {"error": "e"}, retry_after="7"), ()) == ProviderRefused(
            "HTTP 429: e", 429, 7.0
        )

    @pytest.mark.rule("classify.12")
    def test_milliseconds_are_more_exact(self) -> None:
        """They count before the header in seconds; odd ones do not count."""
        assert retry_after({"retry-after-ms": "1500", "retry-after": "2"}) == 1.5
        assert retry_after({"retry-after-ms": "soon", "retry-after": "2"}) == 2.0
        assert retry_after({"retry-after-ms": "9" * 400}) == 999_999_999.999

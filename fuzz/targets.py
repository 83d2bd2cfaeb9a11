"""All fuzz targets. Each is a function of bytes that raises if a promise is broken."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from fuzz import bodies, endings, events, guard, kept, masks, told
from native_web_search.adapters.providers import anthropic, antigravity, gemini
from native_web_search.adapters.providers.openai import OPENAI
from native_web_search.adapters.testing.strategies.anthropic import KINDS
from native_web_search.adapters.testing.strategies.anthropic import NAMES as ANTHROPIC_NAMES
from native_web_search.adapters.testing.strategies.documents import KEYS
from native_web_search.adapters.testing.strategies.google import NAMES as GOOGLE_NAMES
from native_web_search.application.settings import TABLE

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "fuzz" / "corpus"
STREAMS = ROOT / "tests" / "streams"

STREAM = 6_000  # bytes; all but a few recorded streams are shorter
PAGE = 2_000
SCREEN = 600
LINE = 200

LINES = ("data: ", "\n\n", "\r\n\r\n", "[DONE]", "\\ud83d")
JSON = ('":', '",', "[]", "{}", "null", "true", "-1", "1e999", "NaN", "\\ud800")


@frozen
class Target:
    """`holds` is the promise; `recorded` the recorded answers that are inputs as they stand, by a
    pattern of their names; `words` what a mutation should know.
    """

    name: str
    holds: Callable[[bytes], None]
    recorded: str = ""
    words: tuple[str, ...] = ()
    longest: int = PAGE

    @property
    def corpus(self) -> Path:
        """The inputs that belong to this target alone."""
        return CORPUS / self.name

    @property
    def recordings(self) -> tuple[Path, ...]:
        """The recorded answers that are inputs of this target as well."""
        return tuple(sorted(STREAMS.glob(self.recorded))) if self.recorded else ()


RESPONSE_WORDS = (
    *("response.completed", "response.failed", "response.incomplete", "response.output_item.done"),
    *("response.web_search_call.searching", "web_search_call", "output_text", "refusal"),
    *("url_citation", "content_filter", "output_index", "item", "output", "annotations", "error"),
)
REST_WORDS = ("results", "title", "content", "error", "message", "code", "type", "detail", *JSON)
PI_WORDS = ("sync", "call", "cancel", "auth", "id", "available", "current", "headers", "ok", *JSON)
FILE_WORDS = ("version", "fingerprint", "search", "fetch", "provider", "model", *JSON)
LEDGER_WORDS = ("cooldowns", "operation", "provider", "model", "remaining", "level", *JSON)
MODELS_WORDS = ("providers", "baseUrl", "api", "models", "modelOverrides", "compat", "id", *JSON)
NAME_WORDS = ("gpt-", "claude-", "gemini-", "deepseek", "flash", "sonnet", "20250514", "v4p1")
URL_WORDS = ("urls", "query", "http://", "https://", "@", "%40", "[::1]", ":80", "\u3000", *JSON)
LINK_WORDS = ("https://", "mailto:", "www.", "\u200d", "\u0301", "😀", *KEYS, *JSON)
ESCAPE_WORDS = ("%25", "%2B", "&amp;", "&#x2f;", "\\u0041", "\\x41", "\\\\", "\n")

TARGETS: tuple[Target, ...] = (
    Target("event_stream", events.no_cut_changes_the_events, "*.sse", LINES, LINE),
    Target(
        "gemini",
        events.AnswersOf(gemini.CODEC, endings.google),
        "google-*",
        (*LINES, *GOOGLE_NAMES),
        STREAM,
    ),
    Target(
        "antigravity",
        events.AnswersOf(antigravity.CODEC, endings.google),
        "antigravity-*",
        (*LINES, *GOOGLE_NAMES),
        STREAM,
    ),
    Target(
        "responses",
        events.AnswersOf(OPENAI, endings.responses),
        "[cox]*.sse",
        (*LINES, *RESPONSE_WORDS),
        STREAM,
    ),
    Target(
        "anthropic",
        events.AnswersOf(anthropic.CODEC, endings.anthropic),
        "anthropic-*",
        (*LINES, *ANTHROPIC_NAMES, *KINDS),
        STREAM,
    ),
    Target("rest", bodies.any_body_is_an_answer, "*.json", REST_WORDS),
    Target("content_coding", bodies.any_packed_body_ends, longest=SCREEN),
    Target("output_guard", guard.what_is_kept_is_true, "*-err-*.json", LINK_WORDS, SCREEN),
    Target("plain_text", guard.any_text_is_fitted, words=LINK_WORDS),
    Target("request", told.any_arguments_are_read, words=URL_WORDS, longest=SCREEN),
    Target(
        "settings",
        told.any_environment_is_settings,
        words=tuple(f"{row.variable}=" for row in TABLE),
    ),
    Target("model_names", told.any_models_are_in_order, words=NAME_WORDS, longest=LINE),
    Target("models_file", told.any_models_file_is_read, words=MODELS_WORDS),
    Target("pi_messages", told.any_message_of_pi_is_read, words=PI_WORDS),
    Target("preference_file", kept.any_file_is_loaded_and_foreign_ones_stay, words=FILE_WORDS),
    Target("ledger", kept.any_ledger_is_read, words=LEDGER_WORDS),
    Target("masking", masks.no_piece_of_a_secret_is_shown, words=ESCAPE_WORDS, longest=LINE),
)

BY_NAME = {target.name: target for target in TARGETS}

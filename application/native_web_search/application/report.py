"""What a call tells the model when it could not be done, and the host about how it was done."""

from collections.abc import Iterable, Mapping

from native_web_search.application.record import Attempt, Record
from native_web_search.domain.failure import AttemptFailure
from native_web_search.domain.fallback import GiveUp
from native_web_search.domain.family import Candidate
from native_web_search.domain.payload import FetchedEntry, UrlFailure

SIGN_UP = (
    ("DeepSeek", "DEEPSEEK_API_KEY", "https://platform.deepseek.com/api_keys"),
    ("Ollama Cloud", "OLLAMA_API_KEY", "https://ollama.com/settings/keys"),
    ("Google Gemini", "GEMINI_API_KEY", "https://aistudio.google.com/apikey"),
    ("OpenAI", "OPENAI_API_KEY", "https://platform.openai.com/api-keys"),
    ("xAI", "XAI_API_KEY", "https://console.x.ai"),
    ("Anthropic", "ANTHROPIC_API_KEY", "https://console.anthropic.com/settings/keys"),
)

NO_FETCHER = (
    "No usable provider can analyze URLs. Call the tool again with `query` alone, or ask the user "
    "to log in to DeepSeek, Ollama Cloud or Google Gemini (DEEPSEEK_API_KEY, OLLAMA_API_KEY or "
    "GEMINI_API_KEY)."
)


def nothing_to_try() -> str:
    """The error when no candidate has a credential: what to set, and where to get it."""
    rows = [f"- {name}: set {variable}, from {address}" for name, variable, address in SIGN_UP]
    return "\n".join(["No provider is available to search with. Log in to one of these:", *rows])


def search_error(gave_up: GiveUp) -> str:
    """The error of a failed search: the limit that was broken, or a line for each attempt."""
    if gave_up.call is not None:
        return gave_up.call.message
    if not gave_up.failures:
        return nothing_to_try()
    return "\n".join(["The web search failed:", *_lines(gave_up.failures)])


def fetch_error(
    failures: Iterable[tuple[Candidate, AttemptFailure]], entries: Iterable[FetchedEntry]
) -> str:
    """The error of a call for URLs alone: a line for each attempt, then one for each URL."""
    urls = [
        f"- {entry.url}: {entry.answer.message}"
        for entry in entries
        if isinstance(entry.answer, UrlFailure)
    ]
    return "\n".join(["None of the URLs could be analyzed:", *_lines(failures), *urls])


def deadline_error(seconds: float, attempts: Iterable[Attempt]) -> str:
    """The error of a search that the call's deadline ended: the attempts so far."""
    rows = [
        f"- {attempt.candidate.model.provider}: {attempt.message or attempt.outcome}"
        for attempt in attempts
    ]
    return "\n".join([f"The web search did not finish within {seconds:g} s:", *rows])


def details(
    record: Record, served: tuple[Candidate | None, ...] | None, *, truncated: bool
) -> dict[str, object]:
    """How the call went, as plain data: every attempt, and who served the search and each URL."""
    parts: dict[str, object] = {
        "attempts": [_attempt(attempt) for attempt in record.attempts],
        "truncated": truncated,
    }
    if record.searched is not None:
        parts["search"] = _place(record.searched.candidate)
    if served is not None:
        parts["fetched"] = [None if one is None else _place(one) for one in served]
    return parts


def _lines(failures: Iterable[tuple[Candidate, AttemptFailure]]) -> list[str]:
    return [f"- {candidate.model.provider}: {failure.message}" for candidate, failure in failures]


def _place(candidate: Candidate) -> Mapping[str, object]:
    return {"provider": candidate.model.provider, "model": candidate.model.id}


def _attempt(attempt: Attempt) -> Mapping[str, object]:
    parts = {
        "operation": attempt.operation.value,
        **_place(attempt.candidate),
        "outcome": attempt.outcome,
        "milliseconds": attempt.milliseconds,
    }
    return parts if attempt.message is None else {**parts, "message": attempt.message}

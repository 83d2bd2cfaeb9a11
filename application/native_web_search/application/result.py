"""From what a call has done to what the tool returns. Pure."""

from collections.abc import Mapping
from typing import TypeVar

from attrs import frozen

from native_web_search.application import report
from native_web_search.application.record import Record
from native_web_search.application.settings import MarkerMode, Settings
from native_web_search.domain.fallback import Finished, GiveUp
from native_web_search.domain.family import Candidate
from native_web_search.domain.output_guard import fit, fit_text
from native_web_search.domain.payload import Fetched, FetchedEntry, UrlFailure, document
from native_web_search.domain.request import RefusedUrl, Request

T = TypeVar("T")


@frozen
class ToolResult:
    """What the tool returns to its host.

    `text` is for the model and obeys the output limit. `details` is plain data for the host:
    `attempts`, `truncated`, and the provider and model that served the `search` and each URL of
    `fetched`. `document` is the whole answer before the output guard, or None for an error.
    """

    text: str
    is_error: bool
    details: Mapping[str, object]
    document: Mapping[str, object] | None = None


@frozen
class Call:
    """A finished call: what was asked, what was done, how it ended.

    `gave_up` if the search failed; `late` if the call's deadline ended it.
    """

    request: Request
    record: Record
    settings: Settings
    gave_up: GiveUp | None
    late: bool

    def result(self) -> ToolResult:
        """The document if any work was answered, else an error that says why not."""
        unfinished = self.request.query is not None and self.record.searched is None
        if self.gave_up is not None:
            return error_result(report.search_error(self.gave_up), self.settings, self.record)
        if unfinished:
            seconds = self.settings.deadline_ms / 1000
            text = report.deadline_error(seconds, self.record.attempts)
            return error_result(text, self.settings, self.record)
        finished = self._finished()
        entries = self._entries(finished)
        answered = any(isinstance(entry.answer, Fetched) for entry in entries)
        if self.record.searched is None and not answered:
            text = report.fetch_error(finished.failures, entries)
            return error_result(text, self.settings, self.record)
        return self._answer(finished, entries)

    def _answer(self, finished: Finished, entries: tuple[FetchedEntry, ...]) -> ToolResult:
        searched = self.record.searched
        whole = document(
            self.request.query, None if searched is None else searched.payload, entries
        )
        marker = self.settings.marker is MarkerMode.LINE
        fitted = fit(whole, self.settings.max_chars, marker=marker)
        served = self._served(finished) if entries else None
        details = report.details(self.record, served, truncated=fitted.truncated)
        return ToolResult(fitted.text, is_error=False, details=details, document=whole)

    def _finished(self) -> Finished:
        """The fetch as far as it came; a call without URLs has finished an empty one."""
        if self.record.fetched is not None:
            return self.record.fetched
        if self.record.fetching is not None:
            return self.record.fetching.so_far()
        count = len(self.request.valid_urls)
        return Finished((None,) * count, (None,) * count, ())

    def _entries(self, finished: Finished) -> tuple[FetchedEntry, ...]:
        """All URLs in the order they were given, refused ones included."""
        answers = self._by_url(finished.entries)
        entries: list[FetchedEntry] = []
        for url in self.request.urls:
            if isinstance(url, RefusedUrl):
                entries.append(FetchedEntry(url.shown, UrlFailure(url.message)))
            else:
                entries.append(FetchedEntry(url.url, answers[url.url] or self._unanswered()))
        return tuple(entries)

    def _served(self, finished: Finished) -> tuple[Candidate | None, ...]:
        """Who brought each entry; nobody brought those that were refused."""
        servers = self._by_url(finished.served)
        return tuple(
            None if isinstance(url, RefusedUrl) else servers[url.url] for url in self.request.urls
        )

    def _by_url(self, values: tuple[T, ...]) -> Mapping[str, T]:
        """What belongs to each URL that was asked for; one given twice was asked for once."""
        return dict(zip(self.request.valid_urls, values, strict=True))

    def _unanswered(self) -> UrlFailure:
        seconds = self.settings.deadline_ms / 1000
        return UrlFailure(f"not answered within the {seconds:g} s of this call")


def error_result(text: str, settings: Settings, record: Record) -> ToolResult:
    """An error for the model, inside the same limit as an answer."""
    fitted = fit_text(text, settings.max_chars, marker=settings.marker is MarkerMode.LINE)
    details = report.details(record, None, truncated=fitted.truncated)
    return ToolResult(fitted.text, is_error=True, details=details)

"""Reading Google's stream of answer fragments, for Gemini and Antigravity alike.

Every event is a small response in which everything is optional. Text is appended; thoughts and
unknown parts are no answer. Metadata come whole or as growing snapshots, in any event, with `{}`
in between: the last object that holds something counts. Both spellings of a name are read, in any
mixture, and the objects themselves are passed on untouched. Antigravity wraps each event in
`response`, mostly.

The stream is over at the first finish reason, or when the prompt was blocked. Search evidence is
a query or a page in the grounding metadata of any event; without it, the model spoke from memory.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Generic, TypeVar

from attrs import define, field, frozen

from native_web_search.adapters.providers.classify import failure_of, one_line, refusal_of_error
from native_web_search.adapters.providers.google_rules import (
    RULES,
    blocked_prompt,
    failure_of_finish,
)
from native_web_search.adapters.providers.json_values import (
    NO_FIELDS,
    Fields,
    list_in,
    object_in,
    objects_in,
    text_in,
)
from native_web_search.domain.failure import AttemptFailure, NotSearched
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import Appetite

A = TypeVar("A")


@frozen
class Told:
    """What a whole stream told: the answer, the metadata as they came, and how it ended."""

    answer: str
    grounding: Fields
    url_context: Fields
    searched: bool
    finish: str

    def payload(self) -> dict[str, object]:
        """The provider's values under our names; what it did not give is absent."""
        values = {
            "answer": self.answer,
            "groundingMetadata": self.grounding,
            "urlContextMetadata": self.url_context,
        }
        return {name: value for name, value in values.items() if value}


def searched(told: Told) -> SearchOutcome:
    """The outcome of a search whose answer may stand."""
    if not told.searched:
        said = f"no search was performed (finish reason {told.finish})"
        return Failure(NotSearched(one_line(said)))
    payload = told.payload()
    if queries := list_in(spelled(told.grounding, "webSearchQueries")):
        payload["searchQueries"] = queries
    return Success(payload)


@define
class GoogleReading(Generic[A]):
    """A `Reading` that hands what was told to `conclude`, and a failure to `refuse`."""

    conclude: Callable[[Told], A]
    refuse: Callable[[AttemptFailure], A]
    _text: list[str] = field(init=False, factory=list)
    _grounding: Fields = field(init=False, default=NO_FIELDS)
    _outer_grounding: Fields = field(init=False, default=NO_FIELDS)
    _url_context: Fields = field(init=False, default=NO_FIELDS)
    _url_entries: dict[str, Fields] = field(init=False, factory=dict)
    _searched: bool = field(init=False, default=False)
    _finish: str = field(init=False, default="")
    _failure: AttemptFailure | None = field(init=False, default=None)

    def read(self, event: Fields) -> Appetite:
        response = object_in(event.get("response")) or event
        candidate = next(objects_in(response.get("candidates")), NO_FIELDS)
        feedback = object_in(spelled(response, "promptFeedback"))
        self._outer_grounding = self._grounded(response, self._outer_grounding)
        if response.get("error"):
            self._failure = failure_of(refusal_of_error(response), RULES)
        elif candidate:
            self._take(candidate)
        elif reason := text_in(spelled(feedback, "blockReason")):
            message = text_in(spelled(feedback, "blockReasonMessage"))
            self._failure = blocked_prompt(reason, message)
        return Appetite.DONE if self._finish or self._failure else Appetite.MORE

    def answer(self) -> A:
        if self._failure is not None:
            return self.refuse(self._failure)
        grounding = self._grounding or self._outer_grounding
        url_context = _joined(self._url_entries, self._url_context)
        text = "".join(self._text)
        return self.conclude(Told(text, grounding, url_context, self._searched, self._finish))

    def failed(self, failure: AttemptFailure) -> A:
        return self.refuse(failure)

    def _take(self, candidate: Fields) -> None:
        parts = objects_in(object_in(candidate.get("content")).get("parts"))
        self._text += (text_in(part.get("text")) for part in parts if not part.get("thought"))
        self._grounding = self._grounded(candidate, self._grounding)
        url_context = object_in(spelled(candidate, "urlContextMetadata"))
        self._url_context = url_context if any(url_context.values()) else self._url_context
        for entry in url_entries(url_context):
            self._url_entries.setdefault(_identity(entry), entry)
        self._finish = text_in(spelled(candidate, "finishReason"))
        message = text_in(spelled(candidate, "finishMessage"))
        self._failure = failure_of_finish(self._finish, message)

    def _grounded(self, place: Fields, before: Fields) -> Fields:
        """The grounding metadata once this place was read."""
        metadata = object_in(spelled(place, "groundingMetadata"))
        evidence = (spelled(metadata, name) for name in ("webSearchQueries", "groundingChunks"))
        self._searched = self._searched or any(map(bool, evidence))
        return metadata if any(metadata.values()) else before


def spelled(fields: Fields, name: str) -> object:
    """The value of a field under its name in camelCase, or else in snake_case."""
    return fields.get(name) or fields.get(_snake(name))


@cache
def _snake(name: str) -> str:
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def url_entries(url_context: Fields) -> list[Fields]:
    """What became of each URL, in the order of the metadata."""
    return list(objects_in(spelled(url_context, "urlMetadata")))


def _joined(entries: Mapping[str, Fields], last: Fields) -> Fields:
    """The last metadata, with the entries of earlier ones that they no longer list."""
    if entries.keys() <= set(map(_identity, url_entries(last))):
        return last
    name = "url_metadata" if "url_metadata" in last else "urlMetadata"
    return {**last, name: list(entries.values())}


def _identity(entry: Fields) -> str:
    """Equal for equal entries; of one that is too deep to be written, its address alone."""
    try:
        return json.dumps(entry, sort_keys=True)
    except RecursionError:
        return text_in(spelled(entry, "retrievedUrl"))

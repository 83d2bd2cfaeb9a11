"""Reading the event stream of a Responses interface.

Only three kinds of event matter. `response.output_item.done` brings a finished item, kept by its
`output_index` (ids are for reading only). `response.web_search_call.*` tells that a search goes on;
it is evidence of one whose item never comes. A terminal event ends the stream and may bring all
items again: if it has any, they replace the ones kept, so that no text is counted twice. All other
events, deltas among them, repeat what the items say, and are passed over, as are unknown ones.

    the stream ended as        and there is                         outcome
    -------------------------  -----------------------------------  ------------------------------
    failed, cancelled          anything                             by the error's code, else
                                                                    ProviderRefused
    incomplete                 the reason content_filter            RequestRefused
    completed, incomplete      a refusal                            RequestRefused
    completed, incomplete      evidence of a search                 success
    completed, incomplete      none                                 NotSearched

Evidence is a search item that did not fail, a search whose item never came, or a citation of a web
page. The status inside the response beats the name of the event, because proxies send a failed
response as completed. A failure without any detail is worth a short wait: Azure sends the `error`
event that explains it right after.
"""

from enum import Enum

from attrs import define, field

from native_web_search.adapters.providers.classify import failure_of, one_line, refusal_of_error
from native_web_search.adapters.providers.json_values import (
    Fields,
    object_in,
    objects_in,
    text_in,
)
from native_web_search.adapters.providers.responses_items import (
    citations,
    payload_of,
    refusals,
    searches,
)
from native_web_search.adapters.providers.responses_rules import RULES
from native_web_search.domain.failure import (
    AttemptFailure,
    NotSearched,
    ProviderRefused,
    RequestRefused,
)
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import Appetite

ITEM_FINISHED = "response.output_item.done"
SEARCH_PROGRESS = "response.web_search_call."
CONTENT_FILTER = "content_filter"


class Ending(Enum):
    """How a response can end."""

    COMPLETED = "completed"
    INCOMPLETE = "incomplete"
    FAILED = "failed"


NAMED_ENDINGS = {
    "response.completed": Ending.COMPLETED,
    "response.done": Ending.COMPLETED,  # Codex
    "response.incomplete": Ending.INCOMPLETE,
    "response.failed": Ending.FAILED,
}
STATUS_ENDINGS = {
    "completed": Ending.COMPLETED,
    "incomplete": Ending.INCOMPLETE,
    "failed": Ending.FAILED,
    "cancelled": Ending.FAILED,
}
UNEXPLAINED = ProviderRefused("the provider ended the response as failed and gave no reason")


@define
class ResponseReading:
    """One response, a `Reading`."""

    _items: dict[int, Fields] = field(init=False, factory=dict)
    _searching: set[int] = field(init=False, factory=set)
    _outcome: SearchOutcome = field(init=False, default=Failure(UNEXPLAINED))

    def read(self, event: Fields) -> Appetite:
        kind, index = text_in(event.get("type")), event.get("output_index")
        if kind == ITEM_FINISHED:
            self._keep(index, object_in(event.get("item")))
        elif kind.startswith(SEARCH_PROGRESS) and isinstance(index, int):
            self._searching.add(index)
        else:
            return self._read_ending(event)
        return Appetite.MORE

    def answer(self) -> SearchOutcome:
        return self._outcome

    def failed(self, failure: AttemptFailure) -> SearchOutcome:
        return Failure(failure)

    def _keep(self, index: object, item: Fields) -> None:
        """An item without a place of its own comes last."""
        place = index if isinstance(index, int) else max(self._items, default=-1) + 1
        self._items[place] = item

    def _read_ending(self, event: Fields) -> Appetite:
        is_whole = event.get("object") == "response"  # no event, but one document
        response = event if is_whole else object_in(event.get("response"))
        match _ending(event, response):
            case None:
                return Appetite.MORE
            case Ending.FAILED:
                failure = _failure(event, response)
                self._outcome = Failure(failure or UNEXPLAINED)
                return Appetite.DONE if failure else Appetite.LINGER
            case Ending.COMPLETED | Ending.INCOMPLETE:
                self._items = dict(enumerate(objects_in(response.get("output")))) or self._items
                self._outcome = self._judged(_reason(response))
                return Appetite.DONE

    def _judged(self, reason: str) -> SearchOutcome:
        items = tuple(self._items[place] for place in sorted(self._items))
        if reason == CONTENT_FILTER:
            return Failure(RequestRefused("the answer was blocked by the content filter"))
        if (said := next(refusals(items), None)) is not None:
            return Failure(RequestRefused(one_line(f"the model refused to answer: {said}")))
        if not self._has_evidence(items):
            return Failure(NotSearched(_missing(items, reason)))
        return Success(payload_of(items))

    def _has_evidence(self, items: tuple[Fields, ...]) -> bool:
        return (
            any(item.get("status") != "failed" for item in searches(items))
            or any(citations(items))
            or not self._searching.issubset(self._items)
        )


def _ending(event: Fields, response: Fields) -> Ending | None:
    """None while the response goes on."""
    by_status = STATUS_ENDINGS.get(text_in(response.get("status")))
    if response is event:
        return by_status
    by_name = NAMED_ENDINGS.get(text_in(event.get("type")))
    return (by_status or by_name) if by_name is Ending.COMPLETED else by_name


def _failure(event: Fields, response: Fields) -> AttemptFailure | None:
    """What the response or the event gives as the reason of the failure, if it gives any."""
    if error := response.get("error"):
        return failure_of(refusal_of_error({"error": error}), RULES)
    if event.get("message"):
        return failure_of(refusal_of_error(event), RULES)
    if reason := _reason(response):
        return failure_of(refusal_of_error({"code": reason, "message": reason}), RULES)
    return None


def _reason(response: Fields) -> str:
    return text_in(object_in(response.get("incomplete_details")).get("reason"))


def _missing(items: tuple[Fields, ...], reason: str) -> str:
    if any(searches(items)):
        return "the provider's web search failed"
    if reason:
        return one_line(f"the answer ended before a web search: {reason}")
    return "the model answered without searching the web"

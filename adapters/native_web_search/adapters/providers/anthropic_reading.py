"""Reading the event stream of Anthropic's Messages interface.

A message is a row of blocks. Each one starts, takes deltas, and stops; `index` says which block a
delta belongs to. Blocks of a search are returned raw and in order, the call as well as its result;
the only thing ever added is the `input` of a call, which starts empty and comes in pieces of JSON.
Text blocks, in the order of their indexes, are the answer. Thoughts are not, and unknown events,
blocks and deltas are passed over: the provider promises to add some.

    the message stopped with           and among its search results    outcome
    ---------------------------------  ------------------------------  --------------
    refusal                            anything                        RequestRefused
    anything else                      is a list, and no error         success
    anything else                      is a list that holds something  success
    anything else                      is neither                      NotSearched

An empty list is a search without hits, and good evidence, unless another search of the same answer
failed. A failed search is an object in the place of the list. The model writes on after one, from
memory; that text is no answer. Nothing is decided before the last event: a stream that ends early
is a failure, whatever it brought.
"""

from attrs import define, field

from native_web_search.adapters.providers.body import parse_json
from native_web_search.adapters.providers.classify import one_line
from native_web_search.adapters.providers.json_values import (
    NO_FIELDS,
    Fields,
    list_in,
    object_in,
    objects_in,
    text_in,
)
from native_web_search.domain.failure import AttemptFailure, NotSearched, RequestRefused
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.http import Appetite

CALL = "server_tool_use"
RESULT = "web_search_tool_result"
SEARCH_TOOL = "web_search"

REFUSAL = "refusal"

NO_INDEX = -1  # of an event that names no block


@define
class Block:
    """One block, as it started and as its deltas go on."""

    start: Fields
    index: int
    _text: list[str] = field(init=False, factory=list)
    _input: list[str] = field(init=False, factory=list)
    _citations: list[Fields] = field(init=False, factory=list)

    def take(self, delta: Fields) -> None:
        match delta.get("type"):
            case "text_delta":
                self._text.append(text_in(delta.get("text")))
            case "input_json_delta":
                self._input.append(text_in(delta.get("partial_json")))
            case "citations_delta":
                self._citations += objects_in([delta.get("citation")])
            case _:
                pass

    @property
    def kind(self) -> str:
        return text_in(self.start.get("type"))

    @property
    def text(self) -> str:
        return text_in(self.start.get("text")) + "".join(self._text)

    @property
    def citations(self) -> list[Fields]:
        return [*objects_in(self.start.get("citations")), *self._citations]

    @property
    def raw(self) -> Fields:
        """The block as it is returned: a call has its input, if that came whole."""
        match parse_json("".join(self._input)):
            case Success(value) if self.kind == CALL and not self.start.get("input"):
                return {**self.start, "input": value}
            case _:
                return self.start


@define
class MessageReading:
    """One message, a `Reading`."""

    _blocks: list[Block] = field(init=False, factory=list)
    _by_index: dict[int, Block] = field(init=False, factory=dict)
    _stop: Fields = field(init=False, default=NO_FIELDS)

    def read(self, event: Fields) -> Appetite:
        match event.get("type"):
            case "content_block_start":
                block = Block(object_in(event.get("content_block")), _index(event))
                self._blocks.append(block)
                self._by_index[block.index] = block
            case "content_block_delta" if open_block := self._by_index.get(_index(event)):
                open_block.take(object_in(event.get("delta")))
            case "message_delta":
                self._stop = {**self._stop, **object_in(event.get("delta"))}
            case "message_stop":
                return Appetite.DONE
            case _:
                pass
        return Appetite.MORE

    def answer(self) -> SearchOutcome:
        if self._stop.get("stop_reason") == REFUSAL:
            return Failure(RequestRefused(_refusal(object_in(self._stop.get("stop_details")))))
        contents = [block.start.get("content") for block in self._blocks if block.kind == RESULT]
        errors = [object_in(content) for content in contents if not isinstance(content, list)]
        if any(map(list_in, contents)) or (contents and not errors):
            return Success(_payload(self._blocks))
        return Failure(NotSearched(_why(errors, text_in(self._stop.get("stop_reason")))))

    def failed(self, failure: AttemptFailure) -> SearchOutcome:
        return Failure(failure)


def _payload(blocks: list[Block]) -> dict[str, object]:
    """The provider's values under our names; what it did not give is absent."""
    texts = sorted((b for b in blocks if b.kind == "text"), key=lambda block: block.index)
    results = [block.raw for block in blocks if block.kind in (CALL, RESULT)]
    values = {
        "answer": "".join(block.text for block in texts),
        "results": results,
        "citations": [citation for block in texts for citation in block.citations],
        "searchQueries": _queries(results),
    }
    return {name: value for name, value in values.items() if value}


def _queries(results: list[Fields]) -> list[str]:
    calls = (block for block in results if block.get("name") == SEARCH_TOOL)
    queries = (text_in(object_in(call.get("input")).get("query")) for call in calls)
    return [query for query in queries if query]


def _why(errors: list[Fields], stop_reason: str) -> str:
    if errors:
        codes = (text_in(error.get("error_code")) or "no error code" for error in errors)
        return one_line(f"the web search failed: {', '.join(dict.fromkeys(codes))}")
    return one_line(f"no search was performed (stop reason {stop_reason or 'unknown'})")


def _refusal(details: Fields) -> str:
    reasons = (text_in(details.get("category")), text_in(details.get("explanation")))
    return one_line(": ".join(["the model refused to answer", *filter(None, reasons)]))


def _index(event: Fields) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else NO_INDEX

"""Event streams of any length, in the form of each streaming family.

As the providers write them: the answer in small deltas, search results beside it, and at the end
whatever the family repeats. One source for each page, so that there is something to cite.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count

from benchmarks.documents import text

DELTA = 24  # characters of an answer in one event, with Responses and Messages
CHUNK = 200  # with Gemini, which says more at a time
SOURCES = 10
SEALED = 4_000  # characters of a result that only Anthropic can read

Event = Mapping[str, object]


def of_size(family: Callable[[int], Iterator[Event]], size: int) -> bytes:
    """The stream whose answer is just long enough to fill this many bytes."""
    probe = 20_000
    base, grown = len(_written(family(0))), len(_written(family(probe)))
    return _written(family(max(1, (size - base) * probe // (grown - base))))


def _written(events: Iterator[Event]) -> bytes:
    return b"".join(map(_event, events))


def _event(event: Event) -> bytes:
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    named = f"event: {event['type']}\n" if "type" in event else ""
    return f"{named}data: {data}\n\n".encode()


def _pieces(length: int, size: int) -> Iterator[str]:
    whole = text(length)
    return (whole[at : at + size] for at in range(0, length, size))


def _url(number: int) -> str:
    return f"https://site-{number}.example/path/to/page"


def responses(length: int) -> Iterator[Event]:
    """OpenAI: deltas, then the text again with its part, its item and the response."""
    numbers = count()

    def event(kind: str, **fields: object) -> Event:
        return {"type": f"response.{kind}", "sequence_number": next(numbers), **fields}

    sources = [{"type": "url", "url": _url(number)} for number in range(SOURCES)]
    action = {"type": "search", "query": "speed", "sources": sources}
    call = {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": action}
    part = {"type": "output_text", "annotations": [], "logprobs": [], "text": text(length)}
    message = {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant"}
    place = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    response = {"id": "resp_1", "object": "response", "model": "gpt-5.6-luna", "created_at": 1}
    running = response | {"status": "in_progress", "output": []}

    yield event("created", response=running)
    yield event("output_item.added", output_index=0, item=call | {"status": "in_progress"})
    yield event("web_search_call.searching", output_index=0, item_id="ws_1")
    yield event("output_item.done", output_index=0, item=call)
    yield event("output_item.added", output_index=1, item=message | {"content": []})
    yield event("content_part.added", **place, part=part | {"text": ""})
    for piece in _pieces(length, DELTA):
        delta = {"delta": piece, "logprobs": [], "obfuscation": "x7Qz"}
        yield event("output_text.delta", **place, **delta)
    yield event("output_text.done", **place, text=text(length), logprobs=[])
    yield event("content_part.done", **place, part=part)
    whole = message | {"content": [part]}
    yield event("output_item.done", output_index=1, item=whole)
    ended = response | {"status": "completed", "output": [call, whole]}
    yield event("completed", response=ended)


def messages(length: int) -> Iterator[Event]:
    """Anthropic: the call, its results in one block, the answer in deltas."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search"}
    found = [_sealed(number) for number in range(SOURCES)]
    block = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found}

    yield {"type": "message_start", "message": message | {"content": [], "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": call | {"input": {}}}
    asked = {"type": "input_json_delta", "partial_json": '{"query":"speed"}'}
    yield {"type": "content_block_delta", "index": 0, "delta": asked}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "content_block_start", "index": 1, "content_block": block}
    yield {"type": "content_block_stop", "index": 1}
    empty = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 2, "content_block": empty}
    for piece in _pieces(length, DELTA):
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 2, "delta": delta}
    yield {"type": "content_block_stop", "index": 2}
    ending = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": usage}
    yield {"type": "message_stop"}


def _sealed(number: int) -> Event:
    return {
        "type": "web_search_result",
        "title": f"The title of page {number}",
        "url": _url(number),
        "encrypted_content": text(SEALED, "EqoBCioIARgBIiQ3YTAwMjY1Mi1mZjM5"),
        "page_age": "May 17, 2026",
    }


def gemini(length: int) -> Iterator[Event]:
    """Gemini: small responses, the last with the finish reason and what the answer rests on."""
    about = {"usageMetadata": {"promptTokenCount": 21}, "modelVersion": "gemini-3.5-flash"}
    for piece in _pieces(length, CHUNK):
        content = {"parts": [{"text": piece}], "role": "model"}
        yield {"candidates": [{"content": content, "index": 0}], **about}
    pages = [{"web": {"uri": _url(n), "title": f"site-{n}.example"}} for n in range(SOURCES)]
    grounding = {"webSearchQueries": ["speed"], "groundingChunks": pages}
    content = {"parts": [{"text": "."}], "role": "model"}
    last = {"content": content, "finishReason": "STOP", "groundingMetadata": grounding}
    yield {"candidates": [last | {"index": 0}], **about}

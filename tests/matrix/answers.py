"""The good answer of each wire format, small, with a character that is no ASCII."""

from collections.abc import Mapping

from native_web_search.domain.family import Operation
from tests.matrix.faults import as_json, event

PAGE_URL = "https://page.example/one"

HIT = {"title": "Zürich", "url": "https://found.example/a", "content": "A page about cooldowns."}
REST = {
    Operation.SEARCH: as_json({"results": [HIT]}),
    Operation.FETCH: as_json({"title": "Zürich", "content": "# A page about cooldowns"}),
}

GROUNDING = {
    "webSearchQueries": ["cooldown"],
    "groundingChunks": [{"web": {"uri": "https://found.example/a", "title": "found.example"}}],
}
RETRIEVED = {"retrievedUrl": PAGE_URL, "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}


def candidate(text: str, **fields: object) -> Mapping[str, object]:
    """An event of Google's with one candidate."""
    content = {"role": "model", "parts": [{"text": text}]}
    return {"candidates": [{"content": content, "index": 0, **fields}]}


GOOGLE_EVENTS = {
    Operation.SEARCH: (
        candidate("Zürich "),
        candidate("cools.", groundingMetadata=GROUNDING, finishReason="STOP"),
    ),
    Operation.FETCH: (
        candidate("Zürich "),
        candidate("cools.", urlContextMetadata={"urlMetadata": [RETRIEVED]}, finishReason="STOP"),
    ),
}
GOOGLE = {operation: b"".join(map(event, events)) for operation, events in GOOGLE_EVENTS.items()}
ANTIGRAVITY = {
    operation: b"".join(event({"response": one, "traceId": "t"}) for one in events)
    for operation, events in GOOGLE_EVENTS.items()
}

SEARCH_ITEM = {
    "id": "ws_1",
    "type": "web_search_call",
    "status": "completed",
    "action": {"type": "search", "query": "cooldown"},
}


def message(text: str) -> Mapping[str, object]:
    """A message item of a Responses interface."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"id": "m1", "type": "message", "role": "assistant", "content": [part]}


RESPONSE = {"id": "r1", "object": "response", "status": "completed", "output": []}
RESPONSES = {
    Operation.SEARCH: b"".join(
        (
            event({"type": "response.created", "response": {"status": "in_progress"}}),
            event({"type": "response.output_item.done", "output_index": 0, "item": SEARCH_ITEM}),
            event(
                {
                    "type": "response.output_item.done",
                    "output_index": 1,
                    "item": message("Zürich cools."),
                }
            ),
            event({"type": "response.completed", "response": RESPONSE}),
        )
    )
}

CALL = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "cool"}}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "s1",
    "content": [{"type": "web_search_result", "title": "Zürich", "url": "https://found.example/a"}],
}


def block(index: int, content: object) -> bytes:
    """The start of a block of Anthropic's."""
    return event({"type": "content_block_start", "index": index, "content_block": content})


def stopped(reason: str, **details: object) -> bytes:
    """The end of a message of Anthropic's."""
    delta = {"type": "message_delta", "delta": {"stop_reason": reason, **details}}
    return event(delta) + event({"type": "message_stop"})


STARTED = event({"type": "message_start", "message": {"role": "assistant", "content": []}})
SAID = block(2, {"type": "text", "text": "Zürich cools."})
ANTHROPIC = {
    Operation.SEARCH: STARTED + block(0, CALL) + block(1, FOUND) + SAID + stopped("end_turn")
}

"""A finished response, told as the stream of events that led to it."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from native_web_search.adapters.simulator.exchange import compact, elements, members, string

DELTA = 24  # code points of a text delta
CREATED_AT = 1_796_012_345  # seconds; a fixed day, since the same request gets the same answer
OBFUSCATION = "x7Qz"  # padding that OpenAI adds to deltas

Json: TypeAlias = dict[str, object]

NOTHING: list[object] = []


def response_object(
    model: str, request: Mapping[str, object], output: list[Json], digest: str
) -> Json:
    """The whole response, completed."""
    text = "".join(
        string(members(part).get("text"))
        for item in output
        for part in elements(item.get("content"))
    )
    return {
        "id": f"resp_{digest}",
        "object": "response",
        "created_at": CREATED_AT,
        "status": "completed",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": string(request.get("instructions")) or None,
        "max_output_tokens": request.get("max_output_tokens"),
        "model": model,
        "output": output,
        "parallel_tool_calls": request.get("parallel_tool_calls", True),
        "previous_response_id": None,
        "reasoning": {"effort": "medium", "summary": None},
        "service_tier": "default",
        "store": request.get("store", True),
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": string(request.get("tool_choice")) or "auto",
        "tools": request.get("tools", []),
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": _usage(len(text)),
        "user": None,
        "metadata": {},
    }


def events(response: Json, *, repeat_output: bool) -> Iterator[bytes]:
    """The stream. Without `repeat_output` the terminal event holds no items, as on Codex."""
    for number, event in enumerate(_events(response, repeat_output=repeat_output)):
        numbered = {"type": event["type"], "sequence_number": number, **event}
        yield b"event: %b\ndata: %b\n\n" % (string(event["type"]).encode(), compact(numbered))


def _events(response: Json, *, repeat_output: bool) -> Iterator[Json]:
    begun: Json = {**response, "status": "in_progress", "output": NOTHING, "usage": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(elements(response["output"])):
        yield from _item_events(index, dict(members(item)))
    ended: Json = response if repeat_output else {**response, "output": NOTHING}
    yield {"type": "response.completed", "response": ended}


def _item_events(index: int, item: Json) -> Iterator[Json]:
    at: Json = {"output_index": index}
    match item["type"]:
        case "web_search_call":
            started = item | {"status": "in_progress", "action": _unfilled(item["action"])}
            yield {"type": "response.output_item.added", **at, "item": started}
            for stage in ("in_progress", "searching", "completed"):
                name = f"response.web_search_call.{stage}"
                yield {"type": name, **at, "item_id": item["id"]}
        case "message":
            started = {**item, "status": "in_progress", "content": NOTHING}
            yield {"type": "response.output_item.added", **at, "item": started}
            for number, part in enumerate(elements(item["content"])):
                place = {"item_id": item["id"], **at, "content_index": number}
                yield from _part_events(place, dict(members(part)))
        case _:
            yield {"type": "response.output_item.added", **at, "item": item}
    yield {"type": "response.output_item.done", **at, "item": item}


def _unfilled(action: object) -> Json:
    """An action before the model has filled it in."""
    kind = members(action).get("type")
    return {"type": kind, "query": ""} if kind == "search" else {"type": kind}


def _part_events(place: Json, part: Json) -> Iterator[Json]:
    text = string(part["text"])
    empty: Json = {**part, "text": "", "annotations": NOTHING}
    yield {"type": "response.content_part.added", **place, "part": empty}
    for start in range(0, len(text), DELTA):
        yield {
            "type": "response.output_text.delta",
            **place,
            "delta": text[start : start + DELTA],
            "logprobs": [],
            "obfuscation": OBFUSCATION,
        }
    for number, annotation in enumerate(elements(part["annotations"])):
        yield {
            "type": "response.output_text.annotation.added",
            **place,
            "annotation_index": number,
            "annotation": annotation,
        }
    yield {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **place, "part": part}


def _usage(characters: int) -> Json:
    """Token counts of about the right size."""
    read, written = 2_000, 1 + characters // 4
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }

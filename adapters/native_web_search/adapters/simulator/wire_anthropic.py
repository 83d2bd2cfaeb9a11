"""The Messages API: a search by the server's own tool, then cited text.

Every event is named, as the official client wants it, and padded with blanks before its last
brace, as the service does it. A result comes whole in its `content_block_start`; citations come
before the text that they support.
"""

from base64 import b64encode
from collections.abc import Iterator
from datetime import date
from hashlib import sha256, shake_256
from itertools import chain
from typing import TypeAlias

from native_web_search.adapters.simulator.anthropic_checks import question, refusals
from native_web_search.adapters.simulator.corpus import Corpus, Hit, Page, search
from native_web_search.adapters.simulator.exchange import (
    Answer,
    SeenRequest,
    compact,
    elements,
    event_stream,
    json_answer,
    string,
)
from native_web_search.adapters.simulator.prose import Sentence, excerpt, from_memory, sentences

Json: TypeAlias = dict[str, object]

RESULTS = 10  # pages of one search
CITED = 150  # code points of a page that a citation quotes
DELTA = 24  # code points of a text delta
QUERY_DELTA = 17  # code points of the tool's input in one delta

# Bytes of a result that only the service can read, before base64: from short pages to long ones.
SEALED = (207, 5_013)
SEALED_INDEX = 150
PADDING = 9  # blanks before the last brace: fewer than this

DIRECT: Json = {"type": "direct"}
UNCACHED: Json = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def anthropic(seen: SeenRequest, corpus: Corpus) -> Answer:
    """`/v1/messages`, streamed if that was asked for."""
    refused = next(refusals(seen), None)
    return refused or _message(seen, corpus)


def _message(seen: SeenRequest, corpus: Corpus) -> Answer:
    digest = sha256(seen.raw).hexdigest()[:24]
    searches = bool(elements(seen.fields.get("tools")))
    hits = search(corpus, question(seen), RESULTS)
    blocks = (
        _blocks(question(seen), hits, digest) if searches else [_text(from_memory(question(seen)))]
    )
    message = _envelope(string(seen.fields["model"]), digest)
    ending = _ending(searches=searches)
    headers = (("request-id", f"req_{digest}"),)
    if seen.fields.get("stream") is not True:
        usage = ending["usage"]
        return json_answer(
            message | {"content": blocks, "stop_reason": "end_turn", "usage": usage},
            headers=headers,
        )
    told = chain(_beginning(message), _block_events(blocks), _end(ending))
    return event_stream((_event(event) for event in told), headers=headers)


def _blocks(query: str, hits: list[Hit], digest: str) -> list[Json]:
    call = f"srvtoolu_{digest}"
    used: Json = {"type": "server_tool_use", "id": call, "name": "web_search"}
    found: list[Json] = [_result(hit.page) for hit in hits]
    return [
        _text("I’ll look that up."),
        used | {"input": {"query": query}, "caller": DIRECT},
        {"type": "web_search_tool_result", "tool_use_id": call, "content": found, "caller": DIRECT},
        *(_sentence(each) for each in sentences(query, hits)),
    ]


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _sentence(sentence: Sentence) -> Json:
    if sentence.page is None:
        return _text(sentence.text)
    return {"citations": [_citation(sentence.page)], "type": "text", "text": sentence.text}


def _result(page: Page) -> Json:
    least, most = SEALED
    return {
        "type": "web_search_result",
        "title": page.title,
        "url": page.url,
        "encrypted_content": _sealed(page.url, min(most, max(least, len(page.text) // 8))),
        "page_age": _in_words(page.date) if page.date else None,
    }


def _citation(page: Page) -> Json:
    return {
        "type": "web_search_result_location",
        "cited_text": excerpt(page.text, CITED),
        "url": page.url,
        "title": page.title,
        "encrypted_index": _sealed(f"index of {page.url}", SEALED_INDEX),
    }


def _sealed(what: str, size: int) -> str:
    """Text that looks encrypted, always the same for the same thing."""
    return b64encode(shake_256(what.encode()).digest(size)).decode()


def _in_words(day: str) -> str:
    return f"{date.fromisoformat(day):%B %d, %Y}"


def _envelope(model: str, digest: str) -> Json:
    used: Json = {"input_tokens": 2_318, **UNCACHED, "output_tokens": 3, "service_tier": "standard"}
    return {
        "model": model,
        "id": f"msg_{digest}",
        "type": "message",
        "role": "assistant",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "stop_details": None,
        "usage": used,
    }


def _ending(*, searches: bool) -> Json:
    requests: Json = {"web_search_requests": int(searches), "web_fetch_requests": 0}
    used: Json = {"input_tokens": 11_842, **UNCACHED, "output_tokens": 214}
    delta: Json = {"stop_reason": "end_turn", "stop_sequence": None, "stop_details": None}
    return {"delta": delta, "usage": used | {"server_tool_use": requests}}


def _beginning(message: Json) -> Iterator[Json]:
    yield {"type": "message_start", "message": message}
    yield {"type": "ping"}


def _end(ending: Json) -> Iterator[Json]:
    yield {"type": "message_delta", **ending}
    yield {"type": "message_stop"}


def _block_events(blocks: list[Json]) -> Iterator[Json]:
    for index, block in enumerate(blocks):
        started, deltas = _apart(block)
        yield {"type": "content_block_start", "index": index, "content_block": started}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}


def _apart(block: Json) -> tuple[Json, list[Json]]:
    """A finished block as its beginning and the deltas that completed it."""
    match block["type"]:
        case "text":
            text = string(block["text"])
            cited = [
                {"type": "citations_delta", "citation": each}
                for each in elements(block.get("citations"))
            ]
            uncited: Json = {"citations": list[object]()} if cited else {}
            started: Json = {**uncited, **block, "text": "", **uncited}
            return started, [*cited, *_deltas("text_delta", "text", text, DELTA)]
        case "server_tool_use":
            written = compact(block["input"]).decode()
            deltas = _deltas("input_json_delta", "partial_json", written, QUERY_DELTA)
            nothing: Json = {"type": "input_json_delta", "partial_json": ""}
            return {**block, "input": dict[str, object]()}, [nothing, *deltas]
        case _:
            return block, []


def _deltas(type_: str, name: str, text: str, size: int) -> list[Json]:
    return [{"type": type_, name: text[at : at + size]} for at in range(0, len(text), size)]


def _event(event: Json) -> bytes:
    data = compact(event)
    padding = b" " * (len(data) % PADDING)
    name = string(event["type"]).encode()
    return b"event: %b\ndata: %b%b}\n\n" % (name, data[:-1], padding)

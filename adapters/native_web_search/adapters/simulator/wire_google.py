"""The Gemini API, and Antigravity, which wraps it."""

import re
from collections.abc import Mapping
from hashlib import sha256

from attrs import frozen

from native_web_search.adapters.simulator.corpus import Corpus
from native_web_search.adapters.simulator.exchange import (
    EVENT_STREAM,
    JSON,
    Answer,
    Refusals,
    SeenRequest,
    compact,
    elements,
    in_pieces,
    json_answer,
    members,
    names,
    string,
    text_answer,
)
from native_web_search.adapters.simulator.google_checks import (
    BODY,
    DETAIL,
    camel,
    google_error,
    refusals,
    unknown_names,
)
from native_web_search.adapters.simulator.google_content import Json, candidates
from native_web_search.adapters.simulator.keys import (
    ANTIGRAVITY_BEARER,
    ANTIGRAVITY_PROJECT,
    key_of,
)

ROUTE = re.compile(r"/(v1|v1beta|v1alpha)/(?:models|tunedModels)/([^:/]+):(\w+)")
METHODS = frozenset({"generateContent", "streamGenerateContent"})
BETA_ONLY = re.compile(r"gemini-[a-z-]+-latest")  # names that the stable version does not have

ANTIGRAVITY_ROUTE = "/v1internal:streamGenerateContent"
WRAPPER = names("project model request requestType userAgent requestId")
WRAPPED = BODY | {"sessionId"}
DEFAULT_PROJECT = "aicode-consumers"

NO_ROUTE = text_answer(
    "<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>", status=404, content_type="text/html"
)


@frozen
class _Call:
    """What a Gemini path asks for."""

    version: str
    model: str
    method: str


def gemini(seen: SeenRequest, corpus: Corpus) -> Answer:
    """`models/ID:streamGenerateContent`, as events with `alt=sse`, else as one array."""
    found = ROUTE.fullmatch(seen.route)
    if found is None or found[3] not in METHODS or seen.method != "POST":
        return NO_ROUTE
    call = _Call(found[1], found[2], found[3])
    in_array = call.method == "streamGenerateContent" and seen.query.get("alt") != "sse"
    refused = next(_gemini_refusals(seen, call), None)
    if refused is not None:
        return _wrapped_in_array(refused) if in_array else refused
    generated = _generated(seen, members(camel(seen.body)), call.model, corpus)
    if call.method == "generateContent":
        return json_answer(_joined(generated))
    if in_array:
        body = b"[%b]" % b",\r\n".join(compact(event) for event in generated)
        return Answer(200, JSON, in_pieces(body))
    return _stream(generated, b"\r\n")


def _gemini_refusals(seen: SeenRequest, call: _Call) -> Refusals:
    yield from _gemini_doors(seen)
    if not seen.fields:
        yield google_error(400, "Invalid JSON payload received. Expected an object.")
    if not call.model.startswith(("gemini-", "gemma-")) or _is_missing_alias(call):
        why = f"is not found for API version {call.version}, or is not supported for {call.method}"
        yield google_error(404, f"models/{call.model} {why}. Call ListModels to see the list.")
    yield from refusals(members(camel(seen.body)), call.model)


def _is_missing_alias(call: _Call) -> bool:
    return call.version == "v1" and bool(BETA_ONLY.fullmatch(call.model))


def _gemini_doors(seen: SeenRequest) -> Refusals:
    given = seen.headers.get("x-goog-api-key", seen.bearer)
    if given is None:
        message = "Method doesn't allow unregistered callers. Please use API Key to call this API."
        yield google_error(403, message)
    if given != key_of("google"):
        reason = {"@type": f"{DETAIL}ErrorInfo", "reason": "API_KEY_INVALID"}
        info = reason | {"domain": "googleapis.com"}
        message = "API key not valid. Please pass a valid API key."
        yield google_error(400, message, details=(info,))


def antigravity(seen: SeenRequest, corpus: Corpus) -> Answer:
    """`v1internal:streamGenerateContent`: a Gemini request and its events, each in a wrapper."""
    refused = next(_antigravity_refusals(seen), None)
    if refused is not None:
        return refused
    body = members(camel(seen.body))
    model = string(body["model"])
    generated = _generated(seen, members(body["request"]), model, corpus)
    trace = sha256(seen.raw).hexdigest()[:32]
    wrapped: list[Json] = [
        {"response": event, "traceId": trace, "metadata": {}} for event in generated
    ]
    return _stream(wrapped, b"\n")


def _antigravity_refusals(seen: SeenRequest) -> Refusals:
    if seen.route != ANTIGRAVITY_ROUTE or seen.method != "POST":
        yield NO_ROUTE
    yield from _antigravity_doors(seen)
    body = members(camel(seen.body))
    yield from unknown_names(body, WRAPPER)
    if body.get("project") not in {ANTIGRAVITY_PROJECT, DEFAULT_PROJECT}:
        yield google_error(403, "The caller does not have permission for this project.")
    model = string(body.get("model"))
    if not model.startswith(("gemini-", "claude-", "gpt-oss-")):
        yield google_error(404, f"Requested entity was not found: model {model}.")
    yield from refusals(members(body.get("request")), model, WRAPPED)


def _antigravity_doors(seen: SeenRequest) -> Refusals:
    if seen.bearer != ANTIGRAVITY_BEARER:
        message = "Request had invalid authentication credentials. Expected OAuth 2 access token."
        reason = {"@type": f"{DETAIL}ErrorInfo", "reason": "ACCESS_TOKEN_EXPIRED"}
        info = reason | {"domain": "googleapis.com"}
        yield google_error(401, message, details=(info,))
    if not seen.headers.get("user-agent", "").startswith("antigravity/"):
        message = "This version of Antigravity is no longer supported. Please update."
        yield google_error(403, message)
    if seen.query.get("alt") != "sse":
        yield google_error(400, "Only alt=sse is supported.")


def _generated(
    seen: SeenRequest, body: Mapping[str, object], model: str, corpus: Corpus
) -> list[Json]:
    """Every event of the answer, with the counts and names that stand in each."""
    grounded = model.startswith("gemini-")
    spread = candidates(body, corpus, grounded=grounded)
    about: Json = {
        "usageMetadata": {"promptTokenCount": 21, "totalTokenCount": 21 + len(spread)},
        "modelVersion": model,
        "responseId": sha256(seen.raw).hexdigest()[:22],
    }
    return [{"candidates": [candidate]} | about for candidate in spread]


def _joined(generated: list[Json]) -> Json:
    """The events as the one answer of a call that does not stream."""
    spread = [members(elements(event["candidates"])[0]) for event in generated]
    parts = [part for each in spread for part in elements(members(each["content"])["parts"])]
    text = "".join(string(members(part)["text"]) for part in parts)
    whole: Json = {}
    for each in spread:
        whole |= each
    whole["content"] = {"parts": [{"text": text}], "role": "model"}
    return generated[-1] | {"candidates": [whole]}


def _stream(generated: list[Json], line_end: bytes) -> Answer:
    events = (b"data: %b%b%b" % (compact(event), line_end, line_end) for event in generated)
    return Answer(200, EVENT_STREAM, in_pieces(b"".join(events)))


def _wrapped_in_array(refused: Answer) -> Answer:
    return Answer(refused.status, JSON, (b"[", *refused.pieces, b"]"))

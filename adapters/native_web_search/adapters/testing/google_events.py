"""Events of Google's streams, as short as a test wants them."""

import json

RETRIEVED = "URL_RETRIEVAL_STATUS_SUCCESS"


def event(
    text: str = "",
    finish: str | None = "STOP",
    *,
    grounding: object = None,
    urls: object = None,
) -> dict[str, object]:
    """One event of one candidate, with the metadata that are given."""
    candidate: dict[str, object] = {"content": {"parts": [{"text": text}], "role": "model"}}
    more = {"finishReason": finish, "groundingMetadata": grounding, "urlContextMetadata": urls}
    candidate |= {name: value for name, value in more.items() if value is not None}
    return {"candidates": [candidate]}


def url_metadata(*entries: object) -> dict[str, object]:
    """What became of the URLs of an analysis."""
    return {"urlMetadata": list(entries)}


def url_entry(url: str, status: str = RETRIEVED) -> dict[str, object]:
    """What became of one URL."""
    return {"retrievedUrl": url, "urlRetrievalStatus": status}


def google_stream(*events: object) -> bytes:
    """The events as Google writes them."""
    return b"".join(b"data: " + json.dumps(each).encode() + b"\r\n\r\n" for each in events)

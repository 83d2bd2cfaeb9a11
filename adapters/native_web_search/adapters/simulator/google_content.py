"""What a simulated Gemini model generates: an answer, and the evidence for it.

Search evidence is `groundingMetadata`: redirect addresses with the host for a title, and supports
whose offsets count UTF-8 bytes and leave out a zero. Evidence for pages is `urlContextMetadata`,
one entry an address, in an order of its own.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from html import escape
from typing import TypeAlias

from native_web_search.adapters.simulator.corpus import Corpus, Hit, Page, Unavailable, search
from native_web_search.adapters.simulator.google_checks import addresses, offers, texts, videos
from native_web_search.adapters.simulator.prose import Sentence, findings, from_memory, sentences

Json: TypeAlias = dict[str, object]

RESULTS = 8  # pages that one search of a model brings
EVENT_TEXT = 400  # code points of the text in one event

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ"
STATUS = "URL_RETRIEVAL_STATUS_"
STATUSES = {
    Unavailable.MISSING: "ERROR",
    Unavailable.PAYWALL: "PAYWALL",
    Unavailable.UNSAFE: "UNSAFE",
}

STYLE = (
    ".container{align-items:center;border-radius:8px;display:flex;font-family:sans-serif;"
    "font-size:14px;line-height:20px;padding:8px 12px;gap:8px;overflow-x:auto}"
    ".chip{display:inline-block;border:1px solid #d2d2d2;border-radius:16px;color:#5e5e5e;"
    "background:#fff;padding:5px 16px;text-decoration:none;white-space:nowrap}"
    ".chip:hover{background:#f2f2f2}.chip:focus{outline:2px solid #0b57d0}"
    "@media (prefers-color-scheme:dark){.container{background:#1f1f1f}"
    ".chip{background:#2c2c2c;border-color:#5e5e5e;color:#e3e3e3}.chip:hover{background:#353637}}"
)


def candidates(body: Mapping[str, object], corpus: Corpus, *, grounded: bool) -> list[Json]:
    """The candidate of every event, in order: text in pieces, the evidence at both ends.

    A model that is not `grounded` answers from memory, whatever tools it was offered.
    """
    query = texts(body)[0].partition("\n\nURLs:\n")[0]
    hits = search(corpus, query, RESULTS)
    searched = grounded and offers(body, "googleSearch")
    read = _read(body, corpus) if grounded and offers(body, "urlContext") else {}
    told = tuple(_told(query, hits, read, videos(body), searched=searched))
    grounding = _grounding(query, hits, told) if searched else _page_grounding(read)
    return _spread("".join(each.text for each in told), grounding, _url_context(read))


def _read(body: Mapping[str, object], corpus: Corpus) -> dict[str, Page | Unavailable]:
    return {url: corpus.read(url) for url in addresses(body)}


def _told(
    query: str,
    hits: list[Hit],
    read: Mapping[str, Page | Unavailable],
    watched: list[str],
    *,
    searched: bool,
) -> Iterator[Sentence]:
    if searched:
        yield from findings(hits) or sentences(query, hits)
    pages = [page for page in read.values() if isinstance(page, Page)]
    for page in pages:
        yield Sentence(f"# {page.title}\n\n{page.text}\n\n", page)
    for uri in watched:
        yield Sentence(f"The video at {uri} shows a lighthouse in the fog. ")
    if read and not pages and not watched:
        yield Sentence("None of these pages could be read.")
    if not (searched or read or watched):
        yield Sentence(from_memory(query))


def _grounding(query: str, hits: list[Hit], told: tuple[Sentence, ...]) -> Json:
    queries = [query]
    chips = "".join(f'<a class="chip" href="{REDIRECT}chip">{escape(each)}</a>' for each in queries)
    entry = f'<style>{STYLE}</style><div class="container">{chips}</div>'
    found: Json = {"searchEntryPoint": {"renderedContent": entry}, "webSearchQueries": queries}
    if not hits:
        return found
    return found | {
        "groundingChunks": [_chunk(hit.page) for hit in hits],
        "groundingSupports": list(_supports(told, [hit.page for hit in hits])),
    }


def _chunk(page: Page) -> Json:
    hidden = urlsafe_b64encode(page.url.encode()).decode().rstrip("=")
    return {"web": {"uri": f"{REDIRECT}{hidden}", "title": page.host}}


def _supports(told: tuple[Sentence, ...], pages: list[Page]) -> Iterator[Json]:
    end = 0
    for sentence in told:
        start, end = end, end + len(sentence.text.encode())
        if sentence.page in pages:
            text = sentence.text.rstrip()
            segment: Json = {"startIndex": start} if start else {}
            segment |= {"endIndex": start + len(text.encode()), "text": text}
            yield {"segment": segment, "groundingChunkIndices": [pages.index(sentence.page)]}


def _page_grounding(read: Mapping[str, Page | Unavailable]) -> Json:
    """The pages that were read, once more as chunks, as the service has it."""
    pages = [page for page in read.values() if isinstance(page, Page)]
    chunks = [{"web": {"uri": page.url, "title": page.title}} for page in pages]
    return {"groundingChunks": chunks} if chunks else {}


def _url_context(read: Mapping[str, Page | Unavailable]) -> Json:
    entries = [
        {"retrievedUrl": url, "urlRetrievalStatus": f"{STATUS}{_status(what)}"}
        for url, what in sorted(read.items(), key=lambda pair: pair[0][::-1])
    ]
    return {"urlMetadata": entries} if entries else {}


def _status(what: Page | Unavailable) -> str:
    return "SUCCESS" if isinstance(what, Page) else STATUSES[what]


def _spread(text: str, grounding: Json, url_context: Json) -> list[Json]:
    """One candidate an event: pages' metadata first, grounding last, empty in between."""
    spread: list[Json] = [
        {"content": {"parts": [{"text": text[at : at + EVENT_TEXT]}], "role": "model"}, "index": 0}
        for at in range(0, len(text), EVENT_TEXT)
    ]
    if grounding:
        spread = [each | {"groundingMetadata": {}} for each in spread]
    if url_context:
        spread[0] |= {"urlContextMetadata": url_context}
    last: Json = {"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": "STOP"}
    last |= {"index": 0} | ({"groundingMetadata": grounding} if grounding else {})
    return [*spread, last]

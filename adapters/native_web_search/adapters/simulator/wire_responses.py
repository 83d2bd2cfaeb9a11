"""The Responses API as OpenAI, Azure, Codex, Copilot, OpenCode and xAI serve it.

One search, one opened page, and one message with a link for each page it uses. Grok numbers its
links and lists all addresses once more at the top; the others name the host in the link and mark
its address with where the visitor came from.
"""

from hashlib import sha256

from native_web_search.adapters.simulator.corpus import Corpus, Hit, Page, search
from native_web_search.adapters.simulator.exchange import (
    Answer,
    SeenRequest,
    elements,
    event_stream,
    json_answer,
    string,
)
from native_web_search.adapters.simulator.prose import from_memory, sentences
from native_web_search.adapters.simulator.responses_access import copilot_doors, locked_doors
from native_web_search.adapters.simulator.responses_checks import (
    SEARCHING,
    is_grok,
    question,
    refusals,
)
from native_web_search.adapters.simulator.responses_errors import refusal
from native_web_search.adapters.simulator.responses_events import Json, events, response_object

RESULTS = 8  # pages that one search of a model brings
SNIPPET = 180  # code points

# OpenCode tells the price of a request after everything else has been said.
PING = b'event: ping\ndata: {"type":"ping","cost":"0.00120000"}\n\n'


def responses(seen: SeenRequest, corpus: Corpus) -> Answer:
    """A response of any of the six providers, streamed if that was asked for."""
    refused = next(locked_doors(seen), None) or next(refusals(seen), None)
    return refused or _response(seen, corpus)


def copilot(seen: SeenRequest, corpus: Corpus) -> Answer:
    """Copilot, which has Claude models as well: they are served, but they cannot search."""
    if seen.route != "/v1/messages":
        return responses(seen, corpus)
    message = "The use of the web search tool is not supported."
    unsupported = refusal(seen.provider, 400, message, code="unsupported_value", param="tools")
    return next(copilot_doors(seen), unsupported)


def _response(seen: SeenRequest, corpus: Corpus) -> Answer:
    digest = sha256(seen.raw).hexdigest()[:24]
    hits = search(corpus, question(seen), RESULTS)
    output = _searched(seen, hits, digest) if _searches(seen) else _remembered(seen, digest)
    response = response_object(string(seen.fields["model"]), seen.fields, output, digest)
    if is_grok(seen):
        response["citations"] = [hit.page.url for hit in hits]
    headers = (("x-request-id", f"req_{digest}"),)
    if seen.fields.get("stream") is not True:
        return json_answer(response, headers=headers)
    told = list(events(response, repeat_output=seen.provider != "openai-codex"))
    return event_stream([*told, PING] if seen.provider == "opencode" else told, headers=headers)


def _searches(seen: SeenRequest) -> bool:
    """Whether the model has a search tool that it may and can use.

    OpenCode translates for models of other makers, and their searches are lost on the way.
    """
    offered = bool(elements(seen.fields.get("tools"))) and seen.fields.get("tool_choice") != "none"
    return offered and bool(SEARCHING.match(string(seen.fields["model"])))


def _remembered(seen: SeenRequest, digest: str) -> list[Json]:
    return [_message(from_memory(question(seen)), [], digest)]


def _searched(seen: SeenRequest, hits: list[Hit], digest: str) -> list[Json]:
    text, citations = _linked(seen, hits)
    reasoning: list[Json] = [{"id": f"rs_{digest}", "type": "reasoning", "summary": []}]
    return [
        *([] if is_grok(seen) else reasoning),
        _search_call(seen, hits, digest),
        *(_open_call(hit, digest) for hit in hits[:1]),
        _message(text, citations, digest),
    ]


def _search_call(seen: SeenRequest, hits: list[Hit], digest: str) -> Json:
    included = elements(seen.fields.get("include"))
    action: Json = {"type": "search", "query": question(seen), "queries": [question(seen)]}
    if "web_search_call.action.sources" in included:
        action["sources"] = [{"type": "url", "url": hit.page.url} for hit in hits]
    call: Json = {
        "id": f"ws_{digest}0",
        "type": "web_search_call",
        "status": "completed",
        "action": action,
    }
    if "web_search_call.results" in included:
        call["results"] = [_result(hit) for hit in hits]
    return call


def _result(hit: Hit) -> Json:
    return {"url": hit.page.url, "title": hit.page.title, "snippet": hit.passage[:SNIPPET]}


def _open_call(hit: Hit, digest: str) -> Json:
    return {
        "id": f"ws_{digest}1",
        "type": "web_search_call",
        "status": "completed",
        "action": {"type": "open_page", "url": hit.page.url},
    }


def _message(text: str, citations: list[Json], digest: str) -> Json:
    part: Json = {"type": "output_text", "annotations": citations, "logprobs": [], "text": text}
    return {
        "id": f"msg_{digest}",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [part],
    }


def _linked(seen: SeenRequest, hits: list[Hit]) -> tuple[str, list[Json]]:
    """The answer with its links, and where in it they stand, in code points, end exclusive."""
    text, citations = "", list[Json]()
    for sentence in sentences(question(seen), hits):
        text += sentence.text
        if sentence.page is None:
            continue
        number = str(len(citations) + 1)
        link, citation = (
            _grok_link(number, sentence.page) if is_grok(seen) else _link(sentence.page)
        )
        place = {"start_index": len(text), "end_index": len(text) + len(link)}
        citations.append(citation | place)
        text += f"{link}\n"
    return text, citations


def _link(page: Page) -> tuple[str, Json]:
    url = f"{page.url}{'&' if '?' in page.url else '?'}utm_source=openai"
    return f"([{page.host}]({url}))", {"type": "url_citation", "url": url, "title": page.title}


def _grok_link(number: str, page: Page) -> tuple[str, Json]:
    citation: Json = {"type": "url_citation", "url": page.url, "title": number}
    return f"[[{number}]]({page.url})", citation

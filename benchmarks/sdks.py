"""One warm streamed search, beside the vendor's own client reading the same stream.

The clients are used the cheapest way that gives the same: their raw events, from which the text
and the sources are taken.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeAlias

from attrs import frozen

from benchmarks.clients import KEY, QUERY, answer_of, awaited, our_tool, searched
from benchmarks.far_side import Canned, far_side
from benchmarks.measure import Measure
from benchmarks.sides import Pair, digest
from benchmarks.streams import Event, gemini, messages, of_size, responses
from native_web_search.domain.chat_model import ChatModel

SIZES = (200_000, 600_000, 2_000_000)

# Text of the answer, and how many sources it names.
Read: TypeAlias = tuple[str, int]


@frozen
class Client:
    """An official client that is open: how it reads the stream, and how it is closed."""

    read: Callable[[], Coroutine[Any, Any, Read]]
    close: Callable[[], Coroutine[Any, Any, None]]


def _summary(read: Read) -> object:
    text, sources = read
    return len(text), digest(text), sources


def _openai(origin: str) -> Client:
    import openai  # noqa: PLC0415 - one client a process: importing them takes seconds

    client = openai.AsyncOpenAI(api_key=KEY, base_url=f"{origin}/v1", max_retries=0)

    async def read() -> Read:
        texts, sources = list[str](), 0
        stream: Any = await client.responses.create(
            model="gpt-5.6-luna",
            input=QUERY,
            tools=[{"type": "web_search"}],
            include=["web_search_call.action.sources"],
            stream=True,
        )
        async for event in stream:
            if event.type == "response.output_text.delta":
                texts.append(event.delta)
            elif event.type == "response.completed":
                sources = len(event.response.output[0].action.sources)
        return "".join(texts), sources

    return Client(read, client.close)


def _anthropic(origin: str) -> Client:
    import anthropic  # noqa: PLC0415

    client = anthropic.AsyncAnthropic(api_key=KEY, base_url=origin, max_retries=0)
    tool: Any = {"type": "web_search_20250305", "name": "web_search"}

    async def read() -> Read:
        texts, sources = list[str](), 0
        stream: Any = await client.messages.create(
            model="claude-sonnet-5-5",
            max_tokens=8_192,
            messages=[{"role": "user", "content": QUERY}],
            tools=[tool],
            stream=True,
        )
        async for event in stream:
            if event.type == "content_block_delta" and event.delta.type == "text_delta":
                texts.append(event.delta.text)
            elif event.type == "content_block_start":
                found = getattr(event.content_block, "content", None)
                sources = max(sources, len(found or ()))
        return "".join(texts), sources

    return Client(read, client.close)


def _google(origin: str) -> Client:
    from google import genai  # noqa: PLC0415
    from google.genai import types  # noqa: PLC0415

    options = types.HttpOptions(base_url=origin, api_version="v1beta")
    client = genai.Client(api_key=KEY, http_options=options)
    tools: Any = [types.Tool(google_search=types.GoogleSearch())]

    async def read() -> Read:
        texts, sources = list[str](), 0
        stream: Any = await client.aio.models.generate_content_stream(
            model="gemini-3.5-flash",
            contents=QUERY,
            config=types.GenerateContentConfig(tools=tools),
        )
        async for chunk in stream:
            candidate = chunk.candidates[0]
            texts += (part.text for part in candidate.content.parts)
            if candidate.grounding_metadata:
                sources = len(candidate.grounding_metadata.grounding_chunks)
        return "".join(texts), sources

    return Client(read, client.aio.aclose)


def _read_of_responses(answer: Any) -> Read:  # noqa: ANN401 - JSON
    return answer["answer"], len(answer["results"][0]["action"]["sources"])


def _read_of_messages(answer: Any) -> Read:  # noqa: ANN401 - JSON
    return answer["answer"], len(answer["results"][1]["content"])


def _read_of_gemini(answer: Any) -> Read:  # noqa: ANN401 - JSON
    return answer["answer"], len(answer["groundingMetadata"]["groundingChunks"])


def _opened(
    family: Callable[[int], Iterator[Event]],
    model: ChatModel,
    client: Callable[[str], Client],
    ours: Callable[[Any], Read],
) -> Callable[[int], AbstractContextManager[Pair]]:
    @contextmanager
    def opened(size: int) -> Iterator[Pair]:
        stream = Canned(of_size(family, size), streamed=True)
        with far_side({"/": stream}) as origin, asyncio.Runner() as runner:
            theirs = client(origin)
            here = ChatModel(model.provider, model.id, model.api, origin + model.base_url)
            with our_tool(here) as web:
                yield Pair(
                    awaited(
                        runner,
                        lambda: searched(web),
                        lambda done: _summary(ours(answer_of(done))),
                    ),
                    awaited(runner, theirs.read, _summary),
                )
                runner.run(web.aclose())
            runner.run(theirs.close())

    return opened


def _measure(name: str, opened: Callable[[int], AbstractContextManager[Pair]]) -> Measure:
    return Measure(
        f"stream-{name}",
        f"one streamed search, 2 MB, {name}",
        f"its official client, {name}",
        opened,
        SIZES,
        "bytes",
        target=0.5,
        needs=("google.genai" if name == "google" else name,),
    )


OPENAI = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "/v1")
ANTHROPIC = ChatModel("anthropic", "claude-sonnet-5-5", "anthropic-messages", "")
GOOGLE = ChatModel("google", "gemini-3.5-flash", "google-generative-ai", "/v1beta")

MEASURES = (
    _measure("openai", _opened(responses, OPENAI, _openai, _read_of_responses)),
    _measure("anthropic", _opened(messages, ANTHROPIC, _anthropic, _read_of_messages)),
    _measure("google", _opened(gemini, GOOGLE, _google, _read_of_gemini)),
)

"""Our tool and bare aiohttp, both warm, against the same far side."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import aiohttp

from benchmarks.sides import Side, taken
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import Credential

T = TypeVar("T")

KEY = "a-key-for-the-far-side"
QUERY = "how fast is it"
SEARCH = "/v1/tools/search"
FETCH = "/v1/tools/fetch"
HEADERS = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}


class FailedError(Exception):
    """A call of ours that should have been answered was not."""


def deepseek(origin: str) -> ChatModel:
    return ChatModel("deepseek", "deepseek-v4.1-flash", "openai-completions", origin)


@contextmanager
def our_tool(*models: ChatModel, concurrency: int | None = None) -> Iterator[WebSearch]:
    """Our tool as a program opens it, its preferences in a folder of their own."""
    keys = {model.provider: Credential("the benchmark", KEY) for model in models}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "preferences.json"
        yield open_web_search(
            StaticRegistry(models, keys),
            environ={},
            preference_file=path,
            concurrency=concurrency,
        )


async def searched(web: WebSearch, current: ChatModel | None = None) -> ToolResult:
    """One search of ours, answered."""
    result = await web.call({"query": QUERY}, current=current)
    if result.is_error:
        raise FailedError(result.text)
    return result


async def bare_session(limit: int = 100) -> aiohttp.ClientSession:
    """A session of the running loop, to be closed by whoever asked for it."""
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=limit))


async def bare_search(session: aiohttp.ClientSession, origin: str) -> Any:  # noqa: ANN401 - JSON
    """The same search without us: a POST and a parser."""
    body = json.dumps({"query": QUERY, "count": 10, "need_content": True}).encode()
    async with session.post(origin + SEARCH, data=body, headers=HEADERS) as response:
        return json.loads(await response.read())


def answer_of(result: ToolResult) -> Any:  # noqa: ANN401 - JSON
    """What the provider said, from our result."""
    return (result.document or {})["search"]


def awaited(
    runner: asyncio.Runner,
    work: Callable[[], Coroutine[Any, Any, T]],
    came_of: Callable[[T], object],
) -> Side:
    """A side whose work is awaited, always in the same event loop.

    Not by `runner.run`, which installs a handler of signals each time, and in taking it away again
    prints the whole result into the message of an exception that it then drops.
    """
    loop = runner.get_loop()
    return lambda: taken(lambda: loop.run_until_complete(work()), came_of)

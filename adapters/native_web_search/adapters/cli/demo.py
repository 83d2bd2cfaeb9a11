"""`native-web-search demo`: the main job of the tool as a story, over real sockets on loopback."""

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias, cast

from attrs import frozen
from rich.console import Console

from native_web_search.adapters.cli.consoles import plain_console
from native_web_search.adapters.cli.simulated import simulated
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.simulator.faults import Status
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch

LIMIT = 96_000
SHOWN = 150  # characters of arguments and files
CAST = ("deepseek", "ollama-cloud")
LONG_QUERY = "how does a circuit breaker that demotes instead of refusing behave? " * 2


@frozen
class Stage:
    """The players: a simulator with two providers logged in, and the tool."""

    simulator: Simulator
    web: WebSearch
    out: Console

    async def call(self, **arguments: object) -> ToolResult:
        """Make a call and show its arguments."""
        self.out.print(f"  web_search({_short(json.dumps(arguments, ensure_ascii=False))})")
        result = await self.web.call(arguments)
        for attempt in attempts_of(result):
            self.out.print(f"    {attempt}", style="dim")
        return result


async def run() -> int:
    """Play all scenes; the exit code is 0 when each went as it should."""
    out = plain_console()
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "preferences.json")
        async with Simulator() as simulator:
            registry = simulated(simulator, CAST)
            async with open_web_search(registry, environ={}, preference_file=path) as web:
                out.print(
                    f"A simulator plays the providers on {simulator.url}: no key, no network."
                )
                stage = Stage(simulator, web, out)
                went_well = [await _play(stage, title, scene) for title, scene in SCENES]
            out.print(f"\nRemembered for next time: {_remembered(path)}")
    out.print("All went as it should." if all(went_well) else "Something went wrong.", style="bold")
    return 0 if all(went_well) else 1


async def _play(stage: Stage, title: str, scene: "Scene") -> bool:
    stage.out.print(f"\n{title}", style="bold")
    return await scene(stage)


async def a_search(stage: Stage) -> bool:
    result = await stage.call(query="cooldown of a failed provider")
    found = results_of(result)
    for hit in found[:3]:
        stage.out.print(f"    {hit['title']} <{hit['url']}>")
    return not result.is_error and len(found) > 0


async def a_fallback(stage: Stage) -> bool:
    stage.simulator.script("deepseek", Status(402))
    first = await stage.call(query="output guard")
    stage.out.print("  The next call starts with the healthy one, DeepSeek cools for a minute:")
    second = await stage.call(query="最大最小公平")
    asked = [attempts_of(result) for result in (first, second)]
    return [len(attempts) for attempts in asked] == [2, 1] and not second.is_error


async def some_urls(stage: Stage) -> bool:
    pages = [str(hit["url"]) for hit in results_of(await stage.call(query="ranking"))[:2]]
    result = await stage.call(urls=[pages[0], "https://nowhere.example/missing", pages[1]])
    for entry in fetched_of(result):
        what = entry.get("error") or f"{len(json.dumps(entry['data'])):,} characters of page"
        stage.out.print(f"    {entry['url']}: {what}")
    failed = ["error" in entry for entry in fetched_of(result)]
    return failed == [False, True, False]


async def a_guarded_answer(stage: Stage) -> bool:
    whole = "".join(f"https://long.example/{n} tells a long story. " for n in range(6_000))[
        :200_000
    ]
    page = {"results": [{"title": "Long", "url": "https://long.example/", "content": whole}]}
    stage.simulator.script("ollama-cloud", Status(200, page))
    result = await stage.call(query="a very long page")
    body, marker = result.text.rsplit("\n", 1)
    kept = json.loads(body)["search"]["results"][0]
    stage.out.print(
        f"    {len(whole):,} characters arrived, {len(result.text):,} are passed on,"
        f" the last line being {marker};"
        f" what precedes it is JSON, its link is whole: {kept['url']}"
    )
    return len(result.text) <= LIMIT and result.details["truncated"] is True


async def a_rejected_query(stage: Stage) -> bool:
    deepseek = next(m for m in stage.simulator.models() if m.provider == "deepseek")
    stage.out.print("  DeepSeek is the current model, and takes 128 characters:")
    async with open_web_search(
        simulated(stage.simulator, CAST, deepseek), environ={}, preference_file=os.devnull
    ) as web:
        result = await Stage(stage.simulator, web, stage.out).call(query=LONG_QUERY)
    stage.out.print(f"    {result.text}")
    empty = await stage.call(query=" ", urls=[])
    stage.out.print(f"    {empty.text}")
    return result.is_error and empty.is_error


Scene: TypeAlias = Callable[[Stage], Awaitable[bool]]

SCENES: tuple[tuple[str, Scene], ...] = (
    ("1. A search, with the first provider of the order", a_search),
    ("2. DeepSeek's balance is used up: fallback, then cooldown", a_fallback),
    ("3. Three URLs, one of which is not there", some_urls),
    ("4. An answer of 200,000 characters", a_guarded_answer),
    ("5. What cannot work is said, and not sent", a_rejected_query),
)


def attempts_of(result: ToolResult) -> list[str]:
    """The attempts of a call, a line each."""
    attempts = cast("list[dict[str, object]]", result.details["attempts"])
    return [
        f"{a['operation']} with {a['provider']}: {a['outcome']}, {a['milliseconds']} ms"
        + (f" ({a['message']})" if "message" in a else "")
        for a in attempts
    ]


def results_of(result: ToolResult) -> list[dict[str, object]]:
    """The raw results of a search."""
    search = cast("dict[str, object]", (result.document or {}).get("search", {}))
    return cast("list[dict[str, object]]", search.get("results", []))


def fetched_of(result: ToolResult) -> list[dict[str, object]]:
    """The entries of the URLs."""
    return cast("list[dict[str, object]]", (result.document or {}).get("fetched", []))


def _remembered(path: str) -> str:
    return _short(Path(path).read_text("utf-8"))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"

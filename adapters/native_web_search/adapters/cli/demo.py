"""`native-web-search demo`: the main job of the tool as a story, over real sockets on loopback."""

from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen
from rich.console import Console
from rich.markup import escape

from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator import Simulator, Status
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch

LIMIT = 96_000
LONG_QUERY = "how does a circuit breaker that demotes instead of refusing behave " * 3


@frozen
class Stage:
    """The players: a simulator with two providers logged in, and the tool."""

    simulator: Simulator
    web: WebSearch
    out: Console


async def run() -> int:
    """Play all scenes; the exit code is 0 when each went as it should."""
    out = Console(highlight=False, soft_wrap=True)
    with TemporaryDirectory() as folder:
        async with Simulator() as simulator:
            registry = _registry(simulator)
            preferences = str(Path(folder) / "preferences.json")
            async with open_web_search(
                registry, environ={}, preference_file=preferences, max_chars=LIMIT
            ) as web:
                stage = Stage(simulator, web, out)
                out.print(f"A provider simulator listens on {simulator.url}. No key, no network.")
                went_well = [await scene(stage) for scene in SCENES]
    out.print()
    out.print("All went as it should." if all(went_well) else "Something did not go as it should.")
    return 0 if all(went_well) else 1

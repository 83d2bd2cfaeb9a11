"""The example of a host of one's own runs, and its two ports keep their promises."""

import importlib.util
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.adapters.testing.contracts import (
    ModelRegistryContract,
    ToolHostContract,
    broken_promises,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import ModelRegistry
from native_web_search.ports.tool_host import ToolHost

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_host.py"


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("own_host", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.rule("own_host.1")
def test_the_example_tells_its_story(tmp_path: Path) -> None:
    """Offline and without a warning: from no login to a search, pages, an Escape, an opt-out."""
    command = [sys.executable, "-W", "error", str(EXAMPLE)]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = [line for line in done.stdout.splitlines() if not line.startswith("  ")]
    assert [line.partition(": ")[2] for line in told] == [
        "read_file",
        "read_file, web_search(query)",
        "read_file, web_search(query, urls)",
        "read_file",
        "read_file",
    ]
    assert "error: No usable provider can analyze URLs." in done.stdout
    assert "cancelled: True; providers that cool: 0" in done.stdout


class Tools(ToolHostContract):
    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ToolHost, None]:
        yield example().Toolbox()

    def schema_of(self, host: Any, name: str) -> Mapping[str, object] | None:  # noqa: ANN401
        spec = host.known.get(name)
        return None if spec is None else spec.schema


class Models(ModelRegistryContract):
    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
        async with Simulator() as simulator:
            yield example().Session(simulator, {"deepseek", "openai"})

    def log_out(self, registry: Any, model: ChatModel) -> None:  # noqa: ANN401
        registry.logins.discard(model.provider)


@pytest.mark.rule("own_host.2")
@pytest.mark.parametrize("contract", [Tools, Models])
def test_its_tools_and_models_keep_the_promises_of_their_ports(
    contract: type[Tools | Models],
) -> None:
    """What the example shows can be copied."""
    assert broken_promises(contract) == {}

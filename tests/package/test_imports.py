"""What importing costs, and what it brings along."""

import subprocess
import sys

import pytest

HEAVY = (
    *("aiohttp", "cattrs", "ada_url", "hypothesis", "typer", "rich", "valkey", "yarl"),
    *("agents", "langchain", "langchain_core", "langgraph", "mcp", "pydantic", "pydantic_ai"),
)


def loaded_by(statement: str) -> set[str]:
    script = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.rule("package.1")
@pytest.mark.parametrize("layer", ["domain", "ports", "application", "adapters"])
def test_importing_a_layer_brings_nothing_heavy_or_optional(layer: str) -> None:
    """HTTP client, URL parser, cattrs and the extras are imported where they are used."""
    assert loaded_by(f"import native_web_search.{layer}").isdisjoint(HEAVY)


@pytest.mark.rule("package.2")
def test_the_domain_brings_no_event_loop() -> None:
    """The pure core alone is enough for whoever reuses it."""
    loaded = loaded_by("import native_web_search.domain")
    assert "asyncio" not in loaded
    assert not any(name.startswith("native_web_search.ports") for name in loaded)


@pytest.mark.rule("package.1")
def test_the_command_starts_without_what_its_verbs_need() -> None:
    """Neither the HTTP client nor the simulator is waited for by whoever asks for the version."""
    loaded = loaded_by("import native_web_search.adapters.cli.app")
    assert "aiohttp" not in loaded
    assert not any("simulat" in name for name in loaded)

"""One call through all eleven provider classes."""

from pathlib import Path

import pytest

from native_web_search.adapters.cli.simulated import simulated
from native_web_search.adapters.compose import open_web_search
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.simulator.faults import Cut, Fault, Hang, Replay, Reset, Status
from native_web_search.adapters.simulator.simulator import Simulator

NOT_SEARCHED = (
    b'data: {"candidates":[{"content":{"parts":[{"text":"From memory."}]},"finishReason":"STOP"}]}'
    b"\r\n\r\n"
)
FAILED = (
    b'data: {"type":"response.failed","response":{"status":"failed","error":'
    b'{"code":"server_error","message":"The server had an error"}}}\n\n'
)
BLOCKED = b'data: {"response":{"promptFeedback":{"blockReason":"SAFETY"}}}\n\n'

LAST = "github-copilot"  # whose turn comes when everybody else has failed

# How each of the ten fails, and what that must be called.
FAILURES: dict[str, tuple[Fault, str]] = {
    "deepseek": (Status(402), "provider"),
    "ollama-cloud": (Status(200, b""), "provider"),
    "google": (Replay(NOT_SEARCHED), "model"),
    "antigravity": (Replay(BLOCKED), "request"),
    "openai": (Replay(FAILED), "provider"),
    "azure": (Reset(), "provider"),
    "openai-codex": (Cut(40), "provider"),
    "anthropic": (Hang(), "provider"),
    "opencode": (Status(307, b"", {"location": "https://elsewhere.example/"}), "provider"),
    "xai": (Replay(b"<html>Sign in</html>", "text/html"), "provider"),
}


@pytest.mark.rule("story.9")
async def test_ten_providers_fail_in_ten_ways_and_the_eleventh_serves(tmp_path: Path) -> None:
    """The attempts tell the story with the right scopes; the next call starts with the healthy."""
    async with Simulator() as simulator:
        for provider, (fault, _scope) in FAILURES.items():
            simulator.script_always(provider, fault)
        everything = simulated(simulator)
        one_each = {model.provider: model for model in reversed(everything.models)}
        registry = StaticRegistry(tuple(one_each.values()), everything.keys)
        async with open_web_search(
            registry, environ={}, preference_file=str(tmp_path / "p.json"), timeout_ms=500
        ) as web:
            first = await web.call({"query": "cooldown"})
            second = await web.call({"query": "ranking"})
    attempts = first.details["attempts"]
    assert isinstance(attempts, list)
    story = {one["provider"]: one["outcome"] for one in attempts}
    assert story == {name: scope for name, (_fault, scope) in FAILURES.items()} | {LAST: "success"}
    assert len(attempts) == 11
    assert attempts[-1]["provider"] == LAST
    assert all(one["message"] for one in attempts[:-1])
    assert not second.is_error
    after = second.details["attempts"]
    assert isinstance(after, list)
    assert [one["provider"] for one in after] == [LAST]

"""What a soak calls with, and what must be true of every answer."""

import json
import random
from collections.abc import Mapping
from typing import cast

from attrs import define, field

from native_web_search.adapters.simulator.catalogue import PROVIDERS, credential_at, models_at
from native_web_search.application.result import ToolResult
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import Skipped
from native_web_search.ports.registry import Credential, CredentialAnswer

PAGES = tuple(f"https://docs.example/{name}" for name in ("ranking", "cooldown", "missing"))
ODD: tuple[object, ...] = (
    None,
    "query",
    {},
    {"query": 5},
    {"query": " ", "urls": []},
    {"urls": ["http://[::1", "javascript:alert(1)", None]},
    {"urls": PAGES[:1] * 21},
)
MALFORMED = 0.05  # the part of the calls whose arguments make no sense
OUTCOMES = {"success", "provider", "model", "request", "call", "cancelled"}


@define
class ChangingRegistry:
    """A host whose user logs in and out and changes models all the time."""

    models: tuple[ChatModel, ...]
    keys: Mapping[str, Credential] = field(repr=False)
    shown: tuple[ChatModel, ...] = ()
    chosen: ChatModel | None = None

    @classmethod
    def at(cls, url: str) -> "ChangingRegistry":
        models = models_at(url)
        keys = {provider: credential_at(url, provider) for provider in PROVIDERS}
        return cls(models, keys, models)

    def change(self, draw: random.Random) -> None:
        count = draw.randint(1, len(self.models))
        self.shown = tuple(draw.sample(self.models, count))
        self.chosen = draw.choice((*self.shown, None))

    def current(self) -> ChatModel | None:
        return self.chosen

    def available(self) -> tuple[ChatModel, ...]:
        return self.shown

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return self.keys.get(model.provider) or Skipped("no credential")


def arguments(draw: random.Random) -> object:
    """The arguments of one call."""
    if draw.random() < MALFORMED:
        return draw.choice(ODD)
    query = draw.choice(("cooldown", "ranking", "検索 結果"))
    urls = draw.sample(PAGES, draw.randint(1, len(PAGES)))
    return draw.choice(
        ({"query": query}, {"query": query}, {"urls": urls}, {"query": query, "urls": urls})
    )


def served(result: ToolResult) -> list[object]:
    """Who brought each URL's entry."""
    return cast("list[object]", result.details.get("fetched", []))


def complaints(result: ToolResult) -> list[str]:
    """What is wrong with this answer; nothing, usually."""
    attempts = cast("list[dict[str, object]]", result.details["attempts"])
    wrong = [
        f"{one['outcome']} is no outcome" for one in attempts if one["outcome"] not in OUTCOMES
    ]
    if "unexpectedly" in result.text:
        wrong.append(result.text)
    if not result.is_error:
        document, _marker, _rest = result.text.partition("\n[truncated]")
        json.loads(document, parse_constant=wrong.append)
        if "search" not in result.details and not any(served(result)):
            wrong.append("an answer that nobody gave")
    return wrong

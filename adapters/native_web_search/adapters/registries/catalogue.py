"""The chat models that are known without asking anybody.

A snapshot of what each provider offers, enough to choose a good one; a models file replaces or
extends it. A base URL may hold `{NAME}` for a variable, and Azure's is empty: it is the user's own.
"""

import json
from functools import cache
from importlib.resources import files
from typing import TypedDict, cast

from native_web_search.domain.chat_model import ChatModel

FOLDER = "native_web_search.adapters.registries"
FILE = "catalogue.json"


class Group(TypedDict):
    """The models that a provider offers in one place through one api."""

    api: str
    baseUrl: str
    models: list[str]


@cache
def catalogue() -> tuple[ChatModel, ...]:
    """All known models, in the order of the file; always the same object."""
    text = (files(FOLDER) / FILE).read_text("utf-8")
    providers = cast("dict[str, list[Group]]", json.loads(text))
    return tuple(
        ChatModel(provider, model, group["api"], group["baseUrl"])
        for provider, groups in providers.items()
        for group in groups
        for model in group["models"]
    )

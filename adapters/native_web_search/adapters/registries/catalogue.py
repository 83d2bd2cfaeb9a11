"""The chat models that are known without asking anybody.

A snapshot of what each provider offers, enough to choose a good one; a models file replaces or
extends it. A base URL may hold `{NAME}` for a variable, and Azure's is empty: it is the user's own.
"""

import json
from functools import cache
from importlib.resources import files

from native_web_search.domain.chat_model import ChatModel

FILE = "catalogue.json"


@cache
def catalogue() -> tuple[ChatModel, ...]:
    """All known models, in the order of the file; always the same object."""
    providers = json.loads((files(__package__) / FILE).read_text("utf-8"))
    return tuple(
        ChatModel(provider, model, group["api"], group["baseUrl"])
        for provider, groups in providers.items()
        for group in groups
        for model in group["models"]
    )

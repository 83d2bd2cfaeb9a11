"""From what a host says about its chat model to the chat model of the registry.

A host names its model by a system ("openai", "google_genai"), a model name, and often a base URL.
The system alone says little, because every compatible server is an "openai" to some host. So the
place decides where there is one: the provider whose models live at that address, in the registry
or in the catalogue. At an address that nobody knows there may be a proxy before the provider that
the host names, or a model of the user's own: it is known by an available model of its name, or not
at all.

A model that is not listed lives where the provider's others do. Address and headers never come
from the host, so that no key travels to a server it is not for.
"""

import logging
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from operator import eq
from typing import TypeAlias
from urllib.parse import urlsplit

from attrs import evolve, field, frozen

from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import ToolSpec

log = logging.getLogger("native_web_search")

# What hosts call a provider, where that is not its id; in lower case and with hyphens.
SYSTEMS: Mapping[str, str] = {
    "azure-ai": "azure",
    "azure-openai": "azure",
    "gemini": "google",
    "google-antigravity": "antigravity",
    "google-genai": "google",
    "google-gla": "google",
    "grok": "xai",
    "openai-chatgpt": "openai-codex",
    "vercel": "vercel-ai-gateway",
    "x-ai": "xai",
}

# Switches that belong to a provider's address, and so to all of its models.
SHARED_SWITCHES = frozenset({"azureApiVersion"})

Place: TypeAlias = tuple[str, tuple[str, ...]]  # host with port, and the segments of the path


@frozen
class HostModel:
    """A chat model in a host's words. Without a base URL, the system alone says where it lives."""

    system: str
    name: str
    base_url: str = field(default="", repr=False)


def current_model(web: WebSearch, named: HostModel | None) -> ChatModel | None:
    """The registry's model for the host's; None if there is none, or the registry fails."""
    if named is None:
        return None
    try:
        return chat_model(named, web.registry.available())
    except Exception as error:  # noqa: BLE001 - whatever a registry raises
        log.warning("the current model is unknown: the registry failed (%s)", type(error).__name__)
        return None


async def offered(web: WebSearch, current: ChatModel | None) -> ToolSpec | None:
    """What to show now; nothing if the registry fails, for a host would end the whole run."""
    try:
        return await web.tool_spec(current)
    except Exception as error:  # noqa: BLE001 - whatever a registry raises
        _say_hidden(web.name, error)
        return None


def offered_blocking(web: BlockingWebSearch, current: ChatModel | None) -> ToolSpec | None:
    """As `offered`, for hosts that cannot await."""
    try:
        return web.tool_spec(current)
    except Exception as error:  # noqa: BLE001 - whatever a registry raises
        _say_hidden(web.web.name, error)
        return None


def _say_hidden(name: str, error: Exception) -> None:
    log.warning("%s is hidden: the registry failed (%s)", name, type(error).__name__)


def chat_model(named: HostModel, available: tuple[ChatModel, ...]) -> ChatModel | None:
    """The chat model that the host means, or None if it is at none of the known providers."""
    system = named.system.lower().replace("_", "-")
    called, name = SYSTEMS.get(system, system), named.name.removeprefix("models/")
    home = _home(named.base_url, called, available) if named.base_url else called
    if home is None:
        return _listed(called, name, available)
    return _listed(home, name, available) or _unlisted(home, name, named.base_url, available)


def _listed(provider: str, name: str, models: tuple[ChatModel, ...]) -> ChatModel | None:
    meant = (model for model in models if (model.provider, model.id) == (provider, name))
    return next(meant, None)


def _unlisted(
    provider: str, name: str, base_url: str, available: tuple[ChatModel, ...]
) -> ChatModel | None:
    """A model that is not available by this name lives where the nearest sibling does."""
    for models in (available, catalogue()):
        siblings = (model for model in models if model.provider == provider)
        sibling = max(
            siblings, key=lambda one: _nearness(base_url, one.base_url) or 0, default=None
        )
        if sibling is not None:
            shared = {key: sibling.compat[key] for key in SHARED_SWITCHES & sibling.compat.keys()}
            return evolve(sibling, id=name, compat=shared)
    return None


def _home(base_url: str, called: str, available: tuple[ChatModel, ...]) -> str | None:
    """The provider at that address: if several share the host, the nearest, then the called one."""
    homes = dict.fromkeys((model.provider, model.base_url) for model in (*available, *catalogue()))
    near = [
        (nearness, provider == called, provider)
        for provider, address in homes
        if (nearness := _nearness(base_url, address)) is not None
    ]
    nearest = max(near, key=lambda home: home[:2], default=None)
    return None if nearest is None else nearest[2]


def _nearness(one: str, other: str) -> int | None:
    """How many segments two addresses share from the left; None on different hosts."""
    (host, path), (other_host, other_path) = _place(one), _place(other)
    if not host or host != other_host:
        return None
    return len(tuple(takewhile(bool, map(eq, path, other_path))))


@lru_cache(maxsize=1024)  # thousands of models live at a few dozen addresses
def _place(base_url: str) -> Place:
    """Host and port in lower case, and the path; an address that cannot be read has no host."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        return "", ()
    host = parts.netloc.rpartition("@")[2].lower()
    return host, tuple(filter(None, parts.path.split("/")))

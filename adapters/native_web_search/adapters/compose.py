"""The composition root: the one place that chooses implementations."""

import logging
import os
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack
from os import PathLike
from typing import TypeAlias, TypedDict, Unpack
from uuid import uuid4

from attrs import evolve

from native_web_search.adapters.chosen_health import chosen_health
from native_web_search.adapters.deferred_transport import DeferredTransport
from native_web_search.adapters.lanes import default_slots
from native_web_search.adapters.provider_client import ProviderClient
from native_web_search.adapters.providers.table import codec_of
from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.adapters.registries.environment import EnvironmentRegistry
from native_web_search.adapters.registries.pi_files import PiFilesRegistry
from native_web_search.adapters.registries.pi_folder import agent_folder, pi_preference_path
from native_web_search.adapters.registries.provider_entry import ModelsFile
from native_web_search.adapters.small_file import content_of
from native_web_search.adapters.stores.location import expanded_path, preference_path
from native_web_search.adapters.stores.preference_file import PreferenceFile
from native_web_search.adapters.unknown_names import warn_of_unknown_names
from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.settings import (
    ExposureMode,
    MarkerMode,
    Settings,
    settings_from,
)
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import TOOL_NAME
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.policy import CurrentOnly, FallbackPolicy
from native_web_search.ports.http import HttpTransport
from native_web_search.ports.observer import Observer
from native_web_search.ports.registry import ModelRegistry

Closer: TypeAlias = Callable[[], Awaitable[None]]

log = logging.getLogger("native_web_search")


class SettingsError(ValueError):
    """Settings that are each in order and make no sense together."""


class Arguments(TypedDict, total=False):
    """The settings as keyword arguments; see `Settings` for units and ranges."""

    max_chars: int
    timeout_ms: int
    deadline_ms: int
    cooldown_ms: int
    preference_file: str | PathLike[str] | None
    fallback: FallbackPolicy | str | Collection[str]
    model: str | None
    exposure: ExposureMode | str
    marker: MarkerMode | str
    max_response_bytes: int
    concurrency: int | None
    models_file: str | PathLike[str] | None
    health_url: str | None


def open_web_search(
    registry: ModelRegistry | None = None,
    *,
    name: str = TOOL_NAME,
    observer: Observer | None = None,
    environ: Mapping[str, str] = os.environ,
    **arguments: Unpack[Arguments],
) -> WebSearch:
    """The tool with its usual parts: real HTTP, preferences in a file, health in the process unless
    a health URL shares it.

    Without a `registry`, the models of every provider whose key is in `environ`. Settings are
    read from `environ` once, now; `arguments` beat them. Close it with `aclose`, or use it in
    `async with`. `model` and `models_file` matter to the environment's registry alone. Raises
    `ValueError` for an argument out of its range, and `SettingsError` for the fallback policy
    `current` where no current model can be known.
    """
    settings = evolve(_settings(environ), **arguments)
    if registry is None:
        registry = environment_registry(settings, environ)
        warn_of_unknown_names(settings, registry, arguments)
    if isinstance(settings.fallback, CurrentOnly) and _is_blind(registry):
        message = (
            "the fallback policy is `current`, but there is no current model: set "
            "NATIVE_WEB_SEARCH_MODEL to provider/id"
        )
        raise SettingsError(message)
    clock = MonotonicClock()
    health, closers = chosen_health(settings, clock)
    slots = _slots(settings)
    transport = DeferredTransport(lambda: _aiohttp_transport(settings, slots))
    client = ProviderClient(
        registry, transport, codec_of, slots, uuid4().hex, settings.timeout_ms / 1000
    )
    return WebSearch(
        registry=registry,
        searcher=client,
        fetcher=client,
        preferences=PreferenceFile(preference_path(settings.preference_file, environ)),
        health=health,
        clock=clock,
        settings=settings,
        observer=observer or Observer(),
        name=name,
        closing=_closing(transport.aclose, *closers),
    )


def open_pi_web_search(
    registry: ModelRegistry | None = None,
    *,
    name: str = TOOL_NAME,
    observer: Observer | None = None,
    environ: Mapping[str, str] = os.environ,
    **arguments: Unpack[Arguments],
) -> WebSearch:
    """As `open_web_search`, over pi's models: preferences are kept in pi's agent folder.

    Without a `registry`, the models and credentials are read from pi's own files.
    """
    settings = evolve(settings_from(environ)[0], **arguments)  # `open_web_search` warns
    if settings.preference_file is None:
        arguments["preference_file"] = str(pi_preference_path(environ))
    if registry is None:
        registry = pi_registry(settings, environ)
        warn_of_unknown_names(settings, registry, arguments)
    return open_web_search(registry, name=name, observer=observer, environ=environ, **arguments)


def open_blocking_web_search(
    registry: ModelRegistry | None = None,
    *,
    name: str = TOOL_NAME,
    observer: Observer | None = None,
    environ: Mapping[str, str] = os.environ,
    **arguments: Unpack[Arguments],
) -> BlockingWebSearch:
    """As `open_web_search`, for callers that cannot await; works inside a running loop too."""
    return BlockingWebSearch(
        open_web_search(registry, name=name, observer=observer, environ=environ, **arguments)
    )


def environment_registry(
    settings: Settings, environ: Mapping[str, str] = os.environ
) -> EnvironmentRegistry:
    """The registry of a process without a host: variables, catalogue and models file."""
    models, file = catalogue(), None
    if settings.models_file is not None:
        models, file = _with_models_file(settings.models_file, models, environ)
    return EnvironmentRegistry(environ, models, file, settings.model)


def pi_registry(
    settings: Settings, environ: Mapping[str, str] = os.environ, *, may_run: bool = True
) -> PiFilesRegistry:
    """The registry of pi's own files. `may_run` allows keys that are commands."""
    folder = agent_folder(environ)
    return PiFilesRegistry(folder, environ, catalogue(), settings.model, may_run)


def _settings(environ: Mapping[str, str]) -> Settings:
    settings, warnings = settings_from(environ)
    for warning in warnings:
        log.warning("%s", warning)
    return settings


def _is_blind(registry: ModelRegistry) -> bool:
    """Whether no host will ever tell this registry what the current model is."""
    unasked = isinstance(registry, EnvironmentRegistry | PiFilesRegistry)
    return unasked and registry.current() is None


def _slots(settings: Settings) -> Callable[[str], int]:
    def slots(provider: str) -> int:
        return settings.concurrency or default_slots(provider)

    return slots


def _closing(*closers: Closer) -> Closer:
    async def close() -> None:
        async with AsyncExitStack() as stack:
            for closer in closers:
                stack.push_async_callback(closer)

    return close


def _aiohttp_transport(settings: Settings, slots: Callable[[str], int]) -> HttpTransport:
    from native_web_search.adapters.aiohttp_transport import (  # noqa: PLC0415 - 0.2 s of import
        AiohttpTransport,
    )

    return AiohttpTransport(
        timeout=settings.timeout_ms / 1000, max_bytes=settings.max_response_bytes, slots=slots
    )


def _with_models_file(
    name: str, models: tuple[ChatModel, ...], environ: Mapping[str, str]
) -> tuple[tuple[ChatModel, ...], ModelsFile | None]:
    from native_web_search.adapters.registries import (  # noqa: PLC0415 - cattrs takes its time
        models_file,
    )

    read = content_of(expanded_path(name, environ))
    if isinstance(read, Failure):
        log.warning("the models file %s is ignored: %s", name, read.failure().says)
        return models, None
    match models_file.models_with(models, read.unwrap()):
        case Success((merged, file)):
            return merged, file
        case Failure(reason):
            log.warning("the models file %s is ignored: %s", name, reason)
            return models, None


class MonotonicClock:
    """The system's own clock that never goes back."""

    def monotonic(self) -> float:
        return time.monotonic()

"""`native-web-search doctor`: what is found, and what a call would do with it."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from attrs import evolve
from rich.console import Console

from native_web_search.adapters.cli.consoles import plain_console
from native_web_search.adapters.cli.kept_warnings import KeptWarnings, kept_warnings
from native_web_search.adapters.cli.models_found import (
    SourcedRegistry,
    models_table,
    own_addresses,
)
from native_web_search.adapters.compose import (
    environment_registry,
    open_pi_web_search,
    open_web_search,
    pi_registry,
)
from native_web_search.adapters.registries.environment import EnvironmentRegistry
from native_web_search.adapters.registries.variables import variables_of
from native_web_search.adapters.small_file import Unread, Why, content_of
from native_web_search.adapters.stores.location import preference_path
from native_web_search.adapters.stores.preference_file import MAX_BYTES
from native_web_search.adapters.unknown_names import warn_of_unknown_names
from native_web_search.application.settings import ExposureMode, settings_from
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.exposure import Exposure
from native_web_search.domain.fallback import FETCH_ATTEMPTS, SEARCH_ATTEMPTS
from native_web_search.domain.family import Candidate
from native_web_search.domain.outcome import Failure
from native_web_search.domain.version import __version__
from native_web_search.ports.registry import ModelRegistry

READY, NOBODY = 0, 3
PIPE_WIDTH = 200
SHOWN = 12  # of an order that may be hundreds of models long
USUAL_PROVIDERS = ("deepseek", "ollama-cloud", "google", "openai", "xai", "anthropic")


async def run(*, simulate: bool, pi: bool = False) -> int:
    """Print the report; the exit code says whether a search could be made."""
    opening = partial(open_web_search, health_url=None) if simulate else open_web_search
    opening = open_pi_web_search if pi else opening
    with kept_warnings() as warnings:
        async with _registry(simulate=simulate, pi=pi) as registry, opening(registry) as web:
            return await _report(registry, web, warnings)


async def _report(registry: SourcedRegistry, web: WebSearch, warnings: KeptWarnings) -> int:
    out = _console()
    out.print(f"native-web-search {__version__}\n")
    out.print(models_table(registry))
    for line in own_addresses(registry):
        out.print(f"Address: {line}")
    for line in half_configured(registry):
        out.print(f"Not open: {line}")
    able = await _exposure(web, out)
    await _order(web, out)
    await _cooldowns(web, out)
    _preferences(web, out)
    for warning in warnings.take():
        out.print(f"Warning: {warning}")
    if not able:
        _advice(out)
    return READY if able else NOBODY


def half_configured(registry: ModelRegistry) -> tuple[str, ...]:
    """What the environment lacks for providers that it nearly opens."""
    return registry.missing() if isinstance(registry, EnvironmentRegistry) else ()


def _console() -> Console:
    """As wide as the terminal; where there is none, wide enough to cut nothing."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return plain_console(width=width)


@asynccontextmanager
async def _registry(*, simulate: bool, pi: bool) -> AsyncGenerator[SourcedRegistry]:
    if simulate:
        from native_web_search.adapters.cli.simulated import simulated_registry

        async with simulated_registry() as registry:
            yield registry
    else:
        settings, _warnings = settings_from(os.environ)
        found = pi_registry(settings) if pi else environment_registry(settings)
        warn_of_unknown_names(settings, found)
        yield found


async def _exposure(web: WebSearch, out: Console) -> bool:
    """Say what is shown, and tell whether a search could be made, whatever is shown."""
    shown, reason = await web.exposure()
    out.print(f"Exposure: {shown.value}. {reason}")
    if web.settings.exposure is not ExposureMode.STABLE:
        return shown is not Exposure.HIDDEN
    able, reason = await _dynamic(web).exposure()
    out.print(f"Were it dynamic: {able.value}. {reason}")
    return able is not Exposure.HIDDEN


def _dynamic(web: WebSearch) -> WebSearch:
    return evolve(web, settings=evolve(web.settings, exposure=ExposureMode.DYNAMIC))


async def _order(web: WebSearch, out: Console) -> None:
    chosen = await web.select()
    out.print(_tried("A search tries", chosen.search, SEARCH_ATTEMPTS) or "Nobody can search.")
    fetching = _tried("URLs are tried with", chosen.fetch, FETCH_ATTEMPTS)
    out.print(fetching or "Nobody can analyze URLs.")


def _tried(start: str, candidates: tuple[Candidate, ...], most: int) -> str:
    """A sentence about an order that is tried from its start, or nothing about an empty one."""
    if not candidates:
        return ""
    names = ", ".join(f"{one.model.provider}/{one.model.id}" for one in candidates[:SHOWN])
    more = f" and {len(candidates) - SHOWN} more" if len(candidates) > SHOWN else ""
    cap = f"at most {most} of" if len(candidates) > most else "in this order"
    return f"{start}, {cap}: {names}{more}"


async def _cooldowns(web: WebSearch, out: Console) -> None:
    ledger, now = await web.health.ledger(), web.clock.monotonic()
    rows = [
        f"  {operation.value} {'/'.join(filter(None, (provider, model)))}:"
        f" {cooldown.until - now:.0f} s left"
        for (operation, provider, model), cooldown in ledger.cooldowns.items()
        if cooldown.until > now
    ]
    out.print("Cooldowns:" if rows else "Cooldowns: none")
    for row in rows:
        out.print(row)


def _preferences(web: WebSearch, out: Console) -> None:
    preferences = web.preferences.load()
    path = preference_path(web.settings.preference_file, os.environ)
    out.print(f"Preference file: {path}{_state(path)}")
    for operation, preference in (("search", preferences.search), ("fetch", preferences.fetch)):
        if preference is not None:
            out.print(f"  {operation}: {preference.provider}/{preference.model}")


def _state(path: Path) -> str:
    """What is to be said of a file that is not there, or counts as if it were not."""
    match content_of(path, MAX_BYTES):
        case Failure(Unread(why=Why.MISSING)):
            return " (not written yet)"
        case Failure(unread):
            return f" (counts as empty: {unread.says})"
        case _:
            return ""


def _advice(out: Console) -> None:
    names = [name for provider in USUAL_PROVIDERS for name in variables_of(provider)]
    out.print(f"Set one of these variables: {', '.join(names)}")
    out.print("Or try the tool without any: native-web-search search QUERY --simulate")

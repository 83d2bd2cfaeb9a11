"""`native-web-search doctor`: what is found, and what a call would do with it."""

import os
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.table import Table

from native_web_search.adapters.cli.consoles import plain_console
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
from native_web_search.application.settings import settings_from
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.exposure import Exposure
from native_web_search.domain.fallback import FETCH_ATTEMPTS, SEARCH_ATTEMPTS
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.outcome import Failure
from native_web_search.domain.version import __version__
from native_web_search.ports.registry import ModelRegistry

READY, NOBODY = 0, 3
PIPE_WIDTH = 200
SHOWN = 12  # of an order that may be hundreds of models long
USUAL_PROVIDERS = ("deepseek", "ollama-cloud", "google", "openai", "xai", "anthropic")


class SourcedRegistry(ModelRegistry, Protocol):
    """A registry that can tell a person where a credential comes from."""

    def credential_source(self, provider: str) -> str: ...


async def run(*, simulate: bool, pi: bool = False) -> int:
    """Print the report; the exit code says whether a search could be made."""
    out = _console()
    opening = partial(open_web_search, health_url=None) if simulate else open_web_search
    opening = open_pi_web_search if pi else opening
    async with _registry(simulate=simulate, pi=pi) as registry, opening(registry) as web:
        shown, reason = await web.exposure()
        out.print(f"native-web-search {__version__}\n")
        out.print(_providers(registry))
        for line in half_configured(registry):
            out.print(f"Not open: {line}")
        out.print(f"Exposure: {shown.value}. {reason}")
        await _order(web, out)
        await _cooldowns(web, out)
        _preferences(web, out)
        _warnings(out)
        if shown is Exposure.HIDDEN:
            _advice(out)
    return NOBODY if shown is Exposure.HIDDEN else READY


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
        yield pi_registry(settings) if pi else environment_registry(settings)


def _providers(registry: SourcedRegistry) -> Table:
    table = Table("model", "family", "dialect", "search", "URLs", "credential", box=None)
    table.columns[0].overflow = "fold"
    for model in registry.available():
        candidate = candidate_of(model)
        source = registry.credential_source(model.provider)
        table.add_row(f"{model.provider}/{model.id}", *_abilities(candidate), source)
    if not table.row_count:
        table.add_row("none found", "", "", "", "", "")
    return table


def _abilities(candidate: Candidate | None) -> Iterator[str]:
    if candidate is None:
        yield from ("none", "", "no", "no")
        return
    yield candidate.family.value
    yield candidate.dialect.value
    yield "yes"
    yield "yes" if candidate.can(Operation.FETCH) else "no"


async def _order(web: WebSearch, out: Console) -> None:
    chosen = await web.select()
    out.print(f"A search tries, at most {SEARCH_ATTEMPTS} of: {_named(chosen.search)}")
    out.print(f"URLs are tried with, at most {FETCH_ATTEMPTS} of: {_named(chosen.fetch)}")


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


def _warnings(out: Console) -> None:
    _settings, warnings = settings_from(os.environ)
    for warning in warnings:
        out.print(f"Warning: {warning}")


def _advice(out: Console) -> None:
    names = [name for provider in USUAL_PROVIDERS for name in variables_of(provider)]
    out.print(f"Set one of these variables: {', '.join(names)}")
    out.print("Or try the tool without any: native-web-search search QUERY --simulate")


def _named(candidates: tuple[Candidate, ...]) -> str:
    names = [f"{one.model.provider}/{one.model.id}" for one in candidates[:SHOWN]]
    more = len(candidates) - len(names)
    return (", ".join(names) or "nobody") + (f" and {more} more" if more else "")

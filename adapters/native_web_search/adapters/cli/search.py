"""`native-web-search search`: progress to stderr on a terminal, the result to stdout."""

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import cast

from attrs import frozen

from native_web_search.adapters.cli.consoles import plain_console
from native_web_search.adapters.cli.doctor import half_configured
from native_web_search.adapters.compose import Arguments, open_pi_web_search, open_web_search
from native_web_search.application.report import nothing_to_try
from native_web_search.application.result import ToolResult
from native_web_search.application.settings import ExposureMode
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.exposure import Exposure
from native_web_search.domain.family import candidate_of
from native_web_search.domain.outcome import Failure
from native_web_search.domain.policy import Only
from native_web_search.domain.request import parse_request

ANSWERED, FAILED, INCOMPLETE, NOBODY = 0, 1, 2, 3

errors = plain_console(stderr=True)


@frozen
class Ask:
    """What the command line asked for."""

    query: str | None
    urls: tuple[str, ...]
    as_json: bool
    simulate: bool
    provider: str | None
    pi: bool = False

    def arguments(self) -> Mapping[str, object]:
        """The arguments of the tool's call."""
        return {"query": self.query, "urls": list(self.urls)}


async def run(ask: Ask) -> int:
    """Make the call; the exit code says how it went."""
    if ask.query is None and not ask.urls:
        errors.print("There is nothing to do: give a QUERY, a page with --url, or both.")
        return INCOMPLETE
    # Before anybody is missed: a login makes no input better.
    parsed = parse_request(ask.arguments())
    if isinstance(parsed, Failure):
        errors.print(parsed.failure().message)
        return FAILED
    async with _tool(ask) as web:
        if not await _can_search(web, ask):
            return NOBODY
        result = await web.call(ask.arguments(), progress=_progress)
    _show(result, ask)
    return FAILED if result.is_error else ANSWERED


@asynccontextmanager
async def _tool(ask: Ask) -> AsyncGenerator[WebSearch]:
    # Here nobody is shown the tool, and whether it can work must be known.
    arguments: Arguments = {"exposure": ExposureMode.DYNAMIC}
    if ask.as_json:
        arguments["marker"] = "none"
    if ask.provider is not None:
        only: frozenset[str] = frozenset({ask.provider})
        arguments["fallback"] = Only(only)
    if not ask.simulate:
        opening = open_pi_web_search if ask.pi else open_web_search
        async with opening(**arguments) as web:
            yield web
        return
    from native_web_search.adapters.cli.simulated import APART, simulated_registry

    arguments |= APART
    async with simulated_registry() as registry, open_web_search(registry, **arguments) as web:
        yield web


async def _can_search(web: WebSearch, ask: Ask) -> bool:
    """Whether there is somebody to ask; if not, it is said why, and what to do."""
    if ask.provider is not None and not _has(web, ask.provider):
        errors.print(f"No searchable model of provider {ask.provider} is available.")
        return False
    shown, reason = await web.exposure()
    if shown is not Exposure.HIDDEN:
        return True
    errors.print(reason)
    for line in half_configured(web.registry):
        errors.print(line)
    errors.print(nothing_to_try())
    errors.print("\nTo try it without any key: native-web-search search QUERY --simulate")
    return False


def _has(web: WebSearch, provider: str) -> bool:
    found = (model for model in web.registry.available() if model.provider == provider)
    return any(candidate_of(model) is not None for model in found)


async def _progress(message: str) -> None:
    if sys.stderr.isatty():
        errors.print(f"{message} ...", style="dim")


def _show(result: ToolResult, ask: Ask) -> None:
    """The text alone on stdout, whatever happens around it."""
    stream = sys.stderr if result.is_error else sys.stdout
    stream.write(result.text + "\n")
    if ask.as_json and result.details["truncated"]:
        errors.print("The result is truncated.")
    if not ask.as_json and sys.stderr.isatty():
        for line in _summary(result):
            errors.print(line, style="dim")


def _summary(result: ToolResult) -> list[str]:
    attempts = cast("list[dict[str, object]]", result.details["attempts"])
    form = "{operation} {provider}/{model}: {outcome} in {milliseconds} ms"
    return [form.format(**attempt) for attempt in attempts]

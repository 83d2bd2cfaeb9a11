"""Where the cooldowns are kept: in the process, or on the server that a setting names."""

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from native_web_search.adapters.stores.health_url import flaw_in, wanted
from native_web_search.application.health import ProcessHealth
from native_web_search.application.settings import Settings
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.ports.clock import Clock
from native_web_search.ports.health import HealthStore

if TYPE_CHECKING:
    from native_web_search.adapters.stores.valkey_health import ValkeyHealth

log = logging.getLogger("native_web_search")


def chosen_health(
    settings: Settings, clock: Clock
) -> tuple[HealthStore, tuple[Callable[[], Awaitable[None]], ...]]:
    """The health that the settings ask for, and what closes it. Without cooldowns there is nothing
    to share; a server that cannot be used is one warning, and health stays in the process.
    """
    base = settings.cooldown_ms / 1000
    in_process = ProcessHealth(clock, base)
    if settings.health_url is None or not base:
        return in_process, ()
    match _shared(settings.health_url, in_process, clock, base):
        case Success(shared):
            return shared, (shared.aclose,)
        case Failure(reason):
            log.warning("the health URL is ignored: %s", reason)
            return in_process, ()


def _shared(
    url: str, in_process: ProcessHealth, clock: Clock, base: float
) -> Outcome["ValkeyHealth", str]:
    if flaw := flaw_in(url):  # said before anybody installs a client for it
        return Failure(wanted(flaw))
    try:
        from native_web_search.adapters.stores.valkey_health import (  # noqa: PLC0415 - an extra
            valkey_health,
        )
    except ImportError:
        return Failure(
            "it needs the Valkey client, pip install 'native-web-search[valkey]'",
        )
    return valkey_health(url, in_process, clock, base)

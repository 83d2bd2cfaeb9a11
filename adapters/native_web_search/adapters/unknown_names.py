"""Names in the settings that nobody answers to, for programs without a host.

Only there is the list of providers whole: a host's registry may have providers of its own.
"""

import logging
from collections.abc import Collection, Iterator
from difflib import get_close_matches

from native_web_search.adapters.registries.environment import EnvironmentRegistry
from native_web_search.adapters.registries.pi_files import PiFilesRegistry
from native_web_search.application.settings import PREFIX, Settings
from native_web_search.domain.policy import Only

log = logging.getLogger("native_web_search")

WORDS = ("all", "current")  # that may be meant where provider ids may stand
QUOTED = 60  # characters of a name; longer ones are no names


def warn_of_unknown_names(
    settings: Settings,
    registry: EnvironmentRegistry | PiFilesRegistry,
    overridden: Collection[str] = (),
) -> None:
    """Warn of each name that the variables give and nobody has. Settings that are overridden by
    arguments are left out: what is said here names the variables.
    """
    for warning in _unknown_names(settings, registry, overridden):
        log.warning("%s", warning)


def _unknown_names(
    settings: Settings,
    registry: EnvironmentRegistry | PiFilesRegistry,
    overridden: Collection[str],
) -> Iterator[str]:
    known = registry.providers()
    if isinstance(settings.fallback, Only) and "fallback" not in overridden:
        for name in sorted(settings.fallback.providers - frozenset(known)):
            yield f"{PREFIX}FALLBACK names {_nobody(name, name, known, WORDS)}"
    if settings.model is not None and "model" not in overridden and registry.current() is None:
        provider = settings.model.partition("/")[0]
        yield (
            f"{PREFIX}MODEL, which has the form provider/id, names"
            f" {_nobody(settings.model, provider, known)}"
        )


def _nobody(text: str, name: str, known: tuple[str, ...], words: tuple[str, ...] = ()) -> str:
    near = get_close_matches(name.lower(), (*known, *words))
    meant = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known)}"
    return f"no known provider with {_quoted(text)}: {meant}"


def _quoted(name: str) -> str:
    return repr(name if len(name) <= QUOTED else f"{name[:QUOTED]}...")

"""`native-web-search simulate`: the provider simulator, until interrupted."""

from pathlib import Path

from native_web_search.adapters.cli.consoles import plain_console
from native_web_search.adapters.simulator.scenario import load_scenario
from native_web_search.adapters.simulator.serving import serve
from native_web_search.adapters.simulator.simulator import NO_FAULTS

errors = plain_console(stderr=True)

REFUSED = 2


async def run(port: int, scenario: str | None) -> int:
    """Serve on loopback; the base URLs are printed when it listens."""
    try:
        faults = load_scenario(Path(scenario)) if scenario else NO_FAULTS
    except (OSError, ValueError) as error:
        errors.print(f"The scenario file cannot be used: {error}")
        return REFUSED
    try:
        await serve(port, faults)
    except OSError as error:
        errors.print(f"The simulator cannot listen on port {port}: {error.strerror}")
        return REFUSED
    return 0

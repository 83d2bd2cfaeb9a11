"""`python -m native_web_search.adapters.simulator [PORT] [SCENARIO.json]`."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from native_web_search.adapters.simulator.scenario import ScenarioError, load_scenario
from native_web_search.adapters.simulator.serving import serve
from native_web_search.adapters.simulator.simulator import NO_FAULTS

USAGE = "usage: python -m native_web_search.adapters.simulator [PORT] [SCENARIO.json]\n"
USAGE_ERROR = 2


def main(arguments: list[str]) -> int:
    """Serve until interrupted; what cannot be done is said in a line."""
    port, scenario, *rest = [*arguments, "", ""][: max(2, len(arguments))]
    if rest or not (port.isascii() and (port or "0").isdecimal()):
        sys.stderr.write(USAGE)
        return USAGE_ERROR
    try:
        faults = load_scenario(Path(scenario)) if scenario else NO_FAULTS
        with suppress(KeyboardInterrupt):
            asyncio.run(serve(int(port or "0"), faults))
    except (OSError, OverflowError, ScenarioError) as error:
        sys.stderr.write(f"{error}\n")
        return USAGE_ERROR
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m native_web_search.adapters.simulator [PORT] [SCENARIO.json]`."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from native_web_search.adapters.simulator.scenario import load_scenario
from native_web_search.adapters.simulator.serving import serve
from native_web_search.adapters.simulator.simulator import NO_FAULTS

USAGE = "usage: python -m native_web_search.adapters.simulator [PORT] [SCENARIO.json]\n"


def main(arguments: list[str]) -> int:
    port, scenario, *rest = [*arguments, "", ""][: max(2, len(arguments))]
    if rest or not (port or "0").isdecimal():
        sys.stderr.write(USAGE)
        return 2
    faults = load_scenario(Path(scenario)) if scenario else NO_FAULTS
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(int(port or "0"), faults))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

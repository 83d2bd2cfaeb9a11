"""Runs the simulator for the snippets, and says where it is."""

import asyncio
import json
import sys

from native_web_search.adapters.simulator.serving import serve
from native_web_search.adapters.simulator.simulator import Simulator


def announce(simulator: Simulator) -> None:
    key = simulator.credential("deepseek").key
    sys.stdout.write(json.dumps({"base_url": simulator.base_url("deepseek"), "key": key}) + "\n")
    sys.stdout.flush()


asyncio.run(serve(0, announcing=announce))

"""One process of the fleet: it meets two outages and a success with all others at once.

Run with the URL of the server and a number. At each barrier it waits until it is let go.
"""

import asyncio
import json
import sys
from typing import cast

from valkey.asyncio import Valkey

from native_web_search.adapters.compose import MonotonicClock
from native_web_search.adapters.stores.valkey_health import Patience, valkey_health
from native_web_search.adapters.stores.valkey_server import Client
from native_web_search.application.health import ProcessHealth
from native_web_search.domain.cooldown import Failed, Succeeded
from native_web_search.domain.failure import ProviderRefused
from native_web_search.domain.family import Operation

OUTAGE = Failed(Operation.SEARCH, "openai", "gpt-5.6-luna", ProviderRefused("HTTP 503", 503))
ANSWER = Succeeded(Operation.SEARCH, "openai", "gpt-5.6-luna")
PATIENCE = Patience(60.0, 60.0)  # fifty processes on two processors


async def main(url: str, number: str) -> None:
    clock = MonotonicClock()
    store = valkey_health(url, ProcessHealth(clock), clock, patience=PATIENCE).unwrap()
    server = cast("Client", Valkey.from_url(url, socket_timeout=120))

    async def let_go(barrier: str) -> None:
        await server.execute_command("RPUSH", f"arrived:{barrier}", number)
        await server.execute_command("BLPOP", f"go:{barrier}", 0)

    async def tell() -> None:
        ledger, now = await store.ledger(), clock.monotonic()
        left = ledger.remaining(Operation.SEARCH, "openai", "gpt-5.6-luna", now)
        levels = [cooldown.level for cooldown in ledger.cooldowns.values()]
        print(json.dumps([levels, left]))  # noqa: T201 - the fleet's test reads it

    for outage in ("first", "second"):
        await let_go(outage)
        await store.settle(OUTAGE)
        await let_go(f"after the {outage}")
        await tell()
    await let_go("success")
    if number == "0":
        await store.settle(ANSWER)
    await let_go("after the success")
    await tell()
    await server.aclose()
    await store.aclose()


asyncio.run(main(*sys.argv[1:]))

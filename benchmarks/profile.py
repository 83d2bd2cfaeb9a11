"""Where one warm search spends its time, beside the reference.

    python -m benchmarks.profile [ROUNDS]

Samples of the stack, taken every few milliseconds of CPU time and told apart by the outermost
function that they know: so that nothing is slowed down, as it would be by a tracing profiler.
"""

import asyncio
import json
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from types import FrameType

from attrs import define, field

from benchmarks.clients import bare_search, bare_session, deepseek, our_tool, searched
from benchmarks.far_side import far_side
from benchmarks.searching import SIZES, canned

ROUNDS = 3_000  # half a minute
WARM_UP = 20
SAMPLE_SECONDS = 0.001  # as often as the system can

# In this order: the stage of a sample is the first of these that it is inside of.
STAGES = {
    "text for the model": {"fit", "dumps"},
    "parsing": {"json_value", "loads"},
    "reading the body": {"DecodedBody.read", "WholeBody.end", "ClientResponse.read"},
    "sending, receiving": {"ClientSession._request", "_SelectorSocketTransport._read_ready"},
    "checks and clocks around the request": {"AiohttpTransport.send"},
    "credential, request of the provider": {"ProviderClient.search"},
    "choosing, attempts, record, result": {"WebSearch.call"},
}
LOOP = "event loop"


@define
class Samples:
    """How often each side was seen in each stage; between the sides, it is nobody's turn."""

    side: str = ""
    seen: defaultdict[str, Counter[str]] = field(factory=lambda: defaultdict(Counter))

    def take(self, _signal: int, frame: FrameType | None) -> None:
        inside = set(_names(frame))
        stage = next((name for name, known in STAGES.items() if inside & known), LOOP)
        self.seen[self.side][stage] += 1


def _names(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_qualname
        frame = frame.f_back


async def _search(samples: Samples, rounds: int, origin: str) -> None:
    session = await bare_session()
    with our_tool(deepseek(origin)) as web:
        for number in range(-WARM_UP, rounds):
            samples.side = "ours" if number >= 0 else ""
            await searched(web)
            samples.side = "theirs" if number >= 0 else ""
            json.dumps(await bare_search(session, origin), indent=2)
        samples.side = ""
        await web.aclose()
    await session.close()


def _table(samples: Samples) -> Iterator[str]:
    """Shares of the time that the reference takes."""
    ours, theirs = samples.seen["ours"], samples.seen["theirs"]
    whole = theirs.total() or 1
    yield "| stage | ours | theirs |"
    yield "|---|---|---|"
    for stage in (*STAGES, LOOP):
        yield f"| {stage} | {ours[stage] / whole:.0%} | {theirs[stage] / whole:.0%} |"
    yield f"| all | {ours.total() / whole:.0%} | {theirs.total() / whole:.0%} |"


def main() -> None:
    """Print the table."""
    samples, rounds = Samples(), int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    signal.signal(signal.SIGPROF, samples.take)
    with far_side(canned(SIZES[-1])) as origin:
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
        asyncio.run(_search(samples, rounds, origin))
        signal.setitimer(signal.ITIMER_PROF, 0)
    sys.stdout.write("\n".join(_table(samples)) + "\n")


if __name__ == "__main__":
    main()

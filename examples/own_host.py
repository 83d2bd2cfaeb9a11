"""A host of one's own: an agent program that keeps its own tools, models and logins.

It brings three things: a `ModelRegistry` (who is logged in, which model is talking), a `ToolHost`
(the tools that the model is offered), and a loop that keeps both in step with `sync` and runs what
the model asks for with `call`. Here a script plays the model and the simulator the providers, so
that it runs anywhere, without a key or a network:

    python examples/own_host.py
"""

import asyncio
import json
from tempfile import TemporaryDirectory

from attrs import define, field

from native_web_search.adapters import open_web_search
from native_web_search.adapters.simulator.faults import Hang
from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.application import WebSearch
from native_web_search.application.web_search import NOT_SYNCED
from native_web_search.domain import ChatModel, Exposure, SyncState, ToolSpec
from native_web_search.domain.failure import Skipped
from native_web_search.ports.registry import CredentialAnswer

PAGE = "https://docs.example/ranking"


@define
class Session:
    """The host's models: a `ModelRegistry`. Logins are kept by provider."""

    simulator: Simulator
    logins: set[str] = field(factory=set)
    model: ChatModel | None = None

    def current(self) -> ChatModel | None:
        return self.model

    def available(self) -> tuple[ChatModel, ...]:
        return tuple(each for each in self.simulator.models() if each.provider in self.logins)

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        if model.provider not in self.logins:
            return Skipped(f"not logged in to {model.provider}")
        return self.simulator.credential(model.provider)  # a real host asks its keychain, now


@define
class Toolbox:
    """The host's tools: a `ToolHost`. What is known, and the names that the model is offered."""

    known: dict[str, ToolSpec | None] = field(factory=lambda: {"read_file": None})
    offered: list[str] = field(factory=lambda: ["read_file"])

    async def register(self, spec: ToolSpec) -> None:
        self.known[spec.name] = spec

    async def active_tools(self) -> tuple[str, ...]:
        return tuple(self.offered)

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        self.offered = [name for name in names if name in self.known]

    def described(self) -> str:
        """What goes into a request to the model, in short."""
        specs = {name: self.known[name] for name in self.offered}
        return ", ".join(name if spec is None else _signature(spec) for name, spec in specs.items())


@define
class Agent:
    """The host's loop. `state` is what the tool has to remember of this session, and no more."""

    web: WebSearch
    session: Session
    tools: Toolbox = field(factory=Toolbox)
    state: SyncState = NOT_SYNCED

    async def before_a_request(self, why: str) -> None:
        """Whenever logins, the model or the tools may have changed."""
        self.state = await self.web.sync(self.tools, self.state)
        print(f"{why}: {self.tools.described()}")

    async def run_call(self, arguments: object) -> None:
        """The model has asked for the tool; its arguments go in as they came."""
        result = await self.web.call(arguments, progress=_say)
        kind = "error" if result.is_error else f"{len(result.text):,} characters"
        print(f"  {json.dumps(arguments)} -> {kind}: {result.text.splitlines()[0][:90]}")


async def main() -> None:
    with TemporaryDirectory() as folder:
        async with Simulator() as simulator:
            session = Session(simulator)
            path = f"{folder}/preferences.json"
            async with open_web_search(session, environ={}, preference_file=path) as web:
                await story(Agent(web, session))


async def story(agent: Agent) -> None:
    session, tools = agent.session, agent.tools
    await agent.before_a_request("Nobody is logged in")

    session.logins.add("openai")
    session.model = next(each for each in session.available() if each.provider == "openai")
    await agent.before_a_request("A model that can search")
    await agent.run_call({"query": "how are candidates ranked"})
    await agent.run_call({"urls": [PAGE]})

    session.logins.add("deepseek")
    await agent.before_a_request("A provider that reads pages, too")
    await agent.run_call({"query": None, "urls": [PAGE]})
    await agent.run_call({"query": 3})

    session.simulator.script("openai", Hang())
    call = asyncio.create_task(agent.run_call({"query": "something slow"}))
    await asyncio.wait([call], timeout=0.5)
    call.cancel()  # the user presses Escape: the request is closed, and nobody is blamed
    await asyncio.wait([call])
    cooling = (await agent.web.health.ledger()).cooldowns
    print(f"  cancelled: {call.cancelled()}; providers that cool: {len(cooling)}")

    tools.offered.remove("web_search")
    await agent.before_a_request("The user takes the tool away")
    session.logins.add("google")
    await agent.before_a_request("And it stays away, whatever changes")


async def _say(message: str) -> None:
    print(f"  ... {message}")


def _signature(spec: ToolSpec) -> str:
    names = ("query", "urls") if spec.exposure is Exposure.QUERY_AND_URLS else ("query",)
    return f"{spec.name}({', '.join(names)})"


if __name__ == "__main__":
    asyncio.run(main())

"""All providers on one loopback port, with a script of faults for each."""

from collections import deque
from collections.abc import Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Self

from attrs import evolve

from native_web_search.adapters.simulator.catalogue import (
    PROVIDERS,
    credential_at,
    error_answer,
    models_at,
    provider_of,
    usual_answer,
)
from native_web_search.adapters.simulator.corpus import Corpus, bundled
from native_web_search.adapters.simulator.exchange import (
    JSON,
    Answer,
    SeenRequest,
    compact,
    in_pieces,
)
from native_web_search.adapters.simulator.faults import Fault, Replay, Status
from native_web_search.adapters.simulator.server import HOST, Plan, Server
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import Credential

NO_FAULTS: Mapping[str, Sequence[Fault]] = MappingProxyType({})

IDLE_SECONDS = 2.0  # how long to wait for open requests before saying that some are left


class Simulator:
    """Every provider's web search, on loopback.

        async with Simulator(faults={"deepseek": [Status(503)]}) as simulator:
            models = simulator.models()
            key = simulator.credential("deepseek").key

    A request takes the next fault of its provider's script; when the script is empty, the fault
    set with `script_always`; without one, the provider behaves. `requests` lists what arrived, in
    the order of arrival, and grows until the caller clears it. All of it belongs to one event loop.
    """

    def __init__(
        self,
        *,
        faults: Mapping[str, Sequence[Fault]] = NO_FAULTS,
        port: int = 0,
        corpus: Corpus | None = None,
    ) -> None:
        self.requests: list[SeenRequest] = []
        self._corpus = corpus or bundled()
        self._port = port
        self._scripts: dict[str, deque[Fault]] = {name: deque() for name in PROVIDERS}
        self._always: dict[str, Fault] = {}
        self._server = Server(provider_of, self._plan)
        for provider, sequence in faults.items():
            self.script(provider, *sequence)

    async def __aenter__(self) -> Self:
        self._port = await self._server.start(self._port)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._server.stop()

    @property
    def url(self) -> str:
        """The origin, without a slash at the end. Known once the simulator was entered."""
        return f"http://{HOST}:{self._port}"

    def base_url(self, provider: str) -> str:
        """What a chat model of this provider has as its base URL."""
        return f"{self.url}{PROVIDERS[provider].base}"

    def models(self) -> tuple[ChatModel, ...]:
        """A chat model or two of each provider, living here."""
        return models_at(self.url)

    def credential(self, provider: str) -> Credential:
        """A credential that this provider accepts."""
        return credential_at(self.url, provider)

    def script(self, provider: str, *faults: Fault) -> None:
        """Add faults for the provider's next requests, one each; `Delay(0)` stands for none.

        Raises `KeyError` if there is no such provider, here as everywhere.
        """
        self._scripts[provider].extend(faults)

    def script_always(self, provider: str, fault: Fault) -> None:
        """Set the fault for every request that the script says nothing about, until cleared."""
        if provider not in PROVIDERS:
            raise KeyError(provider)
        self._always[provider] = fault

    def clear(self, provider: str) -> None:
        """Forget the provider's faults, all of them."""
        self._scripts[provider].clear()
        self._always.pop(provider, None)

    async def idle(self, within: float = IDLE_SECONDS) -> bool:
        """Wait until every request was answered or given up; whether that was so in time.

        A client that goes away is noticed a moment later: ask this before reading `aborted`.
        """
        return await self._server.idle(within)

    def _plan(self, seen: SeenRequest) -> Plan:
        self.requests.append(seen)
        fault = self._next_fault(seen.provider)
        match fault:
            case Status():
                return Plan(_status_answer(seen.provider, fault))
            case Replay(body, content_type, status):
                return Plan(Answer(status, content_type, in_pieces(body)))
            case _:
                return Plan(usual_answer(seen, self._corpus), fault)

    def _next_fault(self, provider: str) -> Fault | None:
        script = self._scripts.get(provider)
        return script.popleft() if script else self._always.get(provider)


def _status_answer(provider: str, fault: Status) -> Answer:
    match fault.body:
        case None:
            usual = error_answer(provider, fault.code)
            return evolve(usual, headers=(*usual.headers, *fault.headers))
        case bytes() as body:
            pass
        case str(text):
            body = text.encode()
        case value:
            body = compact(value)
    return Answer(fault.code, JSON, in_pieces(body), fault.headers)

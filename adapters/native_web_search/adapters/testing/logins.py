"""A user of the simulator, whose logins come and go while the tool is in use."""

from attrs import define

from native_web_search.adapters.simulator.simulator import Simulator
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import Skipped
from native_web_search.ports.registry import CredentialAnswer


@define
class Logins:
    """A `ModelRegistry` over the simulator's providers; `open` are those that are logged in to.

    Change `open`, `model` and `simulator` at any time, as a host's user would.
    """

    simulator: Simulator
    open: tuple[str, ...] = ()
    model: ChatModel | None = None

    def current(self) -> ChatModel | None:
        return self.model

    def available(self) -> tuple[ChatModel, ...]:
        return tuple(model for model in self.simulator.models() if model.provider in self.open)

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        if model.provider not in self.open:
            return Skipped(f"not logged in to {model.provider}")
        return self.simulator.credential(model.provider)

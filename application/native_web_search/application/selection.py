"""Who may be asked in this call, and in which order."""

from attrs import frozen

from native_web_search.application.settings import Settings
from native_web_search.domain.candidates import demote, order
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.fingerprint import fingerprint
from native_web_search.domain.policy import permitted
from native_web_search.domain.preference import Preferences, remembered
from native_web_search.ports.clock import Clock
from native_web_search.ports.health import HealthStore
from native_web_search.ports.preferences import PreferenceStore
from native_web_search.ports.registry import ModelRegistry


@frozen
class Selection:
    """The candidates of each operation, best first, cooling ones last, before any cap."""

    search: tuple[Candidate, ...]
    fetch: tuple[Candidate, ...]
    fingerprint: str
    preferences: Preferences


@frozen
class Selector:
    """The ports that choosing needs."""

    registry: ModelRegistry
    preferences: PreferenceStore
    health: HealthStore
    clock: Clock
    settings: Settings

    async def select(self, current: ChatModel | None) -> Selection:
        """Choose anew: models, preferences and cooldowns are read at every call.

        `current` stands in for the registry's current model if given.
        """
        current = current or self.registry.current()
        everyone = self.registry.available()
        available = permitted(self.settings.fallback, current, everyone)
        stamp, preferences = fingerprint(everyone), self.preferences.load()
        ledger, now = await self.health.ledger(), self.clock.monotonic()

        def ordered(operation: Operation) -> tuple[Candidate, ...]:
            candidates = order(
                None if current is None else candidate_of(current),
                remembered(preferences, stamp, available, operation),
                available,
                operation,
            )
            return demote(candidates, ledger, operation, now)

        return Selection(ordered(Operation.SEARCH), ordered(Operation.FETCH), stamp, preferences)

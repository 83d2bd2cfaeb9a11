"""Who failed lately, and how long that moves them to the back.

A cooldown is a circuit breaker whose open state demotes instead of refusing: a cooling candidate
stays in the order, behind the healthy ones, and is tried when nobody else is left.

- A failure of scope PROVIDER cools (operation, provider id); one of scope MODEL cools (operation,
  provider id, model id). REQUEST and CALL failures say nothing about health and cool nothing. A
  candidate cools as long as the longer of its two keys does. Search and fetch never mix.
- The waits of one key climb a ladder: base, twice the base, four times, ... up to the cap. Failures
  while the key cools belong to the same outage and change nothing. The first failure after expiry
  is a failed probe and takes the next rung; the others of its herd find the key cooling again.
- Only a success leads off the ladder: it forgets the provider's key and that model's key. Time
  alone does not, so an expired cooldown keeps its level for good; a ledger holds at most one entry
  for each provider and each model of each operation.
- A `Retry-After` lengthens the wait of the outage it came with, up to the cap. It never shortens a
  wait and never moves the ladder.

Healthy, cooling and due are read from `until` and `now`; none of them is stored. `now` is seconds
of a monotonic clock, whose zero means nothing elsewhere; the plain form therefore holds remaining
seconds, and whoever reads it dates them by a clock of its own.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias, assert_never, cast

from attrs import field, frozen

from native_web_search.domain.failure import AttemptFailure, Scope, retry_after_of, scope_of
from native_web_search.domain.family import Operation

BASE_SECONDS = 60.0  # the first wait, unless a setting says otherwise
CAP_SECONDS = 600.0  # the longest wait; also the largest base
MAX_LEVEL = 20  # so many doublings take a millisecond, the smallest base, past the cap

_OPERATIONS = {operation.value: operation for operation in Operation}

# The model id is absent in a provider's own key.
Key: TypeAlias = tuple[Operation, str, str | None]


@frozen
class Failed:
    """An attempt with this model failed."""

    operation: Operation
    provider: str
    model: str
    failure: AttemptFailure


@frozen
class Succeeded:
    """An attempt with this model proved provider and model healthy.

    A search that brought a payload; a fetch that answered a URL and met no PROVIDER or MODEL
    failure.
    """

    operation: Operation
    provider: str
    model: str


Transition: TypeAlias = Failed | Succeeded


@frozen
class Cooldown:
    """One key's outage: cooling before `until`, due from then on; `level` counts doublings."""

    until: float
    level: int


def _immutable(given: Mapping[Key, Cooldown]) -> Mapping[Key, Cooldown]:
    return MappingProxyType(dict(given))


_NONE: Mapping[Key, Cooldown] = _immutable({})


@frozen
class Ledger:
    """All cooldowns; never changed, only succeeded by another ledger."""

    cooldowns: Mapping[Key, Cooldown] = field(default=_NONE, converter=_immutable, hash=False)

    def after(self, transition: Transition, now: float, base: float) -> "Ledger":
        """The ledger once this has happened; `base` is the first wait in seconds, 0 for none."""
        match transition:
            case Succeeded(operation, provider, model):
                return self._without((operation, provider, None), (operation, provider, model))
            case Failed(failure=failure):
                key = _key(transition)
                if key is None or not base > 0 or self._is_cooling(key, now):
                    return self
                return self._with(key, self._outage(key, failure, now, base))
            case _:
                assert_never(transition)

    def remaining(self, operation: Operation, provider: str, model: str, now: float) -> float:
        """Seconds that this candidate still cools; 0.0 if it is healthy or due."""
        keys = ((operation, provider, None), (operation, provider, model))
        return max(self._seconds_left(key, now) for key in keys)

    def to_plain(self, now: float) -> dict[str, object]:
        """JSON values that another process can read, whatever its clock says."""
        return {
            "cooldowns": [
                {
                    "operation": operation.value,
                    "provider": provider,
                    "model": model,
                    "remaining": self._seconds_left((operation, provider, model), now),
                    "level": cooldown.level,
                }
                for (operation, provider, model), cooldown in self.cooldowns.items()
            ]
        }

    @classmethod
    def from_plain(cls, plain: object, now: float) -> "Ledger":
        """The ledger that `to_plain` wrote. Entries that make no sense are left out, never raised;
        numbers out of range are brought back into it; of two entries for one key the later counts.
        """
        known = (_cooldown(entry, now) for entry in _entries(plain))
        return cls(dict(pair for pair in known if pair is not None))

    def _outage(self, key: Key, failure: AttemptFailure, now: float, base: float) -> Cooldown:
        known = self.cooldowns.get(key)
        level = 0 if known is None else min(known.level + 1, MAX_LEVEL)
        return Cooldown(now + _wait(level, base, retry_after_of(failure)), level)

    def _is_cooling(self, key: Key, now: float) -> bool:
        return self._seconds_left(key, now) > 0

    def _seconds_left(self, key: Key, now: float) -> float:
        known = self.cooldowns.get(key)
        return 0.0 if known is None else min(max(0.0, known.until - now), CAP_SECONDS)

    def _with(self, key: Key, cooldown: Cooldown) -> "Ledger":
        return Ledger({**self.cooldowns, key: cooldown})

    def _without(self, *keys: Key) -> "Ledger":
        if self.cooldowns.keys().isdisjoint(keys):
            return self
        return Ledger({key: kept for key, kept in self.cooldowns.items() if key not in keys})


def _key(failed: Failed) -> Key | None:
    scope = scope_of(failed.failure)
    match scope:
        case Scope.PROVIDER:
            return failed.operation, failed.provider, None
        case Scope.MODEL:
            return failed.operation, failed.provider, failed.model
        case Scope.REQUEST | Scope.CALL:
            return None
        case _:
            assert_never(scope)


def _wait(level: int, base: float, retry_after: float | None) -> float:
    rung = min(CAP_SECONDS, base * 2.0**level)
    if retry_after is None or not retry_after > rung:  # a NaN is not greater either
        return rung
    return min(CAP_SECONDS, retry_after)


def _entries(plain: object) -> list[object]:
    if not isinstance(plain, dict):
        return []
    entries = cast("dict[object, object]", plain).get("cooldowns")
    return cast("list[object]", entries) if isinstance(entries, list) else []


def _cooldown(entry: object, now: float) -> tuple[Key, Cooldown] | None:
    match entry:
        case {
            "operation": str(operation),
            "provider": str(provider),
            "model": str() | None as model,
            "remaining": int() | float() as remaining,
            "level": int(level),
        } if operation in _OPERATIONS:
            seconds = min(max(0.0, remaining), CAP_SECONDS)  # NaN is not greater: due
            key = (_OPERATIONS[operation], provider, model)
            return key, Cooldown(now + seconds, min(max(0, level), MAX_LEVEL))
        case _:
            return None

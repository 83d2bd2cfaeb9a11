"""In which order candidates are asked.

The order is worked out whole, as if every candidate were to be asked; the caller stops at the
first success, or at a cap of attempts that is applied last. Candidates follow each other so that
each next one fails for another reason than those before:

1. the current model, which the user chose;
2. the remembered candidate, which worked last time;
3. the best of each family not represented yet, in family order: another protocol;
4. the best of each provider id not represented yet: another account;
5. the siblings: another model behind an account that already failed, perhaps only for its model.

4 and 5 go by turns, one candidate of each family in family order, then again, so that a gateway
with three hundred models does not crowd out the rest. A family's candidates take their turns in
the order of `preference_key`. Nobody comes twice, and a current or remembered candidate that
cannot do the operation drops out, so that the next step leads.

Cooldowns do not reshape this order. They move candidates to its end, the cooling ones in the order
they had among themselves, so that they are still asked when nobody else is left.

Ranking thousands of models takes a while and asks for the same answer on every call, so the answer
is recalled for as long as the registry offers equal models.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice, zip_longest
from operator import itemgetter
from typing import TypeAlias

from attrs import define, field, frozen

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.cooldown import Ledger
from native_web_search.domain.family import Candidate, Family, Operation, candidate_of
from native_web_search.domain.memo import Memo
from native_web_search.domain.ranking import PreferenceKey, preference_key


def order(
    current: Candidate | None,
    remembered: Candidate | None,
    available: tuple[ChatModel, ...],
    operation: Operation,
) -> tuple[Candidate, ...]:
    """All candidates for the operation, the first to ask in front.

    `current` need not be among `available`. If the registry lists a model twice, by name and api,
    the last one counts; beyond that, its order makes no difference.
    """
    return _arranged((current, remembered, _ranked(available), operation))


def demote(
    order: tuple[Candidate, ...], ledger: Ledger, operation: Operation, now: float
) -> tuple[Candidate, ...]:
    """The same candidates with the cooling ones behind, both parts in the order they had."""
    if not ledger.cooldowns:
        return order
    failed = {provider for _, provider, _ in ledger.cooldowns}

    def is_cooling(candidate: Candidate) -> bool:
        model = candidate.model
        return (
            model.provider in failed
            and ledger.remaining(operation, model.provider, model.id, now) > 0
        )

    return tuple(sorted(order, key=is_cooling))


_Keyed: TypeAlias = tuple[PreferenceKey, Candidate]


@frozen(eq=False)  # to compare two would cost more than to rank once
class _Ranked:
    """Each family's candidates behind their keys, best first; all families, in their order."""

    families: Mapping[Family, tuple[_Keyed, ...]]


def _rank(available: tuple[ChatModel, ...]) -> _Ranked:
    found: dict[Family, dict[PreferenceKey, Candidate]] = {family: {} for family in Family}
    for model in available:
        candidate = candidate_of(model)
        if candidate is not None:
            found[candidate.family][preference_key(candidate)] = candidate
    by_key = itemgetter(0)
    return _Ranked({f: tuple(sorted(keyed.items(), key=by_key)) for f, keyed in found.items()})


@define
class _Queue:
    """One family's candidates, best first, on their way through the steps."""

    waiting: Iterator[Candidate]
    siblings: list[Candidate] = field(init=False, factory=list)

    def newcomer(self, known: Container[str]) -> Candidate | None:
        """The next one of a provider id not yet known; those passed over are siblings."""
        for candidate in self.waiting:
            if candidate.model.provider not in known:
                return candidate
            self.siblings.append(candidate)
        return None


_Question: TypeAlias = tuple[Candidate | None, Candidate | None, _Ranked, Operation]


def _arrange(question: _Question) -> tuple[Candidate, ...]:
    current, remembered, ranked, operation = question
    leaders: dict[PreferenceKey, Candidate] = {}
    for leader in (current, remembered):
        if leader is not None and leader.can(operation):
            leaders.setdefault(preference_key(leader), leader)
    taken = tuple(leaders)  # at most two: compared faster than ten thousand keys are hashed
    queues = {
        family: _Queue(candidate for key, candidate in keyed if key not in taken)
        for family, keyed in ranked.families.items()
        if family.can(operation)
    }
    chosen = list(leaders.values())
    represented = {candidate.family for candidate in chosen}
    for family, queue in queues.items():
        if family not in represented:
            chosen.extend(islice(queue.waiting, 1))
    known = {candidate.model.provider for candidate in chosen}
    chosen.extend(_newcomers(queues.values(), known))
    chosen.extend(_by_turns([queue.siblings for queue in queues.values()]))
    return tuple(chosen)


def _newcomers(queues: Iterable[_Queue], known: set[str]) -> Iterator[Candidate]:
    """By turns, the best candidate of each provider id that is not known; all become known."""
    found = True
    while found:
        found = False
        for queue in queues:
            newcomer = queue.newcomer(known)
            if newcomer is not None:
                known.add(newcomer.model.provider)
                found = True
                yield newcomer


def _by_turns(queues: Iterable[Iterable[Candidate]]) -> Iterator[Candidate]:
    """One candidate of each queue, then again, until all are empty."""
    for turn in zip_longest(*queues):
        yield from (candidate for candidate in turn if candidate is not None)


_ranked = Memo(_rank)
_arranged = Memo(_arrange)

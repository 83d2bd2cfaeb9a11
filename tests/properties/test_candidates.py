"""Laws of the order of candidates, and of demoting the cooling ones."""

from itertools import zip_longest

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.failures import failures
from native_web_search.adapters.testing.strategies.models import candidates, model_sets
from native_web_search.domain.candidates import demote, order
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.cooldown import BASE_SECONDS, Failed, Ledger
from native_web_search.domain.family import Candidate, Family, Operation, candidate_of
from native_web_search.domain.ranking import preference_key

operations = st.sampled_from(Operation)
leaders = st.none() | candidates()
# Models of the second provider id live at the first: some provider ids have several models.
few_providers = model_sets().map(lambda models: _unique(tuple(map(_moved, models))))


def _moved(model: ChatModel) -> ChatModel:
    moves = {"xai": "openai", "vercel-ai-gateway": "anthropic"}
    return evolve(model, provider=moves.get(model.provider, model.provider))


def _unique(models: tuple[ChatModel, ...]) -> tuple[ChatModel, ...]:
    return tuple({(m.provider, m.id, m.base_url, m.api): m for m in models}.values())


def _able(available: tuple[ChatModel, ...], operation: Operation) -> list[Candidate]:
    found = [candidate for model in available if (candidate := candidate_of(model)) is not None]
    return [candidate for candidate in found if candidate.can(operation)]


def _provider(candidate: Candidate) -> str:
    return candidate.model.provider


def _naive(
    current: Candidate | None,
    remembered: Candidate | None,
    available: tuple[ChatModel, ...],
    operation: Operation,
) -> list[Candidate]:
    """The rules taken literally, one after the other, with no thought of speed."""
    leaders = [c for c in (current, remembered) if c is not None and c.can(operation)]
    chosen = _without_repeats(leaders)
    others = [each for each in _able(available, operation) if not _among(chosen, each)]
    ranked = sorted(others, key=preference_key)
    families = [[each for each in ranked if each.family is family] for family in Family]
    represented = {each.family for each in chosen}
    heads = [members[0] for members in families if members]
    chosen += [head for head in heads if head.family not in represented]
    families = [[m for m in members if not _among(chosen, m)] for members in families]
    chosen += _naive_newcomers({_provider(each) for each in chosen}, families)
    siblings = [[m for m in members if not _among(chosen, m)] for members in families]
    return chosen + [each for turn in zip_longest(*siblings) for each in turn if each is not None]


def _naive_newcomers(known: set[str], families: list[list[Candidate]]) -> list[Candidate]:
    newcomers: list[Candidate] = []
    while True:
        before = len(newcomers)
        for members in families:
            for newcomer in [each for each in members if _provider(each) not in known][:1]:
                known.add(_provider(newcomer))
                newcomers.append(newcomer)
        if len(newcomers) == before:
            return newcomers


def _among(chosen: list[Candidate], candidate: Candidate) -> bool:
    return any(preference_key(candidate) == preference_key(each) for each in chosen)


def _without_repeats(leaders: list[Candidate]) -> list[Candidate]:
    return [each for at, each in enumerate(leaders) if not _among(leaders[:at], each)]


class TestEveryoneOnce:
    """Every candidate that can do the operation comes once, and nobody else."""

    @pytest.mark.rule("candidates.6")
    @given(few_providers, operations)
    def test_it_is_a_permutation_of_the_able(
        self, available: tuple[ChatModel, ...], operation: Operation
    ) -> None:
        """Without a current and a remembered candidate the order holds exactly the able ones."""
        found = order(None, None, available, operation)

        assert sorted(found, key=preference_key) == sorted(
            _able(available, operation), key=preference_key
        )

    @pytest.mark.rule("candidates.6", "candidates.7")
    @given(leaders, leaders, few_providers, operations, st.data())
    def test_leaders_are_added_if_they_can(
        self,
        current: Candidate | None,
        remembered: Candidate | None,
        available: tuple[ChatModel, ...],
        operation: Operation,
        data: st.DataObject,
    ) -> None:
        """Current and remembered candidates join, listed or not, and nobody comes twice."""
        able = _able(available, operation)
        current = data.draw(st.sampled_from([current, *able]))
        wanted = [c for c in (current, remembered) if c is not None and c.can(operation)]

        found = order(current, remembered, available, operation)

        keys = [preference_key(candidate) for candidate in found]
        assert len(set(keys)) == len(keys)
        assert set(keys) == {preference_key(candidate) for candidate in (*able, *wanted)}


class TestTheCatalogueHasNoSay:
    """The order of the registry makes no difference."""

    @pytest.mark.rule("candidates.7")
    @given(leaders, leaders, few_providers, operations, st.data())
    def test_any_shuffle_gives_the_same_order(
        self,
        current: Candidate | None,
        remembered: Candidate | None,
        available: tuple[ChatModel, ...],
        operation: Operation,
        data: st.DataObject,
    ) -> None:
        """However the models are listed, they come in one order."""
        shuffled = tuple(data.draw(st.permutations(available)))

        assert order(current, remembered, shuffled, operation) == order(
            current, remembered, available, operation
        )


class TestTheStepsOfTheOrder:
    """Current, remembered, family heads, new provider ids by turns, siblings by turns."""

    @pytest.mark.rule("candidates.1")
    @given(candidates(), leaders, few_providers, operations)
    def test_the_current_model_leads_if_it_can(
        self,
        current: Candidate,
        remembered: Candidate | None,
        available: tuple[ChatModel, ...],
        operation: Operation,
    ) -> None:
        """A current model that can do the operation comes first."""
        found = order(current, remembered, available, operation)

        if current.can(operation):
            assert found[0] == current
        elif remembered is not None and remembered.can(operation):
            assert found[0] == remembered

    @pytest.mark.rule("candidates.3")
    @given(few_providers, operations)
    def test_families_lead_in_their_order(
        self, available: tuple[ChatModel, ...], operation: Operation
    ) -> None:
        """Without leaders the first candidates are the best of each family, in family order."""
        able = _able(available, operation)
        heads = [
            min((each for each in able if each.family is family), key=preference_key)
            for family in Family
            if any(each.family is family for each in able)
        ]

        assert list(order(None, None, available, operation)[: len(heads)]) == heads

    @pytest.mark.rule("candidates.4")
    @given(few_providers, operations)
    def test_every_provider_id_comes_before_any_sibling(
        self, available: tuple[ChatModel, ...], operation: Operation
    ) -> None:
        """Behind the family heads no provider id comes twice before all have come once."""
        found = order(None, None, available, operation)
        heads = len({candidate.family for candidate in found})
        seen = {_provider(candidate) for candidate in found[:heads]}
        new = [_provider(candidate) not in seen for candidate in found[heads:]]

        # Once a known provider id appears behind the heads, no unknown one follows.
        for at, candidate in enumerate(found[heads:]):
            new[at] = _provider(candidate) not in seen
            seen.add(_provider(candidate))
        assert new == sorted(new, reverse=True)

    @pytest.mark.rule(
        "candidates.1", "candidates.2", "candidates.3", "candidates.4", "candidates.5"
    )
    @given(leaders, leaders, few_providers, operations)
    def test_it_is_what_the_rules_say(
        self,
        current: Candidate | None,
        remembered: Candidate | None,
        available: tuple[ChatModel, ...],
        operation: Operation,
    ) -> None:
        """The order equals that of a slow program that takes the rules literally."""
        expected = _naive(current, remembered, available, operation)

        assert list(order(current, remembered, available, operation)) == expected


class TestDemoting:
    """Cooling candidates stand behind healthy ones; nothing else changes."""

    @pytest.mark.rule("candidates.9")
    @given(few_providers, operations, st.data())
    def test_it_is_a_stable_partition(
        self, available: tuple[ChatModel, ...], operation: Operation, data: st.DataObject
    ) -> None:
        """Healthy ones, then cooling ones, either in the order they had, nobody dropped."""
        found = order(None, None, available, operation)
        ledger = Ledger()
        for victim in data.draw(st.lists(st.sampled_from(found), max_size=4)) if found else []:
            failed = Failed(
                data.draw(operations), victim.model.provider, victim.model.id, data.draw(failures())
            )
            ledger = ledger.after(failed, data.draw(st.floats(0, 100)), BASE_SECONDS)
        now = data.draw(st.floats(0, 300))

        def cools(candidate: Candidate) -> bool:
            model = candidate.model
            return ledger.remaining(operation, model.provider, model.id, now) > 0

        demoted = demote(found, ledger, operation, now)

        healthy = [candidate for candidate in found if not cools(candidate)]
        assert list(demoted) == healthy + [candidate for candidate in found if cools(candidate)]

    @pytest.mark.rule("candidates.10")
    @given(few_providers, operations, st.floats(0, 1e9))
    def test_an_empty_ledger_changes_nothing(
        self, available: tuple[ChatModel, ...], operation: Operation, now: float
    ) -> None:
        """When nobody has failed, the order is the very same object."""
        found = order(None, None, available, operation)

        assert demote(found, Ledger(), operation, now) is found

"""Laws of the remembered preferences."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.arguments import json_values
from native_web_search.adapters.testing.strategies.models import (
    candidates,
    model_ids,
    model_sets,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.preference import (
    Preference,
    Preferences,
    is_foreign,
    plain_preferences,
    preferences_from,
    remembered,
    updated,
)
from native_web_search.domain.ranking import preference_key

operations = st.sampled_from(Operation)
fingerprints = st.sampled_from(["0" * 32, "f" * 32])
providers = st.sampled_from(["openai", "google", "opencode", "nobody"]) | st.text(max_size=4)
preference = st.builds(Preference, providers, model_ids())
preferences = st.builds(
    Preferences, st.none() | fingerprints, st.none() | preference, st.none() | preference
)


class TestThePlainForm:
    """The written form gives back what was written, and nothing on disk upsets the reader."""

    @pytest.mark.rule("preference.8")
    @given(preferences)
    def test_a_round_trip_through_json(self, known: Preferences) -> None:
        """What was written as JSON is read back, and is ours."""
        plain: object = json.loads(json.dumps(plain_preferences(known)))

        assert preferences_from(plain) == known
        assert not is_foreign(plain)

    @pytest.mark.rule("preference.9", "preference.10")
    @given(
        st.fixed_dictionaries(
            {"version": st.just(1) | json_values()},
            optional=dict.fromkeys(("fingerprint", "search", "fetch"), json_values()),
        )
        | json_values()
    )
    def test_any_json_is_read(self, plain: object) -> None:
        """Any JSON value gives preferences; what is foreign gives none."""
        known = preferences_from(plain)

        if is_foreign(plain):
            assert known == Preferences()
        assert preferences_from(plain_preferences(known)) == known


class TestRemembering:
    """A preference holds under its fingerprint, for available models of its provider id."""

    @pytest.mark.rule("preference.1", "preference.3", "preference.4")
    @given(model_sets(), fingerprints, operations, st.data())
    def test_what_is_remembered_is_available_and_able(
        self,
        available: tuple[ChatModel, ...],
        stamp: str,
        operation: Operation,
        data: st.DataObject,
    ) -> None:
        """The very model if it is there and able, else the best able one of its provider id."""
        names = [Preference(model.provider, model.id) for model in available]
        wanted = data.draw(st.sampled_from(names) if names else preference)

        found = remembered(Preferences(stamp, wanted, wanted), stamp, available, operation)

        able = [
            candidate
            for model in available
            if model.provider == wanted.provider
            and (candidate := candidate_of(model)) is not None
            and candidate.can(operation)
        ]
        exact = [candidate for candidate in able if candidate.model.id == wanted.model]
        assert found == min(exact or able, key=preference_key, default=None)

    @pytest.mark.rule("preference.2")
    @given(preferences, model_sets(), operations)
    def test_another_fingerprint_hides_everything(
        self, known: Preferences, available: tuple[ChatModel, ...], operation: Operation
    ) -> None:
        """Under a fingerprint that was never seen nothing is remembered."""
        assert remembered(known, "1" * 32, available, operation) is None


class TestUpdating:
    """A success is recorded; what it did not verify survives under the same fingerprint only."""

    @pytest.mark.rule("preference.5", "preference.6", "preference.7")
    @given(preferences, fingerprints, st.dictionaries(operations, candidates()))
    def test_served_operations_are_recorded(
        self, known: Preferences, stamp: str, served: dict[Operation, Candidate]
    ) -> None:
        """Each operation holds who served it, else what was known, else nothing."""
        after = updated(known, stamp, served)

        if not served:
            assert after == known
            return
        assert after.fingerprint == stamp
        for operation in Operation:
            if operation in served:
                model = served[operation].model
                assert after.of(operation) == Preference(model.provider, model.id)
            elif known.fingerprint == stamp:
                assert after.of(operation) == known.of(operation)
            else:
                assert after.of(operation) is None

    @pytest.mark.rule("preference.1", "preference.5")
    @given(fingerprints, candidates(), operations)
    def test_what_was_recorded_is_remembered(
        self, stamp: str, candidate: Candidate, operation: Operation
    ) -> None:
        """Who served an operation is found again as long as nothing changes."""
        after = updated(Preferences(), stamp, {operation: candidate})
        found = remembered(after, stamp, (candidate.model,), operation)

        assert found == (candidate if candidate.can(operation) else None)

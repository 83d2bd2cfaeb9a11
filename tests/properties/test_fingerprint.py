"""Laws of the fingerprint."""

import re

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.models import chat_models, model_sets
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.fingerprint import fingerprint


class TestItNamesTheSet:
    """Equal sets of names have equal fingerprints, different sets different ones."""

    @pytest.mark.rule("fingerprint.1")
    @given(model_sets())
    def test_it_is_32_hex_digits(self, available: tuple[ChatModel, ...]) -> None:
        """Whatever the models, it has 32 lower-case hex digits."""
        assert re.fullmatch("[0-9a-f]{32}", fingerprint(available))

    @pytest.mark.rule("fingerprint.2")
    @given(model_sets(), st.data())
    def test_order_does_not_matter(
        self, available: tuple[ChatModel, ...], data: st.DataObject
    ) -> None:
        """A registry may list its models in any order, and in any iterable."""
        shuffled = data.draw(st.permutations(available))

        assert fingerprint(iter(shuffled)) == fingerprint(available)

    @pytest.mark.rule("fingerprint.3")
    @given(model_sets(max_size=5), model_sets(max_size=5))
    def test_it_changes_with_every_name(
        self, one: tuple[ChatModel, ...], other: tuple[ChatModel, ...]
    ) -> None:
        """Two sets have one fingerprint only if they have the same names, line by line."""
        names = ["\n".join(sorted({model.key for model in models})) for models in (one, other)]

        assert (fingerprint(one) == fingerprint(other)) == (names[0] == names[1])

    @pytest.mark.rule("fingerprint.3")
    @given(model_sets(), chat_models())
    def test_one_more_model_changes_it(
        self, available: tuple[ChatModel, ...], new: ChatModel
    ) -> None:
        """A login that adds a model is noticed."""
        new = evolve(new, provider=f"new {new.provider}")

        assert fingerprint((*available, new)) != fingerprint(available)

    @pytest.mark.rule("fingerprint.4")
    @given(chat_models(), chat_models())
    def test_nothing_but_the_name_matters(self, model: ChatModel, other: ChatModel) -> None:
        """Api, headers, switches and limits of a model leave it as it is."""
        changed = evolve(other, provider=model.provider, id=model.id, base_url=model.base_url)

        assert fingerprint([changed]) == fingerprint([model])

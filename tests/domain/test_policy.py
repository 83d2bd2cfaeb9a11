"""Whom a fallback policy lets in."""

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.policy import CurrentOnly, Everyone, Only, permitted

A1, A2 = ChatModel("a", "1"), ChatModel("a", "2")
B, C = ChatModel("b", "1"), ChatModel("c", "1")
ALL = (A1, B, A2, C)


@pytest.mark.rule("policy.1")
def test_everyone() -> None:
    """Without a restriction all available models may be used, as they are."""
    assert permitted(Everyone(), A1, ALL) is ALL
    assert permitted(Everyone(), None, ALL) is ALL


@pytest.mark.rule("policy.2")
def test_current_only() -> None:
    """The current model's provider id remains, with all its models; without one, nobody."""
    assert permitted(CurrentOnly(), A2, ALL) == (A1, A2)
    assert permitted(CurrentOnly(), ChatModel("d", "1"), ALL) == ()
    assert permitted(CurrentOnly(), None, ALL) == ()


@pytest.mark.rule("policy.3")
def test_only_these() -> None:
    """The named provider ids remain, and the current model's."""
    assert permitted(Only(frozenset({"b"})), None, ALL) == (B,)
    assert permitted(Only(frozenset({"b", "c"})), A1, ALL) == ALL
    assert permitted(Only(frozenset()), C, ALL) == (C,)


@pytest.mark.rule("policy.4")
def test_ids_are_compared_exactly() -> None:
    """A provider id in another case is another provider."""
    assert permitted(Only(frozenset({"B", "b "})), None, ALL) == ()

"""Whom a call may ask beside the current model: other providers cost their user money."""

from typing import TypeAlias, assert_never

from attrs import frozen

from native_web_search.domain.chat_model import ChatModel


@frozen
class Everyone:
    """Any authenticated provider."""


@frozen
class CurrentOnly:
    """The current model's provider alone; without a current model nobody."""


@frozen
class Only:
    """These provider ids, and the current model's."""

    providers: frozenset[str]


FallbackPolicy: TypeAlias = Everyone | CurrentOnly | Only


def permitted(
    policy: FallbackPolicy, current: ChatModel | None, available: tuple[ChatModel, ...]
) -> tuple[ChatModel, ...]:
    """The available models that may be used; the same object if all may."""
    own = frozenset() if current is None else frozenset({current.provider})
    match policy:
        case Everyone():
            return available
        case CurrentOnly():
            allowed = own
        case Only(providers):
            allowed = providers | own
        case _:
            assert_never(policy)
    return tuple(model for model in available if model.provider in allowed)

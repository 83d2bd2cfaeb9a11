"""Which providers a call may go to besides the current model's: they can cost money."""

from typing import TypeAlias, assert_never

from attrs import frozen

from native_web_search.domain.chat_model import ChatModel


@frozen
class Everyone:
    """Every available provider."""


@frozen
class CurrentOnly:
    """The current model's provider and no other."""


@frozen
class Only:
    """These provider ids, and the current model's."""

    providers: frozenset[str]


FallbackPolicy: TypeAlias = Everyone | CurrentOnly | Only


def permitted(
    policy: FallbackPolicy, current: ChatModel | None, available: tuple[ChatModel, ...]
) -> tuple[ChatModel, ...]:
    """The available models that may be used, in the order given. The current one always may."""
    own = frozenset[str]() if current is None else frozenset({current.provider})
    match policy:
        case Everyone():
            return available
        case CurrentOnly():
            providers = own
        case Only(named):
            providers = named | own
        case _:
            assert_never(policy)
    return tuple(model for model in available if model.provider in providers)

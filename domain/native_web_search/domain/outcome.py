"""How a step that can fail says what came of it."""

from typing import TypeAlias, TypeVar

from returns.result import Failure, Success

T = TypeVar("T")
E = TypeVar("E")

# A union, not `Result[T, E]`: a `match` on the union is exhaustive in every checker, and one on
# `Result` binds `Any`.
Outcome: TypeAlias = Success[T] | Failure[E]

__all__ = ["Failure", "Outcome", "Success"]

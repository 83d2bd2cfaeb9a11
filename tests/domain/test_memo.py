"""Recalling results of large arguments."""

from attrs import define, field

from native_web_search.domain.memo import KEPT, Memo


@define
class Counting:
    """A function that notes its arguments."""

    asked: list[tuple[int, ...]] = field(factory=list)

    def __call__(self, numbers: tuple[int, ...]) -> list[int]:
        self.asked.append(numbers)
        return list(numbers)


def test_the_same_argument_is_computed_once() -> None:
    """A second call with the same object gives the very same result."""
    function = Counting()
    memo = Memo(function)
    numbers = (1, 2)

    assert memo(numbers) is memo(numbers)
    assert function.asked == [(1, 2)]


def test_an_equal_argument_is_computed_once() -> None:
    """An equal object is recognised too."""
    function = Counting()
    memo = Memo(function)

    assert memo((1, *range(2))) is memo((1, *range(2)))
    assert function.asked == [(1, 0, 1)]


def test_another_argument_is_computed() -> None:
    """What differs is computed, and does not push out what is known."""
    function = Counting()
    memo = Memo(function)

    assert (memo((1,)), memo((2,)), memo((1,))) == ([1], [2], [1])
    assert function.asked == [(1,), (2,)]


def test_only_the_last_few_are_kept() -> None:
    """The result asked for least lately is forgotten first."""
    function = Counting()
    memo = Memo(function)
    for number in range(KEPT):
        memo((number,))

    memo((0, *()))
    memo((KEPT,))

    memo((0,))
    assert len(function.asked) == KEPT + 1
    memo((1,))
    assert function.asked[-1] == (1,)
    assert len(function.asked) == KEPT + 2


def test_equal_arguments_take_one_place() -> None:
    """However often an equal object is made anew, nothing else is pushed out."""
    function = Counting()
    memo = Memo(function)
    memo((1,))

    for _ in range(2 * KEPT):
        memo((2, *range(1)))

    memo((1,))
    assert function.asked == [(1,), (2, 0)]

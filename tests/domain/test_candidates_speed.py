"""Ordering ten thousand models takes no longer than it must.

Times are those of this process's own work, the best of several runs, without garbage collection,
so that a busy machine does not decide. They are compared with each other, never with a clock.
"""

import gc
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest
from attrs import evolve

from native_web_search.domain.candidates import order
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Operation
from native_web_search.domain.fingerprint import fingerprint

pytestmark = pytest.mark.skipif(
    sys.gettrace() is not None, reason="a tracer slows down what it traces, and nothing else"
)

MANY = 10_000
ID = re.compile(r"(?:.*/)?([a-z]+)(?:-([a-z]+))?-v?([0-9]+(?:\.[0-9]+)?)?")


@pytest.fixture(autouse=True)
def _without_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def _models(count: int, tag: str) -> tuple[ChatModel, ...]:
    """Models of a hundred providers, no id twice, listed in no particular order."""
    apis = ("openai-responses", "anthropic-messages", "google-generative-ai")
    names = ("gpt-{}.{}-luna", "vendor/claude-opus-{}-{}", "gemini-{}.{}-flash", "glm-{}.{}-air")
    return tuple(
        ChatModel(
            f"provider-{at % 100}",
            names[at % 4].format(at % 9, at % 7) + f"-{tag}{at}",
            apis[at % 3],
            f"https://provider-{at % 100}.example/v1",
        )
        for at in (each * 7_919 % count for each in range(count))
    )


Work: TypeAlias = Callable[[tuple[ChatModel, ...]], object]


def _seconds(work: Work, models: tuple[ChatModel, ...]) -> float:
    start = time.process_time()
    work(models)
    return time.process_time() - start


def _ordered(models: tuple[ChatModel, ...]) -> object:
    return order(None, None, models, Operation.SEARCH)


def _matched_and_sorted(models: tuple[ChatModel, ...]) -> object:
    def key(model: ChatModel) -> tuple[object, ...]:
        found = ID.match(model.id)
        return (found.groups("") if found else ()), model.key

    return sorted(models, key=key)


@pytest.mark.rule("candidates.8")
def test_the_first_time_costs_a_few_matches() -> None:
    """Ordering costs at most three times one match per id and one sort."""
    ours = theirs = float("inf")
    for attempt in range(12):
        models = _models(MANY, f"first{attempt}-")
        theirs = min(theirs, _seconds(_matched_and_sorted, models))
        ours = min(ours, _seconds(_ordered, models))
        if ours <= 3 * theirs:
            break

    assert ours <= 3 * theirs


@pytest.mark.rule("candidates.8")
def test_it_grows_little_faster_than_the_set() -> None:
    """Ten times the models take little more than ten times as long."""
    few = min(_seconds(_ordered, _models(MANY // 10, f"few{each}-")) for each in range(5))
    many = min(_seconds(_ordered, _models(MANY, f"many{each}-")) for each in range(3))

    assert many <= 25 * few


@pytest.mark.rule("candidates.8")
def test_the_next_time_costs_next_to_nothing() -> None:
    """While the registry returns the same models, in whatever tuple, the order is recalled."""
    models = _models(MANY, "next")
    first = _seconds(_ordered, models)

    again = min(_seconds(_ordered, models) for _ in range(5))
    another_tuple = min(_seconds(_ordered, (*models[:1], *models[1:])) for _ in range(5))

    assert again <= first / 100
    assert another_tuple <= first / 20


@pytest.mark.rule("candidates.8")
def test_equal_models_are_recognised() -> None:
    """A registry may make its models anew; from the second time on they are the known ones."""
    models = _models(MANY, "equal")
    _ordered(models)
    copies = tuple(evolve(model) for model in models)

    assert _ordered(copies) is _ordered(models)


@pytest.mark.rule("fingerprint.6")
def test_the_fingerprint_is_recalled() -> None:
    """The digest of the same models is not computed again."""
    models = _models(MANY, "digest")
    first = _seconds(fingerprint, models)

    assert min(_seconds(fingerprint, models) for _ in range(5)) <= first / 20

"""What it costs to put thousands of models in order, the first time and ever after.

The reference is the least that anybody would do: one regular-expression match for each id, and
one sort.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from benchmarks.measure import Measure
from benchmarks.sides import Pair, Taken, side, taken
from native_web_search.domain.candidates import order
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation

ID = re.compile(r"(?:.*/)?([a-z]+)(?:-([a-z]+))?-v?([0-9]+(?:\.[0-9]+)?)?")

APIS = ("openai-responses", "anthropic-messages", "google-generative-ai")
NAMES = ("gpt-{}.{}-luna", "vendor/claude-opus-{}-{}", "gemini-{}.{}-flash", "glm-{}.{}-air")
PROVIDERS = 100
STEP = 7_919  # a prime: the models come in no particular order

N_LOG_N = 1.15  # what n log n looks like as a power, between 1 000 and 10 000


def _models(many: int, tag: int) -> tuple[ChatModel, ...]:
    """Models of a hundred providers, no id twice; with another tag, none of the same ids."""
    return tuple(
        ChatModel(
            f"provider-{at % PROVIDERS}",
            NAMES[at % 4].format(at % 9, at % 7) + f"-{tag}x{at}",
            APIS[at % 3],
            f"https://provider-{at % PROVIDERS}.example/v1",
        )
        for at in (each * STEP % many for each in range(many))
    )


def _ordered(models: tuple[ChatModel, ...]) -> tuple[Candidate, ...]:
    return order(None, None, models, Operation.SEARCH)


def _matched_and_sorted(models: tuple[ChatModel, ...]) -> list[ChatModel]:
    def key(model: ChatModel) -> tuple[object, ...]:
        found = ID.match(model.id)
        return (found.groups("") if found else ()), model.key

    return sorted(models, key=key)


@contextmanager
def _first_time(many: int) -> Iterator[Pair]:
    tags = count()

    def ours() -> Taken:
        models = _models(many, next(tags))  # never seen before
        return taken(lambda: _ordered(models), len)

    models = _models(many, next(tags))
    yield Pair(ours, side(lambda: _matched_and_sorted(models), len))


@contextmanager
def _next_time(many: int) -> Iterator[Pair]:
    models = _models(many, 0)
    _ordered(models)

    def ours() -> Taken:
        again = (*models[:1], *models[1:])  # equal, but not the same tuple
        return taken(lambda: _ordered(again), len)

    yield Pair(ours, side(lambda: _matched_and_sorted(models), len))


AGAINST = "a match per id and sorted()"
SIZES = (1_000, 3_000, 10_000)

MEASURES = (
    Measure(
        "ordering",
        "ordering 10 000 models, the first time",
        AGAINST,
        _first_time,
        SIZES,
        "models",
        target=3.0,
        growth=N_LOG_N,
    ),
    Measure(
        "ordering-again",
        "ordering the same 10 000 models again",
        AGAINST,
        _next_time,
        SIZES,
        "models",
        target=0.02,
    ),
)

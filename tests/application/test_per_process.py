"""What is made anew in each process."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from native_web_search.application.per_process import PerProcess


@pytest.mark.rule("blocking.6")
def test_a_process_has_one_value() -> None:
    """Whoever asks gets the same, threads that ask at once included."""
    together = Barrier(8)

    def make() -> object:
        together.wait(10)
        return object()

    values = PerProcess(make)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: values.here(), range(8)))
    assert len(set(made)) == 1
    assert values.here() is made[0]


@pytest.mark.rule("blocking.6")
def test_another_process_has_another_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent's is kept, and is not the child's."""
    values = PerProcess(object)
    parents = values.here()
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        assert values.here() is not parents
        assert values.here() is values.here()
    assert values.here() is parents

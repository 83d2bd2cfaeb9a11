"""What fuzzing has found is replayed with every run of the tests, without its engine."""

import pytest

from fuzz.targets import CORPUS, TARGETS, Target

MOST_FILES = 60  # of a target: more would be searched by nobody
MOST_BYTES = 96 * 1024

by_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@pytest.mark.rule("fuzz.1")
@by_target
def test_every_kept_input_holds(target: Target) -> None:
    """No input of the corpus, no recorded answer and no emptiness breaks the promise."""
    inputs = [path.read_bytes() for path in (*target.corpus.glob("*"), *target.recordings)]
    assert inputs
    for data in (b"", *inputs):
        target.holds(data)


@pytest.mark.rule("fuzz.2")
@by_target
def test_the_corpus_is_small(target: Target) -> None:
    """It is distilled and not merely collected."""
    sizes = [path.stat().st_size for path in target.corpus.glob("*")]
    assert len(sizes) <= MOST_FILES
    assert sum(sizes) <= MOST_BYTES


@pytest.mark.rule("fuzz.2")
def test_the_corpus_belongs_to_targets() -> None:
    """No folder is left behind by a target that is gone."""
    assert {path.name for path in CORPUS.iterdir()} <= {target.name for target in TARGETS}

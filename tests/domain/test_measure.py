"""Telling short values from long ones."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.documents import all_documents, plain_texts
from native_web_search.domain.json_text import written
from native_web_search.domain.measure import Measure, surely_longer

ENOUGH = 10**9


@pytest.mark.rule("guard.24")
@pytest.mark.parametrize(
    ("value", "cap"),
    [
        ("x" * 11, 10),
        ([0] * 6, 11),
        ({str(n): 0 for n in range(3)}, 14),
        ({"a": {"b": ["x" * 200]}}, 100),
        ([["x" * 30], ["x" * 30]], 50),
    ],
)
def test_what_counting_shows_to_be_longer_is_not_written(value: object, cap: int) -> None:
    """Entries, fields and characters are counted level by level."""
    assert surely_longer(value, cap)


@pytest.mark.rule("guard.24")
def test_counting_stops_where_the_cap_is_passed() -> None:
    """However much there is, the counting ends."""
    endless: list[object] = ["x" * 10]
    endless.append(endless)
    assert surely_longer(endless, 1_000)


@pytest.mark.rule("guard.5")
class TestSurelyLonger:
    """A yes of `surely_longer` is true."""

    @given(all_documents() | st.lists(plain_texts(), max_size=3))
    def test_nothing_that_fits_is_taken_for_longer(self, document: object) -> None:
        """A document is not surely longer than its very length."""
        assert not surely_longer(document, len(written(document, ENOUGH) or ""))


@pytest.mark.rule("guard.24")
class TestMeasure:
    """A measure gives the same texts as writing does, whatever it has seen before."""

    @given(all_documents(), st.lists(st.integers(-1, 2_000), min_size=1, max_size=4))
    def test_measured_text_is_written_text(self, document: object, caps: list[int]) -> None:
        """For the document and for everything in it, with rising and falling caps."""
        measure = Measure()
        nodes = [document]
        for node in nodes[:200]:
            for cap in caps:
                assert measure.text(node, cap) == written(node, cap)
            nodes += children(node)


def children(node: object) -> list[object]:
    """The values right inside of a value."""
    if isinstance(node, dict):
        return list(node.values())
    return list(node) if isinstance(node, list | tuple) else []


@pytest.mark.rule("guard.24")
def test_a_chain_is_not_read_anew_from_every_link() -> None:
    """What was found out about the inner containers of a long one is remembered."""
    reads = 0

    class Counted(list[object]):
        def __iter__(self) -> Iterator[object]:
            nonlocal reads
            reads += 1
            return super().__iter__()

    links = [Counted()]
    for _ in range(1_000):
        links.append(Counted([links[-1]]))
    measure = Measure()
    short = next(link for link in reversed(links) if measure.text(link, 256) is not None)
    assert links.index(short) == 127
    assert reads < 5 * len(links)


@pytest.mark.rule("guard.24")
def test_an_object_of_many_short_fields_is_measured_exactly() -> None:
    """What is dismissed at a glance is longer indeed."""
    value = {chr(code): 0 for code in range(97, 123)}
    length = len(written(value, ENOUGH) or "")
    assert Measure().text(value, length) == written(value, ENOUGH)
    assert Measure().text(value, length - 1) is None
    assert Measure().text(value, 60) is None

"""Every status from 300 to 599 from every provider class, over real sockets."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import pytest

from tests.matrix.conftest import PASSED, TRIED
from tests.matrix.faults import End
from tests.matrix.statuses import FIRST, LAST, end_of, status_says
from tests.matrix.together import ROWS, Asked, Row, each, together
from tests.matrix.verdict import words

Record = Callable[[str, object], None]

HUNDREDS = tuple(range(FIRST, LAST, 100))


@pytest.mark.full
@pytest.mark.parametrize("first", HUNDREDS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_every_status_ends_as_it_must(row: Row, first: int, record_property: Record) -> None:
    """Each provider's scope, who cools after the call, and the words are right for each status."""
    cases = tuple(map(str, range(first, first + 100)))
    async with together(row, status_says) as stage:
        asked = await each(stage, cases)
    wrong = [list(complaints(row, int(case), one)) for case, one in zip(cases, asked, strict=True)]
    record_property(TRIED, len(row.places) * len(cases))
    record_property(PASSED, len(row.places) * sum(not one for one in wrong))
    assert [line for lines in wrong for line in lines] == []


def complaints(row: Row, status: int, asked: Asked) -> Iterator[str]:
    """What is wrong with how a call went in which everybody but the last has this status."""
    attempts = cast("list[Mapping[str, Any]]", asked.result.details["attempts"])
    outcomes = {one["provider"]: one["outcome"] for one in attempts}
    ends = {place.provider: end_of(place, row.operation, status) for place in row.places}
    assert row.well is not None
    expected = {provider: _outcome(end) for provider, end in ends.items()}
    expected[row.well.provider] = "success"
    if outcomes != expected or len(attempts) != len(expected):
        yield f"{status}: {outcomes}"
    if attempts[-1]["provider"] != row.well.provider:
        yield f"{status}: the healthy one was not asked last"
    cooling = {(row.operation, provider, None) for provider, end in ends.items() if end is P}
    if set(asked.ledger.cooldowns) != cooling:
        yield f"{status}: cooling are {set(asked.ledger.cooldowns)}"
    for one in attempts[:-1]:
        yield from (f"{status}: {wrong}" for wrong in words(one.get("message")))


P = End.PROVIDER


def _outcome(end: End) -> str:
    return "request" if end is End.URL else end.value

"""Every provider class, every operation, every fault: whole calls over real sockets."""

import asyncio
import gc
import logging
import ssl
from collections.abc import Callable

import pytest

from native_web_search.adapters.providers.table import CODECS, codec_of
from native_web_search.domain.family import Dialect, Family
from tests.matrix.conftest import PASSED, TRIED
from tests.matrix.kinds import MATRIX, PATIENCE, Cell, faults_of, name_of
from tests.matrix.places import PLACES
from tests.matrix.stage import PATIENCE as USUAL_PATIENCE
from tests.matrix.stage import Stage, every, staged
from tests.matrix.verdict import complaints, leaks

Record = Callable[[str, object], None]


@pytest.mark.rule("faults.1", "faults.2", "faults.3", "faults.4")
@pytest.mark.parametrize("cell", MATRIX, ids=name_of)
async def test_every_fault_ends_as_it_must(
    cell: Cell,
    stranger: ssl.SSLContext,
    caplog: pytest.LogCaptureFixture,
    record_property: Record,
) -> None:
    """Scope, next candidate, cooldowns, words, secrets and leftovers are right for each case."""
    place, operation, kind = cell
    caplog.set_level(logging.DEBUG)
    faults = faults_of(cell)
    tasks = asyncio.all_tasks()
    async with staged(place, operation, stranger, PATIENCE.get(kind, USUAL_PATIENCE)) as stage:
        wrong = await every(stage, faults, complaints)
        parts = repr(stage.tool("http://127.0.0.1:1"))
        await stage.transport.aclose()
        wrong.append(await leftovers(stage))
    record_property(TRIED, len(faults))
    record_property(PASSED, sum(not each for each in wrong[:-1]))
    wrong.append(list(leaks(place, "\n".join([parts, *logged(caplog)]))))
    gc.collect(1)  # what was left open says so now
    assert [line for lines in wrong for line in lines] == []
    assert asyncio.all_tasks() == tasks


async def leftovers(stage: Stage) -> list[str]:
    """Connections that did not end, and what another host has heard."""
    ended = [await server.idle(within=10) for server in stage.servers]
    found = [] if all(ended) else [f"open connections: {stage.open}"]
    found += [f"a redirect was followed: {request.line!r}" for request in stage.strays]
    requests = [request for server in stage.servers for request in server.requests]
    if any(request.header(b"cookie") is not None for request in requests):
        found.append("a cookie was sent")
    return found


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records]


def test_every_case_has_a_name_of_its_own() -> None:
    """Inside a cell no two cases are called alike, so that a failure names one."""
    for cell in MATRIX:
        names = [fault.name for fault in faults_of(cell)]
        assert sorted(set(names)) == sorted(names), name_of(cell)


def test_every_interface_has_a_place() -> None:
    """A new codec enters the matrix; Grok at others is its neighbour with another request."""
    grok_elsewhere = {(Family.XAI, dialect) for dialect in Dialect if dialect is not Dialect.NATIVE}
    wanted = {codec for key, codec in CODECS.items() if key not in grok_elsewhere}
    assert {codec_of(place.candidate()) for place in PLACES} == wanted

"""The kinds of faults: each a table of cases for any cell of the matrix."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from native_web_search.domain.family import Operation
from tests.matrix.bodies import bodies, odd_bodies
from tests.matrix.documented import documented
from tests.matrix.echoes import echoes
from tests.matrix.faults import Fault
from tests.matrix.network import hanging, network, tls
from tests.matrix.places import CELLS, Place
from tests.matrix.redirects import cookies, redirects
from tests.matrix.sizes import large, packed, packed_errors
from tests.matrix.statuses import odd_statuses

Kind: TypeAlias = Callable[[Place, Operation], Iterable[Fault]]

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "network": network,
        "tls": tls,
        "hanging": hanging,
        "documented": documented,
        "odd-statuses": odd_statuses,
        "bodies": bodies,
        "odd-bodies": odd_bodies,
        "large": large,
        "packed": packed,
        "packed-errors": packed_errors,
        "redirects": redirects,
        "cookies": cookies,
        "echoes": echoes,
    }
)
PATIENCE = {"hanging": 0.3}  # seconds for an attempt that has to be ended by the clock

Cell: TypeAlias = tuple[Place, Operation, str]

MATRIX: tuple[Cell, ...] = tuple((*cell, kind) for kind in KINDS for cell in CELLS)


def name_of(cell: Cell) -> str:
    """A stable name of a cell for reports."""
    place, operation, kind = cell
    return f"{kind}-{place.name}-{operation.value}"


def faults_of(cell: Cell) -> tuple[Fault, ...]:
    """All cases of a cell."""
    place, operation, kind = cell
    return tuple(KINDS[kind](place, operation))

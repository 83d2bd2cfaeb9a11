"""Hosts that do what their port forbids, and how the contract notices."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

import pytest
from attrs import define, field

from native_web_search.adapters.testing.contracts import (
    BrokenPromise,
    ToolHostContract,
    broken_promises,
)
from native_web_search.domain.exposure import ToolSpec
from native_web_search.ports.tool_host import ToolHost


@define
class Host:
    """A host as it should be."""

    tools: dict[str, ToolSpec | None] = field(factory=lambda: {"read": None, "write": None})
    active: tuple[str, ...] = ("read", "write")

    async def register(self, spec: ToolSpec) -> None:
        self.tools[spec.name] = spec

    async def active_tools(self) -> tuple[str, ...]:
        return self.active

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        self.active = tuple(name for name in self.tools if name in names)


@define
class Activates(Host):
    """Offers a tool as soon as it is registered."""

    async def register(self, spec: ToolSpec) -> None:
        await super().register(spec)
        self.active = (*self.active, spec.name)


@define
class StartsAnew(Host):
    """Takes a tool back when it is registered again."""

    async def register(self, spec: ToolSpec) -> None:
        await super().register(spec)
        self.active = tuple(name for name in self.active if name != spec.name)


@define
class KeepsTheFirst(Host):
    """Does not hear of a second form."""

    async def register(self, spec: ToolSpec) -> None:
        self.tools.setdefault(spec.name, spec)


@define
class KeepsItsTools(Host):
    """Does not let anybody change what it offers."""

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        return


@define
class OnlyAdds(Host):
    """Takes no tool away."""

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        self.active = tuple(name for name in self.tools if name in {*names, *self.active})


@define
class Objects(Host):
    """Raises about a name that it does not know."""

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        if not self.tools.keys() >= set(names):
            raise LookupError
        await super().set_active_tools(names)


@define
class GivesUp(Host):
    """Offers nothing if it does not know a name."""

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        self.active = names if self.tools.keys() >= set(names) else ()


@define
class Lists(Host):
    """Gives a list of the names."""

    async def active_tools(self) -> tuple[str, ...]:
        return list(self.active)  # type: ignore[return-value]  # that is what is wrong with it


def contract(make: Callable[[], Host]) -> type[ToolHostContract]:
    class Contract(ToolHostContract):
        @asynccontextmanager
        async def opened(self) -> AsyncGenerator[ToolHost, None]:
            yield make()

        def schema_of(self, host: ToolHost, name: str) -> Mapping[str, object] | None:
            assert isinstance(host, Host)
            spec = host.tools.get(name)
            return None if spec is None else spec.schema

    return Contract


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Callable[[], Host], str]] = [
    (Activates, "test_registering_does_not_activate"),
    (Lists, "test_registering_does_not_activate"),
    (KeepsItsTools, "test_registering_again_does_not_deactivate"),
    (StartsAnew, "test_registering_again_does_not_deactivate"),
    (KeepsTheFirst, "test_the_tool_has_the_form_registered_last"),
    (OnlyAdds, "test_exactly_the_named_tools_are_offered"),
    (Objects, "test_an_unknown_name_does_no_harm"),
    (GivesUp, "test_an_unknown_name_does_no_harm"),
    (OnlyAdds, "test_a_second_sync_has_nothing_to_do"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("host", "test"), BROKEN)
def test_a_broken_host_fails(host: Callable[[], Host], test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(host)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each there is a host above that breaks it, and one that breaks none."""
    tests = {name for name in dir(ToolHostContract) if name.startswith("test_")}
    assert {test for _host, test in BROKEN} == tests
    assert broken_promises(contract(Host)) == {}

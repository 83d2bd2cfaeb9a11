"""What a `ToolHost` promises."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from unittest import SkipTest

from attrs import evolve

from native_web_search.adapters.testing.contracts.promise import (
    in_a_loop,
    never_raising,
    promised,
    promised_kind,
)
from native_web_search.domain.exposure import DESCRIPTION, Exposure, ToolSpec
from native_web_search.domain.exposure_sync import Register, SetActive, SyncState, plan_sync
from native_web_search.ports.tool_host import ToolHost

NAME = "web_search_under_contract"  # no host has a tool of this name
ONE = ToolSpec(NAME, DESCRIPTION, {"type": "object"}, Exposure.QUERY)
BOTH = evolve(ONE, schema={"type": "object", "properties": {}}, exposure=Exposure.QUERY_AND_URLS)

UNKNOWN = "a_tool_that_nobody_registered"


class ToolHostContract(ABC):
    """Derive from this, write `opened`, and let pytest collect the class."""

    @abstractmethod
    def opened(self) -> AbstractAsyncContextManager[ToolHost]:
        """A session of the host, with tools of its own or without; entered once a test."""

    def schema_of(self, host: ToolHost, name: str) -> Mapping[str, object] | None:
        """The schema that the model is shown of a tool; none if the tool is not known."""
        message = "this host does not say what its tools look like"
        raise SkipTest(message)

    @in_a_loop
    async def test_registering_does_not_activate(self) -> None:
        """Whether the model is offered the tool is another question, with another answer."""
        async with self.opened() as host:
            before = await _active(host)
            await _register(host, ONE)
            after = await _active(host)
            promised(after == before, "a tool that is registered is not active yet", after)

    @in_a_loop
    async def test_registering_again_does_not_deactivate(self) -> None:
        """A new form of an active tool is offered at once, in the place of the old one."""
        async with self.opened() as host:
            active = await _activated(host)
            await _register(host, BOTH)
            after = await _active(host)
            promised(after == active, "whether a tool is active stays", after)

    @in_a_loop
    async def test_the_tool_has_the_form_registered_last(self) -> None:
        """Registering replaces the tool of the same name."""
        async with self.opened() as host:
            for spec in (ONE, BOTH):
                await _register(host, spec)
                shown = self.schema_of(host, NAME)
                promised(shown == spec.schema, "registering replaces the tool", shown)

    @in_a_loop
    async def test_exactly_the_named_tools_are_offered(self) -> None:
        """A registered tool comes when it is named and goes when it is not, as often as wanted;
        the order is the host's.
        """
        async with self.opened() as host:
            before = await _active(host)
            await _register(host, ONE)
            for names in ((*before, NAME), before, (*before, NAME), (NAME,)):
                await _set_active(host, names)
                active = await _active(host)
                promised(sorted(active) == sorted(names), f"offered are exactly {names}", active)

    @in_a_loop
    async def test_an_unknown_name_does_no_harm(self) -> None:
        """It is not raised about, and the tools beside it are offered."""
        async with self.opened() as host:
            active = await _activated(host)
            await _set_active(host, (*active, UNKNOWN))
            after = await _active(host)
            promised(set(active) <= set(after), "the others are offered all the same", after)

    @in_a_loop
    async def test_a_second_sync_has_nothing_to_do(self) -> None:
        """What was told to the host is what it says of itself; prompt caches live on that."""
        async with self.opened() as host:
            state = SyncState()
            for exposure in (Exposure.QUERY, Exposure.QUERY_AND_URLS, Exposure.HIDDEN):
                state = await _synced(host, state, exposure)
                active = await _active(host)
                commands, _state = plan_sync(state, exposure, active, name=NAME)
                promised(not commands, "a sync leaves nothing to do", commands)


async def _synced(host: ToolHost, state: SyncState, exposure: Exposure) -> SyncState:
    commands, after = plan_sync(state, exposure, await _active(host), name=NAME)
    for command in commands:
        match command:
            case Register(spec):
                await _register(host, spec)
            case SetActive(names):
                await _set_active(host, names)
    return after


async def _activated(host: ToolHost) -> tuple[str, ...]:
    """The active tools once ours is one of them."""
    before = await _active(host)
    await _register(host, ONE)
    await _set_active(host, (*before, NAME))
    active = await _active(host)
    promised(NAME in active, "a registered tool is offered when it is named", active)
    return active


async def _register(host: ToolHost, spec: ToolSpec) -> None:
    with never_raising("registering does not raise"):
        await host.register(spec)


async def _active(host: ToolHost) -> tuple[str, ...]:
    with never_raising("asking for the active tools does not raise"):
        active = await host.active_tools()
    promised_kind(active, tuple, "active tools are a tuple of names")
    return active


async def _set_active(host: ToolHost, names: tuple[str, ...]) -> None:
    with never_raising("setting the active tools does not raise"):
        await host.set_active_tools(names)

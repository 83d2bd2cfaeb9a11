"""A host whose tools are pushed to it."""

from typing import Protocol

from native_web_search.domain.exposure import ToolSpec


class ToolHost(Protocol):
    """The host's registry of tools, seen by one session. All three are quick and do not raise."""

    async def register(self, spec: ToolSpec) -> None:
        """Register the tool, or replace the one of the same name; whether it is active stays."""
        ...

    async def active_tools(self) -> tuple[str, ...]:
        """The names that the model is offered now, in the host's order."""
        ...

    async def set_active_tools(self, names: tuple[str, ...]) -> None:
        """Offer exactly these."""
        ...

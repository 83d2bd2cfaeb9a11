"""Keeping a host's tools in step with the exposure, without overruling the user.

A host that is told about its tools is asked at certain moments which ones are active, and told what
to change. In between the user may have changed the set too; the difference between what we left and
what we find is the user's doing:

    we left the tool    we find it    then
    ------------------  ------------  ------------------------------------------------
    active              missing       the user took it away: an opt-out, we keep off
    away, by opt-out    active        the user gave it back: the opt-out is over
    away, being hidden  missing       nothing: our own hiding is no opt-out
    away, being hidden  active        nothing to remember: no opt-out stands

A set that the host itself has just restored (at its start, after a jump in its history) is nobody's
doing and is only corrected. An opt-out lasts as long as the state, which is one session of the
host: a new session starts from `SyncState()`, for which any active set counts as restored.

A registered tool starts inactive, and registering it anew leaves it as it is. It is registered when
its form changes and never otherwise, because hosts put tools at the head of the prompt, where a
change spoils every provider's prompt cache.
"""

from enum import Enum
from typing import TypeAlias

from attrs import frozen

from native_web_search.domain.exposure import Exposure, ToolSpec, tool_spec


@frozen
class Register:
    """Register this tool, or put it in the place of the one with its name."""

    spec: ToolSpec


@frozen
class SetActive:
    """Offer the model exactly these tools."""

    names: tuple[str, ...]


Command: TypeAlias = Register | SetActive


class Standing(Enum):
    """How the tool was left."""

    AWAY = "away"
    ACTIVE = "active"
    OPTED_OUT = "opted out"


@frozen
class SyncState:
    """What one session of a host was last told: the form registered, and how the tool was left."""

    registered: Exposure | None = None
    standing: Standing = Standing.AWAY


def plan_sync(
    state: SyncState,
    exposure: Exposure,
    active: tuple[str, ...],
    *,
    name: str,
    restored: bool = False,
) -> tuple[tuple[Command, ...], SyncState]:
    """What to tell the host, in this order, and the state once it was told.

    `active` are the tools that the host offers now. `restored` says that the host set them itself
    since the last sync. Planning again after the commands were carried out gives none.
    """
    standing = _standing(state, exposure, present=name in active, restored=restored)
    spec = None if exposure is state.registered else tool_spec(exposure, name)
    wanted = _wanted(active, name, standing)
    commands: list[Command] = []
    if spec is not None:
        commands.append(Register(spec))
    if wanted != active:
        commands.append(SetActive(wanted))
    registered = state.registered if spec is None else exposure
    return tuple(commands), SyncState(registered, standing)


def _standing(state: SyncState, exposure: Exposure, *, present: bool, restored: bool) -> Standing:
    if restored:
        opted_out = state.standing is Standing.OPTED_OUT
    else:
        opted_out = state.standing is not Standing.AWAY and not present
    if opted_out:
        return Standing.OPTED_OUT
    return Standing.AWAY if exposure is Exposure.HIDDEN else Standing.ACTIVE


def _wanted(active: tuple[str, ...], name: str, standing: Standing) -> tuple[str, ...]:
    if standing is not Standing.ACTIVE:
        return tuple(other for other in active if other != name)
    return active if name in active else (*active, name)

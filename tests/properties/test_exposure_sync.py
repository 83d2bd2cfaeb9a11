"""Exposure sync against a host with a user in front of it."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from native_web_search.domain.exposure import Exposure
from native_web_search.domain.exposure_sync import Command, Register, SyncState, plan_sync

NAME = "web_search"
exposures = st.sampled_from(Exposure)
sets = st.lists(st.sampled_from(["read", "bash", NAME]), unique=True)


class HostWithUser(RuleBasedStateMachine):
    """A host that does as it is told, and beside it what the user last decided."""

    @initialize(active=sets, exposure=exposures)
    def start_session(self, active: list[str], exposure: Exposure) -> None:
        self.state = SyncState()
        self.registered: Exposure | None = None
        self.active = active
        self.wants_it = True  # until the user says otherwise
        self.sync(exposure, restored=False)

    @rule(active=sets, exposure=exposures)
    def start_another_session(self, active: list[str], exposure: Exposure) -> None:
        self.start_session(active, exposure)

    @rule(exposure=exposures)
    def models_change(self, exposure: Exposure) -> None:
        self.sync(exposure, restored=False)

    @precondition(lambda self: NAME in self.active)
    @rule(exposure=exposures)
    def user_removes_the_tool(self, exposure: Exposure) -> None:
        self.active.remove(NAME)
        self.wants_it = False
        self.sync(exposure, restored=False)

    @precondition(lambda self: NAME not in self.active)
    @rule(exposure=exposures)
    def user_adds_the_tool(self, exposure: Exposure) -> None:
        self.active.insert(0, NAME)
        self.wants_it = True
        self.sync(exposure, restored=False)

    @rule(other=st.sampled_from(["grep", "find"]))
    def user_changes_another_tool(self, other: str) -> None:
        if other in self.active:
            self.active.remove(other)
        else:
            self.active.append(other)

    @rule(active=sets, exposure=exposures)
    def host_restores_a_set(self, active: list[str], exposure: Exposure) -> None:
        self.active = active
        self.sync(exposure, restored=True)

    def sync(self, exposure: Exposure, *, restored: bool) -> None:
        others = [name for name in self.active if name != NAME]
        self.exposure = exposure
        commands, self.state = plan_sync(
            self.state, exposure, tuple(self.active), name=NAME, restored=restored
        )
        for command in commands:
            self.carry_out(command)
        assert len(commands) == len({type(command) for command in commands})
        assert [name for name in self.active if name != NAME] == others

    def carry_out(self, command: Command) -> None:
        if isinstance(command, Register):
            assert command.spec.name == NAME
            assert command.spec.exposure is not self.registered
            self.registered = command.spec.exposure
        else:
            assert list(command.names) != self.active
            self.active = list(command.names)

    @invariant()
    def the_tool_is_active_if_it_works_and_the_user_wants_it(self) -> None:
        assert (NAME in self.active) == (self.exposure is not Exposure.HIDDEN and self.wants_it)
        assert self.active.count(NAME) <= 1

    @invariant()
    def what_is_registered_is_what_the_exposure_asks_for(self) -> None:
        assert self.exposure in {Exposure.HIDDEN, self.registered}

    @invariant()
    def planning_again_gives_no_command(self) -> None:
        for restored in (False, True):
            again = plan_sync(
                self.state, self.exposure, tuple(self.active), name=NAME, restored=restored
            )
            assert again == ((), self.state)


TestHostWithUser = pytest.mark.rule("sync.9")(pytest.mark.rule("sync.11")(HostWithUser.TestCase))

"""Keeping a host in step, one moment after the other."""

import pytest

from native_web_search.domain.exposure import Exposure, tool_spec
from native_web_search.domain.exposure_sync import (
    Command,
    Register,
    SetActive,
    Standing,
    SyncState,
    plan_sync,
)

HIDDEN, QUERY, QUERY_AND_URLS = Exposure.HIDDEN, Exposure.QUERY, Exposure.QUERY_AND_URLS
NAME = "web_search"
OTHERS = ("read", "bash")
WITH_OURS = (*OTHERS, NAME)


def _register(exposure: Exposure) -> Register:
    spec = tool_spec(exposure, NAME)
    assert spec is not None
    return Register(spec)


def _plan(
    state: SyncState, exposure: Exposure, active: tuple[str, ...], *, restored: bool = False
) -> tuple[tuple[Command, ...], SyncState]:
    return plan_sync(state, exposure, active, name=NAME, restored=restored)


SHOWN = SyncState(QUERY, Standing.ACTIVE)
OPTED_OUT = SyncState(QUERY, Standing.OPTED_OUT)


@pytest.mark.rule("sync.1")
def test_the_tool_is_registered_and_then_activated() -> None:
    """A tool that can work is registered, which leaves it off, and put behind the active ones."""
    assert _plan(SyncState(), QUERY, OTHERS) == (
        (_register(QUERY), SetActive(WITH_OURS)),
        SHOWN,
    )


@pytest.mark.rule("sync.2")
def test_nothing_changed_nothing_done() -> None:
    """The same form again gives no command: a prompt cache depends on it."""
    assert _plan(SHOWN, QUERY, WITH_OURS) == ((), SHOWN)
    assert _plan(SHOWN, QUERY, (NAME, *OTHERS)) == ((), SHOWN)


@pytest.mark.rule("sync.3")
def test_another_form_is_registered_in_place() -> None:
    """A new form replaces the old one under its name; the active set is left alone."""
    assert _plan(SHOWN, QUERY_AND_URLS, WITH_OURS) == (
        (_register(QUERY_AND_URLS),),
        SyncState(QUERY_AND_URLS, Standing.ACTIVE),
    )


@pytest.mark.rule("sync.4")
def test_hiding_takes_the_tool_out_and_nothing_else() -> None:
    """A tool that cannot work leaves the active set; the others stay, in their order."""
    assert _plan(SHOWN, HIDDEN, ("read", NAME, "bash")) == (
        (SetActive(OTHERS),),
        SyncState(QUERY, Standing.AWAY),
    )


@pytest.mark.rule("sync.4")
def test_hiding_before_anything_was_registered_does_nothing() -> None:
    """While nothing can work, the host hears nothing."""
    assert _plan(SyncState(), HIDDEN, OTHERS) == ((), SyncState())


@pytest.mark.rule("sync.5")
def test_our_own_hiding_is_no_opt_out() -> None:
    """A tool that we hid comes back as soon as it can work, without being registered anew."""
    _, hidden = _plan(SHOWN, HIDDEN, WITH_OURS)

    assert _plan(hidden, QUERY, OTHERS) == ((SetActive(WITH_OURS),), SHOWN)


@pytest.mark.rule("sync.6")
def test_a_tool_that_the_user_took_away_stays_away() -> None:
    """A name that was left active and is found missing was removed by the user."""
    commands, state = _plan(SHOWN, QUERY, OTHERS)

    assert (commands, state) == ((), OPTED_OUT)
    assert _plan(state, QUERY, OTHERS) == ((), OPTED_OUT)


@pytest.mark.rule("sync.6")
def test_an_opt_out_outlives_hiding() -> None:
    """Models come and go; what the user took away does not come back by that."""
    _, hidden = _plan(SHOWN, HIDDEN, OTHERS)

    assert hidden == OPTED_OUT
    assert _plan(hidden, QUERY, OTHERS) == ((), OPTED_OUT)


@pytest.mark.rule("sync.7")
def test_only_the_user_gives_the_tool_back() -> None:
    """A name that was left away and is found active was added by the user."""
    assert _plan(OPTED_OUT, QUERY, WITH_OURS) == ((), SHOWN)


@pytest.mark.rule("sync.7")
def test_a_tool_given_back_while_hidden_shows_up_later() -> None:
    """What the user adds while it cannot work goes away again, and returns when it can."""
    commands, state = _plan(OPTED_OUT, HIDDEN, WITH_OURS)

    assert commands == (SetActive(OTHERS),)
    assert _plan(state, QUERY, OTHERS) == ((SetActive(WITH_OURS),), SHOWN)


@pytest.mark.rule("sync.8")
def test_a_set_restored_without_the_tool_is_no_opt_out() -> None:
    """A host that went back to a set without the tool gets it again."""
    assert _plan(SHOWN, QUERY, OTHERS, restored=True) == ((SetActive(WITH_OURS),), SHOWN)
    assert plan_sync(SHOWN, QUERY, OTHERS, name=NAME) == ((), OPTED_OUT)  # unless said


@pytest.mark.rule("sync.8")
def test_a_set_restored_with_the_tool_is_no_opt_in() -> None:
    """A host that went back to a set with the tool does not overrule the user."""
    assert _plan(OPTED_OUT, QUERY, WITH_OURS, restored=True) == ((SetActive(OTHERS),), OPTED_OUT)


@pytest.mark.rule("sync.8")
@pytest.mark.rule("sync.12")
def test_a_new_session_takes_its_set_as_restored() -> None:
    """At the start a tool may be on without our doing: it is registered, or taken out."""
    assert _plan(SyncState(), QUERY, WITH_OURS) == ((_register(QUERY),), SHOWN)
    assert _plan(SyncState(), HIDDEN, WITH_OURS) == ((SetActive(OTHERS),), SyncState())


@pytest.mark.rule("sync.10")
def test_the_form_is_kept_up_to_date_for_a_user_who_opted_out() -> None:
    """If the user gives the tool back, it has the right form at once."""
    assert _plan(OPTED_OUT, QUERY_AND_URLS, OTHERS) == (
        (_register(QUERY_AND_URLS),),
        SyncState(QUERY_AND_URLS, Standing.OPTED_OUT),
    )


@pytest.mark.rule("sync.1")
def test_ten_syncs_register_once() -> None:
    """Ten moments without a change give one registration."""
    state = SyncState()
    commands: list[Command] = []
    for number in range(10):
        planned, state = _plan(state, QUERY, WITH_OURS if number else OTHERS)
        commands.extend(planned)

    assert commands == [_register(QUERY), SetActive(WITH_OURS)]


@pytest.mark.rule("sync.1")
def test_the_tool_has_the_name_that_the_host_gives_it() -> None:
    """What is registered is what is activated, also under another name."""
    commands, _ = plan_sync(SyncState(), QUERY, OTHERS, name="look_up")

    assert [each.spec.name for each in commands if isinstance(each, Register)] == ["look_up"]
    assert commands[-1] == SetActive((*OTHERS, "look_up"))

"""Whether a server that may be away is asked, and what the log hears."""

import logging

import pytest

from native_web_search.adapters.stores.contact import Contact
from native_web_search.adapters.testing.memory import ManualClock

REST = 5.0


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def contact(clock: ManualClock) -> Contact:
    return Contact("cache.example:6379", clock, REST)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "native_web_search")
    return caplog


def asked(contact: Contact) -> int:
    turn = contact.turn()
    assert turn is not None
    return turn


@pytest.mark.rule("shared_health.8")
class TestOutage:
    """A server that goes, and comes back."""

    def test_the_log_hears_once_however_many_lose_it(
        self, contact: Contact, log: pytest.LogCaptureFixture
    ) -> None:
        """A herd that waits for the same server is one outage."""
        for turn in [asked(contact) for _each in range(20)]:
            contact.lost(turn, "no answer in time")
        (record,) = log.records
        assert record.getMessage() == (
            "the shared health at cache.example:6379 is away (no answer in time): "
            "cooldowns are this process's own"
        )

    def test_nobody_asks_for_a_rest_and_then_one(
        self, contact: Contact, clock: ManualClock
    ) -> None:
        """The others go on without the server until the one knows."""
        contact.lost(asked(contact), "refused")
        clock.pass_(REST - 0.1)
        assert (contact.rests, contact.turn()) == (True, None)
        clock.pass_(0.2)
        assert (contact.rests, asked(contact) > 0) == (False, True)
        assert (contact.rests, contact.turn()) == (True, None)

    def test_a_server_is_away_until_it_has_answered(
        self, contact: Contact, clock: ManualClock
    ) -> None:
        """Whoever finds out knows that it is the one."""
        said = [contact.is_away]
        contact.lost(asked(contact), "refused")
        clock.pass_(REST)
        turn = asked(contact)
        said.append(contact.is_away)
        contact.kept(turn)
        assert [*said, contact.is_away] == [False, True, False]

    def test_a_server_that_is_still_away_gets_another_rest_without_a_word(
        self, contact: Contact, clock: ManualClock, log: pytest.LogCaptureFixture
    ) -> None:
        """One warning covers the whole outage."""
        for _rest in range(5):
            contact.lost(asked(contact), "refused")
            clock.pass_(REST)
        assert len(log.records) == 1

    def test_a_server_that_is_back_is_asked_by_all(
        self, contact: Contact, clock: ManualClock, log: pytest.LogCaptureFixture
    ) -> None:
        """The log hears that as well, and of the next outage anew."""
        contact.lost(asked(contact), "refused")
        clock.pass_(REST)
        contact.kept(asked(contact))
        first, second = asked(contact), asked(contact)
        contact.kept(first)
        contact.lost(second, "refused")
        assert [record.levelname for record in log.records] == ["WARNING", "INFO", "WARNING"]

    def test_what_was_asked_before_the_outage_says_nothing_about_it(
        self, contact: Contact, clock: ManualClock, log: pytest.LogCaptureFixture
    ) -> None:
        """A late answer ends no outage, and a late loss begins no second one."""
        late, later, first = asked(contact), asked(contact), asked(contact)
        contact.lost(first, "refused")
        contact.kept(late)
        assert contact.turn() is None
        clock.pass_(REST)
        contact.kept(asked(contact))
        contact.lost(later, "refused")
        assert [record.levelname for record in log.records] == ["WARNING", "INFO"]

    def test_whoever_finds_out_and_is_cancelled_costs_one_rest(
        self, contact: Contact, clock: ManualClock
    ) -> None:
        """A question without an end does not keep the server away for good."""
        contact.lost(asked(contact), "refused")
        clock.pass_(REST)
        asked(contact)
        clock.pass_(REST)
        assert asked(contact)


@pytest.mark.rule("shared_health.10")
def test_what_cannot_be_understood_is_said_once(
    contact: Contact, log: pytest.LogCaptureFixture
) -> None:
    """And again only after it was understood meanwhile."""
    for yes in (True, False, False, True, True, False):
        contact.understood(yes=yes)
    assert [record.getMessage() for record in log.records] == [
        "the shared health at cache.example:6379 is not ours to read: it counts as empty"
    ] * 2

"""A ledger on a server, read by clocks that agree about nothing."""

import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.stores.dated_ledger import (
    LEVEL_SECONDS,
    MAX_BYTES,
    MAX_ENTRIES,
    Moment,
    document_of,
    ledger_in,
)
from native_web_search.domain.cooldown import BASE_SECONDS, Cooldown, Failed, Key, Ledger
from native_web_search.domain.failure import ProviderRefused
from native_web_search.domain.family import Operation

SERVER = 1_785_000_000_000_000
WRITTEN = Moment(SERVER, 1_000.0)
KEY = (Operation.SEARCH, "openai", None)
OUTAGE = Failed(Operation.SEARCH, "openai", "gpt-5.6-luna", ProviderRefused("HTTP 503", 503))


def read(document: bytes, moment: Moment) -> Ledger:
    ledger = ledger_in(document, moment)
    assert ledger is not None
    return ledger


@pytest.mark.rule("shared_health.3")
class TestDates:
    """When a cooldown ends, on whose clock."""

    @given(
        level=st.integers(0, 20),
        left=st.floats(-3_000, 600),
        later=st.integers(0, 3_000 * 10**6),
        now=st.floats(0, 10**7),
    )
    def test_a_reader_sees_the_end_at_the_same_instant(
        self, level: int, left: float, later: int, now: float
    ) -> None:
        """Whatever its own clock says, and whether the end is to come or long past."""
        written = Ledger({KEY: Cooldown(WRITTEN.now + left, level)})
        found = read(document_of(written, WRITTEN), Moment(SERVER + later, now)).cooldowns[KEY]
        assert found.level == level
        assert found.until == pytest.approx(now + left - later / 10**6, abs=1e-5)

    @given(waits=st.lists(st.integers(0, 10**9), max_size=8), nows=st.floats(0, 10**7))
    def test_writing_what_was_read_changes_no_date(self, waits: list[int], nows: float) -> None:
        """A document that passes through many processes says the same at the end."""
        ledger = Ledger().after(OUTAGE, WRITTEN.now, BASE_SECONDS)
        document, server = document_of(ledger, WRITTEN), SERVER
        for wait in waits:
            server += wait
            moment = Moment(server, nows + wait % 97)
            document = document_of(read(document, moment), moment)
        end = read(document, Moment(server, 0.0)).cooldowns[KEY].until
        assert end == pytest.approx(BASE_SECONDS - (server - SERVER) / 10**6, abs=1e-4)

    @given(back=st.integers(0, 10**10), later=st.integers(0, 10**12))
    def test_a_server_whose_clock_goes_back_prolongs_nothing(self, back: int, later: int) -> None:
        """What was written in the future is as far away as what was written in the past."""
        document = document_of(Ledger().after(OUTAGE, WRITTEN.now, BASE_SECONDS), WRITTEN)
        gone = later - back
        found = read(document, evolve(WRITTEN, server=SERVER + gone)).cooldowns.get(KEY)
        if abs(gone) < LEVEL_SECONDS * 10**6:
            assert found is not None
        if found is not None:
            ends = WRITTEN.now + BASE_SECONDS - abs(gone) / 10**6
            assert found.until == pytest.approx(ends, abs=1e-5)


@pytest.mark.rule("shared_health.5")
class TestEnd:
    """How long what is over is kept."""

    def test_a_level_outlives_its_cooldown_by_a_day(self) -> None:
        """The next outage takes the next rung for a day, and then the first again."""
        document = document_of(Ledger().after(OUTAGE, WRITTEN.now, BASE_SECONDS), WRITTEN)
        day = int(BASE_SECONDS + LEVEL_SECONDS) * 10**6
        before = Moment(SERVER + day - 10**6, 5.0)
        again = read(document, before).after(OUTAGE, before.now, BASE_SECONDS)
        assert again.cooldowns[KEY].level == 1
        assert read(document, Moment(SERVER + day + 10**6, 5.0)) == Ledger()

    def test_a_document_has_an_end(self) -> None:
        """Of very many entries the newest stay."""
        many: dict[Key, Cooldown]
        many = {(Operation.SEARCH, f"p{one}", None): Cooldown(1_060.0, 0) for one in range(600)}
        document = document_of(Ledger(many), WRITTEN)
        assert len(document) < 100_000
        kept = [provider for _operation, provider, _model in read(document, WRITTEN).cooldowns]
        assert kept == [f"p{one}" for one in range(600 - MAX_ENTRIES, 600)]

    @pytest.mark.parametrize("long", ["x" * 1_000, "\N{GRINNING FACE}" * 500, "x" * MAX_BYTES])
    def test_no_document_is_too_long_to_be_read(self, long: str) -> None:
        """Long ids cost the oldest their place, and one that fits nowhere its own."""
        ids = [f"{long}{one}" for one in range(MAX_ENTRIES - 1)]
        many: dict[Key, Cooldown] = {
            (Operation.SEARCH, provider, None): Cooldown(1_060.0, 0) for provider in ids
        }
        document = document_of(Ledger({KEY: Cooldown(1_060.0, 2), **many}), WRITTEN)
        assert len(document) <= MAX_BYTES
        kept = [provider for _operation, provider, _model in read(document, WRITTEN).cooldowns]
        assert kept
        others = [provider for provider in kept if provider != "openai"]
        assert others == ids[len(ids) - len(others) :]
        assert ("openai" in kept) is (len(long) == MAX_BYTES or bool(others))

    def test_an_empty_ledger_is_no_document(self) -> None:
        """A server on which everybody is healthy holds nothing of ours."""
        assert document_of(Ledger(), WRITTEN) == b""
        assert read(b"", WRITTEN) == Ledger()


@pytest.mark.rule("shared_health.4")
def test_a_document_holds_ids_seconds_and_levels() -> None:
    """And nothing else: no message, no URL, no key."""
    ledger = Ledger().after(OUTAGE, WRITTEN.now, BASE_SECONDS)
    assert json.loads(document_of(ledger, WRITTEN)) == {
        "entries": [
            {
                "at": SERVER,
                "operation": "search",
                "provider": "openai",
                "model": None,
                "remaining": BASE_SECONDS,
                "level": 0,
            }
        ]
    }


@pytest.mark.rule("shared_health.10")
class TestForeign:
    """What somebody else left there."""

    @pytest.mark.parametrize(
        "document",
        [b"!", b"\xff", b"null", b"[]", b"{}", b'{"entries": 1}', b"[" * 200_000, b"9" * 5_000],
        ids=repr,
    )
    def test_what_is_no_document_is_none(self, document: bytes) -> None:
        """So that it can be said."""
        assert ledger_in(document, WRITTEN) is None

    @pytest.mark.parametrize(
        "entry",
        [
            None,
            {},
            {"at": "now"},
            {"at": 1.5, "operation": "search"},
            {"at": SERVER, "operation": "dance", "provider": "x"},
        ],
    )
    def test_an_entry_that_makes_no_sense_is_left_out(self, entry: object) -> None:
        """The others count."""
        plain = json.loads(document_of(Ledger({KEY: Cooldown(1_060.0, 2)}), WRITTEN))
        plain["entries"].insert(0, entry)
        assert read(json.dumps(plain).encode(), WRITTEN) == Ledger({KEY: Cooldown(1_060.0, 2)})

    def test_what_is_longer_than_any_of_ours_is_none(self) -> None:
        """Though it be a document: nobody parses it."""
        document = document_of(Ledger({KEY: Cooldown(1_060.0, 2)}), WRITTEN)
        fits = document + b" " * (MAX_BYTES - len(document))
        assert read(fits, WRITTEN).cooldowns[KEY].level == 2
        assert ledger_in(fits + b" ", WRITTEN) is None

    def test_of_very_many_entries_the_newest_are_looked_at(self) -> None:
        """As many as anybody writes."""
        (entry,) = json.loads(document_of(Ledger({KEY: Cooldown(1_060.0, 2)}), WRITTEN))["entries"]
        many = [entry | {"provider": f"p{one}"} for one in range(MAX_ENTRIES + 100)]
        found = read(json.dumps({"entries": many}).encode(), WRITTEN).cooldowns
        kept = [provider for _operation, provider, _model in found]
        assert kept == [f"p{one}" for one in range(100, MAX_ENTRIES + 100)]

    @pytest.mark.parametrize("at", [-(10**400), 10**18, 10**400, True])
    def test_a_date_of_any_size_is_a_date(self, at: int) -> None:
        """Far away is long over, on either side."""
        entry = {"at": at, "operation": "search", "provider": "openai", "model": None}
        entry |= {"remaining": 60.0, "level": 0}
        assert read(json.dumps({"entries": [entry]}).encode(), WRITTEN) == Ledger()

    @given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
    def test_nothing_raises(self, document: bytes) -> None:
        """Whatever the bytes."""
        ledger_in(document, WRITTEN)

"""Preference stores that do what their port forbids, and how the contract notices."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.testing.contracts import (
    BrokenPromise,
    PreferenceStoreContract,
    broken_promises,
)
from native_web_search.domain.preference import (
    Preferences,
    plain_preferences,
    preferences_from,
)
from native_web_search.ports.preferences import PreferenceStore

NAME = "preferences.json"


@define
class Plain:
    """A store that is as it should be: a file that is replaced whole."""

    folder: Path

    def load(self) -> Preferences:
        try:
            return preferences_from(json.loads((self.folder / NAME).read_bytes()))
        except (OSError, ValueError):
            return Preferences()

    def save(self, preferences: Preferences) -> None:
        new = self.folder / "new.json"
        new.write_text(json.dumps(plain_preferences(preferences)))
        new.replace(self.folder / NAME)


@define
class MissesTheFile(Plain):
    """Cannot do without a file."""

    def load(self) -> Preferences:
        return preferences_from(json.loads((self.folder / NAME).read_bytes()))


@define
class ChokesOnRubbish(Plain):
    """Reads whatever is there."""

    def load(self) -> Preferences:
        there = (self.folder / NAME).exists()
        return MissesTheFile(self.folder).load() if there else Preferences()


@define
class LosesNames(Plain):
    """Writes ASCII alone."""

    def save(self, preferences: Preferences) -> None:
        search = preferences.search
        if search is not None:
            name = search.model.encode("ascii", "replace").decode()
            preferences = evolve(preferences, search=evolve(search, model=name))
        super().save(preferences)


@define
class ForgetsOnReading(Plain):
    """Gives a hint once."""

    def load(self) -> Preferences:
        preferences = super().load()
        (self.folder / NAME).unlink(missing_ok=True)
        return preferences


@define
class Merges(Plain):
    """Keeps what the new preferences do not mention."""

    def save(self, preferences: Preferences) -> None:
        fetch = preferences.fetch or (self.load().fetch if preferences.search else None)
        super().save(evolve(preferences, fetch=fetch))


@define
class LivesInMemory(Plain):
    """Writes nothing down."""

    stored: Preferences = field(factory=Preferences)

    def load(self) -> Preferences:
        return self.stored

    def save(self, preferences: Preferences) -> None:
        self.stored = preferences


@define
class RemembersBeside(Plain):
    """Trusts its memory more than the file."""

    memory: Preferences | None = None

    def load(self) -> Preferences:
        self.memory = self.memory or super().load()
        return self.memory

    def save(self, preferences: Preferences) -> None:
        super().save(preferences)
        self.memory = preferences


@define
class WritesInPlace(Plain):
    """Fills the file that others are reading."""

    def save(self, preferences: Preferences) -> None:
        with (self.folder / NAME).open("w") as file:
            time.sleep(0.001)
            json.dump(plain_preferences(preferences), file)


@define
class SaysNothing(Plain):
    """Hides that it could not save."""

    def save(self, preferences: Preferences) -> None:
        try:
            super().save(preferences)
        except OSError:
            return


@define
class RaisesItsOwn(Plain):
    """Raises what nobody expects."""

    def save(self, preferences: Preferences) -> None:
        try:
            super().save(preferences)
        except OSError as error:
            raise RuntimeError from error


def contract(make: Callable[[Path], PreferenceStore]) -> type[PreferenceStoreContract]:
    class Contract(PreferenceStoreContract):
        def store(self, folder: Path) -> PreferenceStore:
            return make(folder)

        def forget(self, folder: Path) -> None:
            (folder / NAME).unlink()

        def damage(self, folder: Path) -> None:
            (folder / NAME).write_bytes(b"\xff{")

        def obstruct(self, folder: Path) -> None:
            (folder / NAME).mkdir()
            (folder / NAME / "in-the-way").touch()

    return Contract


# Who breaks a promise, and which test has to notice.
BROKEN: list[tuple[Callable[[Path], PreferenceStore], str]] = [
    (MissesTheFile, "test_a_new_store_loads_empty"),
    (LosesNames, "test_a_save_is_loaded_back"),
    (ForgetsOnReading, "test_a_save_is_loaded_back"),
    (Merges, "test_a_save_replaces_what_is_stored"),
    (LivesInMemory, "test_a_save_outlives_the_store"),
    (WritesInPlace, "test_a_load_never_sees_half_a_save"),
    (RemembersBeside, "test_a_deletion_takes_effect_at_once"),
    (RemembersBeside, "test_rubbish_is_empty"),
    (ChokesOnRubbish, "test_rubbish_is_empty"),
    (SaysNothing, "test_a_save_that_fails_raises_an_os_error"),
    (RaisesItsOwn, "test_a_save_that_fails_raises_an_os_error"),
]


@pytest.mark.rule("testing.2")
@pytest.mark.parametrize(("store", "test"), BROKEN)
def test_a_broken_store_fails(store: Callable[[Path], PreferenceStore], test: str) -> None:
    """The test that its mistake belongs to says which promise it breaks."""
    with pytest.raises(BrokenPromise):
        getattr(contract(store)(), test)()


@pytest.mark.rule("testing.2")
def test_every_test_of_the_contract_can_fail() -> None:
    """For each there is a store above that breaks it, and one that breaks none."""
    tests = {name for name in dir(PreferenceStoreContract) if name.startswith("test_")}
    assert {test for _store, test in BROKEN} == tests
    assert broken_promises(contract(Plain)) == {}

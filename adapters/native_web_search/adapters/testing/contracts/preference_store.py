"""What a `PreferenceStore` promises."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import SkipTest

from native_web_search.adapters.testing.contracts.promise import never_raising, promised
from native_web_search.domain.preference import Preference, Preferences
from native_web_search.ports.preferences import PreferenceStore

SEARCH = Preference("deepseek", "deepseek-v4.1-flash")
FETCH = Preference("ollama-cloud", "gpt-oss:120b")
BOTH = Preferences("0" * 32, SEARCH, FETCH)

# All that the domain may hand over: parts that are absent, names that no file system would like.
VALUES = (
    BOTH,
    Preferences("f" * 32, search=SEARCH),
    Preferences("f" * 32, fetch=FETCH),
    Preferences("1" * 32, Preference("müller/ü", "モデル:\n\"'\\"), Preference("", "")),
    Preferences(),
)

NOT_WITHIN_REACH = "nobody can get at what this store holds"

SAVES = 20  # enough for a reader to come in between


class PreferenceStoreContract(ABC):
    """Derive from this, write `store`, and let pytest collect the class.

    The three methods that raise `SkipTest` are for stores with something behind them that people
    can reach; write those that your store can have.
    """

    @abstractmethod
    def store(self, folder: Path) -> PreferenceStore:
        """A store that belongs to this folder, whether or not it uses it: a new folder is an empty
        store, and the same folder again is the same store, opened again.
        """

    def forget(self, folder: Path) -> None:
        """Take away what is stored, as a user would: delete the file."""
        raise SkipTest(NOT_WITHIN_REACH)

    def damage(self, folder: Path) -> None:
        """Make what is stored unreadable: overwrite it with rubbish."""
        raise SkipTest(NOT_WITHIN_REACH)

    def obstruct(self, folder: Path) -> None:
        """Make saving impossible, in a folder where nothing has been stored yet."""
        raise SkipTest(NOT_WITHIN_REACH)

    def test_a_new_store_loads_empty(self) -> None:
        """Nothing stored is no error."""
        with _folder() as folder:
            _promised_to_load(self.store(folder), Preferences(), "what is missing is empty")

    def test_a_save_is_loaded_back(self) -> None:
        """Whatever is saved, field by field, and as often as it is asked for."""
        with _folder() as folder:
            store = self.store(folder)
            for preferences in (*VALUES, BOTH):
                _saved(store, preferences)
                for _again in range(2):
                    _promised_to_load(store, preferences, "what was saved is loaded back")

    def test_a_save_replaces_what_is_stored(self) -> None:
        """A part that is absent now is not kept from before."""
        with _folder() as folder:
            store = self.store(folder)
            _saved(store, BOTH)
            less = Preferences(BOTH.fingerprint, search=SEARCH)
            _saved(store, less)
            _promised_to_load(store, less, "a save replaces what is stored, whole")

    def test_a_save_outlives_the_store(self) -> None:
        """The next process, which opens the store anew, finds what this one has saved."""
        with _folder() as folder:
            _saved(self.store(folder), BOTH)
            _promised_to_load(self.store(folder), BOTH, "a hint survives the process")

    def test_a_load_never_sees_half_a_save(self) -> None:
        """While another thread saves, a load finds the preferences of before or of after."""
        one, other = BOTH, Preferences("f" * 32, FETCH, SEARCH)
        with _folder() as folder, ThreadPoolExecutor(1) as worker:
            store = self.store(folder)
            _saved(store, one)
            saving = worker.submit(_save_in_turns, store, other, one)
            while not saving.done():
                loaded = _loaded(store)
                promised(loaded in (one, other), "a save is whole or not at all", loaded)
            saving.result()

    def test_a_deletion_takes_effect_at_once(self) -> None:
        """Nothing is remembered beside what is stored."""
        with _folder() as folder:
            store = self.store(folder)
            _saved(store, BOTH)
            _promised_to_load(store, BOTH, "what was saved is loaded back")
            self.forget(folder)
            _promised_to_load(store, Preferences(), "deleting takes effect at once")

    def test_rubbish_is_empty(self) -> None:
        """What cannot be read counts as absent, and the next save mends it."""
        with _folder() as folder:
            store = self.store(folder)
            _saved(store, BOTH)
            self.damage(folder)
            _promised_to_load(store, Preferences(), "what is unreadable is empty")
            _saved(store, BOTH)
            _promised_to_load(store, BOTH, "what was saved is loaded back")

    def test_a_save_that_fails_raises_an_os_error(self) -> None:
        """Nothing else, and not silence: the caller logs it and goes on."""
        with _folder() as folder:
            store = self.store(folder)
            self.obstruct(folder)
            raised = _raised_by_saving(store)
            promised(isinstance(raised, OSError), "a save that fails raises OSError", raised)
            _promised_to_load(store, Preferences(), "what is missing is empty")


@contextmanager
def _folder() -> Generator[Path, None, None]:
    with TemporaryDirectory(prefix="preferences-") as name:
        yield Path(name)


def _saved(store: PreferenceStore, preferences: Preferences) -> None:
    with never_raising("a save is made where it can be"):
        store.save(preferences)


def _save_in_turns(store: PreferenceStore, *turns: Preferences) -> None:
    for _again in range(SAVES):
        for preferences in turns:
            _saved(store, preferences)


def _raised_by_saving(store: PreferenceStore) -> Exception | None:
    try:
        store.save(BOTH)
    except Exception as raised:  # noqa: BLE001 - which one it is is the question
        return raised
    return None


def _loaded(store: PreferenceStore) -> Preferences:
    with never_raising("a load never raises"):
        return store.load()


def _promised_to_load(store: PreferenceStore, preferences: Preferences, promise: str) -> None:
    loaded = _loaded(store)
    promised(loaded == preferences, promise, loaded)

"""What is kept between calls and processes: the preference file and the ledger."""

import json
import tempfile
from pathlib import Path

from fuzz.documents import json_from
from native_web_search.adapters.stores.preference_file import PreferenceFile
from native_web_search.domain.cooldown import CAP_SECONDS, MAX_LEVEL, Ledger
from native_web_search.domain.preference import (
    Preference,
    Preferences,
    plain_preferences,
    preferences_from,
)

SAVED = Preferences("f" * 32, Preference("deepseek", "deepseek-chat"), None)
NOW = 1_000.0  # of a monotonic clock


def any_file_is_loaded_and_foreign_ones_stay(data: bytes) -> None:
    """Loading raises nothing; saving replaces what is ours or broken, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        file = PreferenceFile(Path(folder) / "preferences.json")
        file.path.write_bytes(data)
        loaded = file.load()
        assert preferences_from(plain_preferences(loaded)) == loaded
        file.save(SAVED)
        if _belongs_to_others(data):
            assert loaded == Preferences()
            assert file.path.read_bytes() == data
        else:
            assert file.load() == SAVED
        assert len(list(Path(folder).iterdir())) == 1


def _belongs_to_others(data: bytes) -> bool:
    """JSON of another version, or something that may be some and that Python cannot read."""
    try:
        plain: object = json.loads(data)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return False
    except (ValueError, RecursionError):
        return True
    version = plain.get("version") if isinstance(plain, dict) else None
    return version is not None and (version != 1 or isinstance(version, bool))


def any_ledger_is_read(data: bytes) -> None:
    """Whatever a shared store holds, nobody cools beyond the cap; what was read is written so that
    it reads back the same.
    """
    try:
        plain = json_from(data)
    except ValueError:
        return
    ledger = Ledger.from_plain(plain, NOW)
    for (operation, provider, model), cooldown in ledger.cooldowns.items():
        assert 0 <= cooldown.level <= MAX_LEVEL
        assert 0 <= ledger.remaining(operation, provider, model or "", NOW) <= CAP_SECONDS
    written = json.dumps(ledger.to_plain(NOW), allow_nan=False)
    assert Ledger.from_plain(json.loads(written), NOW) == ledger

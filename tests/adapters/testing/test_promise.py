"""Running a contract, with pytest and without."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from unittest import SkipTest

import pytest

import native_web_search.adapters.testing as kit
from native_web_search.adapters.testing import (
    MemoryPreferences,
    PreferenceStoreContract,
    contracts,
)
from native_web_search.adapters.testing.contracts import promise
from native_web_search.adapters.testing.contracts.promise import (
    broken_promises,
    in_a_loop,
    promised,
)

PROJECT = """
from native_web_search.adapters.testing import MemoryPreferences, PreferenceStoreContract

STORES = {}


class TestGoodStore(PreferenceStoreContract):
    def store(self, folder):
        return STORES.setdefault(folder, MemoryPreferences())


class TestStoreThatForgets(PreferenceStoreContract):
    def store(self, folder):
        return MemoryPreferences()

"""


class Contract:
    """A contract of every kind of test."""

    def test_kept(self) -> None:
        """Holds."""

    def test_broken(self) -> None:
        """Does not."""
        promised(kept=[], promise="something is found", found="nothing")

    def test_skipped(self) -> None:
        """Does not apply."""
        reason = "there is no such thing"
        raise SkipTest(reason)

    def no_test(self) -> None:
        """Is of another kind."""
        raise AssertionError


@pytest.mark.rule("testing.3")
def test_a_broken_promise_is_quoted() -> None:
    """What was broken is found by the name of its test, and says what was found instead."""
    found = broken_promises(Contract)
    assert {name: str(broken) for name, broken in found.items()} == {
        "test_broken": "something is found; found 'nothing'"
    }


@pytest.mark.rule("testing.8")
def test_what_was_not_checked_is_said() -> None:
    """By the name of its test, with the reason, and wherever the outcome is printed."""
    found = broken_promises(Contract)
    assert found.unchecked == {"test_skipped": "there is no such thing"}
    assert repr(found).endswith("unchecked={'test_skipped': 'there is no such thing'})")


@pytest.mark.rule("testing.8")
def test_a_method_that_is_not_written_leaves_promises_unchecked() -> None:
    """A store in memory breaks nothing, and has nothing that could be damaged."""
    stores: dict[Path, MemoryPreferences] = {}

    class InMemory(PreferenceStoreContract):
        def store(self, folder: Path) -> MemoryPreferences:
            return stores.setdefault(folder, MemoryPreferences())

    found = broken_promises(InMemory)
    assert found == {}
    assert set(found.unchecked) == {
        "test_a_deletion_takes_effect_at_once",
        "test_a_save_that_fails_raises_an_os_error",
        "test_rubbish_is_empty",
    }


@pytest.mark.rule("testing.3")
def test_an_error_of_the_test_itself_is_no_broken_promise() -> None:
    """Whoever cannot even make the adapter hears of it as it is."""

    class Unmade(Contract):
        def test_kept(self) -> None:
            """Cannot be asked."""
            raise LookupError

    with pytest.raises(LookupError):
        broken_promises(Unmade)


@pytest.mark.rule("testing.4")
def test_what_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that waits for something that never comes fails after its time."""
    monkeypatch.setattr(promise, "TEST_SECONDS", 0.05)

    class Hanging:
        @in_a_loop
        async def test_waits(self) -> None:
            """For what never comes."""
            await asyncio.Event().wait()

    begun = time.perf_counter()
    assert "no end" in str(broken_promises(Hanging)["test_waits"])
    assert time.perf_counter() - begun < 2


@pytest.mark.rule("testing.4")
def test_a_stray_cancellation_is_a_broken_promise() -> None:
    """An adapter that cancels whoever asks it does not end the run."""

    class Cancelling:
        @in_a_loop
        async def test_cancels(self) -> None:
            """Whoever asks."""
            raise asyncio.CancelledError

    assert "test_cancels" in broken_promises(Cancelling)


@pytest.mark.rule("testing.5")
@pytest.mark.parametrize("options", [[], ["-p", "pytest_asyncio.plugin", "--asyncio-mode=auto"]])
def test_pytest_collects_a_contract(tmp_path: Path, options: list[str]) -> None:
    """In a project of its own, with or without a plugin for asynchronous tests."""
    (tmp_path / "test_store.py").write_text(PROJECT)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 9 passed, 6 skipped" in done.stdout
    assert "BrokenPromise: a hint survives the process; found Preferences(" in done.stdout


@pytest.mark.rule("testing.5")
def test_a_contract_without_an_adapter_is_refused() -> None:
    """Forgetting the one method to write is an error, not a pass."""
    with pytest.raises(TypeError, match="store"):
        type("TestNothing", (PreferenceStoreContract,), {})()


@pytest.mark.rule("testing.6")
def test_importing_the_kit_brings_nothing_optional() -> None:
    """No hypothesis, no pytest, no HTTP client."""
    script = "import sys, native_web_search.adapters.testing; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert {"hypothesis", "pytest", "aiohttp"}.isdisjoint(done.stdout.split())


@pytest.mark.rule("testing.6")
def test_the_kits_names_are_sorted_and_true() -> None:
    """`__all__` of the kit and of its contracts, without doubles."""
    for module in (kit, contracts):
        assert module.__all__ == sorted(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)

"""Promises of the ports as tests, for adapters of any origin.

A contract is a class of tests. Derive from it, write its one abstract method, which makes the
adapter under test, and let pytest collect the class, or call `broken_promises` with it. Each test
says which sentence of the port's docstring it holds the adapter to; a test that fails quotes the
promise. Nothing here needs a plugin, nor pytest itself.

    class TestMyStore(PreferenceStoreContract):
        def store(self, folder: Path) -> PreferenceStore:
            return MyStore(folder / "preferences.toml")

What an adapter does beyond the port is not tested, and a contract cannot see what only the inside
of an adapter knows: that nothing is cached, say. It sees what follows from it.
"""

from native_web_search.adapters.testing.contracts.fetcher import FetcherContract
from native_web_search.adapters.testing.contracts.health_store import HealthStoreContract
from native_web_search.adapters.testing.contracts.model_registry import ModelRegistryContract
from native_web_search.adapters.testing.contracts.preference_store import PreferenceStoreContract
from native_web_search.adapters.testing.contracts.promise import (
    BrokenPromise,
    BrokenPromises,
    broken_promises,
)
from native_web_search.adapters.testing.contracts.searcher import SearcherContract
from native_web_search.adapters.testing.contracts.stage import (
    Behaviour,
    FetchStage,
    SearchStage,
    Stage,
)
from native_web_search.adapters.testing.contracts.tool_host import ToolHostContract
from native_web_search.adapters.testing.contracts.transport import HttpTransportContract

__all__ = [
    "Behaviour",
    "BrokenPromise",
    "BrokenPromises",
    "FetchStage",
    "FetcherContract",
    "HealthStoreContract",
    "HttpTransportContract",
    "ModelRegistryContract",
    "PreferenceStoreContract",
    "SearchStage",
    "SearcherContract",
    "Stage",
    "ToolHostContract",
    "broken_promises",
]

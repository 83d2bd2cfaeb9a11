"""For verifying your own adapters: in-memory ports, contracts, and Hypothesis strategies.

The strategies are in the sub-package `strategies`, which alone needs the extra `testing`.
"""

from native_web_search.adapters.testing.contracts import (
    Behaviour,
    BrokenPromise,
    BrokenPromises,
    FetcherContract,
    FetchStage,
    HealthStoreContract,
    HttpTransportContract,
    ModelRegistryContract,
    PreferenceStoreContract,
    SearcherContract,
    SearchStage,
    ToolHostContract,
    broken_promises,
)
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    NeverAnswers,
    RecordingHost,
    RecordingObserver,
    ScriptedFetcher,
    ScriptedSearcher,
)

__all__ = [
    "Behaviour",
    "BrokenPromise",
    "BrokenPromises",
    "FetchStage",
    "FetcherContract",
    "HealthStoreContract",
    "HttpTransportContract",
    "ManualClock",
    "MemoryPreferences",
    "ModelRegistryContract",
    "NeverAnswers",
    "PreferenceStoreContract",
    "RecordingHost",
    "RecordingObserver",
    "ScriptedFetcher",
    "ScriptedSearcher",
    "SearchStage",
    "SearcherContract",
    "ToolHostContract",
    "broken_promises",
]

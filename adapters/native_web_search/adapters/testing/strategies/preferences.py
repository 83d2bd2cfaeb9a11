"""Strategies for remembered preferences."""

from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.models import model_ids
from native_web_search.domain.preference import Preference, Preferences


def preferences() -> st.SearchStrategy[Preferences]:
    """Preferences of two operations, of one or of none, with a fingerprint or without."""
    fingerprints = st.text("0123456789abcdef", min_size=32, max_size=32)
    one = single_preferences()
    return st.builds(Preferences, st.none() | fingerprints, st.none() | one, st.none() | one)


def single_preferences() -> st.SearchStrategy[Preference]:
    """The preference of one operation, with names of every spelling."""
    providers = st.sampled_from(["deepseek", "ollama-cloud", "google"]) | st.text(max_size=12)
    return st.builds(Preference, providers, model_ids())

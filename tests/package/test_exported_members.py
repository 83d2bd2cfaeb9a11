"""What each layer offers, pinned."""

import importlib

import pytest


@pytest.mark.rule("package.7")
@pytest.mark.parametrize("layer", ["domain", "ports", "application", "adapters"])
def test_all_is_sorted_and_true(layer: str) -> None:
    """`__all__` is sorted, without doubles, and every name is there."""
    module = importlib.import_module(f"native_web_search.{layer}")
    assert module.__all__ == sorted(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)

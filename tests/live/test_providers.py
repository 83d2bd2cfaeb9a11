"""The real services, for those whose keys are in the environment. Costs a search each."""

import os

import pytest

from native_web_search.adapters.compose import environment_registry, open_web_search
from native_web_search.application.settings import settings_from
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.policy import CurrentOnly
from native_web_search.domain.ranking import preference_key

pytestmark = pytest.mark.live


def candidates() -> dict[str, Candidate]:
    """The best candidate of each provider that has a key."""
    settings, _warnings = settings_from(os.environ)
    best: dict[str, Candidate] = {}
    for model in environment_registry(settings).available():
        candidate = candidate_of(model)
        if candidate is not None:
            known = best.get(model.provider, candidate)
            best[model.provider] = min(known, candidate, key=preference_key)
    return best


FOUND = candidates()


@pytest.mark.skipif(not FOUND, reason="no provider's key is in the environment")
@pytest.mark.parametrize("provider", sorted(FOUND) or ["none"])
async def test_a_real_search_brings_results(provider: str) -> None:
    """The provider performs a search and says with what."""
    model = FOUND[provider].model
    async with open_web_search(
        model=f"{model.provider}/{model.id}", fallback=CurrentOnly(), preference_file=os.devnull
    ) as web:
        result = await web.call({"query": "current Python release"})
    assert not result.is_error, result.text
    assert result.details["search"] == {"provider": provider, "model": model.id}


@pytest.mark.skipif(not FOUND, reason="no provider's key is in the environment")
@pytest.mark.parametrize(
    "provider", [name for name in sorted(FOUND) if FOUND[name].can(Operation.FETCH)] or ["none"]
)
async def test_a_real_page_is_analyzed(provider: str) -> None:
    """The provider opens a page that has been there for decades."""
    if provider not in FOUND:
        pytest.skip("no provider that analyzes URLs has its key in the environment")
    model = FOUND[provider].model
    async with open_web_search(
        model=f"{model.provider}/{model.id}", fallback=CurrentOnly(), preference_file=os.devnull
    ) as web:
        result = await web.call({"urls": ["https://example.com/"]})
    assert not result.is_error, result.text

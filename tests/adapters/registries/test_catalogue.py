"""The shipped catalogue."""

import pytest

from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.domain.family import Dialect, Family, candidate_of

GATEWAY = "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}"

PLACES = {
    ("deepseek", "openai-completions", "https://api.deepseek.com"),
    ("ollama-cloud", "openai-completions", "https://ollama.com/v1"),
    ("google", "google-generative-ai", "https://generativelanguage.googleapis.com/v1beta"),
    ("antigravity", "antigravity", "https://daily-cloudcode-pa.googleapis.com"),
    ("openai", "openai-responses", "https://api.openai.com/v1"),
    ("azure", "azure-openai-responses", ""),
    ("openai-codex", "openai-codex-responses", "https://chatgpt.com/backend-api"),
    ("github-copilot", "openai-responses", "https://api.individual.githubcopilot.com"),
    ("github-copilot", "anthropic-messages", "https://api.individual.githubcopilot.com"),
    ("opencode", "openai-responses", "https://opencode.ai/inference/openai/v1"),
    ("opencode", "anthropic-messages", "https://opencode.ai/inference/anthropic"),
    ("opencode", "google-generative-ai", "https://opencode.ai/inference/google/v1beta"),
    ("opencode-go", "openai-responses", "https://opencode.ai/inference/go/openai/v1"),
    ("opencode-go", "anthropic-messages", "https://opencode.ai/inference/go/anthropic"),
    ("opencode-go", "google-generative-ai", "https://opencode.ai/inference/go/google/v1beta"),
    ("xai", "openai-responses", "https://api.x.ai/v1"),
    ("anthropic", "anthropic-messages", "https://api.anthropic.com"),
    ("meta", "openai-responses", "https://api.meta.ai/v1"),
    ("cloudflare-ai-gateway", "openai-responses", f"{GATEWAY}/openai"),
    ("cloudflare-ai-gateway", "anthropic-messages", f"{GATEWAY}/anthropic"),
    ("vercel-ai-gateway", "anthropic-messages", "https://ai-gateway.vercel.sh"),
    ("openrouter", "anthropic-messages", "https://openrouter.ai/api"),
    ("fireworks", "anthropic-messages", "https://api.fireworks.ai/inference"),
    ("minimax", "anthropic-messages", "https://api.minimax.io/anthropic"),
    ("minimax-cn", "anthropic-messages", "https://api.minimaxi.com/anthropic"),
}


@pytest.mark.rule("family.14")
def test_every_provider_is_there() -> None:
    """Each searchable provider stands with its api and base URL, and no other."""
    assert {(model.provider, model.api, model.base_url) for model in catalogue()} == PLACES


@pytest.mark.rule("family.14")
def test_every_model_can_be_searched_through() -> None:
    """The catalogue offers candidates only, of all families and dialects, each once."""
    models = catalogue()
    candidates = [candidate for model in models if (candidate := candidate_of(model)) is not None]

    assert len(candidates) == len({(model.provider, model.id, model.api) for model in models})
    assert {candidate.family for candidate in candidates} == set(Family)
    assert {candidate.dialect for candidate in candidates} == set(Dialect)


@pytest.mark.rule("family.14")
def test_every_provider_has_a_handful() -> None:
    """No provider has more than a couple of dozen models: enough to choose from, cheap to read."""
    providers = [model.provider for model in catalogue()]

    assert max(providers.count(provider) for provider in set(providers)) <= 24


def test_it_is_read_once() -> None:
    """All callers share one tuple, so that what was computed from it is recalled."""
    assert catalogue() is catalogue()

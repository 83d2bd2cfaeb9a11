"""Strategies for chat models, candidates, sets of models, and the spelling of model ids."""

from collections.abc import Mapping
from typing import TypeAlias

from hypothesis import strategies as st

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, candidate_of
from native_web_search.domain.model_name import TIERS, VARIANTS, Brand, ModelName, Version

Place: TypeAlias = tuple[str, str, str]  # where models live: provider id, api, base URL

_SEARCHABLE = (
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
    ("opencode", "google-generative-ai", "https://opencode.ai/inference/google/v1beta"),
    ("xai", "openai-responses", "https://api.x.ai/v1"),
    ("anthropic", "anthropic-messages", "https://api.anthropic.com"),
    ("vercel-ai-gateway", "anthropic-messages", "https://ai-gateway.vercel.sh"),
)
_UNSEARCHABLE = (
    ("groq", "openai-completions", "https://api.groq.com/openai/v1"),
    ("amazon-bedrock", "bedrock-converse-stream", "https://bedrock-runtime.example"),
    ("google-vertex", "google-vertex", "https://europe-west1-aiplatform.googleapis.com"),
    ("ollama", "openai-completions", "http://127.0.0.1:11434/v1"),
)


def chat_models() -> st.SearchStrategy[ChatModel]:
    """Models of all kinds, searchable or not, usual and odd."""
    return searchable_models() | unsearchable_models() | odd_models()


def searchable_models() -> st.SearchStrategy[ChatModel]:
    """Models that map to a family."""
    return _models_in(_SEARCHABLE)


def unsearchable_models() -> st.SearchStrategy[ChatModel]:
    """Models that map to none."""
    return _models_in(_UNSEARCHABLE)


def odd_models() -> st.SearchStrategy[ChatModel]:
    """Models whose every field is drawn for itself."""
    providers = st.sampled_from([place[0] for place in _SEARCHABLE + _UNSEARCHABLE])
    apis = st.sampled_from([place[1] for place in _SEARCHABLE + _UNSEARCHABLE])
    return st.builds(
        ChatModel,
        providers | st.text(max_size=6),
        model_ids(),
        apis | st.text(max_size=6),
        base_urls(),
        st.dictionaries(st.text(min_size=1, max_size=6), st.text(max_size=6), max_size=2),
        _compats(),
        st.integers(1, 1_000_000),
    )


def candidates() -> st.SearchStrategy[Candidate]:
    """Candidates of every family and dialect."""
    return searchable_models().map(_candidate)


def model_sets(max_size: int = 12) -> st.SearchStrategy[tuple[ChatModel, ...]]:
    """What a registry may offer: models that differ by name or api, in any order."""
    return st.lists(
        chat_models(),
        max_size=max_size,
        unique_by=lambda model: (model.provider, model.id, model.base_url, model.api),
    ).map(tuple)


def base_urls() -> st.SearchStrategy[str]:
    """Base URLs, among them such as no parser likes."""
    usual = [place[2] for place in _SEARCHABLE + _UNSEARCHABLE]
    odd = ["", "http://[::1", "http://]:x/", "https://u:p@ollama.com:99999/", "ollama.com", "//h"]
    return st.sampled_from([*usual, *odd]) | st.text(max_size=12)


def model_ids() -> st.SearchStrategy[str]:
    """Ids of every brand and spelling, and awkward ones."""
    return st.sampled_from(_REAL_IDS) | awkward_ids()


def awkward_ids() -> st.SearchStrategy[str]:
    """Ids that say nothing, or what nobody expects."""
    odd = [
        "",
        "/",
        "-",
        "latest",
        "²",
        "gpt-٥",
        "gpt-",
        "v1:0",
        "4-4-4",
        "-5",
        "flash",
        "O3",
        "\ud800",
    ]
    return st.sampled_from(odd) | st.text(max_size=20) | st.text("0123456789.-:/@vgpt", max_size=12)


@st.composite
def spelled_ids(draw: st.DrawFn) -> tuple[str, ModelName]:
    """An id in one of the usual spellings, and what is to be read in it."""
    brand = draw(st.sampled_from(Brand))
    version = draw(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 29)))
    grade = draw(st.none() | st.sampled_from(TIERS.get(brand, VARIANTS)))
    extras = draw(st.lists(st.sampled_from(_EXTRAS), max_size=2, unique=True))
    words = [*_spelled(version, draw(st.sampled_from(_MARKS))), *([grade] if grade else [])]
    if draw(st.booleans()):
        words.reverse()
    name = "-".join([_FIRST_WORDS[brand], *words, *extras])
    spelled = draw(st.sampled_from(_PREFIXES)) + name + draw(st.sampled_from(_SUFFIXES))
    return spelled, ModelName(brand, version, grade, len(extras))


_REAL_IDS = (
    *("deepseek-flash", "deepseek/deepseek-v4.1-flash-1017-fast", "deepseek-v4-pro:0813"),
    *("accounts/fireworks/models/deepseek-v4p1-flash", "deepseek-ai/DeepSeek-V4-Flash"),
    *("gpt-5.6-luna", "openai/gpt-6.2-astra-fast", "gpt-6-sol", "gpt-5.5", "gpt-5.5-pro", "gpt-5"),
    *("gpt-4o-2024-11-20", "gpt-4-0613", "gpt-oss:120b", "chat-latest", "o4-mini", "o3"),
    *("claude-haiku-4-5-20251001", "claude-haiku-4.5", "claude-3-7-sonnet-20250219"),
    *("claude-opus-5-5", "~anthropic/claude-fable-latest", "claude-sonnet-4@20250514"),
    *("us.anthropic.claude-haiku-4-5-20251001-v1:0", "gemini-3.5-flash-lite", "gemini-4-argon"),
    *("gemini-3.1-pro-preview-customtools", "gemini-2.5-computer-use-preview-10-2025"),
    *("gemma-4-26b-a4b-it", "gemma4:31b", "grok-4.7", "spacexai/grok-4.20-reasoning"),
    *("accounts/fireworks/models/qwen3p8-max", "qwen3.8-flash", "MiniMax-M3", "kimi-k2.7-code"),
    *("zai/glm-5.3-flash", "muse-spark-1.3", "nvidia/nemotron-3-super-120b-a12b"),
)
_FIRST_WORDS: Mapping[Brand, str] = {
    Brand.DEEPSEEK: "deepseek",
    Brand.OPENAI: "gpt",
    Brand.CLAUDE: "claude",
    Brand.GEMINI: "gemini",
    Brand.OTHER: "glm",
}
_MARKS = (".", "-", "p")
_EXTRAS = ("batch", "preview", "lite", "120b", "thinking", "20250514", "0731")
_PREFIXES = ("", "vendor/", "~vendor/", "accounts/fireworks/models/", "us.vendor.")
_SUFFIXES = ("", "-v1:0")


def _spelled(version: Version | None, mark: str) -> list[str]:
    if version is None:
        return []
    major, minor = version
    return [f"{major}{mark}{minor}" if minor else str(major)]


def _models_in(places: tuple[Place, ...]) -> st.SearchStrategy[ChatModel]:
    def model(place: Place, model_id: str, compat: dict[str, object]) -> ChatModel:
        provider, api, base_url = place
        return ChatModel(provider, model_id, api, base_url, compat=compat)

    return st.builds(model, st.sampled_from(places), model_ids(), _compats())


def _compats() -> st.SearchStrategy[dict[str, object]]:
    dialects: list[object] = ["grok", "openai", "else", None, 5]
    return st.sampled_from([{}, *({"webSearchDialect": dialect} for dialect in dialects)])


def _candidate(model: ChatModel) -> Candidate:
    candidate = candidate_of(model)
    if candidate is None:
        message = f"{model} maps to no family"
        raise AssertionError(message)
    return candidate

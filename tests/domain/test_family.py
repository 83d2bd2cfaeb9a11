"""Which interface each provider's models are searched through."""

import pytest

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Dialect, Family, Operation, candidate_of

RESPONSES, MESSAGES = "openai-responses", "anthropic-messages"
AZURE, CODEX = "azure-openai-responses", "openai-codex-responses"
GOOGLE, COMPLETIONS = "google-generative-ai", "openai-completions"


def _found(
    provider: str, model_id: str, api: str, base_url: str = "", compat: object = None
) -> tuple[Family, Dialect] | None:
    switches = {} if compat is None else {"webSearchDialect": compat}
    candidate = candidate_of(ChatModel(provider, model_id, api, base_url, compat=switches))
    return None if candidate is None else (candidate.family, candidate.dialect)


@pytest.mark.rule("family.2")
@pytest.mark.parametrize("api", [COMPLETIONS, MESSAGES, RESPONSES, GOOGLE, "antigravity", ""])
def test_deepseek_is_known_by_its_provider_id(api: str) -> None:
    """DeepSeek's own interface is used whatever api its chat goes through."""
    assert _found("deepseek", "deepseek-flash", api) == (Family.DEEPSEEK, Dialect.NATIVE)
    assert _found("deepseek", "grok-4", api, "https://ollama.com/v1", "grok") == (
        Family.DEEPSEEK,
        Dialect.NATIVE,
    )


@pytest.mark.rule("family.2")
def test_deepseek_models_elsewhere_are_not_deepseek() -> None:
    """A DeepSeek model at a gateway belongs to the gateway's interface, or to none."""
    base = "https://opencode.ai/inference/openai/v1"

    assert _found("opencode", "deepseek-v4-pro", COMPLETIONS, base) is None
    assert _found("vercel-ai-gateway", "deepseek/deepseek-r1", MESSAGES) == (
        Family.ANTHROPIC,
        Dialect.NATIVE,
    )


@pytest.mark.rule("family.3")
@pytest.mark.parametrize(
    ("provider", "api"),
    [
        ("antigravity", "antigravity"),
        ("antigravity", "antigravity-cloudcode"),
        ("antigravity", GOOGLE),
        ("google-antigravity", COMPLETIONS),
        ("mine", "antigravity"),
        ("mine", "google-antigravity"),
    ],
)
def test_antigravity_is_known_by_provider_or_api(provider: str, api: str) -> None:
    """Both names count, as a provider id and as an api."""
    assert _found(provider, "gemini-3.7-flash", api) == (Family.GOOGLE, Dialect.ANTIGRAVITY)


@pytest.mark.rule("family.4")
@pytest.mark.parametrize("provider", ["google", "opencode", "github-copilot", "xai", "mine"])
def test_gemini_is_known_by_its_api(provider: str) -> None:
    """The Gemini api has one dialect, whoever sells it."""
    assert _found(provider, "gemini-3.8-flash", GOOGLE) == (Family.GOOGLE, Dialect.GEMINI)
    assert _found(provider, "grok-4", GOOGLE, "https://ollama.com", "grok") == (
        Family.GOOGLE,
        Dialect.GEMINI,
    )


@pytest.mark.rule("family.5")
@pytest.mark.parametrize(
    ("provider", "base_url"),
    [
        ("ollama-cloud", "https://proxy.example/v1"),
        ("ollama-cloud", ""),
        ("mine", "https://ollama.com/v1"),
        ("mine", " HTTPS://u:p@OLLAMA.com:443/v1"),
    ],
)
def test_ollama_cloud_is_known_by_provider_or_host(provider: str, base_url: str) -> None:
    """The provider id or the exact host is enough, for any api that no earlier rule takes."""
    for api in (COMPLETIONS, MESSAGES, RESPONSES, ""):
        assert _found(provider, "gpt-oss:120b", api, base_url) == (Family.OLLAMA, Dialect.NATIVE)


@pytest.mark.rule("family.5")
@pytest.mark.parametrize(
    "base_url",
    [
        "http://127.0.0.1:11434/v1",
        "https://ollama.com.evil.example",
        "https://evil.example/@ollama.com",
        "https://evil.example\\@ollama.com",
        "ollama.com/v1",
    ],
)
def test_a_local_ollama_is_not_searchable(base_url: str) -> None:
    """Only the cloud's host counts, and it has to be the host of a URL."""
    assert _found("ollama", "gpt-oss:120b", COMPLETIONS, base_url) is None


@pytest.mark.rule("family.6")
@pytest.mark.parametrize(
    ("provider", "model_id", "api", "compat", "expected"),
    [
        ("xai", "grok-4.7", RESPONSES, None, (Family.XAI, Dialect.NATIVE)),
        ("xai", "anything", RESPONSES, None, (Family.XAI, Dialect.NATIVE)),
        ("github-copilot", "grok-4.7", RESPONSES, None, (Family.XAI, Dialect.COPILOT)),
        ("opencode", "grok-build-0.1", RESPONSES, None, (Family.XAI, Dialect.OPENCODE)),
        ("opencode-go", "grok-4.6", RESPONSES, None, (Family.XAI, Dialect.OPENCODE)),
        ("mine", "grok-4.6", RESPONSES, None, (Family.XAI, Dialect.OPENAI)),
        ("mine", "spacexai/Grok-4.20", RESPONSES, None, (Family.XAI, Dialect.OPENAI)),
        ("azure", "grok-4", AZURE, None, (Family.XAI, Dialect.AZURE)),
        ("mine", "house-model", RESPONSES, "grok", (Family.XAI, Dialect.OPENAI)),
        ("mine", "not-grok-4", RESPONSES, None, (Family.OPENAI, Dialect.OPENAI)),
        ("mine", "grok/gpt-5", RESPONSES, None, (Family.OPENAI, Dialect.OPENAI)),
    ],
)
def test_grok_is_known_by_provider_id_or_switch(
    provider: str,
    model_id: str,
    api: str,
    compat: object,
    expected: tuple[Family, Dialect],
) -> None:
    """xAI, an id that begins with grok, or the host's switch; the seller makes the dialect."""
    assert _found(provider, model_id, api, compat=compat) == expected


@pytest.mark.rule("family.7")
def test_the_switch_beats_every_sign_of_grok() -> None:
    """`openai` as the web search dialect makes even xAI's own models OpenAI's."""
    openai = (Family.OPENAI, Dialect.OPENAI)

    assert _found("mine", "grok-4", RESPONSES, compat="openai") == openai
    assert _found("xai", "grok-4", RESPONSES, compat="openai") == openai


@pytest.mark.rule("family.7")
@pytest.mark.parametrize("odd", ["Grok", "", None, 5, ["grok"], {"grok": True}])
def test_an_odd_switch_is_no_switch(odd: object) -> None:
    """What is neither word leaves the decision to provider and id."""
    assert _found("mine", "gpt-5", RESPONSES, compat=odd) == (Family.OPENAI, Dialect.OPENAI)
    assert _found("mine", "grok-4", RESPONSES, compat=odd) == (Family.XAI, Dialect.OPENAI)


@pytest.mark.rule("family.6")
def test_grok_through_another_api_is_not_xai() -> None:
    """The xAI form belongs to the Responses apis: Messages stay Messages, completions nothing."""
    assert _found("mine", "grok-4", MESSAGES, compat="grok") == (Family.ANTHROPIC, Dialect.NATIVE)
    assert _found("xai", "grok-4", COMPLETIONS, compat="grok") is None


@pytest.mark.rule("family.8")
@pytest.mark.parametrize(
    ("provider", "api", "base_url", "dialect"),
    [
        ("openai", RESPONSES, "https://api.openai.com/v1", Dialect.OPENAI),
        ("meta", RESPONSES, "https://api.meta.ai/v1", Dialect.OPENAI),
        ("azure", AZURE, "", Dialect.AZURE),
        ("azure-openai-responses", AZURE, "", Dialect.AZURE),
        ("opencode", AZURE, "", Dialect.AZURE),
        ("azure", RESPONSES, "https://x.openai.azure.com", Dialect.OPENAI),
        ("openai-codex", CODEX, "https://chatgpt.com/backend-api", Dialect.CODEX),
        ("github-copilot", CODEX, "", Dialect.CODEX),
        ("openai-codex", RESPONSES, "", Dialect.OPENAI),
        ("github-copilot", RESPONSES, "", Dialect.COPILOT),
        ("mine", RESPONSES, "https://api.individual.githubcopilot.com", Dialect.OPENAI),
        ("opencode", RESPONSES, "https://proxy.example", Dialect.OPENCODE),
        ("opencode-go", RESPONSES, "", Dialect.OPENCODE),
        ("mine", RESPONSES, "https://OpenCode.ai/zen/v1", Dialect.OPENCODE),
        ("mine", RESPONSES, "https://www.opencode.ai/zen/v1", Dialect.OPENAI),
    ],
)
def test_responses_dialects(provider: str, api: str, base_url: str, dialect: Dialect) -> None:
    """An api makes Azure and Codex, a provider id Copilot, an id or a host OpenCode."""
    assert _found(provider, "gpt-6-luna", api, base_url) == (Family.OPENAI, dialect)


@pytest.mark.rule("family.9")
@pytest.mark.parametrize(
    ("provider", "base_url", "dialect"),
    [
        ("anthropic", "https://api.anthropic.com", Dialect.NATIVE),
        ("openrouter", "https://openrouter.ai/api", Dialect.NATIVE),
        ("xai", "", Dialect.NATIVE),
        ("github-copilot", "https://api.individual.githubcopilot.com", Dialect.COPILOT),
        ("opencode", "https://opencode.ai/inference/anthropic", Dialect.OPENCODE),
        ("mine", "https://opencode.ai/zen", Dialect.OPENCODE),
    ],
)
def test_messages_dialects(provider: str, base_url: str, dialect: Dialect) -> None:
    """Messages are Anthropic's own but for Copilot and OpenCode, which want their headers."""
    assert _found(provider, "claude-haiku-5-5", MESSAGES, base_url) == (Family.ANTHROPIC, dialect)


@pytest.mark.rule("family.10")
@pytest.mark.parametrize(
    "api", [COMPLETIONS, "google-vertex", "bedrock-converse-stream", "mistral-conversations", ""]
)
def test_other_apis_are_not_searchable(api: str) -> None:
    """Chat completions and the clouds' own apis offer no search of ours."""
    assert _found("mine", "claude-haiku-5-5", api, "https://api.example") is None


@pytest.mark.rule("family.11")
@pytest.mark.parametrize(
    ("provider", "api"),
    [
        ("DeepSeek", COMPLETIONS),
        ("Ollama-Cloud", COMPLETIONS),
        ("mine", "Google-Generative-AI"),
        ("mine", "OPENAI-RESPONSES"),
        ("mine", " anthropic-messages"),
    ],
)
def test_names_must_match_exactly(provider: str, api: str) -> None:
    """Provider ids and apis in another case or spelling are somebody else's."""
    assert _found(provider, "m", api) is None


@pytest.mark.rule("family.12")
def test_what_families_offer() -> None:
    """All families search; DeepSeek, Ollama and Google fetch as well."""
    assert all(family.can(Operation.SEARCH) for family in Family)
    assert [family for family in Family if family.can(Operation.FETCH)] == [
        Family.DEEPSEEK,
        Family.OLLAMA,
        Family.GOOGLE,
    ]


@pytest.mark.rule("family.13")
def test_families_stand_in_priority_order() -> None:
    """The order of the families is the order in which they are asked."""
    assert [family.value for family in Family] == [
        "deepseek",
        "ollama",
        "google",
        "openai",
        "xai",
        "anthropic",
    ]

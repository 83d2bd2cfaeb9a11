"""The eleven simulated providers: where they live, what they serve, what opens them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from attrs import field, frozen

from native_web_search.adapters.simulator.anthropic_checks import anthropic_error
from native_web_search.adapters.simulator.corpus import Corpus
from native_web_search.adapters.simulator.exchange import Answer, SeenRequest, Wire, text_answer
from native_web_search.adapters.simulator.google_checks import google_error
from native_web_search.adapters.simulator.keys import key_of
from native_web_search.adapters.simulator.responses_errors import phrase, refusal
from native_web_search.adapters.simulator.wire_anthropic import anthropic
from native_web_search.adapters.simulator.wire_google import antigravity, gemini
from native_web_search.adapters.simulator.wire_responses import copilot, responses
from native_web_search.adapters.simulator.wire_rest import (
    deepseek,
    deepseek_error,
    ollama,
    ollama_error,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import Credential

COPILOT_HEADERS = (
    ("User-Agent", "GitHubCopilotChat/0.35.0"),
    ("Editor-Version", "vscode/1.107.0"),
    ("Editor-Plugin-Version", "copilot-chat/0.35.0"),
    ("Copilot-Integration-Id", "vscode-chat"),
)

# Providers whose real address is fixed, or comes from the credential: only a base URL that the
# credential brings leads their clients here.
FIXED_ADDRESS = frozenset({"antigravity", "github-copilot"})


@frozen
class Simulated:
    """One provider. `base` is the path of its base URL; the first segment tells it apart."""

    base: str
    api: str
    models: tuple[str, ...]
    wire: Wire
    error: Callable[[int, str], Answer]
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def _responses(provider: str, base: str, api: str, *models: str) -> Simulated:
    def error(status: int, message: str) -> Answer:
        return refusal(provider, status, message)

    return Simulated(base, api, models, responses, error)


PROVIDERS: Mapping[str, Simulated] = MappingProxyType(
    {
        "deepseek": Simulated(
            "/deepseek",
            "openai-completions",
            ("deepseek-v4.1-flash", "deepseek-v4-pro"),
            deepseek,
            deepseek_error,
        ),
        "ollama-cloud": Simulated(
            "/ollama-cloud/v1", "openai-completions", ("gpt-oss:120b",), ollama, ollama_error
        ),
        "google": Simulated(
            "/google/v1beta",
            "google-generative-ai",
            ("gemini-3.5-flash", "gemini-3.1-pro-preview"),
            gemini,
            google_error,
        ),
        "antigravity": Simulated(
            "/antigravity", "antigravity", ("gemini-3.6-flash",), antigravity, google_error
        ),
        "openai": _responses(
            "openai", "/openai/v1", "openai-responses", "gpt-5.6-luna", "gpt-5-mini"
        ),
        "azure": _responses("azure", "/azure/openai/v1", "azure-openai-responses", "gpt-5-mini"),
        "openai-codex": _responses(
            "openai-codex", "/codex", "openai-codex-responses", "gpt-5.6-luna"
        ),
        "github-copilot": Simulated(
            "/copilot",
            "openai-responses",
            ("gpt-5-mini",),
            copilot,
            lambda status, message: refusal("github-copilot", status, message),
            COPILOT_HEADERS,
        ),
        "opencode": _responses("opencode", "/opencode/v1", "openai-responses", "gpt-5.5"),
        "xai": _responses("xai", "/xai/v1", "openai-responses", "grok-4.7"),
        "anthropic": Simulated(
            "/anthropic",
            "anthropic-messages",
            ("claude-sonnet-5-5", "claude-haiku-4-5"),
            anthropic,
            anthropic_error,
        ),
    }
)

_BY_SEGMENT = {simulated.base.split("/")[1]: name for name, simulated in PROVIDERS.items()}


def provider_of(path: str) -> str:
    """The provider that a request's path belongs to, empty if none."""
    return _BY_SEGMENT.get(path.lstrip("/").partition("/")[0], "")


def models_at(url: str) -> tuple[ChatModel, ...]:
    """A chat model or two of each provider, as a host would list them."""
    return tuple(
        ChatModel(provider, model, simulated.api, f"{url}{simulated.base}", simulated.headers)
        for provider, simulated in PROVIDERS.items()
        for model in simulated.models
    )


def credential_at(url: str, provider: str) -> Credential:
    """What the provider's door opens to."""
    base_url = f"{url}{PROVIDERS[provider].base}" if provider in FIXED_ADDRESS else None
    return Credential(f"the simulated {provider}", key_of(provider), base_url=base_url)


def usual_answer(seen: SeenRequest, corpus: Corpus) -> Answer:
    """What the provider says when nothing is wrong with it."""
    if seen.provider not in PROVIDERS:
        return text_answer("no simulated provider lives here\n", status=404)
    return PROVIDERS[seen.provider].wire(seen, corpus)


def error_answer(provider: str, status: int) -> Answer:
    """What the provider says with this status when it says nothing special."""
    if provider not in PROVIDERS:
        return text_answer(f"{phrase(status)}\n", status=status)
    return PROVIDERS[provider].error(status, phrase(status))

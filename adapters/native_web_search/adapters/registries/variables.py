"""Which environment variables open which provider.

The rule is the provider id in capitals, `-` as `_`, with `_API_KEY` behind it; the exceptions
stand in `EXCEPTIONS`, the first that is set and not blank wins. A blank variable is no credential.
"""

from collections.abc import Mapping

from attrs import field, frozen

from native_web_search.ports.registry import Credential

EXCEPTIONS: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"),
    "azure": ("AZURE_OPENAI_API_KEY",),
    "azure-openai-responses": ("AZURE_OPENAI_API_KEY",),
    "cloudflare-ai-gateway": ("CLOUDFLARE_API_KEY",),
    "github-copilot": ("COPILOT_GITHUB_TOKEN",),
    "google": ("GEMINI_API_KEY",),
    "ollama-cloud": ("OLLAMA_API_KEY",),
    "opencode-go": ("OPENCODE_API_KEY",),
    "vercel-ai-gateway": ("AI_GATEWAY_API_KEY",),
    # These two are opened by a login alone.
    "antigravity": (),
    "openai-codex": (),
}

# Sent as a bearer token and never as an API key.
BEARER_TOKENS = frozenset({"ANTHROPIC_AUTH_TOKEN"})

# What a provider needs beside its key before any address can be made.
ALSO_NEEDED: Mapping[str, tuple[str, ...]] = {
    "cloudflare-ai-gateway": ("CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID"),
}


@frozen
class Found:
    """A variable that holds a credential. `repr` does not show it."""

    name: str
    value: str = field(repr=False)

    def credential(self) -> Credential:
        source = f"environment variable {self.name}"
        if self.name in BEARER_TOKENS:
            return Credential(source, headers=(("Authorization", f"Bearer {self.value}"),))
        return Credential(source, key=self.value)


def variables_of(provider: str) -> tuple[str, ...]:
    """The variables that can open a provider, the strongest first."""
    ordinary = provider.upper().replace("-", "_") + "_API_KEY"
    return EXCEPTIONS.get(provider, (ordinary,))


def found(provider: str, environ: Mapping[str, str]) -> Found | None:
    """The variable that opens a provider now, or none."""
    if any(not environ.get(name, "").strip() for name in ALSO_NEEDED.get(provider, ())):
        return None
    for name in variables_of(provider):
        value = environ.get(name, "").strip()
        if value:
            return Found(name, value)
    return None

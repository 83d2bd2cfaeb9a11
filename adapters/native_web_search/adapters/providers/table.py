"""Which codec speaks to which candidate."""

from collections.abc import Mapping
from types import MappingProxyType

from native_web_search.adapters.providers import anthropic, antigravity, deepseek, gemini, ollama
from native_web_search.adapters.providers.azure import AZURE, GROK_ON_AZURE
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.providers.codex import CODEX
from native_web_search.adapters.providers.copilot import COPILOT, GROK_ON_COPILOT
from native_web_search.adapters.providers.openai import GROK_ON_OPENAI, OPENAI
from native_web_search.adapters.providers.opencode import GROK_ON_OPENCODE, OPENCODE
from native_web_search.adapters.providers.xai import XAI
from native_web_search.domain.family import Candidate, Dialect, Family

CODECS: Mapping[tuple[Family, Dialect], Codec] = MappingProxyType(
    {
        (Family.DEEPSEEK, Dialect.NATIVE): deepseek.CODEC,
        (Family.OLLAMA, Dialect.NATIVE): ollama.CODEC,
        (Family.GOOGLE, Dialect.GEMINI): gemini.CODEC,
        (Family.GOOGLE, Dialect.ANTIGRAVITY): antigravity.CODEC,
        (Family.OPENAI, Dialect.OPENAI): OPENAI,
        (Family.OPENAI, Dialect.AZURE): AZURE,
        (Family.OPENAI, Dialect.CODEX): CODEX,
        (Family.OPENAI, Dialect.COPILOT): COPILOT,
        (Family.OPENAI, Dialect.OPENCODE): OPENCODE,
        (Family.XAI, Dialect.NATIVE): XAI,
        (Family.XAI, Dialect.OPENAI): GROK_ON_OPENAI,
        (Family.XAI, Dialect.AZURE): GROK_ON_AZURE,
        (Family.XAI, Dialect.CODEX): CODEX,  # the address wants Codex's body, whatever the model
        (Family.XAI, Dialect.COPILOT): GROK_ON_COPILOT,
        (Family.XAI, Dialect.OPENCODE): GROK_ON_OPENCODE,
        (Family.ANTHROPIC, Dialect.NATIVE): anthropic.CODEC,
        (Family.ANTHROPIC, Dialect.COPILOT): anthropic.COPILOT,
        (Family.ANTHROPIC, Dialect.OPENCODE): anthropic.OPENCODE,
    }
)


def codec_of(candidate: Candidate) -> Codec:
    """The candidate's codec; detection makes no candidate without one."""
    return CODECS[candidate.family, candidate.dialect]

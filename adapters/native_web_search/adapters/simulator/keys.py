"""The keys that open the simulated providers. They are made up and open nothing else."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from types import MappingProxyType

CODEX_ACCOUNT = "acct-simulated-0001"
CODEX_CLAIM = "https://api.openai.com/auth"
ANTIGRAVITY_PROJECT = "simulated-project"
ANTIGRAVITY_BEARER = "ya29.simulated-antigravity"

# Anthropic takes an API key or the login of a subscription; the second has rules of its own.
ANTHROPIC_LOGIN = "sk-ant-oat01-simulated-login"


def _codex_login() -> str:
    """A JWT whose claims name the account. Nobody signs it, nobody checks a signature."""
    claims = {CODEX_CLAIM: {"chatgpt_account_id": CODEX_ACCOUNT, "chatgpt_plan_type": "plus"}}
    parts: tuple[object, ...] = ({"alg": "none", "typ": "JWT"}, claims)
    encoded = (urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts)
    return b".".join([*encoded, b"c2ltdWxhdGVk"]).decode()


KEYS: Mapping[str, str] = MappingProxyType(
    {
        "deepseek": "sk-simulated-deepseek",
        "ollama-cloud": "simulated-ollama-cloud",
        "google": "AIza-simulated-google",
        "antigravity": json.dumps({"token": ANTIGRAVITY_BEARER, "projectId": ANTIGRAVITY_PROJECT}),
        "openai": "sk-proj-simulated-openai",
        "azure": "simulated-azure-subscription",
        "openai-codex": _codex_login(),
        "github-copilot": "tid=simulated;exp=4102444800;sku=simulated-copilot",
        "opencode": "sk-simulated-opencode",
        "xai": "xai-simulated-xai",
        "anthropic": "sk-ant-api03-simulated-anthropic",
    }
)


def key_of(provider: str) -> str:
    """What this provider takes as a credential."""
    return KEYS[provider]

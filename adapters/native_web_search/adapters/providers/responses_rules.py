"""What the error codes and words of the Responses interfaces mean.

One table serves all of them: gateways pass the codes of others through, and no code means two
things. A precise field beats the status (OpenCode answers 401 for an unknown model, xAI 400 for a
bad key), the status decides only where it is precise itself, and what nothing here recognises is
`PROVIDER`.
"""

from native_web_search.adapters.providers.classify import Rule
from native_web_search.adapters.providers.json_values import object_in, text_in
from native_web_search.adapters.providers.rest import TOO_LARGE
from native_web_search.domain.failure import Scope

CONTENT = frozenset({
    "bio_policy",
    "content_filter",
    "content_policy_violation",
    "cyber_policy",
    "invalid_prompt",
    "misalignment_policy_violation",
})  # fmt: skip
INNER_CONTENT = "ResponsibleAIPolicyViolation"  # Azure's word, one level further in

ACCOUNT = frozenset({
    "autherror",
    "credit_balance_exhausted",
    "creditserror",
    "insufficient_quota",
    "invalid_api_key",
    "monthlylimiterror",
    "personal-team-blocked:spending-limit",
    "quota_exceeded",
    "subscription_sharing_usage_limit_exceeded",
    "usage_limit_reached",
    "usage_not_included",
    "userlimiterror",
})  # fmt: skip

MODEL = frozenset({
    "context_length_exceeded",  # siblings may have a longer one
    "deploymentnotfound",
    "freeusagelimiterror",  # free models only; the paid siblings still work
    "model_not_found",
    "model_not_supported",
    "modelerror",
    "regionerror",  # only some models are bound to regions
    "unsupported_api_for_model",
})  # fmt: skip

MODEL_PHRASES = (
    "not have access to model",
    "not have access to the model",
    "does not exist or you do not have access to it",
    "does not exist or your team",
    "is not supported when using codex with a chatgpt account",
    "hosted tool '…' is not supported",
    "web search tool is not supported",
    "tools cannot be used with reasoning.effort",
    "must be verified to stream this model",
    "the requested model is not supported",
    "the requested model is not available for integrator",
    "is not accessible via the /… endpoint",
    "does not support parameter reasoningeffort",
    "reasoning effort unsupported for this model",
    "rate limit reached for … on",  # OpenAI's limits are per model, and the sentence names it
)

MALFORMED = frozenset({400, 422})
MODEL_SETTINGS = ("reasoning", "temperature", "text", "tools", "stream")


def _innermost_says_content(body: object) -> bool:
    error = object_in(object_in(body).get("error"))
    return object_in(error.get("innererror")).get("code") == INNER_CONTENT


def _blames_a_setting(body: object) -> bool:
    """Whether a `param` names one of the settings that some models take and others do not."""
    param = text_in(object_in(object_in(body).get("error")).get("param"))
    return param.startswith(MODEL_SETTINGS)


RULES = (
    Rule(Scope.REQUEST, signs=CONTENT),
    Rule(Scope.REQUEST, holds=_innermost_says_content),
    Rule(Scope.PROVIDER, signs=ACCOUNT),
    Rule(Scope.MODEL, signs=MODEL),
    Rule(Scope.MODEL, phrases=MODEL_PHRASES),
    Rule(Scope.MODEL, MALFORMED, phrases=("this model",), holds=_blames_a_setting),
    TOO_LARGE,
)

"""What Google's errors, blocks and finish reasons mean, for Gemini and Antigravity alike.

A bad API key is a 400 like a malformed request and an unsupported tool; only `details[].reason`
and a few known phrases tell them apart. A quota belongs to one model if its details name one: then
the siblings are still worth an attempt. The same goes for "the model is overloaded" against any
other 503. An error object inside a stream may give its code as a number or only by name, so no
rule leans on the status where a name or a phrase will do.

A finish reason decides about the whole answer. Reasons that nobody has heard of yet are read as
"cut short": what was proven stays, what was not is no success.
"""

from native_web_search.adapters.providers.classify import Rule, one_line
from native_web_search.adapters.providers.json_values import (
    Fields,
    object_in,
    objects_in,
    text_in,
)
from native_web_search.adapters.providers.rest import TOO_LARGE
from native_web_search.domain.failure import (
    AttemptFailure,
    ModelRefused,
    ProviderRefused,
    RequestRefused,
    Scope,
)

CLEAN = "STOP"

BLOCKED = frozenset(
    {
        "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
        "LANGUAGE", "ESCALATION",
    }
)  # fmt: skip
BROKEN = frozenset(
    {
        "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
        "MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE", "OTHER", "NO_IMAGE",
    }
)  # fmt: skip
BROKEN_IMAGE = "IMAGE_"  # a whole group of reasons begins like this
ACCOUNT_LIMITED = frozenset({"PUP_LIMITED_DISABLED"})

TOOL_UNSUPPORTED = (
    "search as tool is not enabled",
    "browse tool is not supported",
    "is not supported for this model",
    "search grounding is not supported",
)
MODEL_OVERLOADED = ("model is overloaded", "experiencing high demand", "no capacity available for")


def is_per_model(body: object) -> bool:
    """Whether the details of an error tie it to one model: a quota that is counted by model, or
    metadata that name the model.
    """
    outermost = next(objects_in(body), object_in(body))  # a list holds it when events were refused
    error = object_in(outermost.get("error"))
    return any(map(_names_model, objects_in(error.get("details"))))


def _names_model(detail: Fields) -> bool:
    return bool(object_in(detail.get("metadata")).get("model")) or any(
        "PerModel" in text_in(violation.get("quotaId"))
        or object_in(violation.get("quotaDimensions")).get("model")
        for violation in objects_in(detail.get("violations"))
    )


RULES = (
    TOO_LARGE,
    Rule(Scope.REQUEST, phrases=("number of urls to lookup exceeds the limit",)),
    Rule(
        Scope.PROVIDER,
        signs=frozenset({"api_key_invalid", "service_disabled", "access_token_expired"}),
    ),
    Rule(Scope.MODEL, phrases=TOOL_UNSUPPORTED),
    Rule(Scope.MODEL, signs=frozenset({"not_found"})),
    Rule(Scope.MODEL, statuses=frozenset({403, 404}), phrases=("model",)),
    Rule(Scope.MODEL, signs=frozenset({"permission_denied"}), phrases=("model",)),
    Rule(Scope.MODEL, holds=is_per_model),
    Rule(Scope.MODEL, phrases=("on this model",)),
    Rule(Scope.MODEL, signs=frozenset({"model_capacity_exhausted"})),
    Rule(Scope.MODEL, phrases=MODEL_OVERLOADED),
)


def failure_of_finish(reason: str, message: str) -> AttemptFailure | None:
    """What a finish reason makes of the answer, whatever was said before it; `None` if the answer
    may stand. `message` is Google's own explanation, often empty.
    """
    said = one_line(f"the answer ended with {reason}: {message}".removesuffix(": "))
    if reason in BLOCKED:
        return RequestRefused(said)
    if reason in BROKEN or reason.startswith(BROKEN_IMAGE):
        return ModelRefused(said)
    if reason in ACCOUNT_LIMITED:
        return ProviderRefused(said)
    return None


def blocked_prompt(reason: str, message: str) -> RequestRefused:
    """A prompt that was not answered at all: about this request, never an outage."""
    said = f"the request was blocked with {reason}: {message}".removesuffix(": ")
    return RequestRefused(one_line(said))

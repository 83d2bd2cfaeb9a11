"""What the errors of Anthropic's Messages interface mean, behind whatever gateway.

The type of an error stands for its status, and inside a stream it is all there is: an overload
that comes as an event of a 200 is the overload of a 529. So rules lean on types, and on known
phrases where many different things are called `invalid_request_error`. An empty balance is one of
those, and so is a gateway that has never heard of the search tool: both concern everybody at that
address, as does everything that no rule knows.
"""

from native_web_search.adapters.providers.classify import Rule
from native_web_search.adapters.providers.responses_rules import RULES as GATEWAY_RULES
from native_web_search.domain.failure import Scope

NAMES_MODEL = ("model",)

RULES = (
    # Also as a 403, yet no word about one model: a sibling of the organisation fails equally.
    Rule(Scope.PROVIDER, phrases=("web search is disabled",)),
    *GATEWAY_RULES,
    Rule(Scope.REQUEST, signs=frozenset({"request_too_large"})),
    Rule(
        Scope.MODEL,
        phrases=("does not support programmatic tool calling", "error from provider … model:"),
    ),
    Rule(Scope.MODEL, statuses=frozenset({403, 404}), phrases=NAMES_MODEL),
    Rule(
        Scope.MODEL,
        signs=frozenset({"not_found_error", "permission_error", "overloaded_error"}),
        phrases=NAMES_MODEL,
    ),
)

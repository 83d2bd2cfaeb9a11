"""The pure core: data in, data out. No clock, no network, no event loop.

    family, ranking, candidates     which model can search, and whom to ask first
    failure, cooldown, fallback     what went wrong, how long it counts, whom to ask next
    exposure, exposure_sync         what the model is shown of the tool
    fingerprint, preference         what is remembered, and while what
    request, payload, output_guard  from raw arguments to a text that keeps to its limit

Here stand the usual names; `exposure` and `fingerprint` are in the modules that they share their
names with.
"""

from native_web_search.domain.candidates import demote, order
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.cooldown import Failed, Ledger, Succeeded
from native_web_search.domain.exposure import Exposure, ToolSpec, tool_spec
from native_web_search.domain.exposure_sync import Register, SetActive, SyncState, plan_sync
from native_web_search.domain.failure import (
    CredentialUnresolved,
    ModelRefused,
    NotSearched,
    ProviderRefused,
    QueryTooLong,
    RequestRefused,
    Scope,
    Skipped,
    TimedOut,
    Unreachable,
    Unreadable,
    scope_of,
)
from native_web_search.domain.fallback import (
    Done,
    FetchFallback,
    Finished,
    GiveUp,
    SearchFallback,
    Try,
)
from native_web_search.domain.family import Candidate, Dialect, Family, Operation, candidate_of
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.domain.output_guard import Fitted, fit, fit_text
from native_web_search.domain.payload import FetchAnswer, Fetched, UrlFailure
from native_web_search.domain.policy import CurrentOnly, Everyone, Only
from native_web_search.domain.preference import Preference, Preferences
from native_web_search.domain.ranking import preference_key
from native_web_search.domain.request import Request, parse_request

__all__ = [
    "Candidate",
    "ChatModel",
    "CredentialUnresolved",
    "CurrentOnly",
    "Dialect",
    "Done",
    "Everyone",
    "Exposure",
    "Failed",
    "Failure",
    "Family",
    "FetchAnswer",
    "FetchFallback",
    "Fetched",
    "Finished",
    "Fitted",
    "GiveUp",
    "Ledger",
    "ModelRefused",
    "NotSearched",
    "Only",
    "Operation",
    "Outcome",
    "Preference",
    "Preferences",
    "ProviderRefused",
    "QueryTooLong",
    "Register",
    "Request",
    "RequestRefused",
    "Scope",
    "SearchFallback",
    "SetActive",
    "Skipped",
    "Succeeded",
    "Success",
    "SyncState",
    "TimedOut",
    "ToolSpec",
    "Try",
    "Unreachable",
    "Unreadable",
    "UrlFailure",
    "candidate_of",
    "demote",
    "fit",
    "fit_text",
    "order",
    "parse_request",
    "plan_sync",
    "preference_key",
    "scope_of",
    "tool_spec",
]

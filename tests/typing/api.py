"""What the checkers must say of the public API. Checked, never run."""

from collections.abc import Mapping
from typing import assert_type

from native_web_search.adapters import open_blocking_web_search, open_web_search
from native_web_search.application import BlockingWebSearch, ToolResult, WebSearch
from native_web_search.domain import (
    Candidate,
    ChatModel,
    Fitted,
    Ledger,
    Operation,
    SearchFallback,
    ToolSpec,
    candidate_of,
    demote,
    fit,
    order,
    parse_request,
)
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.request import InvalidRequest, Request
from native_web_search.ports import Credential, CredentialAnswer, ModelRegistry


class HostRegistry:
    """A registry needs no base class."""

    def current(self) -> ChatModel | None:
        return None

    def available(self) -> tuple[ChatModel, ...]:
        return ()

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        return Credential(model.provider, key="k")


async def a_call() -> None:
    registry: ModelRegistry = HostRegistry()
    async with open_web_search(registry, max_chars=1_000, timeout_ms=5_000) as web:
        _ = assert_type(web, WebSearch)
        result = assert_type(await web.call({"query": "q"}), ToolResult)
        _ = assert_type(result.document, Mapping[str, object] | None)
        _ = assert_type(await web.tool_spec(), ToolSpec | None)


def a_blocking_call() -> str:
    with open_blocking_web_search() as web:
        _ = assert_type(web, BlockingWebSearch)
        return web.call({"urls": ["https://e.example/"]}).text


def the_core(models: tuple[ChatModel, ...]) -> str:
    candidates = order(candidate_of(models[0]), None, models, Operation.SEARCH)
    candidates = demote(candidates, Ledger(), Operation.SEARCH, 0.0)
    _ = assert_type(candidates, tuple[Candidate, ...])
    _ = assert_type(SearchFallback.start(candidates), SearchFallback)
    _ = assert_type(fit({"a": 1}, 100), Fitted)
    match parse_request({"query": "q"}):
        case Success(request):
            return str(assert_type(request, Request).query)
        case Failure(invalid):
            return assert_type(invalid, InvalidRequest).message

"""The tool as an MCP server, for every client that speaks the protocol.

One server answers both protocol eras, the handshake one and the one without sessions. A client
that lists the tools is shown what can work now, for the current model; so the answer is worked out
at each request and marked as stale at once. `Watch` notices when it would be another one, and
`Announcer` tells the clients.

Clients may call from an old list. Whatever was shown, `urls` are served while a usable provider
can analyze them; a tool that is hidden now is unknown. Every failure is a result with `isError`,
because a protocol error reaches the client and not its model.

MCP does not say which model a conversation uses. It is the registry's current model, unless the
request names another one in its `_meta`, under `MODEL_KEY`, as `provider/id`.

There is no structured content: some clients show it to their model in place of the text, which
alone obeys the output limit. What a host may want to know of a call is in the result's `_meta`.
"""

import logging
from enum import Enum
from itertools import count
from typing import Any, TypeAlias

import mcp_types as types
from attrs import define, field
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions

from native_web_search.adapters.hosts.mcp_changes import Announcer, Watch
from native_web_search.application.record import Record
from native_web_search.application.result import ToolResult, error_result
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import Exposure, ToolSpec, tool_spec
from native_web_search.domain.version import __version__
from native_web_search.ports.providers import Progress

log = logging.getLogger("native_web_search")

MODEL_KEY = "native-web-search/model"
DETAILS_KEY = "native-web-search/details"

POLL_SECONDS = 5.0  # a login elsewhere shows within seconds, and looking costs next to nothing
SHOWN_NAME = 100  # code points of an unknown tool's name that are given back

Context: TypeAlias = ServerRequestContext[Any, Any]


class Schema(Enum):
    """Which form of the tool is listed: the one that can work now, or always the same.

    Some clients keep the first schema of a tool for a whole session. A fixed form is still hidden
    while nothing is usable.
    """

    AUTO = "auto"
    FULL = "full"
    QUERY = "query"


@define(eq=False)
class ToolServer:
    """Serves one `WebSearch` over MCP. Belongs to one event loop; does not close the tool.

    `server` is what transports and in-process hosts take. While one of them runs it, the registry
    is looked at every `poll_seconds`.
    """

    web: WebSearch
    schema: Schema = Schema.AUTO
    poll_seconds: float = POLL_SECONDS
    server: Server[None] = field(init=False)
    _announcer: Announcer = field(init=False, factory=Announcer)
    _watch: Watch = field(init=False)

    def __attrs_post_init__(self) -> None:
        announcer = self._announcer
        self._watch = Watch(self._models, self._offer, announcer.announce, self.poll_seconds)
        self.server = _Server(
            "native-web-search",
            version=__version__,
            title="Web search",
            lifespan=self._watch.running,
            on_list_tools=self._list,
            on_call_tool=self._call,
            on_subscriptions_listen=announcer.subscriptions,
            get_tool_input_schema=_no_header_parameters,
        )
        self.server.add_notification_handler(
            "notifications/initialized", types.NotificationParams, announcer.greeted
        )

    async def changed(self) -> bool:
        """Look at the exposure now, and announce it if it is new; whether it was."""
        return await self._watch.look()

    def end_subscriptions(self) -> None:
        """Tell the clients that are subscribed to changes that there will be no more."""
        self._announcer.subscriptions.close()

    async def _list(
        self, ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        _model, spec = await self._request(ctx)
        return types.ListToolsResult(tools=[] if spec is None else [_tool(spec)], ttl_ms=0)

    async def _call(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        model, spec = await self._request(ctx)
        if spec is None or params.name != spec.name:
            unknown = f"Unknown tool: {params.name[:SHOWN_NAME]}"
            return _answer(error_result(unknown, self.web.settings, Record()))
        result = await self.web.call(
            params.arguments or {}, current=model, progress=_reporting(ctx)
        )
        return _answer(result)

    async def _request(self, ctx: Context) -> tuple[ChatModel | None, ToolSpec | None]:
        """The available model that a request names, and what is offered to it."""
        named = (ctx.meta or {}).get(MODEL_KEY)
        name = named if isinstance(named, str) else None
        model, spec = await self._resolved(name)
        self._watch.offered(None if model is None else name, spec)
        return model, spec

    def _models(self) -> object:
        """What an offer rests on, as far as it shows without resolving a credential."""
        try:
            return self.web.registry.current(), self.web.registry.available()
        except Exception as error:  # noqa: BLE001 - whatever a registry raises
            return type(error)

    async def _offer(self, name: str | None) -> ToolSpec | None:
        _model, spec = await self._resolved(name)
        return spec

    async def _resolved(self, name: str | None) -> tuple[ChatModel | None, ToolSpec | None]:
        """The available model of that `provider/id`, and what to list for it. Raises nothing.

        Without a name, or an available model that has it, the registry's current model counts.
        """
        try:
            available = self.web.registry.available() if name is not None else ()
            model = next((one for one in available if f"{one.provider}/{one.id}" == name), None)
            return model, self._fixed(await self.web.tool_spec(model))
        except Exception as error:  # noqa: BLE001 - whatever a registry raises
            log.warning("%s is hidden: its models failed (%s)", self.web.name, type(error).__name__)
            return None, None

    def _fixed(self, spec: ToolSpec | None) -> ToolSpec | None:
        """The form that is asked for, of a tool that is not hidden."""
        match spec, self.schema:
            case (None, _) | (_, Schema.AUTO):
                return spec
            case _, Schema.FULL:
                return tool_spec(Exposure.QUERY_AND_URLS, self.web.name)
            case _, Schema.QUERY:
                return tool_spec(Exposure.QUERY, self.web.name)


class _Server(Server[None]):
    """A server that says in every handshake that its tools may change, whoever runs it."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def _no_header_parameters(_name: str) -> None:
    """No argument travels in an HTTP header, which spares a listing before each call."""


def _tool(spec: ToolSpec) -> types.Tool:
    annotations = types.ToolAnnotations(
        title="Web search", read_only_hint=True, open_world_hint=True
    )
    return types.Tool(
        name=spec.name,
        description=spec.description,
        input_schema=dict(spec.schema),
        annotations=annotations,
    )


def _reporting(ctx: Context) -> Progress:
    """Progress as the protocol has it: a number that grows, without a known end."""
    done = count(1)

    async def report(message: str) -> None:
        try:
            await ctx.session.report_progress(next(done), message=message)
        except Exception as error:  # noqa: BLE001 - a client that listens no more fails no call
            log.debug("progress was not delivered (%s)", type(error).__name__)

    return report


def _answer(result: ToolResult) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=result.text)],
        is_error=result.is_error,
        _meta={DETAILS_KEY: dict(result.details)},
    )

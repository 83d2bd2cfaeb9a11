"""The doors of the Responses API: address, key and headers, provider by provider.

Stricter than the services where they are known to be lenient about something that a client of
ours must do all the same: Codex wants an `originator`, Azure never takes two kinds of credential.
"""

import re

from native_web_search.adapters.simulator.exchange import (
    Answer,
    Refusals,
    SeenRequest,
    text_answer,
)
from native_web_search.adapters.simulator.keys import CODEX_ACCOUNT, key_of
from native_web_search.adapters.simulator.responses_errors import refusal

ROUTES = {
    "openai": ("/v1/responses",),
    "azure": ("/openai/v1/responses", "/openai/responses"),
    "openai-codex": ("/responses",),
    "github-copilot": ("/responses",),
    "opencode": ("/v1/responses",),
    "xai": ("/v1/responses",),
}

AZURE_V1_VERSIONS = frozenset({"v1", "preview", "latest"})
AZURE_DATED = re.compile(r"\d{4}-\d\d-\d\d(-preview)?")


def locked_doors(seen: SeenRequest) -> Refusals:
    """Why this request may not come in."""
    if seen.method != "POST" or seen.route not in ROUTES[seen.provider]:
        yield _no_such_route(seen)
    match seen.provider:
        case "azure":
            yield from _azure(seen)
        case "openai-codex":
            yield from _codex(seen)
        case "github-copilot":
            yield from copilot_doors(seen)
        case "opencode":
            yield from _opencode(seen)
        case _:
            yield from _bearer(seen)


def _no_such_route(seen: SeenRequest) -> Answer:
    where = f"{seen.method} {seen.route}"
    match seen.provider:
        case "xai":
            message = f"No handler found on route {where}"
            return refusal("xai", 404, message, code="Some requested entity was not found")
        case "openai" | "azure":
            return refusal(seen.provider, 404, f"Invalid URL ({where})")
        case _:
            return text_answer("404 page not found\n", status=404)


def _bearer(seen: SeenRequest) -> Refusals:
    if seen.bearer == key_of(seen.provider):
        return
    shown = masked(seen.bearer)
    message = f"Incorrect API key provided: {shown}. Check the key in your account's settings."
    if seen.provider == "xai":
        yield refusal("xai", 400, message, code="Client specified an invalid argument")
    yield refusal("openai", 401, message, type="invalid_request_error", code="invalid_api_key")


def _azure(seen: SeenRequest) -> Refusals:
    given = [key for key in (seen.headers.get("api-key"), seen.bearer) if key is not None]
    if given != [key_of("azure")]:
        yield refusal(
            "azure", 401, "Access denied due to invalid subscription key or wrong API endpoint."
        )
    version = seen.query.get("api-version", "v1" if "/v1/" in seen.route else "")
    classic = seen.route == "/openai/responses"
    if not (AZURE_DATED.fullmatch(version) or (version in AZURE_V1_VERSIONS and not classic)):
        yield refusal("azure", 400, "API version not supported", code="BadRequest")


def _codex(seen: SeenRequest) -> Refusals:
    if seen.bearer != key_of("openai-codex"):
        yield refusal("openai-codex", 401, "Provided authentication token is expired or invalid.")
    if seen.headers.get("chatgpt-account-id") != CODEX_ACCOUNT:
        yield refusal("openai-codex", 401, "The account of the request is not the token's.")
    if not seen.headers.get("originator"):
        yield refusal("openai-codex", 400, "Missing header: originator")


def copilot_doors(seen: SeenRequest) -> Refusals:
    """Copilot's doors, the same for all of its interfaces."""
    if seen.bearer != key_of("github-copilot"):
        yield text_answer("IDE token expired: unauthorized: token expired\n", status=401)
    for name in ("Editor-Version", "Copilot-Integration-Id"):
        if not seen.headers.get(name.lower()):
            yield text_answer(f"bad request: missing {name} header for IDE auth\n", status=400)


def _opencode(seen: SeenRequest) -> Refusals:
    if seen.bearer != key_of("opencode"):
        what = "Missing" if seen.bearer is None else "Invalid"
        yield refusal("opencode", 401, f"{what} API key.", type="AuthError")
    if not seen.headers.get("x-opencode-session"):
        message = "Request is missing x-opencode-session and cannot be routed efficiently."
        yield refusal("opencode", 400, message, type="MissingSessionID")


def masked(key: str | None) -> str:
    """A key as an error message shows it: too much of it, as the real ones do."""
    return f"{key[:4]}****{key[-4:]}" if key else "''"

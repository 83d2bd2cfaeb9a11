"""Codex: OpenAI's models on a ChatGPT subscription, opened by the access token of a login.

The server wants to know which ChatGPT account pays. The token, a JWT, says so; it is only read
here, never checked, because the server that issued it is the one that gets it.
"""

import base64
import json
import re
from collections.abc import Iterable

from native_web_search.adapters.providers.codec import Ask
from native_web_search.adapters.providers.headers import AUTHORIZATION, Header
from native_web_search.adapters.providers.json_values import object_in
from native_web_search.adapters.providers.responses import (
    Address,
    bearer_address,
    codex_body,
    responses_codec,
)
from native_web_search.domain.failure import AttemptFailure, CredentialUnresolved
from native_web_search.domain.outcome import Failure, Outcome

DEFAULT_BASE_URL = "https://chatgpt.com/backend-api"
ORIGINATOR = ("originator", "codex_cli_rs")
ACCOUNT_HEADER = "chatgpt-account-id"
AUTH_CLAIM = "https://api.openai.com/auth"
ACCOUNT_CLAIM = "chatgpt_account_id"
PATH_SO_FAR = re.compile(r"(?:/codex(?:/responses)?)?\Z")


def address(ask: Ask) -> Outcome[Address, AttemptFailure]:
    """The account comes from a header that is set already, else from the token."""
    url = endpoint(ask.base_url)
    given = _lower((*ask.candidate.model.headers, *ask.credential.headers))
    if given.get(ACCOUNT_HEADER, "").strip():
        return bearer_address(ask, url, (ORIGINATOR,))
    token = given.get(AUTHORIZATION, "").partition(" ")[2] or ask.credential.key or ""
    account = account_id(token)
    if account is None:
        message = "the Codex login token names no ChatGPT account; log in to Codex again"
        return Failure(CredentialUnresolved(message))
    return bearer_address(ask, url, (ORIGINATOR, (ACCOUNT_HEADER, account)))


def endpoint(base_url: str) -> str:
    """The URL, from a base that may or may not lead into `/codex` already."""
    base, mark, query = (base_url.strip() or DEFAULT_BASE_URL).partition("?")
    return f"{PATH_SO_FAR.sub('/codex/responses', base.rstrip('/'), count=1)}{mark}{query}"


def account_id(token: str) -> str | None:
    """The ChatGPT account that an access token belongs to, or none."""
    try:
        _, claims, _ = token.split(".")
        opened: object = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    except (ValueError, RecursionError):
        return None
    account = object_in(object_in(opened).get(AUTH_CLAIM)).get(ACCOUNT_CLAIM)
    return account if isinstance(account, str) and account.strip() else None


def _lower(headers: Iterable[Header]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}


CODEX = responses_codec(address, codex_body)

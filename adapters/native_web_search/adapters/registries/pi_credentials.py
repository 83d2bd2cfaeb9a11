"""What pi's `auth.json` says about providers: one stored key or login each.

A key is a template, as everywhere in pi; the variables that are stored beside it are asked before
those of the process. A login is an access token that expires. Pi renews it, nobody else does: its
refresh token can be spent once, and a program that spends it behind pi's back logs the user out.
"""

import json
import re
from collections.abc import Mapping
from typing import TypeAlias, cast

from attrs import field, frozen

from native_web_search.adapters.providers.body import parse_json
from native_web_search.adapters.providers.copilot import base_url_in
from native_web_search.adapters.providers.json_values import Fields, list_in, object_in
from native_web_search.domain.address import shown_address
from native_web_search.domain.outcome import Failure, Outcome, Success

COPILOT = "github-copilot"
ANTIGRAVITY = frozenset({"antigravity", "google-antigravity"})

LATEST_MS = 8.64e15  # the last moment that JavaScript's clock knows

DOMAIN = re.compile(r"(?:https?://)?((?:[a-z0-9-]+\.)+[a-z0-9-]+)/?", re.IGNORECASE)


@frozen
class StoredKey:
    """An API key as a template, or variables alone. `repr` shows neither."""

    key: str | None = field(default=None, repr=False)
    variables: Mapping[str, str] = field(factory=dict[str, str], repr=False)


@frozen
class StoredLogin:
    """A login. `key` is what requests carry, until `expires`, in seconds of the wall clock.

    `base_url` is where this very login is served, `models` the only ones that it may use, both if
    they are known.
    """

    key: str = field(repr=False)
    expires: float
    base_url: str | None = field(default=None, repr=shown_address)
    models: frozenset[str] | None = None


@frozen
class Unusable:
    """An entry that is neither. It closes its provider all the same, as any entry does."""


Stored: TypeAlias = StoredKey | StoredLogin | Unusable


def parse_credentials(content: bytes) -> Outcome[Mapping[str, Stored], str]:
    """The entries by provider id; a failure says what is wrong and shows nothing of the content."""
    plain = parse_json(content).value_or(None)
    if not isinstance(plain, dict):
        return Failure("it is no JSON object")
    entries = object_in(cast("object", plain))
    return Success({provider: _stored(provider, entry) for provider, entry in entries.items()})


def _stored(provider: str, entry: object) -> Stored:
    fields = object_in(entry)
    match fields:
        case {"type": "api_key"}:
            return _key(fields.get("key"), fields.get("env"))
        case {"type": "oauth", "access": str(access), "expires": int() | float() as expires} if (
            access.strip() and 0 <= expires <= LATEST_MS
        ):
            return _login(provider, access, expires / 1000, fields)
        case _:
            return Unusable()


def _key(key: object, variables: object) -> Stored:
    named = object_in(variables)
    texts = {name: value for name, value in named.items() if isinstance(value, str)}
    odd = len(texts) < len(named) or not isinstance(variables, dict | None)
    if odd or not isinstance(key, str | None):
        return Unusable()
    return StoredKey(key or None, texts)


def _login(provider: str, access: str, expires: float, entry: Fields) -> Stored:
    if provider == COPILOT:
        models = entry.get("availableModelIds")
        return StoredLogin(access, expires, _copilot_base_url(access, entry), _ids(models))
    project = entry.get("projectId")
    if provider in ANTIGRAVITY and isinstance(project, str):
        return StoredLogin(json.dumps({"token": access, "projectId": project}), expires)
    return StoredLogin(access, expires)


def _copilot_base_url(access: str, entry: Fields) -> str | None:
    """Where the token leads; else the enterprise's own host, if the account belongs to one."""
    named = entry.get("enterpriseUrl")
    found = DOMAIN.fullmatch(named.strip()) if isinstance(named, str) else None
    return base_url_in(access) or (f"https://copilot-api.{found[1].lower()}" if found else None)


def _ids(value: object) -> frozenset[str] | None:
    if not isinstance(value, list):
        return None
    return frozenset(one for one in list_in(cast("object", value)) if isinstance(one, str))

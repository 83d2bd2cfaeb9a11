"""Azure: OpenAI's models in a customer's own resource, under names of the customer's choice.

Which resource is for the user to say; the catalogue of models cannot know, so a missing base URL is
the usual mistake here and is caught before anything is sent. There is no route below a deployment:
the deployment's name takes the place of the model's in the body. An API key goes into `api-key`, a
token of Entra is a bearer token, and a request never carries both.
"""

import re
from urllib.parse import quote

from attrs import evolve

from native_web_search.adapters.providers.codec import Ask
from native_web_search.adapters.providers.headers import AUTHORIZATION, Header, bearer
from native_web_search.adapters.providers.responses import (
    Address,
    addressed,
    grok_body,
    openai_body,
    responses_codec,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import AttemptFailure, CredentialUnresolved
from native_web_search.domain.outcome import Failure, Outcome, Success

API_KEY = "api-key"
API_VERSION = "api-version"
DEFAULT_VERSION = "v1"

# On these hosts we know the path, and complete what people paste from Azure's pages.
HOSTS = (".openai.azure.com", ".cognitiveservices.azure.com", ".ai.azure.com")
SHORTHAND_PATHS = frozenset({"", "/openai", "/openai/v1/responses"})
FULL_PATH = "/openai/v1"

BASE_URL = re.compile(r"((?:https?://)?[^/?#]*)([^?#]*)\??([^#]*)", re.IGNORECASE)
PORT = re.compile(r":\d*$")
NO_RESOURCE = (
    "the Azure resource is not known; set AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME"
)


def address(ask: Ask) -> Outcome[Address, AttemptFailure]:
    """`{base}/responses?api-version=...`; `azureApiVersion` and `azureDeployment` in the model's
    `compat` say which version, and which name the model has there.
    """
    if not ask.base_url.strip():
        return Failure(CredentialUnresolved(NO_RESOURCE))
    model = ask.candidate.model
    url = endpoint(ask.base_url.strip(), _setting(model, "azureApiVersion") or DEFAULT_VERSION)
    match addressed(ask, url, _authentication(ask), _setting(model, "azureDeployment")):
        case Success(found):
            return Success(evolve(found, headers=_authenticated_once(found.headers)))
        case Failure(failure):
            return Failure(failure)


def endpoint(base_url: str, version: str) -> str:
    """The URL; a version that the base names already stays the only one."""
    opened = BASE_URL.match(base_url)
    origin, path, query = opened.groups("") if opened else ("", base_url, "")
    path = path.rstrip("/")
    if PORT.sub("", origin).lower().endswith(HOSTS) and path in SHORTHAND_PATHS:
        path, query = FULL_PATH, ""
    parameters = [parameter for parameter in query.split("&") if parameter]
    if not any(parameter.lower().startswith(f"{API_VERSION}=") for parameter in parameters):
        parameters.append(f"{API_VERSION}={quote(version, safe='', errors='replace')}")
    return f"{origin}{path}/responses?{'&'.join(parameters)}"


def _setting(model: ChatModel, name: str) -> str | None:
    value = model.compat.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _authentication(ask: Ask) -> tuple[Header, ...]:
    """What the key stands for, unless a header says already who is asking."""
    headers = (*ask.candidate.model.headers, *ask.credential.headers)
    if not {AUTHORIZATION, API_KEY}.isdisjoint(name.lower() for name, _ in headers):
        return ()
    key = ask.credential.key or ""
    return bearer(key) if _is_token(key) else ((API_KEY, key),)


def _is_token(key: str) -> bool:
    """Whether this is a JWT: Entra's tokens are, the keys of Azure have no dots."""
    return key.startswith("eyJ") and key.count(".") == 2  # noqa: PLR2004 - header.claims.signature


def _authenticated_once(headers: tuple[Header, ...]) -> tuple[Header, ...]:
    """Of two given headers, the token: it is the stronger statement."""
    names = {name.lower() for name, _ in headers}
    return tuple(h for h in headers if h[0].lower() != API_KEY or AUTHORIZATION not in names)


AZURE = responses_codec(address, openai_body)
GROK_ON_AZURE = responses_codec(address, grok_body)

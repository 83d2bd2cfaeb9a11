"""Google Antigravity: Gemini's contents and answers inside an envelope, at an address of its own.

The endpoint is internal and undocumented, and its operator polices third-party use: accounts were
closed for it. What is sent here is what public clients send; it is no permission.

The address is fixed, whatever base URL a model carries, because these carry anything: older hosts,
or addresses that are no HTTP at all. A base URL that leads to this machine is followed all the
same, for tests and simulators, and so is one that the credential itself brings.

A credential is a JSON object with `token` and `projectId`, or a bare token. Videos stay in the
text: this interface does not take them as files.
"""

import json
import platform
import re

from attrs import field, frozen

from native_web_search.adapters.providers.body import json_body, parse_json
from native_web_search.adapters.providers.codec import Ask, Encoded
from native_web_search.adapters.providers.google_codec import google_codec
from native_web_search.adapters.providers.headers import Header, authenticates, bearer, merged
from native_web_search.adapters.providers.json_values import Fields, object_in, text_in
from native_web_search.adapters.providers.rest import endpoint
from native_web_search.domain.failure import CredentialUnresolved
from native_web_search.domain.outcome import Failure, Success
from native_web_search.ports.http import HttpRequest

HOST = "https://daily-cloudcode-pa.googleapis.com"
PATH = "/v1internal:streamGenerateContent?alt=sse"
NO_SURPLUS = re.compile(r"\Z")
LOOPBACK = re.compile(
    r"https?://(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:/[^?#]*)?", re.IGNORECASE
)

DEFAULT_PROJECT = "aicode-consumers"

# An older hub is refused, so this version has to follow the real one now and then.
HUB = "antigravity/hub/2.8.0"
CLIENT = "google-cloud-sdk vscode_cloudshelleditor/0.1"

# What the hub calls the systems that it runs on, in its two headers.
SYSTEMS = {"Darwin": ("darwin", "MACOS"), "Windows": ("windows", "WINDOWS")}
OTHER_SYSTEM = ("linux", "LINUX")
ARM = frozenset({"aarch64", "arm64"})

# What a catalogue calls a model, and what the endpoint wants to hear.
MODELS = {
    "gemini-3.7-flash": "gemini-3.7-flash-medium",
    "gemini-3.6-flash": "gemini-3.6-flash-low",
    "gemini-3.5-flash": "gemini-3.5-flash-extra-low",
}


@frozen
class Account:
    """Who asks, and for which project."""

    token: str = field(repr=False)
    project: str = DEFAULT_PROJECT


def account_in(key: str) -> Account:
    """The account that a credential string names; what is no JSON object with a token is one."""
    match parse_json(key):
        case Success(value) if token := text_in(object_in(value).get("token")):
            return Account(token, text_in(object_in(value).get("projectId")) or DEFAULT_PROJECT)
        case _:
            return Account(key.strip())


def identity(system: str, machine: str) -> tuple[Header, ...]:
    """The headers by which the hub on this kind of machine makes itself known."""
    name, word = SYSTEMS.get(system, OTHER_SYSTEM)
    processor = "arm64" if machine.lower() in ARM else "x64"
    metadata = {"ideType": "ANTIGRAVITY", "platform": word, "pluginType": "GEMINI"}
    return (
        ("User-Agent", f"{HUB} {name}/{processor}"),
        ("X-Goog-Api-Client", CLIENT),
        ("Client-Metadata", json.dumps(metadata, separators=(",", ":"))),
    )


IDENTITY = identity(platform.system(), platform.machine())


def _posted(ask: Ask, asked: Fields) -> Encoded:
    account = account_in(ask.credential.key or "")
    defaults = (
        *bearer(account.token),
        ("Content-Type", "application/json"),
        ("Accept", "text/event-stream"),
        *IDENTITY,
    )
    headers = merged(defaults, ask.candidate.model.headers, ask.credential.headers)
    if not authenticates(headers):
        return Failure(CredentialUnresolved("neither a token nor an authentication header"))
    match endpoint(_host(ask), NO_SURPLUS, PATH):
        case Success(url):
            body = json_body(_wrapped(ask.candidate.model.id, account, asked))
            return Success(HttpRequest(url, headers, body))
        case Failure(no_address):
            return Failure(no_address)


def _host(ask: Ask) -> str:
    configured = ask.candidate.model.base_url.strip()
    fixed = configured if LOOPBACK.fullmatch(configured) else HOST
    return ask.credential.base_url or fixed


def _wrapped(model: str, account: Account, asked: Fields) -> Fields:
    return {
        "project": account.project,
        "model": MODELS.get(model, model),
        "request": asked,
        "requestType": "AGENT",
        "userAgent": "antigravity",
    }


def _never(_url: str) -> bool:
    return False


CODEC = google_codec(_posted, is_video=_never)

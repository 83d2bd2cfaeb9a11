"""What the application needs of the world, and the values that are exchanged."""

from native_web_search.ports.clock import Clock
from native_web_search.ports.health import HealthStore
from native_web_search.ports.http import (
    Appetite,
    HttpRequest,
    HttpTransport,
    ResponseDecoder,
    ResponseHead,
)
from native_web_search.ports.observer import Observer
from native_web_search.ports.preferences import PreferenceStore
from native_web_search.ports.providers import Arrived, Fetcher, Progress, Searcher
from native_web_search.ports.registry import Credential, CredentialAnswer, ModelRegistry
from native_web_search.ports.tool_host import ToolHost

__all__ = [
    "Appetite",
    "Arrived",
    "Clock",
    "Credential",
    "CredentialAnswer",
    "Fetcher",
    "HealthStore",
    "HttpRequest",
    "HttpTransport",
    "ModelRegistry",
    "Observer",
    "PreferenceStore",
    "Progress",
    "ResponseDecoder",
    "ResponseHead",
    "Searcher",
    "ToolHost",
]

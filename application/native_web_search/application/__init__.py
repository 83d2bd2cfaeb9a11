"""The tool itself: calls, exposure, settings."""

from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.health import ProcessHealth
from native_web_search.application.result import ToolResult
from native_web_search.application.settings import ExposureMode, MarkerMode, Settings, settings_from
from native_web_search.application.web_search import WebSearch

__all__ = [
    "BlockingWebSearch",
    "ExposureMode",
    "MarkerMode",
    "ProcessHealth",
    "Settings",
    "ToolResult",
    "WebSearch",
    "settings_from",
]

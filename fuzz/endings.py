"""How each provider ends a stream, by its documentation: what no success may be without."""

import json
import re
from collections.abc import Mapping

FINISH = re.compile(r'"finish(R|_r)eason": "[^"]')
ENDINGS = frozenset(
    {"response.completed", "response.done", "response.incomplete", "response.failed"}
)


def google(event: Mapping[str, object]) -> bool:
    """A finish reason that says something; in the envelope of Antigravity or out of it."""
    return FINISH.search(_shown(event)) is not None


def responses(event: Mapping[str, object]) -> bool:
    """An event that is named for the end, or the whole response in place of events."""
    return event.get("type") in ENDINGS or event.get("object") == "response"


def anthropic(event: Mapping[str, object]) -> bool:
    """The one event that ends a message."""
    return event.get("type") == "message_stop"


def _shown(event: Mapping[str, object]) -> str:
    try:
        return json.dumps(event)
    except RecursionError:
        return '"finishReason": "?"'  # too deep to look: nothing can be said against it

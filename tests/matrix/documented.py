"""What each provider is known to answer: the table of its interface."""

from collections.abc import Iterator

from native_web_search.domain.family import Operation
from tests.matrix.documented_anthropic import documented_anthropic
from tests.matrix.documented_google import documented_google
from tests.matrix.documented_responses import documented_responses
from tests.matrix.documented_rest import DEEPSEEK, OLLAMA, documented_rest, waits
from tests.matrix.faults import Fault
from tests.matrix.places import Place, Wire


def documented(place: Place, operation: Operation) -> Iterator[Fault]:
    """All rows for one cell."""
    yield from waits()
    match place.wire:
        case Wire.DEEPSEEK:
            yield from documented_rest(DEEPSEEK, operation)
        case Wire.OLLAMA:
            yield from documented_rest(OLLAMA, operation)
        case Wire.GOOGLE:
            yield from documented_google(place, operation)
        case Wire.RESPONSES:
            yield from documented_responses()
        case Wire.ANTHROPIC:
            yield from documented_anthropic()

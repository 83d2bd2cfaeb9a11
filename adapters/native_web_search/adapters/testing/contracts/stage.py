"""What surrounds an attempt under test: a provider that does as it is told."""

from collections.abc import Awaitable, Callable, Generator
from enum import Enum
from typing import NoReturn
from unittest import SkipTest

from attrs import define, field, frozen

from native_web_search.domain.family import Candidate
from native_web_search.ports.providers import Fetcher, Searcher


class Behaviour(Enum):
    """What the provider does while one test runs. The last two are asked of fetchers only."""

    ANSWERS = "answers every request"
    REFUSES = "refuses every request, whoever asks: HTTP 503, for example"
    BREAKS = "breaks the connection without an answer"
    HANGS = "takes every request and never answers"
    REFUSES_LATER = "answers the first request and refuses the others"
    HANGS_LATER = "answers the first request and never the others"


def needs_no_login() -> NoReturn:
    """Skip what is about credentials."""
    message = "this adapter needs no credential"
    raise SkipTest(message)


@frozen(kw_only=True)
class Stage:
    """Whom the adapter asks, and what the far side sees of it.

    `asked` counts the requests that have reached the provider so far. `idle` waits, two seconds at
    most, until none of them is open, and says whether that came to be; `Simulator.idle` and
    `RawServer.idle` are such functions. `log_out` takes the credential away.
    """

    candidate: Candidate
    asked: Callable[[], int]
    idle: Callable[[], Awaitable[bool]]
    log_out: Callable[[], None] = needs_no_login


@frozen(kw_only=True)
class SearchStage(Stage):
    """A searcher on its stage. The provider has an answer to any query."""

    searcher: Searcher


@frozen(kw_only=True)
class FetchStage(Stage):
    """A fetcher on its stage. The provider has the two pages `urls`, and has not got `missing`."""

    fetcher: Fetcher
    urls: tuple[str, str]
    missing: str


@define
class Heard:
    """A progress that remembers each line, and how many of them were awaited."""

    lines: list[str] = field(factory=list[str])
    awaited: int = 0

    def __call__(self, line: str) -> "_Listening":
        self.lines.append(line)
        return _Listening(self)


@frozen
class _Listening:
    """Something to await; forgetting to is noticed without a warning."""

    heard: Heard

    def __await__(self) -> Generator[None, None, None]:
        self.heard.awaited += 1
        yield

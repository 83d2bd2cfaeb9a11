"""What a user may set, with units, ranges and defaults.

A variable that is not what its row says means the default and one warning; it never crashes and
never means "no timeout". An argument that is not what its row says is the caller's mistake and
raises `ValueError`.
"""

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from os import PathLike, fspath
from typing import Any, TypeAlias, TypeVar

from attrs import Attribute, field, frozen, validators

from native_web_search.domain.cooldown import BASE_SECONDS, CAP_SECONDS
from native_web_search.domain.outcome import Failure, Outcome, Success
from native_web_search.domain.policy import CurrentOnly, Everyone, FallbackPolicy, Only

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

PREFIX = "NATIVE_WEB_SEARCH_"
ALIAS = "PI_BETTER_WEB_SEARCH_"  # the names of the specification, which lose to ours

MAX_CHARS = 96_000  # code points of a result, about 24,000 tokens of English
TIMEOUT_MS = 60_000  # one attempt; the vendors advise 30 s or more
DEADLINE_MS = 180_000  # one call, three slow attempts
MAX_RESPONSE_BYTES = 33_554_432  # 32 MiB after decompression
HOUR_MS = 3_600_000
DAY_MS = 86_400_000
MAX_BYTES = 2**31 - 1
MAX_DIGITS = 18  # more digits than any setting needs, fewer than `int` refuses


class ExposureMode(Enum):
    """Whether the tool's schema follows the providers, or stays the same for prompt caches."""

    DYNAMIC = "dynamic"
    STABLE = "stable"


class MarkerMode(Enum):
    """Whether a truncated result says so in its text, or only out of band."""

    LINE = "line"
    NONE = "none"


def _whole(least: int, most: int) -> Callable[[object, "Attribute[int]", int], None]:
    """A validator: a whole number in this range, and no boolean in its place."""

    def check(_settings: object, attribute: "Attribute[int]", value: object) -> None:
        if type(value) is not int or not least <= value <= most:
            message = f"{attribute.name} must be a whole number from {least} to {most}"
            raise ValueError(message)

    return check


def _at_most_the_cap(milliseconds: int) -> int:
    cap = int(CAP_SECONDS * 1000)
    return cap if type(milliseconds) is int and milliseconds > cap else milliseconds


def _policy(given: FallbackPolicy | str | Collection[str]) -> FallbackPolicy:
    match given:
        case Everyone() | CurrentOnly() | Only():
            return given
        case str():
            return _wanted("fallback", given, _fallback(given))
        case list() | tuple() | set() | frozenset():
            return _wanted("fallback", given, _fallback(",".join(map(str, given))))
        case _:
            return _wanted("fallback", given, _fallback(""))


def _wanted(name: str, given: object, parsed: Outcome[T, str]) -> T:
    match parsed:
        case Success(value):
            return value
        case Failure(wanted):
            message = f"{name} must be {wanted}, not {given!r}"
            raise ValueError(message)


def _current(given: str | None) -> str | None:
    return None if given is None else _wanted("model", given, _model(given))


def _exposure(given: ExposureMode | str) -> ExposureMode:
    if isinstance(given, ExposureMode):
        return given
    return _wanted("exposure", given, _word(ExposureMode)(str(given)))


def _marker(given: MarkerMode | str) -> MarkerMode:
    if isinstance(given, MarkerMode):
        return given
    return _wanted("marker", given, _word(MarkerMode)(str(given)))


def _path(given: str | PathLike[str] | None) -> str | None:
    return None if given is None else fspath(given)


@frozen(kw_only=True)
class Settings:
    """Times are in milliseconds, sizes in code points or bytes, as the names say.

    `deadline_ms` 0 is no deadline; `cooldown_ms` 0 switches cooldowns off and more than ten
    minutes means ten minutes; `concurrency` None leaves the choice to the provider (5 for
    DeepSeek and Ollama Cloud, else 10).
    """

    max_chars: int = field(default=MAX_CHARS, validator=_whole(1, 10_000_000))
    timeout_ms: int = field(default=TIMEOUT_MS, validator=_whole(1, HOUR_MS))
    deadline_ms: int = field(default=DEADLINE_MS, validator=_whole(0, DAY_MS))
    cooldown_ms: int = field(
        default=int(BASE_SECONDS * 1000),
        converter=_at_most_the_cap,
        validator=_whole(0, int(CAP_SECONDS * 1000)),
    )
    preference_file: str | None = field(default=None, converter=_path)
    fallback: FallbackPolicy = field(factory=Everyone, converter=_policy)
    model: str | None = field(default=None, converter=_current)
    exposure: ExposureMode = field(default=ExposureMode.DYNAMIC, converter=_exposure)
    marker: MarkerMode = field(default=MarkerMode.LINE, converter=_marker)
    max_response_bytes: int = field(default=MAX_RESPONSE_BYTES, validator=_whole(1, MAX_BYTES))
    concurrency: int | None = field(default=None, validator=validators.optional(_whole(1, 100)))
    models_file: str | None = field(default=None, converter=_path)
    health_url: str | None = field(default=None, repr=False)

    @property
    def deadline_seconds(self) -> float | None:
        """The time of a whole call, or none."""
        return self.deadline_ms / 1000 if self.deadline_ms else None


Parse: TypeAlias = Callable[[str], Outcome[T, str]]


@frozen
class Setting:
    """One row of the table: the variable's name without prefix, and how its text is read."""

    attribute: str
    variable: str
    parse: Parse[object]
    has_alias: bool = False


def settings_from(environ: Mapping[str, str]) -> tuple[Settings, tuple[str, ...]]:
    """The settings that the variables ask for, and a warning for each that makes no sense."""
    values, warnings = dict[str, Any](), list[str]()
    for row in TABLE:
        name, text = _variable(row, environ)
        if not text:
            continue
        match row.parse(text):
            case Success(value):
                values[row.attribute] = value
            case Failure(wanted):
                warnings.append(f"{name} is ignored: it must be {wanted}")
    return Settings(**values), tuple(warnings)


def _variable(row: Setting, environ: Mapping[str, str]) -> tuple[str, str]:
    """The first of our name and its alias that is set and not blank."""
    names = [PREFIX + row.variable] + ([ALIAS + row.variable] if row.has_alias else [])
    for name in names:
        text = environ.get(name, "").strip()
        if text:
            return name, text
    return names[0], ""


def _integer(least: int, most: int) -> Parse[object]:
    def parse(text: str) -> Outcome[object, str]:
        plain = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
        if plain and least <= int(text) <= most:
            return Success(int(text))
        return Failure(f"a whole number from {least} to {most}")

    return parse


def _word(kind: type[E]) -> Parse[E]:
    def parse(text: str) -> Outcome[E, str]:
        words = {member.value: member for member in kind}
        if text.lower() in words:
            return Success(words[text.lower()])
        return Failure(" or ".join(words))

    return parse


def _text(text: str) -> Outcome[object, str]:
    return Success(text)


def _model(text: str) -> Outcome[str, str]:
    provider, slash, model = text.partition("/")
    return Success(text) if provider and slash and model else Failure("provider/id")


def _fallback(text: str) -> Outcome[FallbackPolicy, str]:
    words = text.replace(",", " ").split()
    match [word.lower() for word in words]:
        case ["all"]:
            return Success(Everyone())
        case ["current"]:
            return Success(CurrentOnly())
        case lower if lower and {"all", "current"}.isdisjoint(lower):
            return Success(Only(frozenset[str](words)))
        case _:
            return Failure("all, current, or provider ids separated by commas")


TABLE = (
    Setting("max_chars", "MAX_CHARS", _integer(1, 10_000_000), has_alias=True),
    Setting("timeout_ms", "TIMEOUT_MS", _integer(1, HOUR_MS), has_alias=True),
    Setting("deadline_ms", "DEADLINE_MS", _integer(0, DAY_MS)),
    Setting("cooldown_ms", "FAILURE_COOLDOWN_MS", _integer(0, 10**MAX_DIGITS), has_alias=True),
    Setting("preference_file", "CACHE", _text, has_alias=True),
    Setting("fallback", "FALLBACK", _fallback),
    Setting("model", "MODEL", _model),
    Setting("exposure", "EXPOSURE", _word(ExposureMode)),
    Setting("marker", "MARKER", _word(MarkerMode)),
    Setting("max_response_bytes", "MAX_RESPONSE_BYTES", _integer(1, MAX_BYTES)),
    Setting("concurrency", "CONCURRENCY", _integer(1, 100)),
    Setting("models_file", "MODELS", _text),
    Setting("health_url", "HEALTH_URL", _text),
)

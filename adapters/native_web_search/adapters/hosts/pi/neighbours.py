"""Other extensions of pi that bring a tool of our name.

Pi does not start when two extensions register one name while they load, so a second one is better
found before. Where pi looks: the files and folders of `extensions/` in its agent folder, and what
`settings.json` there names under `extensions` and `packages`. What a project adds of its own, and
what an extension only does when it runs, cannot be seen from here.

An extension counts when its own sources register some tool and have our name in quotes: too often
is better than too seldom, because the user is told and may know better.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from native_web_search.adapters.providers.body import parse_json
from native_web_search.adapters.providers.json_values import Fields, list_in, object_in, text_in
from native_web_search.adapters.small_file import beginning_of
from native_web_search.adapters.stores.location import expanded_path
from native_web_search.domain.exposure import TOOL_NAME

SOURCES = frozenset({".ts", ".js", ".mjs", ".cjs"})
MAX_FILES, MAX_BYTES = 500, 1_000_000  # of one extension, and of one file of it
MAX_DEPTH = 6  # of folders in an extension; a link may lead anywhere

QUOTED = re.compile(rf"""["'`]{TOOL_NAME}["'`]""")
NPM = re.compile(r"npm:((?:@[^/@]+/)?[^/@]+)")
REMOTE = re.compile(r"git:|https?://|ssh://|git@")
GIT = re.compile(
    r"(?:git:)?(?:\w+://)?(?:[^@/:]+@)?([^/:@]+)(?::\d+/|[/:])([^@]+?)(?:\.git)?(?:@.*)?"
)


def neighbours(folder: Path, ours: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The extensions in this agent folder that bring the tool; `ours` is none of them."""
    settings = _object(folder / "settings.json")
    places = (
        *_children(folder / "extensions"),
        *_extensions(settings, folder, environ),
        *_packages(settings, folder, environ),
    )
    found = (place for place in dict.fromkeys(places) if place != ours)
    return tuple(str(place) for place in found if _registers(place))


def stand_in(folder: Path) -> Path | None:
    """The file that pi reads in place of all others in `extensions/`, if there is one."""
    extensions = folder / "extensions"
    if list_in(object_in(_object(extensions / "package.json").get("pi")).get("extensions")):
        return extensions / "package.json"
    names = (extensions / name for name in ("index.ts", "index.js"))
    return next((path for path in names if path.is_file()), None)


def _extensions(settings: Fields, folder: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    for entry in map(text_in, list_in(settings.get("extensions"))):
        if entry and not entry.startswith(("!", "-", "builtin:", "+builtin:")):
            yield folder / expanded_path(entry.removeprefix("+"), environ)


def _packages(settings: Fields, folder: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    for entry in list_in(settings.get("packages")):
        narrowed = object_in(entry)
        source = text_in(narrowed.get("source") or entry)
        if source and narrowed.get("extensions") != []:
            yield _package(source, folder, environ)


def _package(source: str, folder: Path, environ: Mapping[str, str]) -> Path:
    """Where pi puts what it gets from this source."""
    if found := NPM.match(source):
        return folder / "npm" / "node_modules" / found[1]
    if REMOTE.match(source) and (found := GIT.fullmatch(source)):
        return folder / "git" / found[1] / found[2]
    return folder / expanded_path(source, environ)


def _registers(place: Path) -> bool:
    texts = [_text(path) for path in islice(_sources(place), MAX_FILES)]
    registering = any("registerTool" in text for text in texts)
    return registering and any(QUOTED.search(text) for text in texts)


def _sources(place: Path, depth: int = MAX_DEPTH) -> Iterator[Path]:
    """The files of an extension, without what it depends on."""
    if depth and place.is_dir():
        for child in _children(place):
            if child.name != "node_modules":
                yield from _sources(child, depth - 1)
    elif place.suffix in SOURCES:
        yield place


def _children(folder: Path) -> Iterable[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return ()


def _text(path: Path) -> str:
    return beginning_of(path, MAX_BYTES).value_or(b"").decode("utf-8", "replace")


def _object(path: Path) -> Fields:
    return object_in(parse_json(_text(path)).value_or(None))

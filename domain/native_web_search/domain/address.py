"""What may be shown of an address, and what in it may be a key.

A key can stand in four places of an address: as the password, or as the user name; in the query;
behind `#`; and as a segment of the path, as in `https://gw.example/s/<key>/v1`. A path also holds
the names of models, deployments, projects and versions, which people need to see. So a segment is
taken for a key only if it is long and has a word such as no name has: letters and digits mixed in
another way than a name with a small number behind it. (A word is what stands between all that is
neither letter nor digit.) `gpt-4o-mini-2024-07-18`, `claude-sonnet-4-5@20250929`,
`2024-10-21-preview` and `my-northcentralus2-deployment` have none; random texts and UUIDs do.
"""

import re
from collections.abc import Iterator

LEAST_IN_PATH = 16  # characters of a segment; whoever hands out shorter keys asks to be guessed
LEAST_MIXED = 8  # characters of a word; shorter ones are sizes and versions, such as `8x22b`

HIDDEN = "..."

PARTS = re.compile(
    r"(?P<scheme>(?:[a-z][a-z0-9+.-]*:)?//)?"
    r"(?:(?P<user_info>[^/?#]*)@)?"
    r"(?P<host>(?:\[[^]/?#@]*\]|[^][/?#@:]*)(?::\d*)?)"
    r"(?P<path>(?:/[^?#]*)?)"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
WORD = re.compile(r"[a-z0-9]+", re.IGNORECASE)
USUAL_WORD = re.compile(r"[a-z]*[0-9]{0,4}|[0-9]+", re.IGNORECASE)


def shown_address(url: str | None) -> str:
    """The `repr` of an address, with `...` for whatever may be a key."""
    if url is None:
        return repr(None)
    parts = PARTS.fullmatch(url)
    if parts is None or parts["rest"][:1] not in {"", "?", "#"}:
        return repr(HIDDEN)
    user_info = "" if parts["user_info"] is None else f"{HIDDEN}@"
    path = "/".join(HIDDEN if is_key(each) else each for each in parts["path"].split("/"))
    rest = parts["rest"] and parts["rest"][0] + HIDDEN
    return repr(f"{parts['scheme'] or ''}{user_info}{parts['host']}{path}{rest}")


def keys_in_path(url: str) -> Iterator[str]:
    """The segments of an address's path that are taken for keys."""
    parts = PARTS.match(url)
    path = "" if parts is None else parts["path"]
    return filter(is_key, path.split("/"))


def is_key(segment: str) -> bool:
    """Whether a segment of a path is long, and has a word such as no name has."""
    return len(segment) >= LEAST_IN_PATH and any(map(_is_odd, WORD.findall(segment)))


def _is_odd(word: str) -> bool:
    return len(word) >= LEAST_MIXED and USUAL_WORD.fullmatch(word) is None

"""Which keys of an object say what it is, or hold links.

The value of an *identity key* is worth nothing in part: half an address leads nowhere and half an
id names nobody. The last word of a key decides, words being parted by punctuation and by changes
of case: `retrieved_url`, `siteName`, `traceId`, but not `valid` or `blink`. Some words are known
even when glued to the one before, as in `sourceurl`.

A *link list* is an array under a plural of such words, under `sources`, `citations` and the like,
or under an identity key; its strings are links or names, each whole or absent.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

IDENTITY_WORDS = frozenset(
    [
        *("url", "uri", "href", "link", "permalink", "domain", "hostname"),
        *("title", "name", "id", "uuid", "guid", "doi"),
    ]
)
GLUED_WORDS = ("url", "uri", "href", "permalink", "sitename", "hostname")
LINK_LIST_WORDS = frozenset(
    [
        *("urls", "uris", "hrefs", "links", "permalinks", "domains", "ids"),
        *("citation", "citations", "source", "sources", "reference", "references"),
    ]
)

_TAIL = 12  # characters; longer than every word above, so that a longer last word equals none
_LAST_WORD = re.compile(r"(?:[A-Z]+s?|[A-Z]?[^\W_A-Z]+)$")

# The last two letters of all these words, in any case: most keys are dismissed by them alone.
_LAST_TWO = frozenset(
    last + end
    for word in IDENTITY_WORDS.union(GLUED_WORDS)
    for last, end in product(*((letter, letter.upper()) for letter in word[-2:]))
)


def identity_keys(keys: Iterable[object]) -> Iterator[str]:
    """The identity keys among the keys of an object, in order."""
    return (
        key
        for key in keys
        if isinstance(key, str) and key[-2:] in _LAST_TWO and _ends_in_identity(key[-_TAIL:])
    )


def names_link_list(key: str) -> bool:
    """Whether an array under this key is a link list."""
    tail = key[-_TAIL:]
    return _last_word(tail) in LINK_LIST_WORDS or _ends_in_identity(tail)


@lru_cache(maxsize=1024)  # every result of a list has the same few keys
def _ends_in_identity(tail: str) -> bool:
    return _last_word(tail) in IDENTITY_WORDS or tail.lower().endswith(GLUED_WORDS)


def _last_word(tail: str) -> str:
    found = _LAST_WORD.search(tail)
    return found.group().lower() if found else ""

"""A ledger as a document on a server, for readers whose clocks agree about nothing.

Each cooldown is written in its plain form, with the server's time at which its remaining seconds
were right. A reader asks the server what time it is now, sees how long ago that was, and dates the
cooldown by its own clock. Writing what was read changes no date, however often it happens.

    {"entries": [{"at": 1785000000000000, "operation": "search", "provider": "openai",
                  "model": null, "remaining": 60.0, "level": 0}]}

A cooldown that is over is kept for its level, which the next outage of the same provider climbs
from, but not for good: what nobody has asked for a day may be gone for good itself.

A date in the future is one of a clock that was set back since, and as far from now as one in the
past: that ends cooldowns early, which costs an attempt. Anything else would let them never end.
"""

import json
from collections.abc import Iterator
from typing import cast

from attrs import frozen

from native_web_search.domain.cooldown import CAP_SECONDS, Cooldown, Key, Ledger

LEVEL_SECONDS = 86_400.0  # a day after its end, an outage says nothing about the next one
LIFE_SECONDS = CAP_SECONDS + LEVEL_SECONDS  # after the last write nothing in a document matters
MAX_ENTRIES = 500  # some 70 KB; providers that fail are a handful, and the oldest go first
MAX_BYTES = 262_144  # parsed in milliseconds, while all calls of an event loop wait

MICROSECONDS = 1_000_000


@frozen
class Moment:
    """One instant on two clocks: microseconds on the server's, seconds on the reader's own."""

    server: int
    now: float


def ledger_in(document: bytes, moment: Moment) -> Ledger | None:
    """What the document says, nothing if it is empty; None if it is none of ours.

    What is longer than any of ours is none. Entries that make no sense, those that are over for
    long, and all but the newest of very many are left out.
    """
    if len(document) > MAX_BYTES:
        return None
    entries = _entries(document) if document else []
    if entries is None:
        return None
    known: dict[Key, Cooldown] = {}
    for entry in entries[-MAX_ENTRIES:]:
        known |= _redated(entry, moment).cooldowns
    least = moment.now - LEVEL_SECONDS
    return Ledger({key: cooldown for key, cooldown in known.items() if cooldown.until > least})


def document_of(ledger: Ledger, moment: Moment) -> bytes:
    """The ledger as of this moment; empty if it is. The newest entries are the last."""
    newest = list(ledger.cooldowns.items())[-MAX_ENTRIES:]
    entries = [_entry(key, cooldown, moment) for key, cooldown in newest]
    kept = list(_fitting(json.dumps(entry, separators=(",", ":")) for entry in reversed(entries)))
    return f'{{"entries":[{",".join(reversed(kept))}]}}'.encode() if kept else b""


def _entries(document: bytes) -> list[object] | None:
    try:
        plain: object = json.loads(document)
    except (ValueError, RecursionError):
        return None
    if not isinstance(plain, dict):
        return None
    entries = cast("dict[str, object]", plain).get("entries")
    return cast("list[object]", entries) if isinstance(entries, list) else None


def _redated(entry: object, moment: Moment) -> Ledger:
    match entry:
        case {"at": int(at)}:
            ago = min(abs(moment.server - at), int(LIFE_SECONDS) * MICROSECONDS)
            return Ledger.from_plain({"cooldowns": [entry]}, moment.now - ago / MICROSECONDS)
        case _:
            return Ledger()


def _entry(key: Key, cooldown: Cooldown, moment: Moment) -> dict[str, object]:
    over = max(0.0, moment.now - cooldown.until)  # how long ago nothing remained
    plain = Ledger({key: cooldown}).to_plain(moment.now - over)
    (entry,) = cast("list[dict[str, object]]", plain["cooldowns"])
    return {"at": moment.server - round(over * MICROSECONDS), **entry}


def _fitting(texts: Iterator[str]) -> Iterator[str]:
    """Those for which a document has room, the first ones first."""
    room = MAX_BYTES - len('{"entries":[]}')
    for text in texts:
        if len(text) < room:
            room -= len(text) + 1
            yield text

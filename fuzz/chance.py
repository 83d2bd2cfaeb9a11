"""What varies beside an input's content: where it is cut, which status came with it, which limit.

An input is nothing but content, so that a recorded stream or a JSON file is one as it stands, and
a found fault can be read. Everything else is drawn by a generator that the content seeds: another
content, another draw, and the same one whenever an input is replayed.
"""

import random
from itertools import pairwise
from zlib import crc32

MOST_CUTS = 6


def chance(data: bytes) -> random.Random:
    """The generator that belongs to this input."""
    return random.Random(crc32(data))  # noqa: S311 - the same draws at every replay


def pieces(data: bytes, draws: random.Random) -> list[bytes]:
    """The data as a network may cut it, empty pieces included."""
    inner = sorted(draws.randint(0, len(data)) for _ in range(draws.randint(0, MOST_CUTS)))
    return [data[start:end] for start, end in pairwise([0, *inner, len(data)])]


def single_bytes(data: bytes) -> list[bytes]:
    """The data in the smallest pieces there are."""
    return [data[at : at + 1] for at in range(len(data))]

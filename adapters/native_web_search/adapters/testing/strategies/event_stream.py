"""Event streams as servers may write them, with what they say."""

from itertools import pairwise

from attrs import field, frozen
from hypothesis import strategies as st

LINE_ENDS = (b"\n", b"\r", b"\r\n")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# Other characters that some programs take for the end of a line.
FALSE_LINE_ENDS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"

# Lines that say nothing to a reader of data, with and without a colon.
NOISE = (":", ": ping", "event: message", "id: 7", "retry: 10", "data-x: 1", "Data: 1", " data: 1")


@frozen
class WrittenStream:
    """The bytes of a stream, and the data of its events that are not empty."""

    body: bytes = field(repr=False)
    says: tuple[str, ...]


def written_streams(
    line_ends: tuple[bytes, ...] = LINE_ENDS,
) -> st.SearchStrategy[WrittenStream]:
    """Finished events of any number of lines, in any mixture of these line ends."""
    return st.builds(
        _written,
        st.lists(st.lists(_lines(), max_size=4), max_size=6),
        st.booleans(),
        st.lists(st.sampled_from(line_ends), min_size=1, max_size=5),
    )


def cuts(body: bytes) -> st.SearchStrategy[tuple[bytes, ...]]:
    """Ways to cut a body into pieces, empty ones among them."""
    places = st.lists(st.integers(0, len(body)), max_size=12)
    return places.map(lambda chosen: _cut(body, chosen))


@frozen
class _Line:
    text: str
    value: str | None = None


def _lines() -> st.SearchStrategy[_Line]:
    """Data lines with and without the blank after the colon, and noise."""
    return st.one_of(
        _values().map(lambda value: _Line(f"data: {value}", value)),
        _values().filter(lambda value: value[:1] not in ("", " ")).map(_without_blank),
        st.just(_Line("data", "")),
        st.sampled_from(NOISE).map(_Line),
    )


def _without_blank(value: str) -> _Line:
    return _Line(f"data:{value}", value)


def _values() -> st.SearchStrategy[str]:
    """Anything that fits on a line, with the characters that are easily mistaken."""
    easily_mistaken = st.sampled_from([*FALSE_LINE_ENDS, "\ufeff", ":", " ", "😀", "é"])
    other = st.characters(codec="utf-8", exclude_characters="\r\n")
    return st.text(st.one_of(easily_mistaken, other), max_size=12)


def _written(events: list[list[_Line]], marked: bool, ends: list[bytes]) -> WrittenStream:  # noqa: FBT001 - drawn
    lines = [line for event in events for line in (*event, _Line(""))]
    body = BYTE_ORDER_MARK if marked else b""
    previous = b""
    for place, line in enumerate(lines):
        end = ends[place % len(ends)]
        if previous == b"\r" and not line.text and end == b"\n":
            end = b"\r"  # an LF here would belong to the CR before it
        body += line.text.encode() + end
        previous = end
    data = ["\n".join(line.value for line in event if line.value is not None) for event in events]
    return WrittenStream(body, tuple(filter(None, data)))


def _cut(body: bytes, places: list[int]) -> tuple[bytes, ...]:
    bounds = [0, *sorted(places), len(body)]
    return tuple(body[start:end] for start, end in pairwise(bounds))

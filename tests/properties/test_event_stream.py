"""Laws of the event stream."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.event_stream import EventStream
from native_web_search.adapters.testing.strategies.event_stream import (
    LINE_ENDS,
    WrittenStream,
    cuts,
    written_streams,
)


def read(*pieces: bytes) -> tuple[str, ...]:
    """Everything that a stream says until it is closed."""
    stream = EventStream()
    return tuple([data for piece in pieces for data in stream.feed(piece)] + stream.end())


@pytest.mark.rule("event_stream.1")
class TestEveryStreamIsReadAsWritten:
    """What a server wrote by the rules is what is read."""

    @given(written_streams())
    def test_whatever_the_line_ends(self, stream: WrittenStream) -> None:
        """Values come back as written, in order, in any mixture of line ends."""
        assert read(stream.body) == stream.says

    @pytest.mark.parametrize("end", LINE_ENDS)
    @given(st.data())
    def test_with_one_kind_of_line_end(self, end: bytes, data: st.DataObject) -> None:
        """The same for streams that use one line end throughout."""
        stream = data.draw(written_streams((end,)))
        assert read(stream.body) == stream.says


@pytest.mark.rule("event_stream.2")
class TestNoCutChangesTheEvents:
    """How the network cuts the bytes does not show."""

    @given(st.data())
    def test_any_pieces(self, data: st.DataObject) -> None:
        """Pieces of any size, empty ones among them."""
        stream = data.draw(written_streams())
        assert read(*data.draw(cuts(stream.body))) == stream.says

    @given(st.binary(max_size=60), st.data())
    def test_any_bytes(self, body: bytes, data: st.DataObject) -> None:
        """Bytes that are no proper stream are read the same way in any pieces, too."""
        assert read(*data.draw(cuts(body))) == read(body)

    @given(st.text("dat: \r\n{}", max_size=40))
    def test_single_bytes(self, text: str) -> None:
        """One byte at a time, in text that is nearly a stream."""
        body = text.encode()
        assert read(*(body[at : at + 1] for at in range(len(body)))) == read(body)

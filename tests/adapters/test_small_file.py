"""Files that somebody names, who may be mistaken."""

import os
from pathlib import Path

import pytest

from native_web_search.adapters.small_file import MAX_BYTES, Unread, Why, beginning_of, content_of
from native_web_search.domain.outcome import Failure, Outcome, Success


def why(read: Outcome[bytes, Unread]) -> Why:
    assert isinstance(read, Failure), read
    return read.failure().why


@pytest.mark.rule("small_file.1")
def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    """One byte more is too much; its beginning can be had all the same."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert content_of(path, 10) == Success(b"x" * 10)
    assert why(content_of(path, 9)) is Why.TOO_LARGE
    assert beginning_of(path, 9) == Success(b"x" * 9)


@pytest.mark.rule("small_file.1")
def test_the_usual_limit_is_said(tmp_path: Path) -> None:
    """So that nobody wonders why a file counts for nothing."""
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    says = "it is larger than 8 MiB; name a smaller file"
    assert content_of(path) == Failure(Unread(Why.TOO_LARGE, says))


@pytest.mark.rule("small_file.2")
def test_only_files_are_opened(tmp_path: Path) -> None:
    """Nobody waits for the writer of a pipe, or reads a device without an end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path(os.devnull), tmp_path):
        assert content_of(path) == Failure(
            Unread(Why.NO_FILE, "it is no regular file; name one that is")
        )


@pytest.mark.rule("small_file.2")
def test_what_turns_into_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Not even between the look and the opening."""

    class Turning(Path):
        """Is a file when it is looked at, and a pipe when it is opened."""

        _flavour = getattr(tmp_path, "_flavour", None)

        def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
            return Path(__file__).stat(follow_symlinks=follow_symlinks)

    os.mkfifo(tmp_path / "pipe")
    assert content_of(Turning(tmp_path / "pipe")) == Success(b"")


@pytest.mark.rule("small_file.3")
def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    """A missing file is told from one that is there, and nothing raises."""
    assert why(content_of(tmp_path / "none")) is Why.MISSING
    too_long = content_of(tmp_path / ("x" * 300))
    assert too_long == Failure(Unread(Why.REFUSED, "it cannot be read: File name too long"))
    assert why(content_of(Path("a\0b"))) is Why.REFUSED
    (tmp_path / "file").touch()
    assert why(content_of(tmp_path / "file" / "below")) is Why.REFUSED

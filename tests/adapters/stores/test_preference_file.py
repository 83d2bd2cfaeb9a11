"""The preference file under everything that happens to files."""

import errno
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.stores.preference_file import PreferenceFile
from native_web_search.domain.preference import Preference, Preferences

GOOD = Preferences("0" * 32, Preference("deepseek", "deepseek-chat"), None)
PLAIN = {
    "version": 1,
    "fingerprint": "0" * 32,
    "search": {"provider": "deepseek", "model": "deepseek-chat"},
}


@pytest.mark.rule("file.1")
def test_a_save_is_read_back(tmp_path: Path) -> None:
    """What was saved is loaded, in the form that the specification shows."""
    file = PreferenceFile(tmp_path / "deep" / "down" / "p.json")
    file.save(GOOD)
    assert file.load() == GOOD
    assert json.loads(file.path.read_text()) == PLAIN


@pytest.mark.rule("file.2")
def test_deleting_the_file_takes_effect_at_once(tmp_path: Path) -> None:
    """The next load after a deletion is empty."""
    file = PreferenceFile(tmp_path / "p.json")
    file.save(GOOD)
    assert file.load() == GOOD
    file.path.unlink()
    assert file.load() == Preferences()


@pytest.mark.rule("file.3")
def test_another_process_writing_takes_effect_at_once(tmp_path: Path) -> None:
    """A change by somebody else is seen at the next load."""
    file = PreferenceFile(tmp_path / "p.json")
    file.save(GOOD)
    assert file.load() == GOOD
    other = Preferences("1" * 32, None, Preference("google", "g"))
    PreferenceFile(file.path).save(other)
    assert file.load() == other


@pytest.mark.rule("file.4")
@given(content=st.binary(max_size=200) | st.just(b"[" * 100_000) | st.just(b"1" * 5_000))
def test_any_bytes_load_without_raising(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    """A missing, unreadable or corrupt file counts as empty."""
    path = tmp_path_factory.mktemp("any") / "p.json"
    path.write_bytes(content)
    assert isinstance(PreferenceFile(path).load(), Preferences)


@pytest.mark.rule("file.4")
def test_what_is_no_file_loads_as_empty(tmp_path: Path) -> None:
    """A directory, a FIFO and an impossible name are as good as missing."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (tmp_path, fifo, Path("nul\0name"), tmp_path / ("x" * 300)):
        assert PreferenceFile(path).load() == Preferences()


@pytest.mark.rule("file.5")
def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    """A file saved by an editor that adds one is read."""
    path = tmp_path / "p.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(PLAIN).encode())
    assert PreferenceFile(path).load() == GOOD


@pytest.mark.rule("file.6")
def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    """The target is written, with its mode; also if it does not exist yet."""
    target, link = tmp_path / "dotfiles" / "p.json", tmp_path / "p.json"
    target.parent.mkdir()
    link.symlink_to(target)
    PreferenceFile(link).save(GOOD)
    assert link.is_symlink()
    assert json.loads(target.read_text()) == PLAIN


@pytest.mark.rule("file.7")
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o660])
def test_an_existing_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    """Neither widened nor narrowed."""
    path = tmp_path / "p.json"
    path.write_text("{}")
    path.chmod(mode)
    PreferenceFile(path).save(GOOD)
    assert path.stat().st_mode & 0o777 == mode


@pytest.mark.rule("file.8")
def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """0600, whatever the umask allows."""
    before = os.umask(0)
    try:
        PreferenceFile(tmp_path / "p.json").save(GOOD)
    finally:
        os.umask(before)
    assert (tmp_path / "p.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.rule("file.9")
@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """A full disk or a refused replacement costs neither the old content nor a stray file."""
    file = PreferenceFile(tmp_path / "p.json")
    file.save(GOOD)

    def refuse(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(
        *((Path, "replace", refuse) if step == "replace" else (os, "fsync", refuse))
    )
    with pytest.raises(OSError, match="no space left"):
        file.save(Preferences("1" * 32))
    monkeypatch.undo()
    assert file.load() == GOOD
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


@pytest.mark.rule("file.10")
def test_a_file_of_another_version_is_empty_and_never_overwritten(tmp_path: Path) -> None:
    """It belongs to a newer program."""
    path = tmp_path / "p.json"
    path.write_text('{"version": 2, "future": true}')
    file = PreferenceFile(path)
    assert file.load() == Preferences()
    file.save(GOOD)
    assert path.read_text() == '{"version": 2, "future": true}'


@pytest.mark.rule("file.16")
@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"version": 2, "x": "y" * 70_000}),
        '{"version": 2, "n": ' + "1" * 5_000 + "}",
        '{"version": 2, "n": ' + "[" * 30_000 + "]" * 30_000 + "}",
    ],
)
def test_what_is_too_much_for_us_is_never_overwritten(content: str, tmp_path: Path) -> None:
    """It may be the file of a newer program."""
    file = PreferenceFile(tmp_path / "p.json")
    file.path.write_text(content)
    assert file.load() == Preferences()
    file.save(GOOD)
    assert file.path.read_text() == content


@pytest.mark.rule("file.16")
@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\xff", b"[]", b'{"version": 2'])
def test_what_is_small_and_broken_is_replaced(content: bytes, tmp_path: Path) -> None:
    """Nobody can read it any more."""
    file = PreferenceFile(tmp_path / "p.json")
    file.path.write_bytes(content)
    file.save(GOOD)
    assert file.load() == GOOD


@pytest.mark.rule("file.15")
def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    """A save to a device or a pipe is no save, and leaves it what it is."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    PreferenceFile(path).save(GOOD)
    assert path.is_fifo()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.rule("file.11")
def test_two_processes_and_ten_threads_never_break_the_file(tmp_path: Path) -> None:
    """Whoever reads at any moment reads one whole save; no save is an error."""
    path = tmp_path / "p.json"
    script = (
        "import sys\nfrom pathlib import Path\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "from native_web_search.adapters.stores.preference_file import PreferenceFile\n"
        "from native_web_search.domain.preference import Preference, Preferences\n"
        "file = PreferenceFile(Path(sys.argv[1]))\n"
        "def save(n): file.save(Preferences(f'{n:032}', Preference('p' * 500, str(n))))\n"
        "with ThreadPoolExecutor(10) as pool: list(pool.map(save, range(100)))\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, str(path)]) for _ in range(2)]
    seen = 0
    with ThreadPoolExecutor(1):
        while any(process.poll() is None for process in processes):
            if path.exists():
                json.loads(path.read_bytes())
                seen += 1
    assert [process.returncode for process in processes] == [0, 0]
    assert seen > 10
    loaded = PreferenceFile(path).load()
    assert loaded.search is not None
    assert int(loaded.search.model) == int(str(loaded.fingerprint))
    assert [each.name for each in tmp_path.iterdir()] == ["p.json"]


KILLED = """
import os, signal, sys
from pathlib import Path
from native_web_search.adapters.stores.preference_file import PreferenceFile
from native_web_search.domain.preference import Preferences

os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
PreferenceFile(Path(sys.argv[1])).save(Preferences("1" * 32))
"""


@pytest.mark.rule("file.18")
@pytest.mark.skipif(sys.platform == "win32", reason="nobody is killed like this there")
def test_what_a_killed_save_left_is_removed_later(tmp_path: Path) -> None:
    """Not before a minute has passed, for another process may be writing it."""
    file = PreferenceFile(tmp_path / "p.json")
    file.save(GOOD)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(file.path)], check=False)
    assert killed.returncode < 0
    assert file.load() == GOOD
    (left,) = set(tmp_path.iterdir()) - {file.path}
    now = file.path.stat().st_mtime
    for age, names in ((30, {"p.json", left.name}), (90, {"p.json"})):
        os.utime(left, (now - age, now - age))
        file.save(GOOD)
        assert {path.name for path in tmp_path.iterdir()} == names


@pytest.mark.rule("file.18")
def test_what_is_not_ours_is_never_removed(tmp_path: Path) -> None:
    """Files of editors, of other targets, and what is no file, whatever their age."""
    file = PreferenceFile(tmp_path / "p.json")
    ours = ".p.json.abcd_123.web-search"
    names = [".p.json.swp", ".p.json.abcd_123", f"x{ours}", f"{ours}~", ".q.json.a.web-search"]
    names += [".pxjson.abcd_123.web-search", ".p.json..web-search", ".p.json.a.b.web-search"]
    for name in (*names, ours):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    folder, link = tmp_path / ".p.json.folder.web-search", tmp_path / ".p.json.link.web-search"
    folder.mkdir()
    link.symlink_to(tmp_path / ".p.json.swp")
    for each in (folder, link):
        os.utime(each, (0, 0), follow_symlinks=False)
    file.save(GOOD)
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {*names, folder.name, link.name, "p.json"}

"""What editors, systems and users do to a preference file, in whole calls."""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import ScriptedFetcher, ScriptedSearcher
from native_web_search.adapters.testing.speakers import DEEPSEEK, OLLAMA, OPENAI
from native_web_search.application.result import ToolResult
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.fingerprint import fingerprint
from native_web_search.ports.registry import Credential

Opened = Callable[..., WebSearch]

LOGINS = tuple(each.at("https://e.example") for each in (DEEPSEEK, OLLAMA, OPENAI))
MODELS = tuple(login.model for login in LOGINS)
KEYS = {model.provider: Credential("a test", "key-1") for model in MODELS}


def prefers(provider: str = "openai", model: str = OPENAI.model) -> bytes:
    """The file of a user whom this model served last."""
    search = {"provider": provider, "model": model}
    return json.dumps({"version": 1, "fingerprint": fingerprint(MODELS), "search": search}).encode()


async def search(
    opened: Opened, path: Path, current: ChatModel | None = None
) -> tuple[ToolResult, str]:
    """The result of a search with the file at this path, and who was asked first."""
    searcher = ScriptedSearcher()
    async with opened(*LOGINS, preference_file=path) as web:
        web.registry = StaticRegistry(MODELS, KEYS, current)
        web.searcher, web.fetcher = searcher, ScriptedFetcher()
        result = await web.call({"query": "q"})
    return result, searcher.asked[0][0].partition("/")[0]


def only(path: Path) -> bool:
    """Whether nothing but this file lies in its folder."""
    return [each.name for each in path.parent.iterdir()] == [path.name]


MARK = b"\xef\xbb\xbf"


@pytest.mark.case("C03")
@pytest.mark.parametrize(
    ("before", "encoding", "read"),
    [
        (MARK, "utf-8", True),
        (b"", "utf-8", True),
        (MARK + b"\r\n", "utf-8", True),
        (b"", "utf-16", True),
        (b"", "utf-16-le", True),
        (b"", "utf-32", True),
        (MARK * 2, "utf-8", False),
        (b"\xff", "utf-8", False),
        (MARK[:2], "utf-8", False),
    ],
)
async def test_an_editor_may_add_a_byte_order_mark(
    opened: Opened, tmp_path: Path, before: bytes, encoding: str, *, read: bool
) -> None:
    """The preference is used whatever Unicode encoding it was saved in, and junk is as none."""
    path = tmp_path / "p.json"
    path.write_bytes(before + prefers().decode().encode(encoding))
    result, first = await search(opened, path)
    assert not result.is_error
    assert first == ("openai" if read else "deepseek")


REFUSALS = (
    PermissionError(errno.EACCES, "in use"),
    OSError(errno.EBUSY, "busy"),
    OSError(errno.EXDEV, "another device"),
    FileNotFoundError(errno.ENOENT, "gone"),
    IsADirectoryError(errno.EISDIR, "a folder"),
)


@pytest.mark.case("C06")
@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("step", ["replace", "fsync", "chmod"])
async def test_a_replacement_that_is_refused_harms_nobody(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, refusal: OSError
) -> None:
    """The result comes, the old file is as it was, and no other lies beside it."""

    def refuse(*_arguments: object, **_more: object) -> None:
        raise refusal

    path = tmp_path / "p.json"
    path.write_bytes(prefers())
    monkeypatch.setattr(os, step, refuse)
    result, _first = await search(opened, path, MODELS[1])
    monkeypatch.undo()
    assert not result.is_error
    assert path.read_bytes() == prefers()
    assert only(path)


def linked(kind: str, home: Path, target: Path) -> Path:
    """A path in this home that leads to the target in some way."""
    link = home / "p.json"
    match kind:
        case "relative":
            link.symlink_to(Path("..") / target.parent.name / target.name)
        case "chain":
            (home / "middle").symlink_to(target)
            link.symlink_to("middle")
        case "folder":
            (home / "folder").symlink_to(target.parent)
            return home / "folder" / target.name
        case _:
            link.symlink_to(target)
    return link


@pytest.mark.case("C07")
@pytest.mark.parametrize("kind", ["absolute", "relative", "chain", "dangling", "folder"])
async def test_a_link_stays_a_link(opened: Opened, tmp_path: Path, kind: str) -> None:
    """A file among the user's dotfiles is updated there, by whatever way it is found."""
    home, target = tmp_path / "home", tmp_path / "dotfiles" / "real.json"
    home.mkdir()
    target.parent.mkdir()
    if kind != "dangling":
        target.write_bytes(prefers())
        target.chmod(0o640)
    path = linked(kind, home, target)
    links = {each: each.readlink() for each in home.iterdir()}
    result, _first = await search(opened, path, MODELS[1])
    assert not result.is_error
    assert json.loads(target.read_bytes())["search"]["provider"] == "ollama-cloud"
    assert {each: each.readlink() for each in home.iterdir()} == links
    assert stat.S_IMODE(target.stat().st_mode) == (0o600 if kind == "dangling" else 0o640)
    assert only(target)


@pytest.mark.case("C07")
async def test_a_link_to_itself_costs_no_result(opened: Opened, tmp_path: Path) -> None:
    """A loop of links can be neither read nor written, and is left alone."""
    path = tmp_path / "p.json"
    path.symlink_to(path)
    result, _first = await search(opened, path)
    assert not result.is_error
    assert path.readlink() == path
    assert only(path)


@contextmanager
def masking(umask: int) -> Iterator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.mark.case("C09")
@pytest.mark.parametrize("umask", [0o077, 0o022, 0o000, 0o177])
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o400, 0o666, 0o640, None])
async def test_a_save_widens_no_mode(
    opened: Opened, tmp_path: Path, umask: int, mode: int | None
) -> None:
    """An existing file keeps its mode; a new one, and new folders, are no wider than allowed."""
    path = tmp_path / "p.json" if mode is not None else tmp_path / "a" / "b" / "p.json"
    if mode is not None:
        path.write_bytes(prefers())
        path.chmod(mode)
    with masking(umask):
        result, _first = await search(opened, path, MODELS[1])
    assert not result.is_error
    if umask == 0o177 and mode is None and os.geteuid() != 0:
        return  # nobody else could enter a folder of that mode
    assert json.loads(path.read_bytes())["search"]["provider"] == "ollama-cloud"
    assert stat.S_IMODE(path.stat().st_mode) == (mode if mode is not None else 0o600)
    if mode is None:
        assert not stat.S_IMODE((tmp_path / "a").stat().st_mode) & umask


class FillsUp(BytesIO):
    """A file on a disk that has room for a few more bytes."""

    def __init__(self, descriptor: int, room: int) -> None:
        super().__init__()
        self.descriptor, self.room = descriptor, room

    def write(self, content: object) -> int:
        assert isinstance(content, bytes)
        os.write(self.descriptor, content[: self.room])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        os.close(self.descriptor)


@pytest.mark.case("C10")
@pytest.mark.parametrize("room", [10, 0, 1])
@pytest.mark.parametrize("exists", [True, False])
async def test_a_disk_that_fills_up_takes_nothing_away(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, *, exists: bool
) -> None:
    """The result comes, the old file is whole, and the half of a new one is removed."""
    path = tmp_path / "folder" / "p.json"
    path.parent.mkdir()
    if exists:
        path.write_bytes(prefers())
    monkeypatch.setattr(os, "fdopen", lambda descriptor, *_mode: FillsUp(descriptor, room))
    result, _first = await search(opened, path, MODELS[1])
    monkeypatch.undo()
    assert not result.is_error
    assert [each.read_bytes() for each in path.parent.iterdir()] == [prefers()] * exists

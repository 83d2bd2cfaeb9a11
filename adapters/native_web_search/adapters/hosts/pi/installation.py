"""Putting the extension where pi finds it, and taking it away."""

import json
import re
from collections.abc import Mapping
from enum import Enum
from importlib.resources import files
from pathlib import Path

from attrs import field, frozen

from native_web_search.adapters.hosts.pi.neighbours import neighbours, stand_in
from native_web_search.adapters.registries.pi_folder import agent_folder
from native_web_search.adapters.small_file import Unread, Why, content_of
from native_web_search.domain.exposure import TOOL_NAME
from native_web_search.domain.outcome import Failure, Outcome, Success

PACKAGE = "native_web_search.adapters.hosts.pi"
FILE = "native-web-search.ts"
MARK = "// native-web-search for pi."  # how each of our extension files begins
OWNER_ONLY = 0o700  # as pi makes its agent folder, which holds credentials
COMMAND = re.compile(r"^const COMMAND = .*$", re.MULTILINE)


class State(Enum):
    """What lies where our extension belongs."""

    ABSENT = "not installed"
    CURRENT = "installed"
    OTHER = "installed, for another Python or by another version: install it again"
    FOREIGN = "a file that is not ours"


@frozen
class Installation:
    """Our extension in one agent folder. `python` is the interpreter that has the package."""

    folder: Path
    python: str
    environ: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, environ: Mapping[str, str], python: str) -> "Installation":
        return cls(agent_folder(environ), python, environ)

    @property
    def path(self) -> Path:
        return self.folder / "extensions" / FILE

    def state(self) -> State:
        match content_of(self.path):
            case Success(content) if content == extension(self.python).encode():
                return State.CURRENT
            case Success(content):
                return State.OTHER if content.startswith(MARK.encode()) else State.FOREIGN
            case Failure(Unread(why=Why.MISSING)):
                return State.ABSENT
            case Failure():
                return State.FOREIGN

    def others(self) -> tuple[str, ...]:
        """The extensions beside ours that bring the tool, as far as can be seen."""
        return neighbours(self.folder, self.path, self.environ)

    def install(self, *, force: bool = False) -> Outcome[str, str]:
        """Write the extension; the text says what was done, or why not. `force` overlooks that
        another extension seems to bring the tool.
        """
        refusal = self._refusal(force=force)
        if refusal is not None:
            return Failure(refusal)
        done = {State.ABSENT: "installed", State.CURRENT: "already installed"}
        said = done.get(self.state(), "installed anew")
        self.folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(extension(self.python), "utf-8")
        return Success(
            f"{TOOL_NAME} is {said}: {self.path}\n"
            f"It runs {self.python}. Start pi anew, or type /reload in a running one."
        )

    def uninstall(self) -> Outcome[str, str]:
        """Remove the extension, if it is ours; the text says what was done, or why not."""
        match self.state():
            case State.ABSENT:
                return Success(f"Nothing to remove: there is no {self.path}")
            case State.FOREIGN:
                return Failure(f"{self.path} is left alone: it is not ours.")
            case State.CURRENT | State.OTHER:
                self.path.unlink()
                return Success(f"Removed {self.path}")

    def _refusal(self, *, force: bool) -> str | None:
        if self.state() is State.FOREIGN:
            return f"Nothing was changed: {self.path} is not ours."
        standing = stand_in(self.folder)
        if standing is not None:
            return f"Nothing was changed: beside {standing} pi reads no other file of that folder."
        others = () if force else self.others()
        if not others:
            return None
        rows = [f"  {other}" for other in others]
        first = f"Nothing was changed: {TOOL_NAME} comes from another extension already,"
        advice = "Remove it first; pi does not start with both. If this is wrong, use --force."
        return "\n".join([first, *rows, advice])


def extension(python: str) -> str:
    """The extension's text, made for this interpreter.

    `-P` keeps the folder that pi works in, which may be anybody's, off the module path.
    """
    command = json.dumps([python, "-P", "-m", PACKAGE])
    text = (files(PACKAGE) / "extension.ts").read_text("utf-8")
    return COMMAND.sub(lambda _line: f"const COMMAND = {command};", text, count=1)

"""A real Valkey or Redis server of one's own, for tests that want no fake.

It lives in a folder of its own and on a socket in there, keeps nothing on disk, and can be killed,
started again and stopped in the middle of its work.
"""

import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Self

from attrs import define, field

PROGRAMS = ("valkey-server", "redis-server")
START_SECONDS = 20.0  # it takes a hundredth of that, unless the machine has much else to do


class NoServerError(Exception):
    """Neither program is on the PATH."""


def program() -> str:
    """The server to run."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        message = f"none of {', '.join(PROGRAMS)} is on the PATH; `.ci/prepare-valkey` installs one"
        raise NoServerError(message)
    return found


@define(eq=False)
class RealValkey:
    """Used as `with RealValkey() as server`; `url` is where it is, without the password."""

    password: str | None = None
    folder: Path = field(init=False)
    _process: "subprocess.Popen[bytes] | None" = field(init=False, default=None)

    def __enter__(self) -> Self:
        self.folder = Path(mkdtemp(prefix="valkey-"))  # the path of a socket must be short
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    @property
    def socket(self) -> Path:
        return self.folder / "socket"

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start it, empty, and wait until it listens."""
        own = ("--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder))
        kept = ("--save", "", "--appendonly", "no", "--daemonize", "no")
        secret = () if self.password is None else ("--requirepass", self.password)
        self._process = subprocess.Popen(  # noqa: S603 - a program by its name
            (program(), *own, *kept, *secret), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + START_SECONDS
        while not self._listens():
            if time.monotonic() > deadline or self._process.poll() is not None:
                message = f"{program()} did not start"
                raise RuntimeError(message)
            time.sleep(0.01)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Stop it in its tracks: connections stay, nothing is answered."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
            probe.connect(str(self.socket))
            return True
        return False

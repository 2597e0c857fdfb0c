"""An engine that speaks the Universal Chess Interface (UCI) over two pipes."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

AT_ONCE_BYTES = 1 << 16
STOPS_WITHIN_S = 10


class EngineError(Exception):
    """The engine ended, or printed nothing that UCI knows."""


class Engine:
    """A started engine; leaving it as a context makes it quit."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start the engine and wait until it is ready."""
        try:
            self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise EngineError(f"{argv[0]} cannot be started: {error.strerror}") from error
        self._to, self._from = self._process.stdin, self._process.stdout
        self.ask("uci", until="uciok")

    def __enter__(self) -> Self:
        """Do nothing: the engine is started."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let the engine quit; kill it if it does not."""
        try:
            self._process.communicate(b"quit\n", timeout=STOPS_WITHIN_S)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def set(self, name: str, value: int) -> None:
        """Set an option."""
        self._say(f"setoption name {name} value {value}")

    def fresh(self) -> None:
        """Let the engine forget all earlier searches; return once it is done."""
        self.ask("ucinewgame", "isready", until="readyok")

    def ask(self, *lines: str, until: str) -> bytes:
        """Send lines; return the response, up to the line that begins with ``until``."""
        self._say(*lines)
        wanted = f"\n{until}".encode()
        said = b"\n"
        while (begin := said.find(wanted)) < 0 or said.find(b"\n", begin + 1) < 0:
            more = os.read(self._from.fileno(), AT_ONCE_BYTES)
            if not more:
                raise EngineError(f"the engine ended where {until} was awaited")
            said += more
        return said

    def busy_ns(self) -> dict[str, int]:
        """Return the CPU time that each thread of the engine that may search has used so far.

        The engine's first thread only reads commands and starts the others: in a short search it is as busy as they.
        """
        pid = str(self._process.pid)
        tasks = [task for task in Path("/proc", pid, "task").iterdir() if task.name != pid]
        return {task.name: int((task / "schedstat").read_text().split()[0]) for task in tasks}

    def _say(self, *lines: str) -> None:
        try:
            self._to.write("".join(f"{line}\n" for line in lines).encode())
            self._to.flush()
        except OSError as error:
            raise EngineError("the engine no longer listens") from error

"""The machine that headtohead runs on."""

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from headtohead.hosts.program_failures import failed, late
from headtohead.model.errors import HostError

CHUNK_BYTES = 65_536


class LocalProcess:
    """A program started here, with pipes to its standard input and output."""

    def __init__(self, program: subprocess.Popen[bytes], *, name: str) -> None:
        self._program = program
        self._name = name
        self._unread = b""
        self._ended = False

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._program.pid

    @property
    def has_ended(self) -> bool:
        """Whether the program runs no more."""
        return self._program.poll() is not None

    def write_line(self, text: str) -> None:
        """Write one line; HostError if the program has closed its input or ended."""
        self.write(text.encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Write bytes; HostError if the program has closed its input or ended."""
        pipe, left = _open_pipe(self._program.stdin), memoryview(data)
        try:
            while left:
                left = left[pipe.write(left) or 0 :]
        except (BrokenPipeError, ValueError) as gone:
            raise HostError(
                f"{self._name} no longer listens", why="Its standard input is closed.", remedy="See its log."
            ) from gone

    def read_line(self, *, within_s: float) -> str | None:
        """Return the next line, or None after the output has ended; HostError if none came in time."""
        deadline = time.monotonic() + within_s
        while b"\n" not in self._unread and not self._ended:
            chunk = self._read_chunk(deadline - time.monotonic(), within_s=within_s)
            self._ended = not chunk
            self._unread += chunk
        line, newline, rest = self._unread.partition(b"\n")
        self._unread = rest
        return line.decode(errors="replace") if newline or line else None

    def read(self, *, at_most: int, within_s: float) -> bytes:
        """Return the next bytes of its output, none after it has ended; HostError if none came in time."""
        if not self._unread and not self._ended:
            self._unread = self._read_chunk(within_s, within_s=within_s)
            self._ended = not self._unread
        data, self._unread = self._unread[:at_most], self._unread[at_most:]
        return data

    def close_input(self) -> None:
        """Close its standard input."""
        with contextlib.suppress(BrokenPipeError):
            _open_pipe(self._program.stdin).close()

    def wait(self, *, within_s: float) -> int:
        """Return its exit status, negative for a signal; HostError if it still runs after that time."""
        try:
            status = self._program.wait(timeout=within_s)
        except subprocess.TimeoutExpired as error:
            raise HostError(
                f"{self._name} did not end", why=f"It still ran after {within_s:g} s.", remedy="See its log."
            ) from error
        self.close_input()
        _open_pipe(self._program.stdout).close()
        return status

    def kill(self) -> None:
        """End it with KILL, by its own id."""
        with contextlib.suppress(ProcessLookupError):
            self._program.send_signal(signal.SIGKILL)

    def _read_chunk(self, left_s: float, *, within_s: float) -> bytes:
        pipe = _open_pipe(self._program.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            if left_s <= 0 or not selector.select(left_s):
                raise HostError(
                    f"{self._name} did not answer", why=f"No line came within {within_s:g} s.", remedy="See its log."
                )
        return os.read(pipe.fileno(), CHUNK_BYTES)


class LocalHost:
    """This machine, through the standard library."""

    def run(self, argv: Sequence[str], *, within_s: float) -> str:
        """Return the program's output, in the C locale; HostError if it failed, was missing or late."""
        command = [str(word) for word in argv]
        try:
            done = subprocess.run(
                command,
                check=True,
                timeout=within_s,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                env={**os.environ, "LC_ALL": "C"},
            )
        except subprocess.CalledProcessError as error:
            raise failed(command, error.returncode, error.stderr, error.stdout) from error
        except subprocess.TimeoutExpired as error:
            raise late(command, within_s=within_s) from error
        except OSError as missing:
            raise _cannot_start(command[0], missing) from missing
        return done.stdout

    def start(self, argv: Sequence[str], *, log: Path) -> LocalProcess:
        """Start a program in a session of its own, so that a terminal's Ctrl-C does not reach it."""
        command = [str(word) for word in argv]
        try:
            with log.open("ab") as errors:
                program = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    bufsize=0,
                    start_new_session=True,
                )
        except OSError as missing:
            raise _cannot_start(command[0], missing) from missing
        return LocalProcess(program, name=Path(command[0]).name)

    def put(self, source: Path, target: Path) -> None:
        """Copy a file, with its mode."""
        _copy(source, target)

    def fetch(self, source: Path, target: Path) -> None:
        """Copy a file, with its mode."""
        _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    try:
        shutil.copy2(source, target)
    except OSError as error:
        raise HostError(
            f"{source.name} could not be copied",
            why=f"{error.strerror}: {error.filename}.",
            remedy="Check that the file is there and the folder can be written.",
        ) from error


def _cannot_start(program: str, reason: OSError) -> HostError:
    return HostError(
        f"{program} could not be started",
        why=f"{reason.strerror}.",
        remedy="Check that it is installed and may be executed.",
    )


def _open_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return the pipe, which ``start`` always opens; in Popen's type it may be None."""
    if pipe is None:
        raise HostError("A program has no pipe", why="It was not started by LocalHost.start.", remedy="Report this.")
    return pipe

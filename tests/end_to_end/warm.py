"""Commands that start warm: each is forked from a process that has imported all of headtohead.

A start of Python that imports all of it takes a second of CPU, and half a second more if it draws. A forked command is
a process of its own, with its own arguments, environment, working directory and output. How a command starts by itself
is left to the tests that want a cold one: of the smoke study, of kills, of wrong words.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_BYTES = 128 * 1024
FILES = 3
"""Passed with a command: standard output, standard error, and where its id and its exit status go."""


@dataclass(frozen=True)
class Asked:
    """A command: its words, its environment, where it works, and whether it is as in ``hurried.py``."""

    words: Sequence[str]
    environment: Mapping[str, str]
    cwd: str
    hurried: bool = False


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    pid: int
    returncode: int
    stdout: str
    stderr: str

    @property
    def owner(self) -> str:
        """Return how the ids of its runs begin."""
        return f"{self.pid}-"


class Warm:
    """A process that commands are forked from, one after another; it ends with this one at the latest."""

    def __init__(self, environment: Mapping[str, str], enter: Sequence[str] = ()) -> None:
        """Start it; ``enter`` are the words that run a program where the commands are to run."""
        self._asks, asked = _pair()
        argv = [*enter, sys.executable, "-m", "tests.end_to_end.warm"]
        with asked:
            self._process = subprocess.Popen(
                argv,
                stdin=asked.fileno(),
                stdout=subprocess.DEVNULL,
                env=environment,
                cwd=ROOT,
                start_new_session=True,
            )
        atexit.register(self.close)

    def close(self) -> None:
        """End it."""
        self._asks.close()
        self._process.wait()

    def run(self, asked: Asked, *, within_s: float) -> Done:
        """Run a command to its end; one that takes longer is killed, and a TimeoutError is raised."""
        with ExitStack() as stack:
            out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
            ours, its = (stack.enter_context(each) for each in _pair())
            files = (out.fileno(), err.fileno(), its.fileno())
            socket.send_fds(self._asks, [json.dumps(asdict(asked)).encode()], files)
            its.close()
            pid = int(ours.recv(MOST_BYTES))
            try:
                ours.settimeout(within_s)
                status = int(ours.recv(MOST_BYTES))
            except BaseException:
                os.kill(pid, signal.SIGKILL)
                raise
            for each in (out, err):
                each.seek(0)
            return Done(pid, status, out.read().decode(), err.read().decode())


def _pair() -> tuple[socket.socket, socket.socket]:
    """Return two ends between which messages stay apart."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def next_command() -> Asked:
    """Return in a child that is forked for each command; the parent reports its id, and how it ended."""
    asks = socket.socket(fileno=os.dup(0))
    while True:
        message, files, _, _ = socket.recv_fds(asks, MOST_BYTES, FILES)
        if not message:
            sys.exit()
        child = os.fork()
        if child == 0:
            asks.close()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for number, file in enumerate(files[:2], start=1):
                os.dup2(file, number)
            for file in files:
                os.close(file)
            return Asked(**json.loads(message))
        for file in files[:2]:
            os.close(file)
        with socket.socket(fileno=files[2]) as reply:
            reply.sendall(str(child).encode())
            _, status = os.waitpid(child, 0)
            reply.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def begin(asked: Asked) -> None:
    """Become the command, as far as that is in this process alone."""
    os.environ.clear()
    os.environ.update(asked.environment)
    os.chdir(asked.cwd)
    sys.argv = ["headtohead", *asked.words]


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `headtohead` does before it imports
    for late in ("matplotlib.backends.backend_svg", "matplotlib.figure", "scipy.special"):
        importlib.import_module(late)
    from headtohead.cli.main import main
    from tests.end_to_end.haste import hasten

    gc.freeze()
    command = next_command()
    begin(command)
    if command.hurried:
        hasten()
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()

"""The protocol of a machine: four verbs, and a process to talk to."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class Process(Protocol):
    """A started program that we talk to in lines."""

    @property
    def pid(self) -> int:
        """Return the process id on its host."""

    def write_line(self, text: str) -> None:
        """Write one line to its standard input; HostError if it is closed."""

    def read_line(self, *, within_s: float) -> str | None:
        """Return its next line without the newline, None after its output has ended; HostError if it is late."""

    def close_input(self) -> None:
        """Close its standard input; closing it twice is not an error."""

    def wait(self, *, within_s: float) -> int:
        """Return its exit status (negative: the signal that ended it); HostError if it still runs after that time."""

    def kill(self) -> None:
        """End it at once with KILL, and no other process."""


class Host(Protocol):
    """Four verbs are enough to measure a server. Programs are given as argument lists; there is no shell."""

    def run(self, argv: Sequence[str], *, within_s: float) -> str:
        """Return the standard output of a program; HostError if it failed, was missing or late."""

    def start(self, argv: Sequence[str], *, log: Path) -> Process:
        """Start a program in a session of its own, its standard error appended to ``log`` on this machine."""

    def put(self, source: Path, target: Path) -> None:
        """Copy a file of this machine to the host, with its mode."""

    def fetch(self, source: Path, target: Path) -> None:
        """Copy a file of the host to this machine, with its mode."""

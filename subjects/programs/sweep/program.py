"""One program as it runs here: its arguments, its input in memory, its output in memory."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from store import Memory

ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
MOST_SAID = 300


class ProgramError(Exception):
    """A program could not be started, or failed."""


@dataclass(frozen=True)
class Right:
    """Length and SHA-256 of the right bytes."""

    length_bytes: int
    sha256: str


@dataclass(frozen=True)
class Data:
    """The folder of the data set, and the right bytes of each file and of each program's output."""

    folder: Path
    right: Mapping[str, Right]


Check = Callable[["Stage"], str | None]
"""Checks a stage whose program has ended; returns what is wrong with its output, or None if it is right."""


@dataclass(frozen=True)
class Program:
    """What is run: ``@scripts@`` stands for the folder of our scripts; ``reads`` is a file of the data set."""

    argv: tuple[str, ...]
    reads: str
    check: Check


@dataclass
class Stage:
    """Where one copy runs its program: input, output and standard error, all in memory.

    ``own`` is a folder for checks, ``scripts`` the folder of our scripts.
    """

    program: Program
    data: Data
    own: Path
    scripts: Path
    source: Memory = field(default_factory=lambda: Memory("source"))
    made: Memory = field(default_factory=lambda: Memory("made"))
    beside: Memory = field(default_factory=lambda: Memory("beside"))

    def __post_init__(self) -> None:
        """Read the input into memory."""
        self.source.fill(self.data.folder / self.program.reads)

    @property
    def argv(self) -> list[str]:
        """The arguments of the program, filled in."""
        return [word.replace("@scripts@", str(self.scripts)) for word in self.program.argv]

    def once(self) -> None:
        """Run the program to its end."""
        self.made.empty()
        self.wait(self.start(self.argv, source=self.source, made=self.made.fd))

    def start(self, argv: list[str], *, source: Memory, made: int) -> int:
        """Start a program; return its process id."""
        source.rewind()
        self.beside.empty()
        given = [(os.POSIX_SPAWN_DUP2, fd, to) for to, fd in enumerate((source.fd, made, self.beside.fd))]
        try:
            return os.posix_spawn(argv[0], argv, {**ENVIRONMENT, "TMPDIR": str(self.own)}, file_actions=given)
        except OSError as error:
            raise ProgramError(f"{argv[0]}: {error.strerror}") from error

    def wait(self, pid: int) -> None:
        """Wait for a program. Raise ProgramError if it failed."""
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            said = self.beside.bytes().decode(errors="replace").strip()[-MOST_SAID:]
            raise ProgramError(f"{self.program.argv[0]} ended with {code}: {said or 'it said nothing'}")

    def through(self, argv: list[str], *, source: Memory) -> Memory:
        """Run another program on some input; return its output."""
        made = Memory("through")
        self.wait(self.start(argv, source=source, made=made.fd))
        return made

"""The kernel's files and a few programs below a root: the machine itself, or one recorded for a test."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from headtohead.hosts.ethtool import read_firmware
from headtohead.hosts.local import LocalHost
from headtohead.model.errors import HostError
from headtohead.model.machine.host import Fact
from headtohead.model.quantity import Scalar

PROGRAM_WITHIN_S = 5.0


def run_here(argv: Sequence[str]) -> str | None:
    """Return the output of a program of this machine, None if it is missing or fails."""
    try:
        return LocalHost().run(argv, within_s=PROGRAM_WITHIN_S)
    except HostError:
        return None


@dataclass(frozen=True)
class Tree:
    """A source of facts. ``said`` runs a program, ``firmware`` returns the firmware version of a network interface.

    ``pause`` lets time pass between two readings of a counter, in seconds.
    """

    root: Path = Path("/")
    root_user: bool = os.geteuid() == 0
    said: Callable[[Sequence[str]], str | None] = run_here
    firmware: Callable[[str], str | None] = read_firmware
    pause: Callable[[float], None] = time.sleep

    def text(self, path: str) -> str | None:
        """Return a file's text without its last newline, None if it cannot be read."""
        try:
            return (self.root / path).read_text(errors="replace").strip("\n\0 ")
        except OSError:
            return None

    def integer(self, path: str) -> int | None:
        """Return the number in a file, None if there is none."""
        try:
            return int(self.text(path) or "")
        except ValueError:
            return None

    def glob(self, pattern: str) -> list[Path]:
        """Return the matching paths, sorted by name with numbers in their order."""
        return sorted(self.root.glob(pattern), key=lambda path: [_sortable(part) for part in path.parts])

    def is_there(self, path: str) -> bool:
        """Return whether there is such a file or folder."""
        return (self.root / path).exists()

    def is_writable(self, path: str) -> bool:
        """Return whether we may write there."""
        return os.access(self.root / path, os.W_OK)

    def link_name(self, path: str) -> str | None:
        """Return the last part of a link's target, None if there is no link."""
        try:
            return (self.root / path).readlink().name
        except OSError:
            return None

    def why_not(self, path: str) -> str:
        """Return why a file shows nothing."""
        place = self.root / path
        if not place.exists():
            return f"this machine has no /{path}"
        try:
            text = place.read_text(errors="replace")
        except PermissionError:
            return f"only root may read /{path}"
        except OSError as refused:
            return f"/{path} cannot be read: {refused.strerror}"
        return f"/{path} says {text.strip()[:40]!r}" if text.strip() else f"/{path} is empty"


@dataclass(frozen=True)
class Group:
    """Makes the facts of one group."""

    name: str
    tree: Tree

    def known(self, name: str, value: Scalar, *, source: str, unit: str | None = None) -> Fact:
        """Return a fact that could be read."""
        return Fact(self.name, name, value, unit, source)

    def hidden(self, name: str, *, source: str, why_not: str) -> Fact:
        """Return a fact that cannot be seen here, with the reason."""
        return Fact(self.name, name, None, None, source, why_not)

    def file(self, name: str, path: str) -> Fact:
        """Return a file's text as a fact, hidden if it cannot be read or is empty."""
        text = self.tree.text(path)
        if not text:
            return self.hidden(name, source=f"/{path}", why_not=self.tree.why_not(path))
        return self.known(name, text, source=f"/{path}")

    def number(self, name: str, path: str, *, unit: str | None = None, scale: int = 1) -> Fact:
        """Return a file's number times ``scale`` as a fact, hidden if there is none."""
        value = self.tree.integer(path)
        if value is None:
            return self.hidden(name, source=f"/{path}", why_not=self.tree.why_not(path))
        return self.known(name, value * scale, source=f"/{path}", unit=unit)


def cpu_list(text: str) -> tuple[int, ...]:
    """Return the CPUs of a list as the kernel writes it.

    >>> cpu_list("0-2,5")
    (0, 1, 2, 5)
    """
    found: list[int] = []
    for part in text.replace("\n", "").split(","):
        low, _, high = part.strip().partition("-")
        if low.isdecimal():
            found += range(int(low), int(high or low) + 1)
    return tuple(found)


def cpu_text(cpus: Sequence[int]) -> str:
    """Return CPUs as the kernel writes a list.

    >>> cpu_text([0, 1, 2, 5])
    '0-2,5'
    """
    spans: list[list[int]] = []
    for cpu in sorted(cpus):
        if spans and cpu == spans[-1][-1] + 1:
            spans[-1].append(cpu)
        else:
            spans.append([cpu])
    return ",".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)


def _sortable(part: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key of a name that puts cpu2 before cpu10."""
    words = "".join(each if each.isdecimal() else f" {each} " for each in part).split()
    return tuple((int(word), "") if word.isdecimal() else (-1, word) for word in words)

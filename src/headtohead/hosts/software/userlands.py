"""Userlands in the cache: which are there, what they hold, and why one cannot be used.

A userland is the root of a Debian release with the packages of one subject. It belongs to root, in a folder that no
other user enters. ``pinned.json`` next to it has its packages with their versions as they were when it was made.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.kernel_files import Tree
from headtohead.model.errors import HostError
from headtohead.model.machine.host import lacked
from headtohead.model.machine.userland import FACTOR, RELEASES
from headtohead.model.study.subject import Subject

FOLDER = "userlands"
ROOT, PINNED = "root", "pinned.json"
MAKER = "mmdebstrap"
WITHIN_S = 30.0
DIGITS = 12
"""Of the checksum that stands for all packages and versions of a userland."""
HOST_OF = {"i386": ("amd64", "i386")}
"""By the architecture of programs, the machines that may run them, if it is not theirs alone."""
LAYOUT = "${db:Status-Status}\\t${Package}\\t${Version}\\t${Architecture}\\n"
Pinned = Mapping[str, str]
"""The version of each package, by ``name:architecture``."""


@dataclass(frozen=True)
class Userland:
    """A userland that is there: its level, the subject whose packages it has, its root, and all of its packages."""

    level: str
    subject: str
    root: Path
    packages: Pinned
    made_at: str = ""

    @property
    def facts(self) -> str:
        """The version of its C library, and what stands for all of its packages: two that differ are two treatments."""
        libc = next((f"{name} {each}" for name, each in self.packages.items() if name.startswith("libc6:")), "no libc6")
        listed = "".join(f"{name}={each}\n" for name, each in sorted(self.packages.items()))
        digest = hashlib.sha256(listed.encode()).hexdigest()[:DIGITS]
        return f"{self.level}: {libc.replace(':', ' ', 1)}, {len(self.packages)} packages {digest}"

    def text(self) -> str:
        """Return what ``pinned.json`` holds."""
        pinned = {"userland": self.level, "made_at": self.made_at, "packages": dict(sorted(self.packages.items()))}
        return json.dumps({"format": 1, **pinned}, indent=1) + "\n"


def place_of(cache: Path, level: str, subject: str) -> Path:
    """Return the folder in the cache of a userland with the packages of a subject."""
    return cache / FOLDER / f"{level}+{subject}"


def read(cache: Path, level: str, subject: str, *, host: Host) -> Userland:
    """Return a userland; HostError if there is none, or if its packages are no longer those of its making."""
    place = place_of(cache, level, subject)
    try:
        pinned = json.loads((place / PINNED).read_text())
        made_at, packages = str(pinned["made_at"]), dict(pinned["packages"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = f"{place} holds none." if isinstance(error, FileNotFoundError) else f"{place / PINNED} cannot be read."
        raise _unusable(level, subject, why, "Run `headtohead setup` with this study, as root.") from error
    found = installed(place / ROOT, host=host)
    if found != packages:
        differing = sorted(name for name in {*found, *packages} if found.get(name) != packages.get(name))
        why = f"It was changed since it was made: {', '.join(differing[:3])}{' and others' * (len(differing) > 3)}."
        raise _unusable(level, subject, why, f"Remove {place}, and run `headtohead setup` with this study.")
    return Userland(level, subject, place / ROOT, packages, made_at)


def installed(root: Path, *, host: Host) -> dict[str, str]:
    """Return the packages of a root with their versions, by ``name:architecture``; no program of it is run."""
    argv = ("dpkg-query", f"--admindir={root}/var/lib/dpkg", "--show", f"--showformat={LAYOUT}")
    lines = (line.split("\t") for line in host.run(argv, within_s=WITHIN_S).splitlines())
    return {f"{name}:{kind}": version for status, name, version, kind in lines if status == "installed"}


def wanted_packages(subject: Subject, levels: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the packages that a subject needs at some levels of its factors."""
    own = [(name, level) for name, level in levels if name in subject.factors]
    return tuple(dict.fromkeys((*subject.install.debian, *subject.packages_of(own))))


def userlands_lacking(
    subjects: Iterable[Subject], levels: Iterable[tuple[str, str]], *, cache: Path, host: Host, tree: Tree
) -> dict[str, str]:
    """Return why userlands of a study cannot be used, by level, or by level and subject (``lacked``)."""
    asked = set(levels)
    return {
        key: why
        for level in sorted(name for factor, name in asked if factor == FACTOR and name in RELEASES)
        for key, why in _lacking(level, tuple(subjects), asked, cache=cache, host=host, tree=tree)
    }


def _lacking(
    level: str, subjects: tuple[Subject, ...], levels: set[tuple[str, str]], *, cache: Path, host: Host, tree: Tree
) -> Iterator[tuple[str, str]]:
    if not tree.root_user:
        yield f"{FACTOR}={level}", "only root may give programs another root of the file system"
        return
    for subject in subjects:
        try:
            there = read(cache, level, subject.name, host=host)
        except HostError as error:
            yield lacked(FACTOR, level, subject.name), f"{error.what}. {error.why} {error.remedy}"
            continue
        names = {each.partition(":")[0] for each in there.packages}
        without = [each for each in wanted_packages(subject, levels) if each not in names]
        if without:
            why = f"it lacks {', '.join(without)}; `headtohead setup` makes it again"
            yield lacked(FACTOR, level, subject.name), why


def why_no_architecture(level: str, native: str) -> str | None:
    """Return why a machine of that architecture runs no programs of a userland's; None if it may.

    >>> why_no_architecture("debian-12-i386", "arm64")
    'debian-12-i386 has programs for i386, and this machine is arm64'
    """
    architecture = RELEASES[level].architecture or native
    runs = native in HOST_OF.get(architecture, (architecture,))
    return None if runs else f"{level} has programs for {architecture}, and this machine is {native}"


def _unusable(level: str, subject: str, why: str, remedy: str) -> HostError:
    return HostError(f"The userland {level} with {subject} cannot be used", why=why, remedy=remedy)

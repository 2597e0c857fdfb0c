"""Copies of prepared data: pristine ones are kept in the cache, runs start on copies of those."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.data.disk_space import ask_bytes, size_bytes
from headtohead.execute.sandbox import Ground, Stand, give_to, unwritable
from headtohead.hosts.paths import run_dir


@dataclass
class Copies:
    """The working copies of one study: one of each pristine copy, on which all its runs start.

    They lie beside the pristine ones and belong to a stand that lasts from the first copy to ``close``, so that none
    outlives its study. A copy that was taken and not given back was left by an unclean stop: it is made anew.
    ``runs`` holds the numbers of the runs that have started on a copy since it was made.
    """

    ground: Ground
    made: dict[Path, Path] = field(default_factory=dict)
    taken: set[Path] = field(default_factory=set)
    runs: dict[Path, list[int]] = field(default_factory=dict)
    _keeper: Stand | None = None
    _held: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        """Take away all copies."""
        self.made.clear()
        self.taken.clear()
        self.runs.clear()
        self._keeper = None
        self._held.close()

    def take(self, pristine: Path, *, run: int | None = None) -> Path:
        """Return the working copy of a pristine one, made where there is none, or none that was left in order."""
        if not self.holds(pristine):
            working = self._folder(pristine) / pristine.name
            shutil.rmtree(working, ignore_errors=True)
            self.made.pop(pristine, None)
            self.runs.pop(pristine, None)
            ask_bytes(working.parent, size_bytes(pristine), what=f"a working copy of {pristine.name}")
            copy_tree(pristine, working)
            self.made[pristine] = working
        self.taken.add(pristine)
        self.runs.setdefault(pristine, []).extend(() if run is None else (run,))
        return self.made[pristine]

    def holds(self, pristine: Path) -> bool:
        """Whether there is a working copy of a pristine one, left in order."""
        return pristine in self.made and pristine not in self.taken

    def give_back(self, pristine: Path) -> None:
        """Take note that the server on a working copy was stopped cleanly."""
        self.taken.discard(pristine)

    def in_order(self) -> Iterator[Path]:
        """Yield the pristine copies whose working copy was stopped cleanly, each time."""
        yield from (pristine for pristine in self.made if pristine not in self.taken)

    def _folder(self, pristine: Path) -> Path:
        if self._keeper is None:
            self._keeper = self._held.enter_context(self.ground.stand())
        folder = beside(pristine, self._keeper)
        if not folder.is_dir():
            self._keeper.supervisor.own(folder)
            folder.mkdir(parents=True)
        return folder


def beside(pristine: Path, stand: Stand) -> Path:
    """Return where a stand may keep what is to lie beside a pristine copy, under a name by which it is swept."""
    return pristine.parent / run_dir(stand.id).name


def copy_tree(source: Path, target: Path, *, user: str | None = None) -> None:
    """Copy a folder with owners, modes and links as they are, or for ``user``; it is on disk when this returns.

    HostError where it cannot be: a part of it that there is then is taken away.
    """
    try:
        shutil.copytree(source, target, symlinks=True)
        for path in (target, *target.rglob("*")):
            if user is not None:
                give_to(user, path)
            elif os.geteuid() == 0:
                told = (source / path.relative_to(target)).lstat()
                os.chown(path, told.st_uid, told.st_gid, follow_symlinks=False)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise unwritable(target, error) from error
    os.sync()


def evict(folder: Path) -> None:
    """Let the kernel forget what it holds of a folder's files: who reads them then has them in its own memory's count.

    Else a limit on memory would not hold for what we copied ourselves, or an earlier run has read.
    """
    for path in folder.rglob("*"):
        if stat.S_ISREG(path.lstat().st_mode):
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.fsync(file)  # only what is on disk can be forgotten
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(file)

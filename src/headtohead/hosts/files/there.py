"""The files of a run on a host over SSH: sent by checksum, and brought into a folder here.

Every change is one command of the host, given as a list of arguments: no shell reads it.
"""

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from headtohead.hosts.files.run_files import Whose, tampered
from headtohead.hosts.ssh.host import SshHost
from headtohead.model.errors import HostError

WITHIN_S = 60.0
COPIED_WITHIN_S = 600.0
SLOW = frozenset({"cp", "chown", "chgrp", "chmod", "find", "rm", "sync"})
"""What takes long for much data."""
KIND = "run-files"
"""The folder of the host's cache for folders that runs copy."""


@dataclass(frozen=True)
class FilesThere:
    """Files of a host over SSH. What is brought from it is copied below ``scratch``, a folder here."""

    host: SshHost
    scratch: Path

    def make_folder(self, path: Path, *, whose: Whose, user: str | None) -> None:
        """Make a new folder, below a folder that may be new as well; HostError if there is one."""
        self._done("mkdir", "--parents", "--", str(path.parent))
        self._done("mkdir", "--mode=0700", "--", str(path))
        self._set_owner(path, whose=whose, user=user)

    def write(self, path: Path, text: str) -> None:
        """Write a file; a link of its name is replaced, not followed."""
        self.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=self.scratch, encoding="utf-8") as ours:
            ours.write(text)
            ours.flush()
            Path(ours.name).chmod(0o644)
            self.host.put(Path(ours.name), path)

    def send(self, source: Path, target: Path, *, whose: Whose, user: str | None) -> None:
        """Copy a folder of this machine to a new place there; it crosses the network once."""
        pushed = self.host.push(source, KIND).path
        self._done("cp", "--recursive", "--no-target-directory", "--", str(pushed), str(target))
        self._set_owner(target, whose=whose, user=user)

    def brought(self, path: Path, *, within: Path) -> Path:
        """Return the path of a copy here; SubjectError if it is a link or not a plain file."""
        target = self.scratch / within.name / path.relative_to(within)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self.host.fetch(path, target, within=within)
        except HostError as error:
            if self._is_lost():
                raise
            raise tampered(path, error.why.rstrip(".")) from error
        return target

    def plain(self, paths: Sequence[Path]) -> tuple[Path, ...]:
        """Return those that are plain files."""
        return tuple(path for path in paths if path.name in self.names(path.parent))

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the plain files in a folder."""
        try:
            listed = self._done(
                "find", "-P", str(folder), "-mindepth", "1", "-maxdepth", "1", "-type", "f", "-printf", "%f\\0"
            )
        except HostError:
            if self._is_lost():
                raise
            return ()
        return tuple(sorted(PurePosixPath(each).name for each in listed.split("\0") if each))

    def free_bytes(self, folder: Path) -> int | None:
        """Return the free space on a folder's disk; None if it cannot be read."""
        with contextlib.suppress(HostError, ValueError, IndexError):
            return int(self._done("df", "--block-size=1", "--output=avail", "--", str(folder)).split()[-1])
        return None

    def keep(self, made: Path, kept: Path, *, partial: Path, user: str | None) -> None:
        """Copy a folder that programs made to a place of ours, where it appears whole or not at all."""
        self._done("mkdir", "--parents", "--", str(kept.parent))
        self._done("rm", "--recursive", "--force", "--", str(kept), str(partial))
        self._done("cp", "--recursive", "--no-dereference", "--preserve=mode", "--", str(made), str(partial))
        self._set_owner(partial, whose="shared", user=user)
        self._done("mv", "--no-target-directory", "--", str(partial), str(kept))
        self.write(_sums(kept), self.checksum(kept) or "")

    def is_kept(self, kept: Path) -> bool:
        """Return whether a folder is there as ``keep`` made it."""
        try:
            return self._done("cat", "--", str(_sums(kept))) == self.checksum(kept)
        except HostError:
            if self._is_lost():
                raise
            return False

    def checksum(self, folder: Path) -> str | None:
        """Return a checksum over the names and bytes of the files in a folder, read there; None if there is none."""
        try:
            listed = self._done("find", "-P", str(folder), "-type", "f", "-exec", "sha256sum", "--", "{}", "+")
        except HostError:
            if self._is_lost():
                raise
            return None
        return hashlib.sha256("\n".join(sorted(listed.splitlines())).encode()).hexdigest()

    def take(self, made: Path, kept: Path) -> None:
        """Move a folder of programs to a place of ours, where only we may enter it; as root it becomes ours."""
        if self.host.place.root:
            self._done("chown", "--recursive", "--no-dereference", "0:0", "--", str(made))
        self._done("chmod", "0700", "--", str(made))
        self._done("mv", "--no-target-directory", "--", str(made), str(kept))
        self._done("sync")

    def remove(self, folder: Path) -> None:
        """Remove a folder, if there is one."""
        self._done("rm", "--recursive", "--force", "--", str(folder))

    def duplicate(self, source: Path, target: Path, *, user: str | None) -> None:
        """Copy a folder of the host to a new place on it, for the programs' user."""
        self._done("cp", "--recursive", "--no-dereference", "--preserve=mode", "--", str(source), str(target))
        self._set_owner(target, whose="theirs", user=user)

    def evict(self, folder: Path) -> None:
        """Drop a folder's files from the kernel's cache."""
        drop = ("dd", "if={}", "iflag=nocache", "count=0", "status=none", ";")
        self._done("find", "-P", str(folder), "-type", "f", "-exec", *drop)

    def forget(self, run_dir: Path) -> None:
        """Remove what was brought of a run."""
        shutil.rmtree(self.scratch / run_dir.name, ignore_errors=True)

    def _set_owner(self, path: Path, *, whose: Whose, user: str | None) -> None:
        if user is None:
            return
        group = self._done("id", "--group", "--", user).strip()
        if whose == "theirs":
            self._done("chown", "--recursive", "--no-dereference", f"{user}:{group}", "--", str(path))
            return
        self._done("chgrp", "--recursive", "--no-dereference", group, "--", str(path))
        self._done("chmod", "--recursive", "g=u,g-w,o=", "--", str(path))

    def _is_lost(self) -> bool:
        """Return whether the host does not respond: then the error is not the run's."""
        try:
            self._done("true")
        except HostError:
            return True
        return False

    def _done(self, *argv: str) -> str:
        return self.host.run(argv, within_s=COPIED_WITHIN_S if argv[0] in SLOW else WITHIN_S)


def _sums(kept: Path) -> Path:
    return kept.with_name(f"{kept.name}.sums")

"""The run directory: what we give programs to read in it, and what they leave there."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from headtohead.hosts.files.run_files import RunFiles, tampered
from headtohead.hosts.paths import work_dir
from headtohead.store.untrusted.plain_files import read_plain

LONGEST_LINE = 400
"""The number of characters of a program's last output that an error quotes."""
LITTLE_BYTES = 64 * 1024 * 1024
"""A database with less free space than this may fail because of it, whatever its message is."""
TRACEBACK = "Traceback (most recent call last)"
"""Begins what Python prints of an error that ended a program."""


class RunFolder:
    """The directory ``ours`` of a run, on its machine.

    It and its folders ``logs`` and ``input`` belong to us: a program could replace what we open by name in a folder of
    its own. ``run_dir`` is the folder ``work`` in it, which belongs to the programs' user, as do the folders of
    ``folder`` and ``copy``.
    """

    def __init__(self, ours: Path, *, files: RunFiles, user: str | None) -> None:
        self.ours = ours
        self.run_dir = work_dir(ours)
        self.files = files
        self.user = user

    @property
    def logs(self) -> Path:
        """The folder of the programs' output."""
        return self.ours / "logs"

    @property
    def input(self) -> Path:
        """The folder of what we give programs to read."""
        return self.ours / "input"

    @property
    def readings(self) -> Path:
        """The file of the monitors' readings."""
        return self.ours / "readings.csv"

    def output_files(self, name: str) -> tuple[Path, Path]:
        """Return the files of a program's standard output and standard error."""
        log = name.partition(".")[0]
        return self.logs / f"{log}.out", self.logs / f"{log}.err"

    def tail(self, name: str) -> str:
        """Return the last whole lines of a program's standard error for an error text, without a final full stop."""
        said = self.output_files(name)[1]
        lines = self.read(said).splitlines() if self.files.plain((said,)) else []
        return last_output(lines) or "it printed no error"

    def low_space(self, folder: Path) -> str:
        """Return for an error text how much space is free on the disk of a folder if it is little, else nothing."""
        free = self.files.free_bytes(folder)
        if free is None or free >= LITTLE_BYTES:
            return ""
        return f"{free / 1024**2:.0f} MiB are left on the disk of {folder}"

    def read(self, path: Path) -> str:
        """Return the text of a file in the run directory; raises SubjectError if it is a link."""
        return self.read_bytes(path).decode("utf-8", errors="replace")

    def read_bytes(self, path: Path) -> bytes:
        """Return the bytes of a file in the run directory; raises SubjectError for a link that the subject made."""
        here = self.here(path)
        try:
            return read_plain(here, within=self.within(here, path))
        except OSError as error:
            raise tampered(path, error.strerror) from error

    def here(self, path: Path) -> Path:
        """Return the path here of a file in the run directory: itself, or a copy of one on another machine."""
        return self.files.brought(path, within=self.ours)

    def within(self, here: Path, path: Path) -> Path:
        """Return the folder here that stands for the run directory, of a file ``path`` of it that is ``here``."""
        return here.parents[len(path.relative_to(self.ours).parts) - 1]

    def give(self, name: str, text: str) -> Path:
        """Write a new file that programs may read and not change."""
        return self.write(self.input / name, text)

    def give_folder(self, source: Path, name: str) -> Path:
        """Copy a folder to a new place that programs may read and not change."""
        target = self.input / name
        self.files.send(source, target, whose="shared", user=self.user)
        return target

    def write(self, path: Path, text: str) -> Path:
        """Write a new file into a folder of the run; raises SubjectError if a program has made one there before."""
        self.files.write(path, text)
        return path

    def copy(self, source: Path, name: str) -> Path:
        """Copy a folder into the run directory, owned by the user that programs run as."""
        target = self.ours / name
        self.files.send(source, target, whose="theirs", user=self.user)
        return target

    def folder(self, name: str) -> Path:
        """Return a new directory in the run's, owned by the user that programs run as."""
        made = self.ours / name
        self.files.make_folder(made, whose="theirs", user=self.user)
        return made


def last_output(lines: Sequence[str]) -> str:
    """Return the last lines that are not empty, as many as fit; the last one always, shortened at its end.

    Of a traceback of Python only the error is returned, without the lines of code that led to it.

    >>> last_output(["Starting up.", "", "no space left on device."])
    'Starting up. / no space left on device'
    >>> last_output(["Traceback (most recent call last):", '  File "v1.py", line 2, in <module>', "OSError: in use"])
    'OSError: in use'
    """
    words = ""
    for line in reversed([each.strip() for each in _without_frames(lines) if each.strip()]):
        longer = f"{line} / {words}" if words else line[:LONGEST_LINE]
        if len(longer) > LONGEST_LINE:
            break
        words = longer
    return words.rstrip(".")


def _without_frames(lines: Iterable[str]) -> Iterator[str]:
    in_traceback = False
    for line in lines:
        in_traceback = line.startswith(TRACEBACK) or (in_traceback and line.startswith(" "))
        if not in_traceback:
            yield line

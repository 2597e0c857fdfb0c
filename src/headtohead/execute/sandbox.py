"""The sandbox of one run: a supervise process with its run directory, clock and environment variables."""

import os
import random
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from headtohead.execute.pages.check import GetPage, get
from headtohead.hosts.host import Host
from headtohead.hosts.machine.resources import topology
from headtohead.hosts.owners import give_to, give_tree, share_tree
from headtohead.hosts.paths import run_dir, supervise_log, this_owner, work_dir
from headtohead.hosts.supervise.client import Setup, Supervisor
from headtohead.hosts.supervise.messages import Command, Limits, Linked
from headtohead.model.errors import HostError, SubjectError
from headtohead.model.machine.host import Cpu
from headtohead.model.machine.link import Link
from headtohead.model.rules import GATE, GateRule
from headtohead.store.untrusted.plain import read_plain

NO_LIMITS = Limits()
LOOPBACK = "127.0.0.1"
"""The address at which a driver reaches a server on its own machine if no link joins them."""
LITTLE_BYTES = 64 * 1024 * 1024
"""A database with less free space than this may fail because of it, whatever its message is."""
LONGEST_LINE = 400
"""The number of characters of a program's last output that an error quotes."""
UNGUESSED = 10**8
LONGEST_PAD = 4096
"""The size of the environment moves the stack, and thereby results by some percent, so each run draws a new size
(Mytkowicz et al., ASPLOS 2009)."""


@dataclass(frozen=True)
class Environment:
    """What all runs of a study have in common: the host, our own binaries, the cache, and the user of the programs.

    ``clock_ns`` is the host's monotonic clock, ``get`` requests a page, ``topology`` returns where CPUs are, and
    ``gate`` is the rule that each case waits for; tests pass in others. ``cpus`` are the CPUs that we may run on, read
    before any run. ``shown`` are folders that programs see although they are in a hidden place, such as ``/tmp``.
    """

    host: Host
    bin: Path
    cache: Path
    user: str | None
    clock_ns: Callable[[], int] = time.monotonic_ns
    get: GetPage = get
    cpus: frozenset[int] = field(default_factory=lambda: frozenset(os.sched_getaffinity(0)))
    topology: Callable[[Collection[int]], tuple[Cpu, ...]] = topology
    gate: GateRule = GATE
    shown: tuple[Path, ...] = ()
    counter: list[int] = field(default_factory=lambda: [0])

    def sandbox(self, *, harness_cpus: tuple[int, ...] = (), seed: str = "") -> "Sandbox":
        """Return a new sandbox, not yet entered; ``seed`` determines the padding of its environment variables."""
        self.counter[0] += 1
        # No other user can guess the name, and so take it, before the run directory is made.
        run_id = this_owner().run_id(self.counter[0] * UNGUESSED + secrets.randbelow(UNGUESSED))
        setup = Setup(
            program=self.bin / "h2h-probe",
            run_id=run_id,
            run_dir=run_dir(run_id),
            log=supervise_log(self.cache, run_id),
            harness_cpus=harness_cpus,
            harness_pids=(os.getpid(),),
            user=self.user,
            keep=(self.bin, self.cache, *self.shown),
        )
        return Sandbox(self, setup, pad=random.Random(seed).randrange(LONGEST_PAD))


class Sandbox:
    """The supervise process of one run, with all that belongs to the run. Leaving it ends and removes everything.

    The run's directory and its folders ``logs`` and ``input`` belong to us: a program could replace what we open by
    name in a folder of its own. ``run_dir`` is the folder ``work`` in it, which belongs to the programs' user, as do
    the folders of ``folder`` and ``copy``.
    """

    def __init__(self, environment: Environment, setup: Setup, *, pad: int) -> None:
        self.environment = environment
        self.id = setup.run_id
        self.ours = setup.run_dir
        self.run_dir = work_dir(setup.run_dir)
        self.supervisor = Supervisor(environment.host, setup)
        self.zero_ns = 0
        self.linked: Linked | None = None
        self._pad = pad

    def __enter__(self) -> Self:
        """Start supervise and the run's clock."""
        self.supervisor.__enter__()
        try:
            self.zero_ns = self.supervisor.hello().zero_ns
            for folder in (self.logs, self.input):
                folder.mkdir(mode=0o700)
                share_tree(self.environment.user, folder)
        except BaseException as error:  # also on Ctrl-C: __exit__ is not called if __enter__ fails
            self.supervisor.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything of the run."""
        self.supervisor.__exit__(kind, error, trace)

    def link(self, link: Link) -> Linked:
        """Connect the groups with a link for all programs started from now on. Return the link as made."""
        self.linked = self.supervisor.link(link.rate_mbit)
        return self.linked

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses of server and driver as template words: the ends of the link, or the loopback for both."""
        if self.linked is None:
            return {"address": LOOPBACK, "driver_address": LOOPBACK}
        return {"address": self.linked.subject, "driver_address": self.linked.driver}

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

    def now_ns(self) -> int:
        """Return the time since the run's start, in ns of the monotonic clock, which supervise uses too."""
        return self.environment.clock_ns() - self.zero_ns

    def output_files(self, name: str) -> tuple[Path, Path]:
        """Return the files of a program's standard output and standard error."""
        log = name.partition(".")[0]
        return self.logs / f"{log}.out", self.logs / f"{log}.err"

    def tail(self, name: str) -> str:
        """Return the last whole lines of a program's standard error for an error text, without a final full stop."""
        said = self.output_files(name)[1]
        lines = self.read(said).splitlines() if said.is_file() else []
        return last_words(lines) or "it printed no error"

    def read(self, path: Path) -> str:
        """Return the text of a file in the run directory; raises SubjectError if it is a link."""
        return self.read_bytes(path).decode("utf-8", errors="replace")

    def read_bytes(self, path: Path) -> bytes:
        """Return the bytes of a file in the run directory; raises SubjectError for a link that the subject made."""
        try:
            return read_plain(path, within=self.ours)
        except OSError as error:
            raise _tampered(path, error) from error

    def give(self, name: str, text: str) -> Path:
        """Write a new file that programs may read and not change."""
        return self.write(self.input / name, text)

    def give_folder(self, source: Path, name: str) -> Path:
        """Copy a folder to a new place that programs may read and not change."""
        return self._copied(source, self.input / name, share_tree)

    def write(self, path: Path, text: str) -> Path:
        """Write a new file into a folder of the run; raises SubjectError if a program has made one there before."""
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError as error:
            raise _tampered(path, error) from error
        except OSError as error:
            raise unwritable(path, error) from error
        return path

    def copy(self, source: Path, name: str) -> Path:
        """Copy a folder into the run directory, owned by the user that programs run as."""
        return self._copied(source, self.ours / name, give_tree)

    def _copied(self, source: Path, target: Path, own: Callable[[str | None, Path], None]) -> Path:
        """Copy a folder, then let ``own`` set whose it is."""
        try:
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            own(self.environment.user, target)
        except OSError as error:
            raise unwritable(target, error) from error
        return target

    def begin(
        self,
        name: str,
        argv: Sequence[str],
        *,
        group: str,
        at: Path | None = None,
        stdin: Path | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Start a program in a group, in directory ``at`` (default: the run's), with exactly our environment variables.

        With ``cwd`` that is its working directory, and ``at`` remains its home.

        The part of its name after a full stop distinguishes programs that share a log.
        """
        folder = at or self.run_dir
        out, err = self.output_files(name)
        command = Command(
            group=group,
            argv=tuple(argv),
            cwd=cwd or folder,
            stdout=out,
            stderr=err,
            stdin=stdin,
            env=self.variables(folder),
        )
        self.supervisor.start(name, command)

    def folder(self, name: str) -> Path:
        """Return a new directory in the run's, owned by the user that programs run as."""
        made = self.ours / name
        try:
            made.mkdir(mode=0o700)
            give_to(self.environment.user, made)
        except OSError as error:
            raise unwritable(made, error) from error
        return made

    def variables(self, home: Path) -> dict[str, str]:
        """Return a program's environment variables: our binaries first on PATH, its home, padding of random length."""
        return {
            "PATH": f"{self.environment.bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(home),
            "TMPDIR": str(home),
            "LANG": "C.UTF-8",
            "H2H_PAD": "x" * self._pad,
        }


def little_room(folder: Path) -> str:
    """Return a sentence about the free space on a folder's disk if it is low, else nothing."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return ""
    return f"{free / 1024**2:.0f} MiB are left on the disk of {folder}" if free < LITTLE_BYTES else ""


def last_words(lines: Sequence[str]) -> str:
    """Return the last lines that are not empty, as many as fit; the last one always, shortened at its end.

    >>> last_words(["Starting up.", "", "no space left on device."])
    'Starting up. / no space left on device'
    """
    words = ""
    for line in reversed([each.strip() for each in lines if each.strip()]):
        longer = f"{line} / {words}" if words else line[:LONGEST_LINE]
        if len(longer) > LONGEST_LINE:
            break
        words = longer
    return words.rstrip(".")


def _tampered(path: Path, error: OSError) -> SubjectError:
    return SubjectError(
        f"{path.name} in the run directory cannot be used",
        why=f"{error.strerror}: a program of the run has removed, replaced or made it.",
        remedy="See what the subject does in its working directory.",
    )


def unwritable(path: Path, error: OSError) -> HostError:
    """Return the error for a file that could not be written, most often because of a full disk."""
    cause = error.strerror or _first_reason(error)
    return HostError(
        f"{path.name} could not be written",
        why=f"{cause}: {path.parent}.",
        remedy="Check the disk space there (`headtohead clean --caches` removes earlier studies' data), and its owner.",
    )


def _first_reason(error: OSError) -> str:
    """Return the first reason of an error from copying a folder, which has one reason for each file."""
    reasons = error.args[0] if isinstance(error, shutil.Error) and error.args else ()
    return str(reasons[0][-1]) if isinstance(reasons, list) and reasons else str(error)

"""The supervise process of one run, which starts its programs: with the run directory, clock, link and addresses."""

import os
import random
import secrets
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.run_folder import RunFolder
from headtohead.hosts.paths import UNGUESSED, run_dir, supervise_log, this_owner
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.messages import Command, Limits, Linked
from headtohead.hosts.supervise.remove_leftovers import end_run
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.machine.link import Link

NO_LIMITS = Limits()
LOOPBACK = "127.0.0.1"
"""The address at which a driver reaches a server on its own machine if no link joins them."""
LONGEST_PAD = 4096
"""The size of the environment moves the stack, and thereby results by some percent, so each run draws a new size
(Mytkowicz et al., ASPLOS 2009)."""


class SupervisedRun(RunFolder):
    """The supervise process of one run, with all that belongs to the run. Leaving it ends and removes everything.

    ``drivers`` are the runs on the drivers of a bench.
    """

    def __init__(self, environment: Environment, setup: Setup, *, pad: int) -> None:
        super().__init__(setup.run_dir, files=environment.files, user=environment.user)
        self.environment = environment
        self.id = setup.run_id
        there = environment.elsewhere
        self.supervisor = Supervisor(environment.host, setup, end_run=end_run if there is None else there.end_run)
        self.zero_ns = 0
        self.linked: Linked | None = None
        self.drivers: tuple[SupervisedRun, ...] = ()
        self.userland: Path | None = None
        self._pad = pad
        self._entered = ExitStack()

    def __enter__(self) -> Self:
        """Start supervise and the run's clock, and then the drivers' runs."""
        with ExitStack() as stack:  # also on Ctrl-C: __exit__ is not called if __enter__ fails
            if self.environment.elsewhere is not None:
                stack.callback(self.environment.elsewhere.forget, self.ours)
            if self.merged_hlog is not None:
                stack.callback(self.merged_hlog.unlink, missing_ok=True)
            stack.enter_context(self.supervisor)
            self.zero_ns = self.supervisor.hello().zero_ns
            if self.userland is not None:
                self.supervisor.userland(self.userland)
            for folder in (self.logs, self.input):
                self.files.make_folder(folder, whose="shared", user=self.user)
            for each in self.drivers:
                stack.enter_context(each)
            self._entered = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything of the run, on all machines."""
        self._entered.__exit__(kind, error, trace)

    @property
    def senders(self) -> tuple["SupervisedRun", ...]:
        """The supervised runs that load programs start in: the drivers' on a bench, else this one."""
        return self.drivers or (self,)

    @property
    def sender(self) -> "SupervisedRun":
        """The first of them, from which readiness and answers are checked."""
        return self.senders[0]

    @property
    def reached_from_driver(self) -> bool:
        """Whether only the driver reaches the server: over a link, or the network of a bench."""
        return self.linked is not None or bool(self.drivers)

    @property
    def label(self) -> str:
        """The name of its machine."""
        return "local" if self.environment.elsewhere is None else self.environment.elsewhere.label

    def zero_for(self, driver: "SupervisedRun") -> int:
        """Return the start of this run as the monotonic clock of a driver's machine, in ns."""
        mine, its = self.environment.elsewhere, driver.environment.elsewhere
        ahead_ns = (0 if its is None else its.clock.offset_ns) - (0 if mine is None else mine.clock.offset_ns)
        return self.zero_ns + ahead_ns

    def link(self, link: Link) -> Linked:
        """Connect the groups with a link for all programs started from now on. Return the link as made."""
        self.linked = self.supervisor.link(link.rate_mbit)
        return self.linked

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses of server and driver as template words: the ends of the link, or the loopback for both.

        On a bench they are those on its network.
        """
        if self.linked is None:
            at = self.environment.elsewhere
            own = LOOPBACK if at is None or not self.environment.drivers else at.address
            return {"address": own, "driver_address": self.drivers[0].addresses["address"] if self.drivers else own}
        return {"address": self.linked.subject, "driver_address": self.linked.driver}

    @property
    def merged_hlog(self) -> Path | None:
        """The file here for the histograms of several drivers together; None if there is one driver or none."""
        there = self.environment.elsewhere
        return None if there is None or len(self.drivers) < 2 else there.logs / f"{self.id}.hlog"

    def now_ns(self) -> int:
        """Return the time since the run's start, in ns of the monotonic clock, which supervise uses too."""
        return self.environment.clock_ns() - self.zero_ns

    def begin(
        self,
        name: str,
        argv: Sequence[str],
        *,
        group: str,
        at: Path | None = None,
        stdin: Path | None = None,
        cwd: Path | None = None,
        inside: bool = False,
    ) -> None:
        """Start a program in a group, in directory ``at`` (default: the run's), with exactly our environment variables.

        With ``cwd`` that is its working directory, and ``at`` remains its home. If the run has a userland, programs of
        the group ``subject`` run in it, and with ``inside`` others too.

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
            inside=self.userland is not None and (inside or group == "subject"),
        )
        self.supervisor.start(name, command)

    def variables(self, home: Path) -> dict[str, str]:
        """Return a program's environment variables: our binaries first on PATH, its home, padding of random length."""
        return {
            "PATH": f"{self.environment.bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(home),
            "TMPDIR": str(home),
            "LANG": "C.UTF-8",
            "H2H_PAD": "x" * self._pad,
        }


def new_run(
    environment: Environment,
    *,
    harness_cpus: tuple[int, ...] = (),
    seed: str = "",
    drivers: Collection[str] = (),
    userland: Path | None = None,
) -> SupervisedRun:
    """Return a new run, not yet entered; ``seed`` determines the padding of its environment variables.

    ``drivers`` are the labels of the bench's drivers that have a supervised run of their own with it. ``userland`` is
    the root of the subject's programs, None for the machine's own.
    """
    environment.counter[0] += 1
    # No other user can guess the name, and so take it, before the run directory is made.
    number = environment.counter[0] * UNGUESSED + secrets.randbelow(UNGUESSED)
    ours, there = this_owner().run_id(number), environment.elsewhere
    run_id = ours if there is None else there.owner.run_id(number)
    setup = Setup(
        program=environment.bin / "h2h-probe",
        run_id=run_id,
        run_dir=run_dir(run_id),
        log=supervise_log(environment.cache if there is None else there.logs, ours),
        harness_cpus=harness_cpus,
        harness_pids=(os.getpid(),) if there is None else there.harness_pids,
        user=environment.user,
        keep=(environment.bin, environment.cache, *environment.shown),
    )
    made = SupervisedRun(environment, setup, pad=random.Random(seed).randrange(LONGEST_PAD))
    made.userland = userland
    made.drivers = tuple(new_run(environment.drivers[label], seed=seed) for label in drivers)
    return made

"""One driver: start its load programs, one for each case or trial, and read their records."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from headtohead.execute.load.common_options import WHOLE, LoadOptions
from headtohead.execute.subject.server import Server
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.supervise.messages import Waited
from headtohead.model.case import Case
from headtohead.model.errors import HostError, SubjectError
from headtohead.model.study.trials import Trial
from headtohead.store.convert import parsed
from headtohead.store.run.records import record

HLOG = "times.hlog"
CHECK_WITHIN_S = 600.0
"""The slowest queries take seconds each, and a check runs about twenty."""
LOST_CHECKS, LOST_EVERY_S = 5, 0.05
"""A failing server closes its connections first, and ends a moment later."""


class ProtocolLoad(Protocol):
    """The load of one kind of interface: parts of the command line, and the mix of requests."""

    def program(self) -> tuple[str, ...]:
        """Return the program and its first arguments."""

    def place(self) -> tuple[str, ...]:
        """Return the last arguments."""

    def words(self, trial: Trial, /) -> Iterator[str]:
        """Yield the arguments that only this kind of interface has."""

    def mix(self, case: Case, /, *, start: int) -> Mapping[str, Any]:
        """Return the mix of requests of a case; ``start`` counts the starts of load programs in this run."""


SETTLE = "settle"
"""The name of the load that subjects work under before the first case."""


def unseen(_: str) -> None:
    """Do nothing while a load program runs."""


@dataclass
class Driver:
    """Starts load programs in a supervised run, one after the other; ``running`` gets the name of each once it runs.

    They run on the driver's CPUs; in process the load program is the subject and runs as such. On a bench the
    supervised run is on the driver's machine.
    """

    options: LoadOptions
    server: Server
    supervised: SupervisedRun
    protocol: ProtocolLoad
    running: Callable[[str], None] = unseen
    starts: int = field(default=0, init=False)
    _before: str = field(default="", init=False)

    @property
    def group(self) -> str:
        """The group whose CPUs and limits the load program has."""
        return "subject" if self.server.in_process else "driver"

    @property
    def start(self) -> int:
        """A number that no other start of a load program in this run has, whichever driver's it is."""
        return self.starts * self.options.share.of + self.options.share.number

    def drive(self, trial: Trial, *, name: str) -> dict[str, Any]:
        """Drive one case or trial and return its record; raises SubjectError with the program's message if it fails."""
        argv = self.argv(trial, self.protocol.mix(trial.case, start=self.start), name=name)
        self.begin((*argv, "--hlog", str(self.supervised.run_dir / HLOG)), name=name)
        return self._record(trial, name=name, within_s=self.options.within_s(trial))

    def settle(self, trial: Trial) -> int:
        """Drive the whole of a load whose record and times are not kept, and during which nothing is observed.

        Return the number of correct responses.
        """
        mix, own, name = self.protocol.mix(trial.case, start=self.start), self.options, f"{SETTLE}.{self.starts}"
        whole = replace(own, share=WHOLE)
        self.options = whole
        try:
            argv = self.argv(trial, mix, name=name)
        finally:
            self.options = own
        self.supervised.begin(name, (*argv, *self.protocol.place()), group=self.group)
        return int(self._record(trial, name=name, within_s=whole.within_s(trial))["right"])

    def check(self, trial: Trial, mix: Mapping[str, Any], *, name: str) -> dict[str, Any]:
        """Run another mix and return its record, which is not stored."""
        self.begin(self.argv(trial, mix, name=name), name=name)
        return self._record(trial, name=name, within_s=CHECK_WITHIN_S)

    def argv(self, trial: Trial, mix: Mapping[str, Any], *, name: str) -> tuple[str, ...]:
        """Write the mix to a file, and return the load program's command line without its last arguments."""
        supervised = self.supervised
        written = supervised.give(f"{name}.mix.json", json.dumps(mix))
        self.starts += 1
        self._before = self._said(name)
        options = self.options
        return (
            *self.protocol.program(),
            *(*options.arrivals(trial), *options.pace(trial), *self.protocol.words(trial), *options.times(trial)),
            *("--driver", supervised.label),
            *("--zero-ns", str(self.server.supervised.zero_for(supervised)), "--mix", str(written), "--json", "-"),
        )

    def begin(self, argv: Sequence[str], *, name: str) -> None:
        """Start the load program."""
        self.supervised.begin(name, (*argv, *self.protocol.place()), group=self.group)
        self.running(name)

    def finish(self, trial: Trial, *, name: str, within_s: float) -> None:
        """Wait for the load program to end; raises SubjectError with its message if it fails."""
        supervised = self.supervised
        ended = self._ended(name, within_s=within_s)
        if not ended.exited or ended.code != 0:
            self._check_server_is_alive()
            code = ended.code if ended.signal is None else ended.signal
            how = f"ended with {code}" if ended.exited else "did not end"
            who = f"The client of {self.server.subject.name}" if self.server.in_process else "The load generator"
            where = f" on {supervised.label}" if self.options.share.of > 1 else ""
            raise SubjectError(
                f"{who}{where} {how} in {trial.case.text or 'its only case'}",
                why=f"{supervised.tail(name) if self.server.supervised.drivers else self.server.tail(name)}.",
                remedy="See logs/ in the run's folder.",
            )

    def _ended(self, name: str, *, within_s: float) -> Waited:
        """Wait for the load program; raises HostError if its machine is lost."""
        try:
            return self.supervised.supervisor.wait(name, within_s=within_s)
        except HostError as lost:
            if self.supervised is self.server.supervised:
                raise
            what = f"The driver {self.supervised.label} was lost"
            raise HostError(what, why=f"{lost.what}. {lost.why}", remedy=lost.remedy) from lost

    def _record(self, trial: Trial, *, name: str, within_s: float) -> dict[str, Any]:
        before = self._before
        self.finish(trial, name=name, within_s=within_s)
        document = document_of(self._said(name).removeprefix(before))
        # Its own machine's CPUs are in no treatment: there the server has all of them to itself.
        return {**document, "driver_machine_cpus": self.options.far_cpus} if self.options.far_cpus else document

    def _check_server_is_alive(self) -> None:
        """Raise the SubjectError of a server that has ended: it explains why the load program failed."""
        for _ in range(LOST_CHECKS):
            self.server.check_alive()
            time.sleep(LOST_EVERY_S)

    def _said(self, name: str) -> str:
        """Return the output so far of the programs with this log."""
        out = self.supervised.output_files(name)[0]
        return self.supervised.read(out) if self.supervised.environment.files.plain((out,)) else ""


def document_of(text: str) -> dict[str, Any]:
    """Return the one record that the load generator printed; raises SubjectError if it is not a valid record."""
    try:
        document: dict[str, Any] = parsed(text)
        record(document)
    except (KeyError, TypeError, ValueError) as error:
        raise SubjectError(
            "The output of the load generator is not a record",
            why=f"{type(error).__name__}: {error}.",
            remedy="Build the programs again (cargo build --release); see logs/ in the run's folder.",
        ) from error
    return document

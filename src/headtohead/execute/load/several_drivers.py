"""Several drivers of a bench: they begin a case or trial at one instant, and their counts are added to one record."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.load.driver import Driver, document_of
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.study.trials import Trial

LEAD_NS = 500_000_000
"""The shortest time from the last order to the load. A program that starts later fails the run."""
LEAD_FACTOR = 2
"""To start programs takes less time than to send their files. Twice that time is added to the shortest."""
MERGED_WITHIN_S = 60.0


@dataclass(frozen=True)
class Drivers:
    """The drivers of a run, two or more, each with its share of the load; they are ``parts`` of one."""

    parts: Sequence[Driver]

    @property
    def supervised(self) -> SupervisedRun:
        """The supervised run of the server, whose clock counts."""
        return self.parts[0].server.supervised

    def drive(self, trial: Trial, *, name: str) -> dict[str, Any]:
        """Drive one case or trial with those that have a share in it, and return their merged record.

        Raises SubjectError with the message of the first program that fails, which names its machine.
        """
        sending = [each for each in self.parts if each.options.sends(trial)]
        began_ns = self.supervised.now_ns()
        words = [each.argv(trial, each.protocol.mix(trial.case, start=each.start), name=name) for each in sending]
        sent_ns = self.supervised.now_ns()
        lead_ns = LEAD_NS + LEAD_FACTOR * (sent_ns - began_ns)
        for each, argv in zip(sending, words, strict=True):
            at_ns = self.supervised.zero_for(each.supervised) + sent_ns + lead_ns
            each.begin((*argv, "--at", str(at_ns), "--tally", str(_tally(each, name))), name=name)
        lead_s = lead_ns / 1e9
        for each in sending:
            each.finish(trial, name=name, within_s=lead_s + each.options.within_s(trial))
        document = document_of(self._merged([each.supervised.here(_tally(each, name)) for each in sending]))
        return {**document, "driver_machine_cpus": sum(each.options.far_cpus for each in sending)}

    def settle(self, trial: Trial) -> int:
        """Let the first drive the whole of a load whose record is not kept; return the number of correct responses."""
        return self.parts[0].settle(trial)

    def _merged(self, tallies: Sequence[Path]) -> str:
        """Return the record of what these tallies have together; their histograms are added to the run's log."""
        home = self.supervised.environment.at_home
        program = (str(home.bin / "h2h-load"), "merge", "--json", "-", "--hlog", str(self.supervised.merged_hlog))
        return home.host.run((*program, *map(str, tallies)), within_s=MERGED_WITHIN_S)


def _tally(driver: Driver, name: str) -> Path:
    return driver.supervised.run_dir / f"{name}.tally"

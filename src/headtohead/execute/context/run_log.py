"""The log of a run while it goes on: phases, gates, records."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headtohead.execute.context.study_context import silent
from headtohead.execute.context.wait_for_quiet_cpus import wait_for_quiet
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.supervise.messages import Gate
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar
from headtohead.model.readings import Readings
from headtohead.model.record import CaseRecord, Phase, Repeat
from headtohead.store.read import readings
from headtohead.store.run.images import FOLDER
from headtohead.store.run.records import record

HLOG = "times.hlog"
READ_WITHIN_S = 0.15
"""The monitors read ten times a second, so this long after an instant they have readings beyond it."""


@dataclass
class RunLog:
    """The notes of one run. ``documents`` has the records of each case's last walk, as the programs printed them."""

    supervised: SupervisedRun
    apart: tuple[int, ...] = ()
    """CPUs that share no core with the subject's and the driver's; the gate does not wait for what others do there."""
    show: Callable[[str], None] = silent
    """Receives what the run waits for."""
    phases: list[Phase] = field(default_factory=list)
    gates: list[dict[str, Scalar]] = field(default_factory=list)
    documents: list[dict[str, Any]] = field(default_factory=list)
    replaced: list[dict[str, Any]] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    read_back: dict[str, Scalar | tuple[int, ...] | None] = field(default_factory=dict)
    usage: dict[str, float | None] = field(default_factory=dict)
    memory_peak_bytes: int | None = None
    configuration: bytes | None = None
    userland: bytes | None = None
    """The packages of the userland, with their versions."""
    images: dict[str, bytes] = field(default_factory=dict)
    clocks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str, case: Case | None = None) -> Iterator[None]:
        """Record the enclosed block as a phase, even if it fails."""
        from_ns = self.supervised.now_ns()
        try:
            yield
        finally:
            self.phases.append(Phase(name, case, from_ns, self.supervised.now_ns()))

    def gate(self, case: Case) -> None:
        """Wait until no other process uses the cores of the run, and note whether that happened in time."""
        with self.phase("gate", case):
            gate = self._gated()
        self._note(case, gate, waited_s=gate.waited_s)

    def gate_idle(self, case: Case) -> None:
        """Wait like ``gate``, and until the subject is idle too: an overloaded one goes on working after its load.

        Note the subject's CPU use at the end of the wait as ``subject_cpus``.
        """
        waited_s, rule = 0.0, self.supervised.environment.gate
        with self.phase("gate", case):
            while True:
                before = self.supervised.supervisor.usage("subject")
                gate = self._gated()
                after = self.supervised.supervisor.usage("subject")
                busy = (after.cpu_ns - before.cpu_ns) / max(1, after.t_ns - before.t_ns)
                waited_s += gate.waited_s
                if busy < rule.below_cpus or waited_s >= rule.within_s:
                    break
        self._note(case, gate, waited_s=waited_s)
        self.gates[-1]["subject_cpus"] = busy

    def _gated(self) -> Gate:
        return wait_for_quiet(self.supervised, apart=self.apart, show=self.show)

    def _note(self, case: Case, gate: Gate, *, waited_s: float) -> None:
        found = {"quiet": gate.quiet, "waited_s": waited_s, "foreign_cpus": gate.foreign_cpus}
        found["apart_cpus"] = gate.apart_cpus
        self.gates.append({"case": case.text, **found})

    def keep(self, documents: Sequence[dict[str, Any]]) -> None:
        """Keep records; they replace earlier records of the same cases."""
        new = {Case(each["case"]) for each in documents}
        self.replaced += [each for each in self.documents if Case(each["case"]) in new]
        self.documents = [each for each in self.documents if Case(each["case"]) not in new]
        self.documents += documents

    def repeat(self, case: Case, reasons: Sequence[str]) -> None:
        """Note that a case is measured again, and why."""
        self.repeats.append(Repeat(case, tuple(reasons)))

    def forget(self, case: Case) -> None:
        """Rename the phases of a case before it is walked again, so that each case has one measured time."""
        self.phases = [
            Phase(f"{each.name}-replaced", each.case, each.from_ns, each.to_ns)
            if each.case is not None and each.case == case
            else each
            for each in self.phases
        ]

    def set_aside(self, case: Case) -> tuple[CaseRecord, ...]:
        """Leave a case out of the run, and return the records that this removes."""
        self.forget(case)
        lost = [each for each in self.documents if Case(each["case"]) == case]
        self.documents = [each for each in self.documents if each not in lost]
        self.replaced += lost
        return tuple(record(each) for each in lost)

    def records(self, cases: Sequence[Case] | None = None) -> tuple[CaseRecord, ...]:
        """Return the kept records of all cases, or of some cases, as types."""
        wanted = None if cases is None else set(cases)
        return tuple(record(each) for each in self.documents if wanted is None or Case(each["case"]) in wanted)

    def readings_so_far(self) -> Readings | None:
        """Return the monitors' readings until now, or None if there is no file."""
        path = self.supervised.readings
        return readings(self.supervised.read(path), where=path) if self._has_readings() else None

    def readings_of_all(self) -> Readings | None:
        """Return the monitors' readings once they reach beyond the end of the last phase, or None without a file."""
        if not self._has_readings():
            return None
        since_ns = self.supervised.now_ns() - max((each.to_ns for each in self.phases), default=0)
        time.sleep(max(0.0, READ_WITHIN_S - since_ns / 1e9))
        return self.readings_so_far()

    def _has_readings(self) -> bool:
        return bool(self.supervised.environment.files.plain((self.supervised.readings,)))

    def files(self) -> dict[str, Path | bytes]:
        """Return every file of the run by its name in the results folder, except links that a subject has made."""
        supervised = self.supervised
        if supervised.environment.elsewhere is None and not supervised.run_dir.is_dir():
            return {}
        files: dict[str, Path | bytes] = {}
        several = len(supervised.drivers) > 1
        for each in (supervised, *supervised.drivers):
            files |= _printed(each, prefix=f"{each.label}-" if several and each is not supervised else "")
        if supervised.merged_hlog is not None and supervised.merged_hlog.is_file():
            files[HLOG] = supervised.merged_hlog
        if self.configuration is not None:
            files["configuration.tsv"] = self.configuration
        if self.userland is not None:
            files["logs/userland.json"] = self.userland
        if self.replaced:
            files["logs/walked-again.jsonl"] = _lines(self.replaced)
        files |= {f"{FOLDER}/{name}": content for name, content in self.images.items()}
        return {"records.jsonl": _lines(self.documents), **files}


def _printed(supervised: SupervisedRun, *, prefix: str) -> dict[str, Path]:
    """Return what programs of a supervised run and the monitors wrote, by the name in the results folder.

    The server's and its driver's programs have names of their own, so their logs are in one folder. Those of several
    drivers have the same names, and each driver a ``prefix``.
    """
    files = supervised.environment.files
    there = {at.name: at for at in files.plain((supervised.run_dir / HLOG, supervised.readings))}
    there |= {f"logs/{prefix}{name}": supervised.logs / name for name in files.names(supervised.logs)}
    return {name: supervised.here(path) for name, path in there.items()}


def _lines(documents: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in documents).encode()

"""What happened in one run while it happens: phases, gates, records."""

import json
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headtohead.execute.sandbox import Stand
from headtohead.hosts.supervise.messages import Gate
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar
from headtohead.model.record import CaseRecord, Phase, Readings
from headtohead.store.images import FOLDER
from headtohead.store.read import readings, record

GATE_BELOW_CPUS, GATE_FOR_S, GATE_WITHIN_S = 0.05, 0.3, 15.0
"""DESIGN.md section 9: foreign CPU below this, for so long, waited for at most so long, then measured anyway."""

READ_WITHIN_S = 0.15
"""The monitors read ten times a second: so long after an instant they have looked past it."""


@dataclass
class Diary:
    """One run's notes. ``documents`` holds the records as the programs printed them, the last walk of each case."""

    stand: Stand
    phases: list[Phase] = field(default_factory=list)
    gates: list[dict[str, Scalar]] = field(default_factory=list)
    documents: list[dict[str, Any]] = field(default_factory=list)
    replaced: list[dict[str, Any]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    read_back: dict[str, Scalar | tuple[int, ...] | None] = field(default_factory=dict)
    usage: dict[str, float | None] = field(default_factory=dict)
    memory_peak_bytes: int | None = None
    configuration: bytes | None = None
    images: dict[str, bytes] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str, case: Case | None = None) -> Iterator[None]:
        """Note what goes on inside as a phase, also where it fails."""
        from_ns = self.stand.now_ns()
        try:
            yield
        finally:
            self.phases.append(Phase(name, case, from_ns, self.stand.now_ns()))

    def gate(self, case: Case) -> None:
        """Wait until nothing else uses the machine, and note whether it became so."""
        with self.phase("gate", case):
            gate = self._gated()
        self._note(case, gate, waited_s=gate.waited_s)

    def gate_idle(self, case: Case) -> None:
        """Wait as ``gate`` does, until the subject is idle too: an overloaded one works on after its load has ended.

        What it still used at the end is noted as ``subject_cpus``.
        """
        waited_s = 0.0
        with self.phase("gate", case):
            while True:
                before = self.stand.supervisor.usage("subject")
                gate = self._gated()
                after = self.stand.supervisor.usage("subject")
                busy = (after.cpu_ns - before.cpu_ns) / max(1, after.t_ns - before.t_ns)
                waited_s += gate.waited_s
                if busy < GATE_BELOW_CPUS or waited_s >= GATE_WITHIN_S:
                    break
        self._note(case, gate, waited_s=waited_s)
        self.gates[-1]["subject_cpus"] = busy

    def _gated(self) -> Gate:
        return self.stand.supervisor.gate(below_cpus=GATE_BELOW_CPUS, for_s=GATE_FOR_S, within_s=GATE_WITHIN_S)

    def _note(self, case: Case, gate: Gate, *, waited_s: float) -> None:
        told = {"quiet": gate.quiet, "waited_s": waited_s, "foreign_cpus": gate.foreign_cpus}
        self.gates.append({"case": case.text, **told})

    def keep(self, documents: Sequence[dict[str, Any]]) -> None:
        """Keep records; those of cases that were walked before step aside."""
        told = {Case(each["case"]) for each in documents}
        self.replaced += [each for each in self.documents if Case(each["case"]) in told]
        self.documents = [each for each in self.documents if Case(each["case"]) not in told]
        self.documents += documents

    def forget(self, case: Case) -> None:
        """Rename the phases of a case that is about to be walked again, so that each case has one measured time."""
        self.phases = [
            Phase(f"{each.name}-replaced", each.case, each.from_ns, each.to_ns)
            if each.case is not None and each.case == case
            else each
            for each in self.phases
        ]

    def set_aside(self, case: Case) -> tuple[CaseRecord, ...]:
        """Leave a case out of the run, and return the records that it loses by that."""
        self.forget(case)
        lost = [each for each in self.documents if Case(each["case"]) == case]
        self.documents = [each for each in self.documents if each not in lost]
        self.replaced += lost
        return tuple(record(each) for each in lost)

    def records(self, cases: Sequence[Case] | None = None) -> tuple[CaseRecord, ...]:
        """Return the kept records as types, all or those of some cases."""
        told = None if cases is None else set(cases)
        return tuple(record(each) for each in self.documents if told is None or Case(each["case"]) in told)

    def readings_so_far(self) -> Readings | None:
        """Return what the monitors have written until now."""
        path = self.stand.run_dir / "readings.csv"
        return readings(self.stand.read(path), where=path) if _is_plain(path) else None

    def readings_of_all(self) -> Readings | None:
        """Return what the monitors have written, once they have looked past the end of the last phase."""
        if not _is_plain(self.stand.run_dir / "readings.csv"):
            return None
        since_ns = self.stand.now_ns() - max((each.to_ns for each in self.phases), default=0)
        time.sleep(max(0.0, READ_WITHIN_S - since_ns / 1e9))
        return self.readings_so_far()

    def files(self) -> dict[str, Path | bytes]:
        """Return every file of the run by its name in the results folder; links that a subject laid are left out."""
        run, logs = self.stand.run_dir, self.stand.logs
        if not run.is_dir():
            return {}
        said = sorted(logs.iterdir()) if logs.is_dir() and not logs.is_symlink() else []
        there = {name: run / name for name in ("times.hlog", "readings.csv")} | {f"logs/{at.name}": at for at in said}
        files: dict[str, Path | bytes] = {name: path for name, path in there.items() if _is_plain(path)}
        if self.configuration is not None:
            files["configuration.tsv"] = self.configuration
        if self.replaced:
            files["logs/walked-again.jsonl"] = _lines(self.replaced)
        files |= {f"{FOLDER}/{name}": content for name, content in self.images.items()}
        return {"records.jsonl": _lines(self.documents), **files}


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _lines(documents: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in documents).encode()

"""One run in the making: its phases, from the start of the subject to its stop."""

import os
import shutil
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.batch import Work
from headtohead.execute.bench import Bench
from headtohead.execute.diary import Diary
from headtohead.execute.drive import Driver
from headtohead.execute.pages import wrong_pages
from headtohead.execute.prepare import give_to
from headtohead.execute.server import Server
from headtohead.execute.stand import Stand
from headtohead.hosts import readback
from headtohead.model.errors import SubjectError
from headtohead.model.plan import PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Case, Scalar
from headtohead.model.record import CpuUse, Recorded, Run
from headtohead.model.subject import Subject
from headtohead.model.workload import DataSet

SETTLED_S = 0.2
"""A batch program has started its workers by then, and is still at work."""

Walk = tuple[Case, Sequence[Case]]
"""The fields that one start names, and the cases that it walks."""
Once = Callable[[Case, Sequence[Case], str], list[dict[str, Any]]]
"""Walks the cases of one start under a name of its own, and returns their records."""


@dataclass(frozen=True)
class Order:
    """Which run to make: what was planned, the attempt (2 for one made again), and the number it is kept under."""

    experiment: PlannedExperiment
    planned: PlannedRun
    attempt: int
    number: int

    @property
    def treatment(self) -> Treatment:
        """The treatment that the run is of."""
        return self.experiment.treatment(self.planned.treatment)


@dataclass(frozen=True)
class Making:
    """One run in the making: what is asked, on what, where, and the notes of it."""

    bench: Bench
    order: Order
    subject: Subject
    stand: Stand
    diary: Diary

    def words(self) -> dict[str, Scalar]:
        """Return what templates may name: the run's own things, every factor, every setting of the load."""
        order, run = self.order, self.stand.run_dir
        own: dict[str, Scalar] = {
            "run": str(run),
            "cpus": len(order.treatment.cpus),
            "interface": order.experiment.asks,
            "port": _free_port(),
        }
        if order.experiment.name in self.bench.data:
            kept = self.bench.data[order.experiment.name][0]
            own |= {"dataset": str(kept), "data": str(self._data(kept))}
        built = self.bench.builds.get((self.subject.name, order.treatment.label))
        if built is not None:
            own["build"] = str(built)
        load = order.experiment.load
        times = {"warm_up_s": load.warm_up_s, "measure_s": load.measure_s, "timeout_s": load.timeout_s}
        return {**times, **load.settings, **order.treatment.settings, **order.treatment.levels, **own}

    def _data(self, kept: Path) -> Path:
        """Return the prepared copy: the kept one, or one of this run's own where rows are written."""
        data = self.order.experiment.data
        if data is None or data.state == "kept":
            return kept
        fresh = self.stand.run_dir / "data"
        shutil.copytree(kept, fresh)
        for path in (fresh, *fresh.rglob("*")):
            give_to(self.bench.ground.user, path)
        os.sync()
        return fresh

    def serve(self) -> None:
        """Start the server, check its answers, walk the cases, check again, stop it."""
        diary, workload = self.diary, self.bench.workload(self.order.experiment)
        if self.subject.start is None:
            raise SubjectError(
                f"{self.subject.name} is no server", why="It has no [start].", remedy="See its subject.toml."
            )
        server = Server(self.subject, self.subject.start, self.stand, self.words())
        with diary.phase("start"):
            server.start()
        self._read_back()
        seed = self.order.planned.block
        data = Path(str(server.words.get("dataset", self.stand.run_dir)))
        driver = Driver(server, workload, self.order.experiment.load, data, seed)
        driver.write_requests()
        self._check(server, data)
        walks = [(case, (case,)) for case in self.order.planned.cases]
        self._walk(walks, lambda case, _, name: [driver.walk(case, name=name)])
        self._check(server, data)
        self._used()
        with diary.phase("stop"):
            diary.usage["stopped_in_time"] = float(server.stop())

    def _check(self, server: Server, data: Path) -> None:
        with self.diary.phase("check"):
            workload = self.bench.workload(self.order.experiment)
            wrong = wrong_pages(self.stand.ground.get, server.url(), workload, data=data)
        if wrong:
            raise SubjectError(
                f"{self.subject.name} answers wrongly",
                why=f"{'; '.join(wrong)}.",
                remedy="Ask it by hand, and see its log in the run's folder.",
            )

    def work(self) -> None:
        """Start the batch program for its cases, as often as its argv asks for."""
        if self.subject.batch is None:
            raise SubjectError(
                f"{self.subject.name} is no batch program", why="It has no [batch].", remedy="See its subject.toml."
            )
        work = Work(self.subject, self.subject.batch, self.stand, self.words())

        def once(named: Case, walked: Sequence[Case], name: str) -> list[dict[str, Any]]:
            work.begin(named, walked, name=name)
            self.stand.supervisor.wait(name, within_s=SETTLED_S)
            if not self.diary.read_back:
                self._read_back()
                self._used()
            work.end(name)
            return work.records(name, walked)

        self._walk(list(work.starts(self.order.planned.cases)), once)
        self._used()
        expect = self.bench.workload(self.order.experiment).expect
        if expect is not None:
            self.diary.reasons += self.bench.judgment.wrong(self.diary.records(), expect)

    def _walk(self, walks: Sequence[Walk], once: Once) -> None:
        """Gate and walk each start's cases; walk again, once and at the end, what a rule struck."""
        for number, (named, walked) in enumerate(walks, start=1):
            self._walk_one((named, walked), once, name=f"walk-{number}")
        struck = [each for each in walks if len(walks) > 1 and not self._holds(each[1])]
        for number, (named, walked) in enumerate(struck, start=len(walks) + 1):
            self.diary.forget(named)
            self._walk_one((named, walked), once, name=f"walk-{number}")

    def _walk_one(self, walk: Walk, once: Once, *, name: str) -> None:
        named, walked = walk
        self.diary.gate(named)
        with self.diary.phase("measure", named):
            documents = once(named, walked, name)
        self.diary.keep(documents)

    def _holds(self, cases: Sequence[Case]) -> bool:
        """Whether no rule strikes these cases, as far as the readings go by now."""
        so_far = Recorded(self.note("valid"), self.diary.records(cases), self.diary.readings_so_far())
        return self.bench.judgment.judge(so_far, self.order.experiment).run.status == "valid"

    def _read_back(self) -> None:
        """Read back what was asked of the host; what differs makes the run invalid."""
        answer = self.stand.supervisor.read_back("subject")
        self.diary.read_back |= {"cpus": answer.cpus, "cpu_quota": answer.cpu_quota, "uids": answer.uids}
        self.diary.usage |= {"processes": answer.processes, "threads": answer.threads}
        self.diary.reasons += [f"read-back: {each}" for each in readback.check(self.order.treatment, answer)]

    def _used(self) -> None:
        used = self.stand.supervisor.usage("subject")
        most = {"processes": used.processes, "threads": used.threads}
        self.diary.usage |= {key: max(float(value), self.diary.usage.get(key) or 0) for key, value in most.items()}
        self.diary.usage |= {
            "cpu_ns": used.cpu_ns,
            "throttled_periods": used.throttled_periods,
            "throttled_ns": used.throttled_ns,
            "oom_kills": used.oom_kills,
            "run_delay_ns": used.run_delay_ns,
        }
        self.diary.memory_peak_bytes = used.memory_peak_bytes

    def note(self, status: str) -> Run:
        """Return run.json's content as far as it is known."""
        order, diary = self.order, self.diary
        data, told = order.experiment.data, self.bench.data.get(order.experiment.name)
        return Run(
            run=order.number,
            experiment=order.experiment.name,
            block=order.planned.block,
            place=order.planned.place,
            attempt=order.attempt,
            treatment=order.treatment.levels,
            label=order.treatment.label,
            status="valid" if status == "valid" else "failed",
            reasons=tuple(diary.reasons),
            started_at="",
            phases=tuple(diary.phases),
            read_back=diary.read_back,
            versions={self.subject.name: self.bench.versions[self.subject.name]},
            data=_data_note(data, told[1]) if data is not None and told is not None else None,
            hosts={"sut": "local", "drivers": ("local",) if order.treatment.driver_cpus else ()},
            cpu_s=CpuUse(None, None, None, None, None),
            subject_memory_peak_bytes=diary.memory_peak_bytes,
            usage=diary.usage,
            gates=tuple(diary.gates),
        )


def _data_note(data: DataSet, sha256: str) -> Mapping[str, Scalar]:
    return {"set": data.set, "scale": data.scale, "seed": data.seed, "sha256": sha256, "state": data.state}


def _free_port() -> int:
    """Return a TCP port of the loopback address that nobody listens on."""
    with socket.socket() as asker:
        asker.bind(("127.0.0.1", 0))
        port: int = asker.getsockname()[1]
    return port

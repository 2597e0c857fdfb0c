"""One run in the making: what it is made of, and the notes that become its run.json."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from headtohead.execute.context.run_log import Diary
from headtohead.execute.context.study_context import Bench
from headtohead.execute.data.copies import copy_tree, evict
from headtohead.execute.data.disk_space import ask_bytes, size_bytes
from headtohead.execute.sandbox import Stand
from headtohead.execute.subject.components import Part
from headtohead.execute.subject.system import System
from headtohead.hosts.supervise import readback
from headtohead.hosts.supervise.messages import Limits
from headtohead.model.case import Case
from headtohead.model.errors import SubjectError
from headtohead.model.machine.host import Cpu
from headtohead.model.plan import PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.record import CpuUse, LoadRecord, Recorded, Run
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import DataSet

SETTLED_S = 0.2
"""A program that does the work itself has started its workers by then, and is still at work."""


NO_LIMIT = "unlimited"
"""What ``@memory_mib@`` is where no limit is set."""


@dataclass(frozen=True)
class Order:
    """Which run to make: what was planned, the attempt (2 for one made again), and the number it is kept under.

    ``earlier`` holds the valid runs of its treatment so far: a search begins where they ended.
    """

    experiment: PlannedExperiment
    planned: PlannedRun
    attempt: int
    number: int
    earlier: tuple[Recorded, ...] = ()

    @property
    def treatment(self) -> Treatment:
        """The treatment that the run is of."""
        return self.experiment.treatment(self.planned.treatment)

    @property
    def memory_mib(self) -> int | None:
        """The memory that the subject may use, its part of the page cache included; None for no limit."""
        asked = self.treatment.levels.get("memory_mib")
        return None if asked is None else int(asked)

    @property
    def limits(self) -> Limits:
        """What the subject, and what it needs, may use."""
        own = self.treatment
        return Limits(own.cpus, own.cpu_quota, memory_mib=self.memory_mib, memory=own.memory)


@dataclass(frozen=True)
class Making:
    """One run in the making: what is asked, on what, where, and the notes of it."""

    bench: Bench
    order: Order
    stand: Stand
    diary: Diary

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the run starts: the subjects that are needed, then the treatment's own."""
        return self.bench.parts(self.order.experiment, self.order.treatment)

    @property
    def subject(self) -> Subject:
        """The treatment's own subject."""
        return self.parts[-1].subject

    def copies_data(self) -> bool:
        """Whether data are copied before the start: a working copy that is not there, or one of the run's own."""
        copies = [self._pristine(part) for part in self.parts]
        fresh = self.order.treatment.fresh
        return fresh or any(each is not None and not self.bench.copies.holds(each) for each in copies)

    def system(self) -> System:
        """Return the system under test, not yet started, its data in place.

        SubjectError where the data of a part could not be prepared. Where memory is limited, the kernel forgets what it
        holds of the data, so that what is read of them counts within the limit.
        """
        parts = self.parts
        for part in parts:
            lost = self.bench.unprepared.get(self._place(part))
            if lost is not None:
                raise SubjectError(lost.what, why=lost.why, remedy=lost.remedy) from lost
        given = {each.name: self._given(each) for each in parts}
        if self.order.memory_mib is not None:
            for data in {str(words["data"]) for words in given.values() if "data" in words}:
                evict(Path(data))
        return System(self.stand, parts, given)

    def give_back(self, stopped: Mapping[str, bool]) -> None:
        """Let later runs start on the working copies of the parts that stopped cleanly, and that answered rightly."""
        right = self.right()
        for part in self.parts:
            pristine = self._pristine(part)
            if pristine is not None and stopped[part.name] and right:
                self.bench.copies.give_back(pristine)

    def _given(self, part: Part) -> dict[str, Scalar]:
        """Return what templates may name beside the part's settings: every setting of the load for the subject."""
        experiment, treatment = self.order.experiment, self.order.treatment
        load = experiment.load
        times = {"warm_up_s": load.warm_up_s, "measure_s": load.measure_s, "timeout_s": load.timeout_s}
        asked = {} if part.factor else {**times, **load.settings, **treatment.settings, **treatment.levels}
        limits = {"memory_mib": NO_LIMIT if self.order.memory_mib is None else self.order.memory_mib}
        found = {**limits, **asked, **self.bench.words(experiment, treatment, part), "cpus": len(treatment.cpus)}
        data = self._data(part)
        return found if data is None else {**found, "data": str(data)}

    def _data(self, part: Part) -> Path | None:
        """Return what the part starts on: the working copy of its prepared data, or the data set; its own where fresh.

        None where the workload has no data.
        """
        data = self.order.experiment.data
        if data is None or self.order.experiment.name not in self.bench.data:
            return None
        pristine, dataset = self._pristine(part), self.bench.data[self.order.experiment.name][0]
        if not self.order.treatment.fresh:
            return dataset if pristine is None else self.bench.copies.take(pristine, run=self.order.number)
        fresh = self.stand.run_dir / f"data-{part.name}"
        source = pristine or dataset
        ask_bytes(fresh.parent, size_bytes(source), what=f"this run's copy of {source.name}")
        copy_tree(source, fresh, user=self.bench.ground.user)
        return fresh

    def _pristine(self, part: Part) -> Path | None:
        return self.bench.prepared.get(self._place(part))

    def _place(self, part: Part) -> tuple[str, str, str]:
        return part.subject.name, self.order.experiment.name, self.order.treatment.label

    def link(self) -> None:
        """Join subject and driver by the treatment's link, where it has one."""
        if self.order.treatment.link is not None:
            self.stand.link(self.order.treatment.link)

    def read_back(self) -> None:
        """Read back what was asked of the host; what differs makes the run invalid."""
        answer, treatment = self.stand.supervisor.read_back("subject"), self.order.treatment
        self.diary.read_back |= {"cpus": answer.cpus, "cpu_quota": answer.cpu_quota, "uids": answer.uids}
        if self.order.memory_mib is not None:
            self.diary.read_back["memory_mib"] = answer.memory_mib
        self.diary.usage |= {"processes": answer.processes, "threads": answer.threads}
        machine: tuple[Cpu, ...] = ()
        if "placement" in treatment.levels:
            machine = self.bench.ground.topology(self.bench.ground.cpus)
            self.diary.read_back["placement"] = readback.placed(treatment, answer, machine=machine)
        if treatment.memory is not None:
            self.diary.read_back["memory_policy"] = ", ".join(answer.memory_policies or ()) or None
        differs = readback.check(treatment, answer, machine=machine, linked=self.stand.linked)
        if treatment.link is not None:
            self.diary.read_back |= self._link_note(answer.network)
        self.diary.reasons += [f"read-back: {each}" for each in differs]

    def _link_note(self, network: str | None) -> dict[str, Scalar | None]:
        came = self.stand.linked
        if came is None:
            return {"network": network}
        told = {"rate_mbit": came.rate_mbit, "mtu": came.mtu, "congestion": came.congestion}
        return {"network": network, **{f"link_{name}": value for name, value in told.items()}}

    def look(self, client: str) -> None:
        """Look at a client that is the subject while it runs: once what was asked of the host, each time what it uses.

        One that has ended by then, as it had little to do, is not looked at; the next one is.
        """
        if not self.diary.read_back and self.stand.supervisor.alive(client).alive:
            self.read_back()
        self.stand.supervisor.wait(client, within_s=SETTLED_S)
        self.used()

    def used(self) -> None:
        """Note what the system under test has used so far."""
        used = self.stand.supervisor.usage("subject")
        most = {"processes": used.processes, "threads": used.threads}
        self.diary.usage |= {key: max(float(value), self.diary.usage.get(key) or 0) for key, value in most.items()}
        self.diary.usage |= {
            "cpu_ns": used.cpu_ns,
            "throttled_periods": used.throttled_periods,
            "throttled_ns": used.throttled_ns,
            "oom_kills": used.oom_kills,
            "run_delay_ns": used.run_delay_ns,
            "memory_peak_with_cache_bytes": used.memory_peak_with_cache_bytes,
        }
        self.diary.memory_peak_bytes = used.memory_peak_bytes

    def right(self, *cases: Case) -> bool:
        """Whether no answer to these cases, or to any where none is named, was wrong."""
        records = self.diary.records(cases or None)
        return not any(each.wrong for each in records if isinstance(each, LoadRecord))

    def holds(self, *cases: Case) -> bool:
        """Whether no rule strikes these cases."""
        note = replace(self.note("valid"), reasons=())  # what is wrong with the run already is not these cases' doing
        so_far = Recorded(note, self.diary.records(cases), self.diary.readings_of_all())
        return self.bench.judgment.judge(so_far, self.order.experiment).run.status == "valid"

    def note(self, status: str) -> Run:
        """Return run.json's content as far as it is known."""
        order, diary = self.order, self.diary
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
            versions={part.subject.name: self.bench.versions[self._place(part)] for part in self.parts},
            data=self._data_note(order.experiment.data),
            hosts={"sut": "local", "drivers": ("local",) if order.treatment.driver_cpus else ()},
            cpu_s=CpuUse(None, None, None, None, None),
            subject_memory_peak_bytes=diary.memory_peak_bytes,
            usage=diary.usage,
            gates=tuple(diary.gates),
            in_process=order.treatment.in_process,
            prepared=self._prepared_note(),
        )

    def _prepared_note(self) -> Mapping[str, Mapping[str, Scalar]]:
        notes = {part.subject.name: self.bench.notes.get(pristine) for part, pristine in self._copied()}
        return {name: note for name, note in notes.items() if note}

    def _copied(self) -> Iterator[tuple[Part, Path]]:
        """Yield the parts that start on prepared data, with the pristine copy."""
        for part in self.parts:
            pristine = self._pristine(part)
            if pristine is not None:
                yield part, pristine

    def _data_note(self, data: DataSet | None) -> Mapping[str, Scalar] | None:
        told = self.bench.data.get(self.order.experiment.name)
        if data is None or told is None:
            return None
        copies = [pristine.name for _, pristine in self._copied()]
        note: dict[str, Scalar] = {"set": data.set, "scale": data.scale, "seed": data.seed, "sha256": told[1]}
        note["state"] = "fresh" if self.order.treatment.fresh else "kept"
        return {**note, "prepared": ", ".join(copies)} if copies else note

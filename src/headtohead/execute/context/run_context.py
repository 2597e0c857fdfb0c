"""The context of the current run: its parts, and the notes that become its run.json."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from headtohead.execute.context.run_log import RunLog
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import PartKey, StudyContext, part_key
from headtohead.execute.data.copy_remove_evict_folders import copy_for, evict_on
from headtohead.execute.subject.list_subjects_of_treatment import Part
from headtohead.execute.subject.servers_of_treatment import SystemUnderTest
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.case import Case
from headtohead.model.errors import SubjectError
from headtohead.model.machine.settings import settings_of
from headtohead.model.quantity import Scalar
from headtohead.model.record import CpuUse, LoadRecord, Recorded, Run
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import DataSet

NO_LIMIT = "unlimited"
"""The value of ``@memory_mib@`` without a limit."""


@dataclass(frozen=True)
class RunContext:
    """The current run: the study, the request, the supervised run, and the notes."""

    study_context: StudyContext
    request: RunRequest
    supervised: SupervisedRun
    log: RunLog

    @property
    def parts(self) -> tuple[Part, ...]:
        """The subjects that the run starts: the needed ones first, then the treatment's own."""
        return self.study_context.parts(self.request.experiment, self.request.treatment)

    @property
    def subject(self) -> Subject:
        """The treatment's own subject."""
        return self.parts[-1].subject

    def copies_data(self) -> bool:
        """Return whether data are copied before the start: a missing working copy, or the run's own copy."""
        copies = [self._pristine(part) for part in self.parts]
        fresh = self.request.treatment.fresh
        return fresh or any(each is not None and not self.study_context.copies.holds(each) for each in copies)

    def system(self) -> SystemUnderTest:
        """Return the system under test with its data in place, not yet started.

        Raises SubjectError if the data of a part could not be prepared. With a memory limit, the kernel first drops its
        cache of the data, so that reading them counts within the limit.
        """
        parts = self.parts
        for part in parts:
            lost = self.study_context.unprepared.get(self._key(part))
            if lost is not None:
                raise SubjectError(lost.what, why=lost.why, remedy=lost.remedy) from lost
        given = {each.name: self._given(each) for each in parts}
        if self.request.memory_mib is not None:
            for data in {str(words["data"]) for words in given.values() if "data" in words}:
                evict_on(self.study_context.environment, Path(data))
        return SystemUnderTest(self.supervised, parts, given)

    def give_back(self, stopped: Mapping[str, bool]) -> None:
        """Let later runs use the working copies of the parts that stopped cleanly, if all answers were correct."""
        right = self.all_correct()
        for part in self.parts:
            pristine = self._pristine(part)
            if pristine is not None and stopped[part.name] and right:
                self.study_context.copies.give_back(pristine)

    def _given(self, part: Part) -> dict[str, Scalar]:
        """Return the template words of a part besides its settings; the subject's own include the load."""
        experiment, treatment = self.request.experiment, self.request.treatment
        load = experiment.load
        times = {"warm_up_s": load.warm_up_s, "measure_s": load.measure_s, "timeout_s": load.timeout_s}
        page = {} if part.factor else self.study_context.first_path(experiment)
        loads = {} if part.factor else {**page, **times, **load.settings, **treatment.settings, **treatment.levels}
        limits = {"memory_mib": NO_LIMIT if self.request.memory_mib is None else self.request.memory_mib}
        found = {
            **limits,
            **loads,
            **self.study_context.words(experiment, treatment, part),
            **self.study_context.password(self._pristine(part)),
            "cpus": len(treatment.cpus),
        }
        data = self._data(part)
        return found if data is None else {**found, "data": str(data)}

    def _data(self, part: Part) -> Path | None:
        """Return the data of a part: the working copy of its prepared data, or the data set; a new copy if fresh.

        Return None if the workload has no data.
        """
        data = self.request.experiment.data
        if data is None or self.request.experiment.name not in self.study_context.data:
            return None
        pristine, dataset = self._pristine(part), self.study_context.data[self.request.experiment.name][0]
        if not self.request.treatment.fresh:
            return dataset if pristine is None else self.study_context.copies.take(pristine, run=self.request.number)
        fresh = self.supervised.ours / f"data-{part.name}"
        source = pristine or dataset
        copy_for(self.study_context.environment, source, fresh, what=f"this run's copy of {source.name}")
        return fresh

    def _pristine(self, part: Part) -> Path | None:
        return self.study_context.prepared.get(self._key(part))

    def _key(self, part: Part) -> PartKey:
        return part_key(part, self.request.experiment, self.request.treatment)

    def link(self) -> None:
        """Connect subject and driver with the treatment's link, if it has one."""
        if self.request.treatment.link is not None:
            self.supervised.link(self.request.treatment.link)

    def set_settings(self) -> None:
        """Change the settings of the system that are levels of the treatment; supervise restores them with the run."""
        settings = settings_of(self.request.treatment.levels)
        if settings:
            self.supervised.supervisor.settings(settings)

    def all_correct(self, *cases: Case) -> bool:
        """Return whether no answer to these cases was wrong; without cases, whether no answer was."""
        records = self.log.records(cases or None)
        return not any(each.wrong for each in records if isinstance(each, LoadRecord))

    def excluded_by(self, *cases: Case) -> tuple[str, ...]:
        """Return the reasons why rules exclude these cases; empty if none does."""
        note = replace(self.note("valid"), reasons=())  # earlier reasons of the run do not come from these cases
        so_far = Recorded(note, self.log.records(cases), self.log.readings_of_all())
        judged = self.study_context.rules.judge(so_far, self.request.experiment).run
        return () if judged.status == "valid" else judged.reasons

    def note(self, status: str) -> Run:
        """Return the content of run.json as far as it is known."""
        request, log = self.request, self.log
        return Run(
            run=request.number,
            experiment=request.experiment.name,
            block=request.planned.block,
            place=request.planned.place,
            attempt=request.attempt,
            treatment=request.treatment.levels,
            label=request.treatment.label,
            status="valid" if status == "valid" else "failed",
            reasons=tuple(log.reasons),
            started_at="",
            phases=tuple(log.phases),
            read_back=log.read_back,
            versions={part.subject.name: self.study_context.versions[self._key(part)] for part in self.parts},
            data=self._data_note(request.experiment.data),
            hosts={"sut": self.supervised.label, "drivers": self._drivers()},
            cpu_s=CpuUse(None, None, None, None, None),
            subject_memory_peak_bytes=log.memory_peak_bytes,
            usage=log.usage,
            gates=tuple(log.gates),
            repeats=tuple(log.repeats),
            in_process=request.treatment.in_process,
            prepared=self._prepared_note(),
            clocks=log.clocks,
        )

    def _drivers(self) -> tuple[str, ...]:
        """Return the names of the machines that send requests."""
        far = tuple(each.label for each in self.supervised.drivers)
        return far or ((self.supervised.label,) if self.request.treatment.driver_cpus else ())

    def _prepared_note(self) -> Mapping[str, Mapping[str, Scalar]]:
        notes = {part.subject.name: self.study_context.notes.get(pristine) for part, pristine in self._copied()}
        return {name: note for name, note in notes.items() if note}

    def _copied(self) -> Iterator[tuple[Part, Path]]:
        """Yield each part that starts on prepared data, with its pristine copy."""
        for part in self.parts:
            pristine = self._pristine(part)
            if pristine is not None:
                yield part, pristine

    def _data_note(self, data: DataSet | None) -> Mapping[str, Scalar] | None:
        known = self.study_context.data.get(self.request.experiment.name)
        if data is None or known is None:
            return None
        copies = [pristine.name for _, pristine in self._copied()]
        made: dict[str, Scalar] = {} if data.files else {"scale": data.scale, "seed": data.seed}
        note: dict[str, Scalar] = {"set": data.set, **made, "sha256": known[1]}
        note["state"] = "fresh" if self.request.treatment.fresh else "kept"
        return {**note, "prepared": ", ".join(copies)} if copies else note

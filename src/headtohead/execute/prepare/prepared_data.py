"""Prepared data: a subject's own form of a data set, made once, checked, and kept in the cache."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from headtohead.execute.context.study_context import PartKey, StudyContext, part_key
from headtohead.execute.data.datasets import data_key
from headtohead.execute.data.disk_space import COPY_PER_DATA, check_free_space, size_bytes
from headtohead.execute.data.working_copies import folder_beside
from headtohead.execute.prepare.prepared_data_record import (
    CopyRecord,
    new_password,
    read_copy_record,
    write_copy_record,
)
from headtohead.execute.prepare.remote_prepared_copy import copy_there
from headtohead.execute.subject.list_subjects_of_treatment import Part
from headtohead.execute.subject.server import Server
from headtohead.execute.subject.servers_of_treatment import SystemUnderTest
from headtohead.execute.supervise_process_of_run import NO_LIMITS, SupervisedRun, new_run
from headtohead.hosts.cache_locks import making
from headtohead.hosts.file_owners import give_to, take_tree
from headtohead.hosts.files.remove_tree import remove_if_there
from headtohead.hosts.files.run_files import unwritable
from headtohead.model.errors import HeadToHeadError, HostError, SubjectError
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import Prepare
from headtohead.store.fingerprint import content_sha256, folder_sha256

STEP_WITHIN_S = 1800.0
"""The forum at the articles' size loads in two minutes on two CPUs."""


@dataclass(frozen=True)
class Recipe:
    """The steps that turn an experiment's data set into the data of one part of a treatment."""

    study_context: StudyContext
    experiment: PlannedExperiment
    treatment: Treatment
    part: Part
    steps: Prepare

    @property
    def key(self) -> PartKey:
        """The key of its copy in ``StudyContext.prepared``."""
        return part_key(self.part, self.experiment, self.treatment)

    @cached_property
    def pristine(self) -> Path:
        """The folder of the copy; its name contains the hash of everything that it is made from."""
        return self.study_context.environment.cache / "prepared" / f"{self.part.subject.name}-{self._key()}"

    @property
    def _userland(self) -> Path | None:
        userland = self.study_context.userland(self.treatment)
        return None if userland is None else userland.root

    def make(self) -> CopyRecord:
        """Return how the pristine copy was made; make it now unless the cache holds it complete."""
        kept = self.pristine
        if self.study_context.environment.elsewhere is not None:
            return self._make_there(kept)
        with making(kept):
            take_tree(kept)
            made = read_copy_record(kept)
            if made is not None and kept.is_dir() and made.sha256 == folder_sha256(kept):
                self.study_context.passwords[kept] = made.password
                return made
            try:
                remove_if_there(kept)
                return self._make(kept)
            except OSError as error:
                raise unwritable(kept, error) from error

    def _make(self, kept: Path) -> CopyRecord:
        dataset = self._dataset()
        password = self.study_context.passwords[kept] = new_password()
        wanted = size_bytes(dataset) * COPY_PER_DATA
        check_free_space(kept.parent, wanted, what=f"{self.part.subject.name}'s copy of {dataset.name}")
        self.study_context.show(f"Preparing {dataset.name} for {self.part.subject.name}; it is kept for later studies.")
        with new_run(self.study_context.environment, userland=self._userland) as supervised:
            partial = folder_beside(kept, supervised)
            supervised.supervisor.own(partial)
            partial.mkdir(mode=0o700)
            give_to(self.study_context.environment.user, partial)
            load_s = self._prepare(supervised, partial)
            partial.rename(kept)
        take_tree(kept)
        made_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        made = CopyRecord(folder_sha256(kept), round(load_s, 3), made_at, password)
        write_copy_record(kept, made)
        return made

    def _make_there(self, kept: Path) -> CopyRecord:
        """Return how the copy on another machine was made, by a password that is new unless the copy is there."""
        here = self.study_context.data_here(self.experiment.name)
        password = self.study_context.passwords[kept] = new_password()

        def load(supervised: SupervisedRun, data: Path) -> float:
            self.study_context.show(f"Preparing {here.name} for {self.part.subject.name} on {supervised.label}.")
            return self._prepare(supervised, data)

        wanted = size_bytes(here) * COPY_PER_DATA
        made = copy_there(self.study_context.environment, kept, wanted=wanted, password=password, load=load)
        self.study_context.passwords[kept] = made.password
        return made

    def check(self, working: Path) -> None:
        """Start the subject on a working copy and check its data; raises SubjectError if they are wrong."""
        if self.steps.check is None:
            return
        environment = self.study_context.environment
        with new_run(environment, drivers=[*environment.drivers][:1], userland=self._userland) as supervised:
            system = self._system(supervised, working, serves=True)
            self._check(system.start(), supervised)
            self._stop(system)

    def _prepare(self, supervised: SupervisedRun, data: Path) -> float:
        """Make the copy; return the duration of its load in seconds, or of its init if there is no load step."""
        serves = self.steps.load is not None or self.steps.check is not None
        system = self._system(supervised, data, serves=serves)
        for _ in system.parts[:-1]:
            system.next().start()
        server = system.next()
        began_ns = supervised.now_ns()
        if self.steps.init is not None:
            server.do(self.steps.init, name="init", within_s=STEP_WITHIN_S)
        took_s = (supervised.now_ns() - began_ns) / 1e9
        if serves:
            server.start()
            if self.steps.load is not None:
                began_ns = supervised.now_ns()
                server.do(self.steps.load, name="load", within_s=STEP_WITHIN_S)
                took_s = (supervised.now_ns() - began_ns) / 1e9
            self._check(server, supervised)
            self._stop(system)
        return took_s

    def _system(self, supervised: SupervisedRun, data: Path, *, serves: bool) -> SystemUnderTest:
        """Return the system to start: the part alone, or after the parts it needs if it has to serve."""
        for group in ("subject", "driver"):
            supervised.supervisor.group(group, NO_LIMITS)
        for driver in supervised.drivers:
            driver.supervisor.group("driver", NO_LIMITS)
        alone = bool(self.part.factor) or not serves
        parts = (self.part,) if alone else self.study_context.parts(self.experiment, self.treatment)
        given = {each.name: self._given(each, data) for each in parts}
        return SystemUnderTest(supervised, parts, given)

    def _given(self, part: Part, data: Path) -> Mapping[str, Scalar]:
        study_context = self.study_context
        own = part is self.part or part == self.part
        its = data if own else self._working(part)
        key = part_key(part, self.experiment, self.treatment)
        pristine = self.pristine if own else study_context.prepared.get(key)
        return {
            **study_context.words(self.experiment, self.treatment, part),
            **study_context.password(pristine),
            "data": str(its),
            "cpus": len(study_context.environment.cpus),
        }

    def _working(self, part: Part) -> Path:
        pristine = self.study_context.prepared.get(part_key(part, self.experiment, self.treatment))
        return self._dataset() if pristine is None else self.study_context.copies.take(pristine)

    def _stop(self, system: SystemUnderTest) -> None:
        unclean = [name for name, clean in system.stop().items() if not clean]
        if unclean:
            raise SubjectError(
                f"The prepared data of {self.part.subject.name} cannot be used",
                why=f"{', '.join(unclean)} did not stop cleanly, so its data may be incomplete.",
                remedy="See how it reacts to its stop signal, or raise stop.within_s in its subject.toml.",
            )
        for part in system.parts:
            pristine = self.study_context.prepared.get(part_key(part, self.experiment, self.treatment))
            if pristine is not None:
                self.study_context.copies.give_back(pristine)

    def _check(self, server: Server, supervised: SupervisedRun) -> None:
        check = self.steps.check
        if check is None:
            return
        said = supervised.read_bytes(server.do(check.step, name="check", within_s=STEP_WITHIN_S))
        right = (self.study_context.data_here(self.experiment.name) / check.expect).read_bytes()
        if said != right:
            raise SubjectError(
                f"{self.part.subject.name} does not hold the data set {self._dataset().name}",
                why=f"The output of its check differs from {check.expect}: {_difference(said, right)}.",
                remedy="See the load step of its subject.toml; after `headtohead clean --caches` it prepares again.",
            )

    def _dataset(self) -> Path:
        return self.study_context.data[self.experiment.name][0]

    def _key(self) -> str:
        subject, data = self.part.subject, self.experiment.data
        prepares = [name for name, factor in sorted(subject.factors.items()) if factor.prepares]
        inputs = (
            data_key(self.study_context.datasets, data) if data is not None else "",
            content_sha256(Path(subject.folder)),
            self.study_context.versions[self.key],
            self.part.interface,
            *(f"{name}={scalar_text(self.part.settings[name])}" for name in prepares),
        )
        return hashlib.sha256("\n".join(inputs).encode()).hexdigest()[:16]


def recipes(study_context: StudyContext, plan: Plan) -> Iterator[Recipe]:
    """Yield the recipe of every part of the plan that starts on prepared data; needed parts come first."""
    for experiment in plan.experiments:
        for treatment in experiment.treatments if experiment.data is not None else ():
            for part in study_context.parts(experiment, treatment):
                steps = part.subject.prepare
                if steps is not None:
                    yield Recipe(study_context, experiment, treatment, part, steps)


def make_copies(study_context: StudyContext, plan: Plan) -> None:
    """Make every prepared copy that the plan's runs start on.

    If a copy cannot be made, the runs that need it fail with its reason; the others go on.
    """
    made: set[Path] = set()
    failed: dict[Path, HeadToHeadError] = {}
    for each in recipes(study_context, plan):
        lost = _lost_before(each) or failed.get(each.pristine)
        if lost is None and each.pristine not in made:
            try:
                study_context.notes[each.pristine] = each.make().note()
                made.add(each.pristine)
            except (HostError, SubjectError) as error:
                lost = failed[each.pristine] = error
                study_context.show(f"{error} Runs of {each.part.subject.name} fail.")
        if lost is None:
            study_context.prepared[each.key] = each.pristine
        else:
            study_context.unprepared[each.key] = lost


def _lost_before(recipe: Recipe) -> HeadToHeadError | None:
    """Return why the copy of another part of the treatment could not be made, or None if all could."""
    for part in recipe.study_context.parts(recipe.experiment, recipe.treatment):
        lost = recipe.study_context.unprepared.get(part_key(part, recipe.experiment, recipe.treatment))
        if lost is not None:
            return lost
    return None


def check_copies(study_context: StudyContext, plan: Plan) -> Mapping[int, str]:
    """Check every working copy that runs of the study have started on, once.

    Return the reason why a run does not count, by its number, for each run on a copy that is now wrong.
    """
    left = set(study_context.copies.in_order())
    excluded: dict[int, str] = {}
    for each in recipes(study_context, plan):
        pristine = study_context.prepared.get(each.key)
        if pristine is not None and pristine in left:
            left.discard(pristine)
            study_context.show(f"Checking what {each.part.subject.name} holds after its runs.")
            runs = tuple(study_context.copies.runs.get(pristine, ()))
            try:
                each.check(study_context.copies.take(pristine))
            except SubjectError as error:
                study_context.show(f"{error} Runs {', '.join(map(str, runs))} do not count.")
                excluded |= dict.fromkeys(runs, f"data-changed: after the runs on one copy of its data, {error}")
    return excluded


def _difference(said: bytes, right: bytes) -> str:
    """Return a readable description of the first line in which two texts differ."""
    lines, wanted = said.decode(errors="replace").splitlines(), right.decode(errors="replace").splitlines()
    for line, want in zip(lines, wanted, strict=False):
        if line != want:
            return f"{line[:80]!r} where {want[:80]!r} is right"
    return f"{len(lines)} lines where {len(wanted)} are right"

"""Prepared data: what a subject made of a data set, made once, checked, and kept in the cache."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from headtohead.execute.bench import Bench
from headtohead.execute.copies import beside
from headtohead.execute.datasets import data_key
from headtohead.execute.parts import Part
from headtohead.execute.room import COPY_PER_DATA, ask_bytes, size_bytes
from headtohead.execute.server import Server
from headtohead.execute.stand import NO_LIMITS, Stand, give_to
from headtohead.execute.system import System
from headtohead.model.errors import SubjectError
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.subject import Prepare
from headtohead.store.fingerprint import folder_sha256

STEP_WITHIN_S = 1800.0
"""The forum at the articles' size loads in two minutes on two CPUs."""


@dataclass(frozen=True)
class Recipe:
    """How the data set of an experiment becomes what one part of a treatment starts on."""

    bench: Bench
    experiment: PlannedExperiment
    treatment: Treatment
    part: Part
    steps: Prepare

    @property
    def place(self) -> tuple[str, str, str]:
        """The place of its copy in ``Bench.prepared``."""
        return self.part.subject.name, self.experiment.name, self.treatment.label

    @cached_property
    def pristine(self) -> Path:
        """Where the copy is kept: under the hash of all that it is made of."""
        return self.bench.ground.cache / "prepared" / f"{self.part.subject.name}-{self._key()}"

    def make(self) -> Path:
        """Return the pristine copy, made where the cache does not hold it whole."""
        kept = self.pristine
        sums = kept.with_name(f"{kept.name}.sha256")
        if kept.is_dir() and sums.is_file() and sums.read_text().strip() == folder_sha256(kept):
            return kept
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        dataset = self._dataset()
        wanted = size_bytes(dataset) * COPY_PER_DATA
        ask_bytes(kept.parent, wanted, what=f"{self.part.subject.name}'s copy of {dataset.name}")
        self.bench.tell(f"Preparing {dataset.name} for {self.part.subject.name}; it is kept for later studies.")
        with self.bench.ground.stand() as stand:
            partial = beside(kept, stand)
            stand.supervisor.own(partial)
            partial.mkdir(mode=0o700)
            give_to(self.bench.ground.user, partial)
            self._prepare(stand, partial)
            partial.rename(kept)
        sums.write_text(f"{folder_sha256(kept)}\n")
        return kept

    def check(self, working: Path) -> None:
        """Start the subject on a working copy and check what it holds; SubjectError where that is wrong."""
        if self.steps.check is None:
            return
        with self.bench.ground.stand() as stand:
            system = self._system(stand, working, serves=True)
            self._check(system.start(), stand)
            self._stop(system)

    def _prepare(self, stand: Stand, data: Path) -> None:
        serves = self.steps.load is not None or self.steps.check is not None
        system = self._system(stand, data, serves=serves)
        for _ in system.parts[:-1]:
            system.next().start()
        server = system.next()
        if self.steps.init is not None:
            server.do(self.steps.init, name="init", within_s=STEP_WITHIN_S)
        if serves:
            server.start()
            if self.steps.load is not None:
                server.do(self.steps.load, name="load", within_s=STEP_WITHIN_S)
            self._check(server, stand)
            self._stop(system)

    def _system(self, stand: Stand, data: Path, *, serves: bool) -> System:
        """Return what is started: the part alone, or after what it needs where it has to serve."""
        for group in ("subject", "driver"):
            stand.supervisor.group(group, NO_LIMITS)
        alone = bool(self.part.factor) or not serves
        parts = (self.part,) if alone else self.bench.parts(self.experiment, self.treatment)
        given = {each.name: self._given(each, data) for each in parts}
        return System(stand, parts, given)

    def _given(self, part: Part, data: Path) -> Mapping[str, Scalar]:
        bench = self.bench
        its = data if part is self.part or part == self.part else self._working(part)
        return {
            **bench.words(self.experiment, self.treatment, part),
            "data": str(its),
            "cpus": len(bench.ground.cpus),
        }

    def _working(self, part: Part) -> Path:
        pristine = self.bench.prepared.get((part.subject.name, self.experiment.name, self.treatment.label))
        return self._dataset() if pristine is None else self.bench.copies.take(pristine)

    def _stop(self, system: System) -> None:
        unclean = [name for name, clean in system.stop().items() if not clean]
        if unclean:
            raise SubjectError(
                f"The prepared data of {self.part.subject.name} cannot be used",
                why=f"{', '.join(unclean)} did not stop cleanly, so that its data may not be whole.",
                remedy="See what it does when it is asked to end, or raise stop.within_s in its subject.toml.",
            )
        for part in system.parts:
            pristine = self.bench.prepared.get((part.subject.name, self.experiment.name, self.treatment.label))
            if pristine is not None:
                self.bench.copies.give_back(pristine)

    def _check(self, server: Server, stand: Stand) -> None:
        check = self.steps.check
        if check is None:
            return
        said = stand.read_bytes(server.do(check.step, name="check", within_s=STEP_WITHIN_S))
        right = (self._dataset() / check.expect).read_bytes()
        if said != right:
            raise SubjectError(
                f"{self.part.subject.name} does not hold the data set {self._dataset().name}",
                why=f"its check says otherwise than {check.expect}: {_difference(said, right)}.",
                remedy="See the load step of its subject.toml; `headtohead clean --caches` makes it prepare anew.",
            )

    def _dataset(self) -> Path:
        return self.bench.data[self.experiment.name][0]

    def _key(self) -> str:
        subject, data = self.part.subject, self.experiment.data
        prepares = [name for name, factor in sorted(subject.factors.items()) if factor.prepares]
        told = (
            data_key(self.bench.datasets / data.set / "generate.py", data) if data is not None else "",
            folder_sha256(Path(subject.folder)),
            self.bench.versions[subject.name],
            self.part.interface,
            *(f"{name}={scalar_text(self.part.settings[name])}" for name in prepares),
        )
        return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def recipes(bench: Bench, plan: Plan) -> Iterator[Recipe]:
    """Yield the recipe of every part of the plan that starts on prepared data: what is needed first."""
    for experiment in plan.experiments:
        for treatment in experiment.treatments if experiment.data is not None else ():
            for part in bench.parts(experiment, treatment):
                steps = part.subject.prepare
                if steps is not None:
                    yield Recipe(bench, experiment, treatment, part, steps)


def make_copies(bench: Bench, plan: Plan) -> None:
    """Make every prepared copy that the plan's runs start on; SubjectError says what could not be prepared, and why."""
    made: set[Path] = set()
    for each in recipes(bench, plan):
        if each.pristine not in made:
            made.add(each.make())
        bench.prepared[each.place] = each.pristine


def check_copies(bench: Bench, plan: Plan) -> None:
    """Check every working copy on which runs of the study have started, once; SubjectError where one is wrong."""
    left = set(bench.copies.in_order())
    for each in recipes(bench, plan):
        pristine = bench.prepared[each.place]
        if pristine in left:
            left.discard(pristine)
            bench.tell(f"Checking what {each.part.subject.name} holds after its runs.")
            each.check(bench.copies.take(pristine))


def _difference(said: bytes, right: bytes) -> str:
    """Return the first line in which two texts differ, for people."""
    lines, wanted = said.decode(errors="replace").splitlines(), right.decode(errors="replace").splitlines()
    for line, want in zip(lines, wanted, strict=False):
        if line != want:
            return f"{line[:80]!r} where {want[:80]!r} is right"
    return f"{len(lines)} lines where {len(wanted)} are right"

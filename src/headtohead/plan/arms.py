"""Factors to treatments: words resolved on this machine, levels merged, CPUs assigned, labels made."""

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine
from headtohead.model.machine.link import FACTOR, REACH, SOCKET, UNSHAPED, Reach, link_of
from headtohead.model.machine.topology import KERNEL, MemoryFrom, apart_from, shares_of
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Range, Subject, SubjectFactor
from headtohead.model.study.workload import Poll
from headtohead.plan import cpus
from headtohead.plan.levels import words
from headtohead.plan.levels.meanings import meanings
from headtohead.plan.levels.unavailable import check_given, check_installed
from headtohead.plan.placement import memory_from, place, require_elsewhere
from headtohead.plan.threads import CPUS, PLACEMENT, SMT, Counting, counting


@dataclass(frozen=True)
class Arm:
    """A treatment with the label of each factor's level in it."""

    labels: Mapping[str, str]
    treatment: Treatment


@dataclass(frozen=True)
class Refusal:
    """Why a treatment is not possible here; ``optional = true`` excuses it."""

    label: str
    error: LimitedError


@dataclass
class Arms:
    """The result of an experiment's combinations of levels."""

    arms: list[Arm] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def make_arms(experiment: Experiment, machine: Machine) -> Arms:
    """Return every combination of levels as a treatment, or as a refusal.

    Raises LimitedError for a level that the machine cannot give and ``optional`` does not excuse.
    """
    made = Arms()
    drawn = list(_combinations(experiment, machine, notes=made.notes))
    varying = [
        factor.name
        for factor in experiment.factors
        if factor.name != "subject" and len({chosen[factor.name][0] for chosen in drawn}) > 1
    ]
    sets = {level.label: level.sets for factor in experiment.factors for level in factor.levels if level.sets}
    for chosen in drawn:
        labels = {name: label for name, (label, _) in chosen.items()}
        label = " ".join([labels["subject"], *(f"{name}={labels[name]}" for name in varying)])
        values = {name: value for name, (_, value) in chosen.items()}
        levels = {"subject": values.pop("subject"), **sets.get(labels["subject"], {}), **values}
        try:
            maker = _Maker(experiment, machine)
            treatment = maker.treatment(label, levels)
            maker.check_elsewhere(treatment, [arm.treatment for arm in made.arms])
            made.arms.append(Arm(labels, treatment))
        except _Excusable as refused:
            made.refusals.append(Refusal(label, refused.error))
    return made


class _Excusable(Exception):  # noqa: N818 -- carries an error, is not one
    def __init__(self, error: LimitedError) -> None:
        super().__init__(error.what)
        self.error = error


def _combinations(
    experiment: Experiment, machine: Machine, *, notes: list[str]
) -> Iterator[Mapping[str, words.Choice]]:
    """Yield each combination of levels, resolved on this machine; those that a word makes equal are merged."""
    counts = counting(experiment, machine)
    choices = {
        factor.name: list(words.of_machine(factor, most=counts.most, notes=notes))
        if factor.name == CPUS
        else [(level.label, level.value) for level in factor.levels]
        for factor in experiment.factors
    }
    everything = (experiment.workload.factors, *(each.factors for each in experiment.subjects.values()))
    counted = [name for name in choices if any(name in each and each[name].counted for each in everything)]
    of_treatment = words.OfTreatment(counted, vary=any(len(choices.get(name, ())) > 1 for name in (CPUS, SMT)))
    merger = words.Merger(counted)
    for combination in itertools.product(*choices.values()):
        written = dict(zip(choices, combination, strict=True))
        count = counts.count({name: value for name, (_, value) in written.items()})
        for chosen in of_treatment.levels(written, count):
            if not merger.has(written, chosen):
                yield chosen
    notes += [*merger.notes(by_treatment=of_treatment.vary), *counts.notes()]


def parts_of(
    subject: Subject, settings: Mapping[str, Scalar], *, needed: Mapping[str, Subject], count: int
) -> Mapping[str, Mapping[str, Scalar]]:
    """Return the subjects that a subject needs by its settings, each with its own factors at their defaults.

    They run on the same ``count`` CPUs. A level that is not a subject's name needs nothing: the subject contains it.
    """
    named = (str(settings[factor]) for factor in subject.needs)
    return {
        name: {each.name: each.resolved(each.default, cpus=count) for each in needed[name].factors.values()}
        for name in named
        if name in needed
    }


def reach_of(subject: Subject, levels: Mapping[str, Scalar], *, elsewhere: bool = False) -> Reach | None:
    """Return how a driver reaches a database: over TCP if elsewhere, over a link, or set so; else by its socket."""
    if subject.protocol is None or subject.client is not None:
        return None
    by_tcp = elsewhere or FACTOR in levels or levels.get(REACH) == "tcp" or SOCKET not in subject.reach
    return "tcp" if by_tcp else "socket"


@dataclass(frozen=True)
class _Maker:
    experiment: Experiment
    machine: Machine

    def treatment(self, label: str, levels: Mapping[str, Scalar]) -> Treatment:
        """Return one treatment; raises _Excusable, or LimitedError if ``optional`` does not help."""
        subject = self.experiment.subjects[str(levels["subject"])]
        if subject.driver is not None:
            levels = {FACTOR: UNSHAPED, **levels}
        count = self.counting.count(levels)
        quota = levels.get("cpu_quota")
        if quota is not None and float(quota) > count:
            raise self._limited(
                f"cpu_quota = {scalar_text(quota)} on {cpus.cpus(count)}",
                why="A quota above the number of CPUs limits nothing.",
                remedy="Write a smaller quota, or more cpus.",
            )
        in_process = subject.client is not None
        placed = self._place(count, levels)
        given = self._allot(count, driver=self.experiment.has_driver and not in_process, placed=placed)
        with self._excused():
            check_given(levels, self.machine)
        factors = {**self.experiment.workload.factors, **subject.factors}
        settings = {
            name: factor.resolved(levels.get(name, factor.default), cpus=count) for name, factor in factors.items()
        }
        self._check_ranges(settings, factors)
        parts = parts_of(subject, settings, needed=self.experiment.needed, count=count)
        with self._excused():
            for name in (subject.name, *parts):
                check_installed(name, self.machine)
        return Treatment(
            label=label,
            subject=subject.name,
            levels={name: settings.get(name, value) for name, value in levels.items()},
            settings=settings,
            cpus=given[0],
            driver_cpus=given[1],
            cpu_quota=None if quota is None else float(quota),
            floor=subject.floor,
            parts=parts,
            in_process=in_process,
            fresh=self.experiment.workload.starts_fresh(settings),
            shares=shares_of(given[0], machine=self.machine.cpus),
            apart=apart_from({*given[0], *given[1]}, machine=(*self.machine.cpus, *self.machine.others)),
            memory=self._memory(given[0], levels),
            link=link_of(levels.get(FACTOR)),
            changed=_changed(subject, settings, count=count),
            poll=self._poll(*given),
            reach=reach_of(subject, levels, elsewhere=self.experiment.driver_elsewhere),
            words=meanings(self.experiment, factors, levels, settings, cpus=count, most=self.counting.most),
        )

    @property
    def counting(self) -> Counting:
        """Return what a number of CPUs counts here."""
        return counting(self.experiment, self.machine)

    def _check_ranges(self, settings: Mapping[str, Scalar], factors: Mapping[str, SubjectFactor]) -> None:
        """Raise _Excusable if a word gives a number that the subject does not offer."""
        for name, value in settings.items():
            levels = factors[name].levels
            if isinstance(levels, Range) and isinstance(value, int) and not levels.low <= value <= levels.high:
                why = f"Its levels go from {scalar_text(levels.low)} to {scalar_text(levels.high)}."
                remedy = "Write a number, fewer cpus, or optional = true to leave it out."
                raise _Excusable(self._limited(f"{name} is {value} here", why=why, remedy=remedy))

    def _place(self, count: int, levels: Mapping[str, Scalar]) -> tuple[int, ...] | None:
        """Return the CPUs that the factors name, or None if they name none or there are not enough CPUs at all."""
        with self._excused():
            self.counting.check(levels)
            if PLACEMENT in levels:
                return place(self.machine, count, str(levels[PLACEMENT])) if count <= len(self.machine.cpus) else None
        try:
            return self.counting.own(levels)
        except LimitedError as error:
            raise self._limited(error.what, why=error.why, remedy=error.remedy) from error

    def check_elsewhere(self, treatment: Treatment, earlier: Sequence[Treatment]) -> None:
        """Raise _Excusable if another placement has given these CPUs already, all else equal."""
        with self._excused():
            require_elsewhere(treatment, earlier)

    def _memory(self, own: tuple[int, ...], levels: Mapping[str, Scalar]) -> MemoryFrom | None:
        if levels.get("numa", KERNEL) == KERNEL:
            return None
        with self._excused():
            return memory_from(self.machine, own, str(levels["numa"]))

    @contextlib.contextmanager
    def _excused(self) -> Iterator[None]:
        """Add the experiment's name to a refusal inside; ``optional`` excuses it."""
        try:
            yield
        except LimitedError as error:
            raise _Excusable(self._limited(error.what, why=error.why, remedy=error.remedy)) from error

    def _allot(
        self, count: int, *, driver: bool, placed: tuple[int, ...] | None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        try:
            alone, _ = cpus.allot(self.machine, count, placed=placed)
        except LimitedError as error:
            raise self._limited(error.what, why=error.why, remedy=error.remedy) from error
        if not driver:
            return alone, ()
        try:
            need = cpus.need_of_driver(self.experiment, count)
            return cpus.allot(self.machine, count, driver=need, placed=placed)
        except LimitedError as error:
            if self.experiment.share_driver:
                return alone, alone
            raise _Excusable(self._limited(error.what, why=error.why, remedy=error.remedy)) from error

    def _poll(self, own: tuple[int, ...], of_driver: tuple[int, ...]) -> Poll | None:
        """Return how the load generator waits; None if there is none.

        As the study sets; else it polls where nothing else needs its CPUs. It never polls on the subject's.
        """
        load = self.experiment.load
        if not of_driver or load.loop == "batch":
            return None
        shared = bool(set(own) & set(of_driver))
        if shared and load.poll == "busy":
            raise _Excusable(
                self._limited(
                    'poll = "busy" on the subject\'s CPUs',
                    why="A driver that polls uses its CPUs all the time, and here the subject needs them too.",
                    remedy='Remove poll, or write poll = "sleep" or fewer cpus.',
                )
            )
        return load.poll or ("sleep" if shared else "busy")

    def _limited(self, what: str, *, why: str, remedy: str) -> LimitedError:
        return LimitedError(f'experiment "{self.experiment.name}": {what}', why=why, remedy=remedy)


def _changed(subject: Subject, settings: Mapping[str, Scalar], *, count: int) -> tuple[str, ...]:
    """Return the subject's settings that are not at their default."""
    factors = subject.factors.items()
    return tuple(name for name, each in factors if settings[name] != each.resolved(each.default, cpus=count))

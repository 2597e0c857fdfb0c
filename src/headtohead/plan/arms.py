"""Factors to treatments: words resolved on this machine, levels merged, CPUs given out, labels made."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from headtohead.model.errors import LimitedError
from headtohead.model.host import Machine
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study import Experiment, Factor
from headtohead.model.subject import Subject
from headtohead.plan import cpus

Choice = tuple[str, Scalar]
"""A level as it comes out here: its label, and its value with words resolved."""


@dataclass(frozen=True)
class Arm:
    """A treatment with the label of the level that each factor has in it."""

    labels: Mapping[str, str]
    treatment: Treatment


@dataclass(frozen=True)
class Refusal:
    """Why a treatment cannot be had here, of the kind that ``optional = true`` excuses."""

    label: str
    error: LimitedError


@dataclass
class Arms:
    """What became of an experiment's combinations of levels."""

    arms: list[Arm] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def has_driver(experiment: Experiment) -> bool:
    """Return whether a driver asks for the work of some subject; batch programs, and engines in process, have none.

    Words like "all" come to one number for all subjects of an experiment: what those can have that need a driver.
    """
    return experiment.load.loop != "batch" and any(each.client is None for each in experiment.subjects.values())


def make_arms(experiment: Experiment, machine: Machine) -> Arms:
    """Return every combination of levels as a treatment, or as a refusal.

    Raises LimitedError for a level that the machine cannot give and ``optional`` does not excuse.
    """
    made = Arms()
    choices = {
        factor.name: list(_choices(factor, experiment, machine=machine, notes=made.notes))
        for factor in experiment.factors
    }
    varying = [name for name, levels in choices.items() if len(levels) > 1 and name != "subject"]
    sets = {level.label: level.sets for factor in experiment.factors for level in factor.levels if level.sets}
    for combination in itertools.product(*choices.values()):
        chosen = dict(zip(choices, combination, strict=True))
        labels = {name: label for name, (label, _) in chosen.items()}
        label = " ".join([labels["subject"], *(f"{name}={labels[name]}" for name in varying)])
        values = {name: value for name, (_, value) in chosen.items()}
        levels = {"subject": values.pop("subject"), **sets.get(labels["subject"], {}), **values}
        try:
            made.arms.append(Arm(labels, _Maker(experiment, machine).treatment(label, levels)))
        except _Excusable as refused:
            made.refusals.append(Refusal(label, refused.error))
    return made


class _Excusable(Exception):  # noqa: N818 -- carries an error, is none
    def __init__(self, error: LimitedError) -> None:
        super().__init__(error.what)
        self.error = error


def _choices(factor: Factor, experiment: Experiment, *, machine: Machine, notes: list[str]) -> Iterator[Choice]:
    """Yield the levels of a factor as they come out here; a word and a number that come to one are merged."""
    from_word: dict[Scalar, bool] = {}
    for level in factor.levels:
        if factor.name != "cpus":
            yield level.label, level.value
            continue
        word = level.value if isinstance(level.value, str) else None
        count = resolve(word, machine, driver=has_driver(experiment)) if word else level.value
        if count in from_word and (word or from_word[count]):
            notes.append(
                f"The level cpus = {_quoted(level.value)} comes to {count} here and is merged with the level before it."
            )
            continue
        if word:
            notes.append(f'The level cpus = "{word}" comes to {count} here.')
        from_word[count] = word is not None
        yield (scalar_text(count) if level.label == word else level.label), count


def _quoted(value: Scalar) -> str:
    return f'"{value}"' if isinstance(value, str) else scalar_text(value)


def resolve(word: str, machine: Machine, *, driver: bool) -> int:
    """Return how many CPUs ``all`` or ``half`` stands for: of what the subject can have, at least 1.

    Where nothing is left beside the driver it is of the whole machine: a driver that may share its CPUs then does,
    and one that may not is refused with the reason.
    """
    available = cpus.most(machine, driver=driver) or len(machine.cpus)
    return available if word == "all" else max(1, available // 2)


def parts_of(
    subject: Subject, settings: Mapping[str, Scalar], *, needed: Mapping[str, Subject]
) -> Mapping[str, Mapping[str, Scalar]]:
    """Return the subjects that the settings of one name as what it needs, each with its own factors at their defaults.

    A level that is no subject's name needs nothing: the subject has it inside.
    """
    named = (str(settings[factor]) for factor in subject.needs)
    return {
        name: {factor.name: factor.default for factor in needed[name].factors.values()}
        for name in named
        if name in needed
    }


@dataclass(frozen=True)
class _Maker:
    experiment: Experiment
    machine: Machine

    def treatment(self, label: str, levels: Mapping[str, Scalar]) -> Treatment:
        """Return one treatment; raises _Excusable, or LimitedError where ``optional`` does not help."""
        subject = self.experiment.subjects[str(levels["subject"])]
        count = self._count(levels)
        quota = levels.get("cpu_quota")
        if quota is not None and float(quota) > count:
            raise self._limited(
                f"cpu_quota = {scalar_text(quota)} on {cpus.cpus(count)}",
                why="A quota above the CPUs that it is of limits nothing.",
                remedy="Write a smaller quota, or more cpus.",
            )
        in_process = subject.client is not None
        given = self._allot(count, driver=has_driver(self.experiment) and not in_process)
        self._check_lacks(levels)
        factors = {**self.experiment.workload.factors, **subject.factors}
        settings = {name: levels.get(name, factor.default) for name, factor in factors.items()}
        parts = parts_of(subject, settings, needed=self.experiment.needed)
        for name in (subject.name, *parts):
            self._check_installed(name)
        return Treatment(
            label=label,
            subject=subject.name,
            levels=levels,
            settings=settings,
            cpus=given[0],
            driver_cpus=given[1],
            cpu_quota=None if quota is None else float(quota),
            floor=subject.floor,
            parts=parts,
            in_process=in_process,
            fresh=self.experiment.workload.starts_fresh(settings),
        )

    def _count(self, levels: Mapping[str, Scalar]) -> int:
        """Return the number of CPUs; without the factor, all that the subject can have."""
        if "cpus" in levels:
            return int(levels["cpus"])
        return resolve("all", self.machine, driver=has_driver(self.experiment))

    def _allot(self, count: int, *, driver: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
        try:
            alone, _ = cpus.allot(self.machine, count, driver=False)
        except LimitedError as error:
            raise self._limited(error.what, why=error.why, remedy=error.remedy) from error
        if not driver:
            return alone, ()
        try:
            return cpus.allot(self.machine, count, driver=True)
        except LimitedError as error:
            if self.experiment.share_driver:
                return alone, alone
            raise _Excusable(self._limited(error.what, why=error.why, remedy=error.remedy)) from error

    def _check_lacks(self, levels: Mapping[str, Scalar]) -> None:
        for name, value in levels.items():
            level = f"{name}={scalar_text(value)}"
            for lacked, what in ((name, f"the factor {name}"), (level, f"the level {level}")):
                if lacked in self.machine.lacks:
                    why = _sentence(self.machine.lacks[lacked])
                    remedy = f"Remove {name}, or set optional = true to leave the experiment out here."
                    raise _Excusable(self._limited(f"{what} cannot be given", why=why, remedy=remedy))

    def _check_installed(self, subject: str) -> None:
        missing, reason = self.machine.missing.get(subject), self.machine.unobtainable.get(subject)
        if missing is None and reason is None:
            return
        parts = (missing and _sentence(f"missing: {', '.join(missing)}"), reason and _sentence(reason))
        how = "Choose another subject" if reason else "Install it with `headtohead setup` and this study"
        what, why = f"the subject {subject} is not installed", " ".join(part for part in parts if part)
        raise _Excusable(self._limited(what, why=why, remedy=f"{how}, or set optional = true to leave it out."))

    def _limited(self, what: str, *, why: str, remedy: str) -> LimitedError:
        return LimitedError(f'experiment "{self.experiment.name}": {what}', why=why, remedy=remedy)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."

"""The question: a study, its experiments, and the factors that they vary."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Load, Workload


@dataclass(frozen=True)
class Level:
    """One value of a factor; for ``subject``, ``sets`` holds the subject's factors that this level fixes."""

    value: Scalar
    label: str
    sets: Mapping[str, Scalar]


@dataclass(frozen=True)
class Factor:
    """Something varied on purpose; the first level is the baseline. One level makes it a setting."""

    name: str
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Experiment:
    """One question, the workload and factors that answer it, and the rule for deciding.

    ``load`` is the workload's with the study's changes. ``primary`` is first of ``summaries``; ``metrics`` holds the
    catalog entries of every metric that its records can give.
    """

    name: str
    question: str
    workload: Workload
    subjects: Mapping[str, Subject]
    primary: Summary
    summaries: tuple[Summary, ...]
    metrics: Mapping[str, Metric]
    compare: str | None
    matters: float
    looks: tuple[int, ...]
    within_min: float | None
    optional: bool
    share_driver: bool
    factors: tuple[Factor, ...]
    load: Load
    needed: Mapping[str, Subject] = field(default_factory=dict)
    """Subjects that others of this experiment need: a forum's databases."""


@dataclass(frozen=True)
class Study:
    """The experiments that are written up together as one article; ``sha256`` is of the file's bytes."""

    title: str
    seed: int
    within_min: float | None
    experiments: tuple[Experiment, ...]
    sha256: str

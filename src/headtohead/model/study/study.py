"""The question: a study, its experiments, and the factors that they vary."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Load, Workload

HTTP_VERSION = "http_version"
"""The factor of servers and of workloads over TLS: the version of HTTP that driver and server speak, 1.1 or 2."""

FROM, TO = "{from}", "{to}"
"""In a question: the first and the last level of the compared factor, as this machine resolves them."""

Orders = Literal["random", "balanced"]
"""How orders in blocks are drawn: each by itself, or so that each treatment comes after each other equally often."""

DriverCpus = int | Literal["rest"]
"""A number of CPUs for the driver, or all that are left in cores of which the subject has no CPU."""


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
    driver_cpus: DriverCpus | None = None
    """The CPUs of the driver; None for as many of those left as the load can use."""

    orders: Orders = "random"

    driver_elsewhere: bool = False
    """Whether drivers are other machines, so that only a client program of a subject's own needs CPUs here."""

    @property
    def settle_s(self) -> float | None:
        """How long all subjects settle: as the load sets, else as long as the one that needs most; None if none do."""
        if self.load.loop == "batch":
            return None
        most_s = max((each.settle_s for each in (*self.subjects.values(), *self.needed.values())), default=0.0)
        return (most_s if self.load.settle_s is None else self.load.settle_s) or None

    @property
    def has_driver(self) -> bool:
        """Whether some subject has a driver on its machine; batch programs and engines in process have none.

        A client program of a subject's own is its driver. Words like "all" give one number for all subjects of an
        experiment: that of the subjects with a driver.
        """
        if self.load.loop == "batch":
            return any(each.driver is not None for each in self.subjects.values())
        return not self.driver_elsewhere and any(each.client is None for each in self.subjects.values())


@dataclass(frozen=True)
class Study:
    """The experiments that are written up together as one article; ``content`` holds the bytes of its file."""

    title: str
    seed: int
    within_min: float | None
    experiments: tuple[Experiment, ...]
    content: bytes

    @property
    def sha256(self) -> str:
        """The checksum of the file, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()

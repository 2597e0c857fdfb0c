"""A geometric mean over named cases, case by case, and the reference machine that it is compared with."""

from dataclasses import dataclass

from headtohead.model.analysis.estimates import Cell, Estimate, Interval, Measurement
from headtohead.model.case import Case
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan


@dataclass(frozen=True)
class SuiteCase:
    """One case of a suite: its ratio as measured, its interval at alpha / (their number).

    ``tail`` is whether it is far from the others: three scaled MADs or more from the median of the log ratios, which
    its interval excludes. Nothing is left out for that.

    ``unlike_p`` is the sign-flip p, over blocks, that it changes as the mean of the others does: uncorrected, of this
    case alone. None against the reference machine, whose blocks are others.
    """

    case: Case
    ratio: Estimate
    tail: bool
    unlike_p: float | None = None


@dataclass(frozen=True)
class Suite:
    """A geometric mean over named cases (kernels, programs), taken apart: ratios of ``treatment`` over ``against``.

    ``against`` is the baseline of a comparison, or with ``reference`` the treatment of the reference machine. The
    interval of ``ratio`` is for these cases: what the runs leave open. ``like_these`` is for cases like these, of which
    these are taken as drawn at random; both hold at the same level, and both are None if there is but one block.

    ``spread`` is the geometric standard deviation of the ratios (1.1 for a factor of 1.1), ``skewness`` that of their
    logarithms, None if all are equal; ``skew_p`` is D'Agostino's. ``skewed`` is whether one may call them so, and
    ``skewed_without_tail`` whether one still may without the tail, None if there is no tail or too few are left.
    """

    treatment: str
    against: str
    reference: bool
    ratio: Estimate
    like_these: Interval | None
    spread: float
    skewness: float | None
    skew_p: float | None
    skewed: bool
    skewed_without_tail: bool | None
    cases: tuple[SuiteCase, ...]
    """The best first."""


@dataclass(frozen=True)
class ReferenceMachine:
    """A results folder that others are compared with: its name, plan.json, hosts.json and measurements.csv."""

    name: str
    plan: Plan
    hosts: tuple[HostFacts, ...]
    measurements: tuple[Measurement, ...]
    measurements_sha256: str


@dataclass(frozen=True)
class Reference:
    """The reference machine: the name of its results folder, its CPU, the day, and what its figures were.

    ``machine`` and ``day`` are None if the folder does not hold them.
    """

    name: str
    machine: str | None
    day: str | None
    measurements_sha256: str


@dataclass(frozen=True)
class Yardstick:
    """The treatment of the reference machine that an experiment is compared with, with its own values over its runs."""

    reference: Reference
    treatment: str
    cells: tuple[Cell, ...]

"""Results of treatments, experiments and the whole study (``analysis.json``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.cost import AnswerPrice, BreakEven, Cost, Energy, WorkPrice
from headtohead.model.analysis.curves import (
    CurvePoint,
    Matrix,
    NotObtained,
    PointCurve,
    QueryTime,
    RefusedQuantile,
    Searched,
)
from headtohead.model.analysis.estimates import Cell, Estimate
from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.printed import ArticleThen, CardThen, Changes, Then
from headtohead.model.analysis.suite import Suite, Yardstick
from headtohead.model.analysis.sweeps import Crossing, Growth, Overtaking, Sweep
from headtohead.model.external.prices import Stated, Tariff
from headtohead.model.finding import Finding
from headtohead.model.plan import LeftOut
from headtohead.model.quantity import Metric, Summary


@dataclass(frozen=True)
class TreatmentResult:
    """One treatment: how its runs went, and their values. ``points`` holds the primary value of each valid run."""

    label: str
    subject: str
    title: str
    floor: bool
    runs_valid: int
    runs_invalid: int
    runs_failed: int
    dropped: bool
    primary: Estimate | None
    points: tuple[float, ...]
    cells: tuple[Cell, ...]
    card: Card | None
    limits: tuple[Limit, ...]
    curve: tuple[CurvePoint, ...] = ()
    """Every load offered, by run and then by load; empty if the load is not a rate."""
    searches: tuple[Searched, ...] = ()
    costs: tuple[Cost, ...] = ()
    queries: tuple[QueryTime, ...] = ()
    per_ghz: tuple[Cell, ...] = ()
    """Work per clock: the primary metric over the GHz at which each run's CPUs ran, of a suite in each case too."""
    point_curves: tuple[PointCurve, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    not_obtained: tuple[NotObtained, ...] = ()
    price: WorkPrice | None = None
    """None if the primary metric is no rate of work, the system has no price, or nothing counted."""
    answer_prices: tuple[AnswerPrice, ...] = ()
    energy: tuple[Energy, ...] = ()

    @property
    def runs_made(self) -> int:
        """How many runs were made, whatever came of them."""
        return self.runs_valid + self.runs_invalid + self.runs_failed


@dataclass(frozen=True)
class ExperimentResult:
    """One experiment's answer. ``metric`` is the primary summary's; ``blocks_done`` counts complete blocks."""

    name: str
    question: str
    workload: str
    workload_title: str
    primary: Summary
    metric: Metric
    metrics: Mapping[str, Metric]
    matters: float
    looks: tuple[int, ...]
    blocks_done: int
    finished: bool
    """False while runs of the current look are still to be made."""
    stopped: str
    """Why no more blocks: ``decided``, ``last-look``, ``out-of-time``, ``nothing-to-compare``, ``unfinished``."""
    same_test: str
    comparisons: tuple[ComparisonResult, ...]
    treatments: tuple[TreatmentResult, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    growth: tuple[Growth, ...] = ()
    """What CPUs, copies or threads bought, for each combination of the other factors' levels."""
    sweep: str = ""
    """The case field whose levels, three or more numbers, are all that distinguishes the cases; empty if none is."""
    sweeps: tuple[Sweep, ...] = ()
    """What curves are drawn over: that sweep, or one for each combination of the other fields that vary."""
    overtakings: tuple[Overtaking, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    """Of every two that are compared: where they cross over, or that they do not in the range measured."""
    suite: str = ""
    """The case field (kernel, program) over eight or more names of which the primary summary is a geometric mean."""
    suites: tuple[Suite, ...] = ()
    """Every comparison, then every treatment against the reference machine; empty if the primary is no such mean."""
    yardstick: Yardstick | None = None
    """What ``suites`` are compared with next to the baseline; None if there is none, and a note gives the reason."""
    then: tuple[Then, ...] = ()
    """What articles printed of tests of the same kind; empty if none did."""
    break_evens: tuple[BreakEven, ...] = ()
    """For each pair of treatments that differ in compression alone, in each case."""
    refused: tuple[RefusedQuantile, ...] = ()
    """Quantiles that have no value, as a run sent too few requests for them."""
    changes_then: tuple[Changes, ...] = ()
    """What articles printed of factors that vary here; empty, and absent from analysis.json, if they printed none."""
    cards_then: tuple[CardThen, ...] = ()
    """The cards that articles printed of tests of the same kind; absent likewise."""


@dataclass(frozen=True)
class Analysis:
    """The whole study: what analysis.json holds and ``--json`` prints. ``complete`` when nothing is left to be made."""

    name: str
    title: str
    version: str
    study_sha256: str
    began: str | None
    complete: bool
    experiments: tuple[ExperimentResult, ...]
    left_out: tuple[LeftOut, ...]
    findings: tuple[Finding, ...]
    seal: str = ""
    """The digest of the results folder's seal, which pins its data; empty if it has none."""
    stated: Stated = field(default_factory=Stated)
    """What people stated of the machine and of prices; no probe read it."""
    tariff: Tariff = field(default_factory=Tariff)
    """What things cost by that on this machine."""
    article: ArticleThen | None = None
    """What else the article printed that the study repeats; None, and absent from analysis.json, if it repeats none."""

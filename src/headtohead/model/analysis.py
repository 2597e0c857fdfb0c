"""What the runs come to: estimates, comparisons, verdicts, findings (``analysis.json``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from headtohead.model.finding import Finding
from headtohead.model.link import Link
from headtohead.model.plan import LeftOut
from headtohead.model.prices import Stated, Tariff
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.record import Setting
from headtohead.model.topology import MemoryFrom, Shares

Verdict = Literal["better", "worse", "same", "inconclusive", "not-measured"]


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of values compatible with the data at ``confidence`` (0.95 for 95 %)."""

    low: float
    high: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number computed from a sample of ``n`` runs (or blocks); the interval is None for n below 2."""

    value: float
    interval: Interval | None
    n: int


@dataclass(frozen=True)
class Measurement:
    """One value of one metric for one run: a line of ``measurements.csv``; ``case`` is empty for a run's summary."""

    experiment: str
    run: int
    block: int
    treatment: str
    status: str
    case: str
    metric: str
    value: float


@dataclass(frozen=True)
class Cell:
    """One metric of one case (empty: the run's summary) of one treatment, over its valid runs: geometric mean."""

    case: str
    metric: str
    estimate: Estimate


@dataclass(frozen=True)
class MeanPeak:
    """A rate over the measured time: its mean, its highest reading, and the share of what the link can do."""

    mean: float | None
    peak: float | None
    share: float | None = None


@dataclass(frozen=True)
class Card:
    """The head of a result as the articles print it, as measured; None is "not visible", never zero."""

    versions: Mapping[str, str]
    cpus: tuple[int, ...]
    driver_cpus: tuple[int, ...]
    loop: str
    threads: float | None
    processes: float | None
    subject_memory_peak_bytes: float | None
    typical_error: float | None
    """Coefficient of variation of the primary value between valid runs (0.02 for 2 %)."""
    subject_cpus_busy: float | None
    driver_cpus_busy: float | None
    driver_memory_peak_bytes: float | None
    harness_cpus_busy: float | None
    foreign_cpus_busy: float | None
    disk_read_bytes_per_s: MeanPeak
    disk_written_bytes_per_s: MeanPeak
    network_sent_bytes_per_s: MeanPeak
    network_received_bytes_per_s: MeanPeak
    clock_hz: float | None
    loopback_bytes_per_s: MeanPeak = MeanPeak(None, None)
    """What passed between driver and subject where both are on one machine; the network's readings leave it out."""
    link_sent_bytes_per_s: MeanPeak = MeanPeak(None, None)
    """What the subject's end of a link sent, headers included; received likewise."""
    link_received_bytes_per_s: MeanPeak = MeanPeak(None, None)
    link: Link | None = None
    """What joined driver and subject where each stood in a network of its own."""
    interrupt_cpus_busy: float | None = None
    """What the kernel did for interrupts, network packets above all: part of it within tasks, part of it nobody's."""
    kernel_cpus_busy: float | None = None
    """What threads of the kernel did for whoever reads, writes and sends."""
    in_process: bool = False
    """Whether driver and subject were one program: what its client did counts as the subject's."""
    load_s: Mapping[str, float] = field(default_factory=dict)
    """From a subject's name to how long its data took to load, once, before any run."""
    configuration: tuple[Setting, ...] = ()
    """What was in force, that which differs from its default first; empty where the subject does not say."""
    shares: Shares | None = None
    """What the subject's CPUs share; None where the plan does not say."""
    memory: MemoryFrom | None = None
    """The NUMA nodes that the subject took memory from; None where that was left to the kernel."""
    driver_of_subject_share: float | None = None
    """CPU time of a driver on the subject's CPUs over the subject's, the most in any case; None if not shared."""


Resource = Literal["cpu", "driver", "cpu-quota", "parallelism", "link", "disk", "environment", "unknown"]


@dataclass(frozen=True)
class Limit:
    """What limited a treatment in a case, and the figures that show it: medians over its valid runs.

    A figure is None where it was not read, and where it has no part in the reason. Shares are fractions of 1.
    """

    case: str
    resource: Resource
    subject_cpus: float | None = None
    """The CPUs that the subject used on average."""
    subject_cpus_allotted: float | None = None
    """The CPUs that the subject may use at once; None where the subject's use has no part in the reason."""
    driver_share: float | None = None
    """The share of its own CPUs that the driver used."""
    driver_delay_share: float | None = None
    """The share of the time for which the driver's threads waited for a CPU."""
    cpu_quota: float | None = None
    """The CPUs that the quota allows."""
    throttled_share: float | None = None
    """The share of the quota's periods that were throttled."""
    steal_share: float | None = None
    """The share of the time of the CPUs in use that the hypervisor took away."""
    foreign_cpus: float | None = None
    """The CPUs that other processes used."""
    at_once: int | None = None
    """How many copies, threads or processes of the subject worked at once."""
    link_share: float | None = None
    """The share of the link's rate that its busier direction carried."""
    disk_wait_share: float | None = None
    """The share of the time in which everything that could run waited for a disk."""
    disk_bytes_per_s: float | None = None
    """What the machine's disks read and wrote while they were waited for."""
    disk_requests: float | None = None
    """The requests to the machine's disks that were under way on average."""


@dataclass(frozen=True)
class CurvePoint:
    """One load offered to a treatment in one valid run, and how it fared; rates in requests/s, times in ns.

    ``offered_load_per_s`` is what was meant: in sessions, their rate times their calls. ``held`` tells whether the
    objective did, None where none was judged; ``overload_percent`` is given past the capacity that the run had found.
    """

    run: int
    offered_load_per_s: float
    response_rate_per_s: float | None
    goodput_per_s: float | None
    response_time_p50_ns: float | None
    response_time_p99_ns: float | None
    error_share: float | None
    held: bool | None = None
    overload_percent: float | None = None


@dataclass(frozen=True)
class Searched:
    """What the search of one valid run found: its capacity, how sure that is from its own trials, and how many."""

    run: int
    capacity_per_s: float
    interval: Interval
    """Credible, of this run's trials alone; the interval of a treatment is over its runs."""
    trials: int


@dataclass(frozen=True)
class Cost:
    """What an answer of a case cost: the subject's CPU, and bytes over the wire; None where it could not be read.

    In a search it is that of the highest rate that held in each run, and ``case`` is empty.
    """

    case: str
    subject_cpu_ns_per_answer: Estimate | None
    received_bytes_per_answer: Estimate | None


@dataclass(frozen=True)
class WorkPrice:
    """What the work of a treatment costs by its primary metric, a rate: a unit is one of what it counts, or a GB.

    ``per_rate`` is the price paid once for the system over the rate, None where it was not bought; ``per_million`` what
    the time of a million units costs, the whole system charged for it.
    """

    per_rate: Estimate | None
    per_million: Estimate
    currency: str


@dataclass(frozen=True)
class AnswerPrice:
    """What a million answers of a case cost: the CPU time used, the bytes sent, both; None where that has no price.

    In a search it is that of the highest rate that held in each run, and ``case`` is empty.
    """

    case: str
    cpu: Estimate | None
    sent: Estimate | None
    both: Estimate | None


@dataclass(frozen=True)
class BreakEven:
    """Where a compressing treatment costs as much as the plain one, all else alike, over blocks in which both counted.

    ``cpu_s_per_gb`` is the CPU that it spends for each gigabyte (10^9 bytes) that it does not send, ``price_per_gb``
    what that CPU costs: a GB that costs more is worth compressing. None where it saved no bytes in some block; the
    price also where the system has none.
    """

    case: str
    plain: str
    packed: str
    cpu_s_per_gb: Estimate | None
    price_per_gb: Estimate | None


@dataclass(frozen=True)
class Energy:
    """What a unit of work took in joules, and what a million of them cost, None where a kWh has no price.

    ``read``: what the processor packages drew in that case (``watts``, idle included), nothing else of the machine.
    ``given``: what the whole machine draws under load, as its file says, over the primary rate; ``case`` is empty.
    """

    case: str
    kind: Literal["read", "given"]
    joules: Estimate
    watts: Estimate | None
    per_million: Estimate | None


@dataclass(frozen=True)
class QueryTime:
    """How long one kind of query of a mix took in one case: the mean response time in ns, over valid runs."""

    query: str
    case: str
    response_time_mean_ns: Estimate


@dataclass(frozen=True)
class Point:
    """One point of a curve that batch records tell: its number in the record, and its figures over valid runs."""

    number: int
    figures: Mapping[str, Estimate]


@dataclass(frozen=True)
class PointCurve:
    """The curve of one case (``point_NN_<name>`` of its records): points of equal number mean the same in each run."""

    case: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Matrix:
    """The matrix of one case (``<name>_<row>_<column>_ns`` of its records), as geometric means over ``n`` valid runs.

    ``values`` holds a line for each of ``rows``, in it a value for each of ``columns``, None where no run told one.
    ``typical_error`` is the coefficient of variation of a cell between runs, the cell in the middle.
    """

    case: str
    name: str
    unit: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: tuple[tuple[float | None, ...], ...]
    n: int
    typical_error: float | None


@dataclass(frozen=True)
class NotObtained:
    """Figures that a case should have and some valid runs have not, with the program's reason."""

    case: str
    why: str
    runs: int


@dataclass(frozen=True)
class TreatmentResult:
    """One treatment: how its runs went, and what they come to. ``points`` holds the primary value of each valid run."""

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
    """Every load offered, by run and then by load; empty where the load is not a rate."""
    searches: tuple[Searched, ...] = ()
    costs: tuple[Cost, ...] = ()
    queries: tuple[QueryTime, ...] = ()
    per_ghz: tuple[Cell, ...] = ()
    """Work per clock: the primary metric over the GHz at which each run's CPUs ran, of a suite in each case too."""
    point_curves: tuple[PointCurve, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    not_obtained: tuple[NotObtained, ...] = ()
    price: WorkPrice | None = None
    """None where the primary metric is no rate of work, the system has no price, or nothing counted."""
    answer_prices: tuple[AnswerPrice, ...] = ()
    energy: tuple[Energy, ...] = ()

    @property
    def runs_made(self) -> int:
        """How many runs were made, whatever came of them."""
        return self.runs_valid + self.runs_invalid + self.runs_failed


@dataclass(frozen=True)
class Scaling:
    """What more of a countable factor (cpus, copies, threads) bought, from ``low`` to ``high`` of it.

    ``gain`` and its interval are shares (0.6 for +60 %); ``ideal`` is high / low - 1; ``efficiency`` is the ratio over
    high / low; ``serial_share`` is Karp and Flatt's e, None where it has no meaning.
    """

    factor: str
    low: float
    high: float
    gain: float
    interval: Interval
    ideal: float
    efficiency: float
    serial_share: float | None


@dataclass(frozen=True)
class Growth:
    """What more of a countable factor bought in one summary, ``fixed`` levels alike: exploratory, decides nothing.

    With a ``case`` it is what it bought in that case of a sweep, and ``summary`` is the metric's name.
    """

    summary: str
    baseline: str
    other: str
    fixed: Mapping[str, Scalar]
    scaling: Scaling
    case: str = ""


@dataclass(frozen=True)
class Overtaking:
    """Where the order of two treatments changes along a sweep, all else alike: exploratory, decides nothing.

    ``behind`` is worse than ``ahead`` at level ``low`` and better at level ``high``; ``at_low`` and ``at_high`` are the
    ratios behind / ahead of the metric there. ``shown`` is whether both intervals leave 1 out; if not, only the
    estimates change their order, and the intervals allow either.
    """

    ahead: str
    behind: str
    fixed: Mapping[str, Scalar]
    low: float
    high: float
    at_low: Estimate
    at_high: Estimate
    shown: bool


@dataclass(frozen=True)
class Crossing:
    """Where two treatments change places as ``over`` grows, a case field or a factor such as cpus, or that they do not.

    ``ahead`` leads before the change and ``behind`` after it, which lies between the levels ``low`` and ``high``; both
    are None where there is none in the range of ``levels``, all of which were measured: then ``ahead`` leads at most of
    them. ``shown`` is whether the intervals carry it: at both ends of a change, or at every level where there is none.
    Names are labels, or where these differ in the counted factor alone, levels of the compared one. Exploratory.
    """

    over: str
    ahead: str
    behind: str
    fixed: Mapping[str, Scalar]
    levels: tuple[float, ...]
    low: float | None
    high: float | None
    shown: bool


@dataclass(frozen=True)
class Sweep:
    """Cases that differ in one number alone, such as clients: the levels of that field, rising, and their cases' texts.

    ``fixed`` is what they have in common and other sweeps of the experiment have not (``operation=read``); empty where
    the sweep is all there is.
    """

    field: str
    levels: tuple[float, ...]
    cases: tuple[str, ...]
    fixed: str = ""


@dataclass(frozen=True)
class Exploratory:
    """A ratio that decides nothing: a single case or another metric.

    The intervals of all of a comparison share its alpha: each at alpha / (their number), or, from 12 blocks on, by
    max-T; then their confidence is that of all together.
    """

    case: str
    metric: str
    ratio: Estimate
    p: float | None


@dataclass(frozen=True)
class Shift:
    """The ratio of the response times of two treatments at one quantile of one case; it decides nothing.

    The intervals of all quantiles and cases of a comparison share its alpha.
    """

    case: str
    quantile: str
    """As in a metric's name: p10, p99."""
    ratio: Estimate


@dataclass(frozen=True)
class ComparisonResult:
    """Two treatments, set against each other within blocks, on the primary summary.

    ``ratio`` is other over baseline as measured (1.13 is 13 % more, whatever the metric's direction); ``blocks`` the
    ratio of each block used, in order. ``look`` is the planned look at which it was decided or stopped. Verdicts are
    of ``other``: better, worse, same (within ``matters``), inconclusive, not-measured. ``detectable`` is the smallest
    ratio above 1 that this many blocks of this spread would have shown in 8 of 10 studies; ``blocks_needed`` is given
    when inconclusive. ``blocking_gain`` is the variance of the unpaired over that of the paired comparison.
    """

    factor: str
    baseline: str
    other: str
    fixed: Mapping[str, Scalar]
    verdict: Verdict
    because: str
    ratio: Estimate | None
    blocks: tuple[float, ...]
    look: int | None
    alpha: float | None
    sign_flip_p: float | None
    at_least_margin: bool
    negligible: bool
    detectable: float | None
    blocks_needed: int | None
    blocking_gain: float | None
    scaling: Scaling | None
    exploratory: tuple[Exploratory, ...]
    robust: Estimate | None = None
    """The ratio by ranks (Hodges-Lehmann) at the same alpha, from 12 blocks on: it is shown and never decides."""
    shifts: tuple[Shift, ...] = ()
    """Where along the response times the two differ, in the first and the last case."""


@dataclass(frozen=True)
class Printed:
    """What an article printed of one system, in the unit of our metric: a value a level, None where it has none."""

    system: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Now:
    """What a treatment comes to at the same levels, None where it has no such case."""

    treatment: str
    estimates: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Then:
    """What an article printed of a test of the same kind as an experiment, and the experiment beside it.

    ``levels`` are as the article names them, of the kind ``level_kind``: both empty where it names none. Nothing is
    concluded from it; ``caveat`` says what keeps the two from being the same test.
    """

    source: str
    benchmark: str
    metric: str
    level_kind: str
    levels: tuple[str, ...]
    printed: tuple[Printed, ...]
    now: tuple[Now, ...]
    caveat: str


@dataclass(frozen=True)
class SuiteCase:
    """One case of a suite: its ratio as measured, its interval at alpha / (their number).

    ``tail`` is whether it stands apart from the others: see ``analyze.suite``. Nothing is left out for that.
    """

    case: str
    ratio: Estimate
    tail: bool


@dataclass(frozen=True)
class Suite:
    """A geometric mean over named cases (kernels, programs), taken apart: ratios of ``treatment`` over ``against``.

    ``against`` is the baseline of a comparison, or with ``reference`` the treatment of the reference machine. The
    interval of ``ratio`` is for these cases: what the runs leave open. ``like_these`` is for cases like these, of which
    these are taken as drawn at random; both hold at the same level, and both are None where there is but one block.

    ``spread`` is the geometric standard deviation of the ratios (1.1 for a factor of 1.1), ``skewness`` that of their
    logarithms, None where all are equal; ``skew_p`` is D'Agostino's. ``skewed`` says whether one may call them so, and
    ``skewed_without_tail`` whether one still may without the tail, None where there is no tail or too few are left.
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
class Reference:
    """The reference machine: the name of its results folder, its CPU, the day, and what its figures were.

    ``machine`` and ``day`` are None where the folder does not tell them.
    """

    name: str
    machine: str | None
    day: str | None
    measurements_sha256: str


@dataclass(frozen=True)
class Yardstick:
    """The treatment of the reference machine that an experiment is held against, with its own values over its runs."""

    reference: Reference
    treatment: str
    cells: tuple[Cell, ...]


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
    """The case field whose levels, three or more numbers, are all that tells the cases apart; empty where none is."""
    sweeps: tuple[Sweep, ...] = ()
    """What curves are drawn over: that sweep, or one for each combination of the other fields that vary."""
    overtakings: tuple[Overtaking, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    """Of every two that are compared: where they change places, or that they do not in the range measured."""
    suite: str = ""
    """The case field (kernel, program) over eight or more names of which the primary summary is a geometric mean."""
    suites: tuple[Suite, ...] = ()
    """Every comparison, then every treatment against the reference machine; empty where the primary is no such mean."""
    yardstick: Yardstick | None = None
    """What ``suites`` are held against beside the baseline; None where there is none, and a note says why."""
    then: tuple[Then, ...] = ()
    """What articles printed of tests of the same kind; empty where none did."""
    break_evens: tuple[BreakEven, ...] = ()
    """For each pair of treatments that differ in compression alone, in each case."""


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
    stated: Stated = field(default_factory=Stated)
    """What people said of the machine and of prices; no probe read it."""
    tariff: Tariff = field(default_factory=Tariff)
    """What that comes to on this machine."""

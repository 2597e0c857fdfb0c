"""A study as it might be found in a results folder: four experiments, one invalid run, one experiment left out.

All values come from a seed. The analysis is made by hand, so that the report's tests stand on the model alone.
"""

import math
from collections.abc import Sequence
from statistics import mean, stdev

from scipy.stats import t as student

from headtohead.model.analysis.card import Card, MeanPeak
from headtohead.model.analysis.comparison import ComparisonResult, Exploratory, Verdict
from headtohead.model.analysis.estimates import Cell, Estimate, Interval
from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.results import Analysis, ExperimentResult, TreatmentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import case_text
from headtohead.model.record import Recording
from tests.report.facts import FACTS
from tests.report.plans import EXPERIMENTS, PLAN
from tests.report.runs import BLOCKS, INVALID, SPREAD, runs, value_of

LOW = "The interval holds 1 and reaches beyond the margin"


def estimate(values: Sequence[float], *, alpha: float) -> Estimate:
    logs = [math.log(value) for value in values]
    center = mean(logs)
    half = float(student.ppf(1 - alpha / 2, len(logs) - 1)) * stdev(logs) / math.sqrt(len(logs))
    return Estimate(math.exp(center), Interval(math.exp(center - half), math.exp(center + half), 1 - alpha), len(logs))


def _column(experiment: PlannedExperiment, label: str, case: str) -> list[float]:
    blocks = range(1, BLOCKS[experiment.name] + 1)
    return [value_of(experiment.name, label, block=block, case=case) for block in blocks]


def _primary(experiment: PlannedExperiment, label: str, *, verify: bool = False) -> list[float]:
    cases = [case_text(case) for case in experiment.cases]
    wanted = [each for each in cases if "operation" not in each or each.endswith("verify") == verify]
    columns = [_column(experiment, label, case) for case in wanted]
    return [math.exp(mean(math.log(value) for value in values)) for values in zip(*columns, strict=True)]


def _cells(experiment: PlannedExperiment, label: str) -> tuple[Cell, ...]:
    of = experiment.primary.of
    cells = [Cell("", experiment.primary.name, estimate(_primary(experiment, label), alpha=0.05))]
    if experiment.name == "rsa":
        cells.append(Cell("", "verifies_per_s", estimate(_primary(experiment, label, verify=True), alpha=0.05)))
    for case in map(case_text, experiment.cases):
        values = _column(experiment, label, case)
        cells.append(Cell(case, of, estimate(values, alpha=0.05)))
        if experiment.load.loop == "closed":
            late = [2.1e9 * float(case.rpartition("=")[2]) / value for value in values]
            cells.append(Cell(case, "response_time_p99_ns", estimate(late, alpha=0.05)))
            cells.append(Cell(case, "response_time_p999_ns", estimate([2.4 * each for each in late], alpha=0.05)))
    memory = 48e6 if "nginx" not in label else 9.6e6
    cells.append(Cell("", "subject_memory_peak_bytes", estimate([memory, 1.01 * memory, 0.99 * memory], alpha=0.05)))
    return tuple(cells)


def card_of(experiment: PlannedExperiment, treatment: Treatment) -> Card:
    driven = experiment.load.loop == "closed"
    hidden = MeanPeak(None, None)
    return Card(
        versions={treatment.subject: f"{treatment.subject} 1.0 (Debian)"},
        cpus=treatment.cpus,
        driver_cpus=treatment.driver_cpus,
        loop="closed, 10 and 100 connections" if driven else "batch",
        threads=257.0 if "apache" in treatment.label else 1.0,
        processes=4.0 if "apache" in treatment.label else 2.0,
        subject_memory_peak_bytes=48_234_496.0,
        typical_error=2.2 * SPREAD.get(experiment.name, 0.015),
        subject_cpus_busy=0.994 * len(treatment.cpus),
        driver_cpus_busy=0.785 if driven else None,
        driver_memory_peak_bytes=6_291_456.0 if driven else None,
        harness_cpus_busy=0.011,
        foreign_cpus_busy=0.008,
        interrupt_cpus_busy=0.021,
        kernel_cpus_busy=0.004,
        disk_read_bytes_per_s=MeanPeak(0.0, 0.0),
        disk_written_bytes_per_s=MeanPeak(20_480.0, 1_130_000.0),
        network_sent_bytes_per_s=MeanPeak(312.0, 5_400.0, 0.000043) if driven else hidden,
        network_received_bytes_per_s=hidden,
        clock_hz=None,
    )


def _treatment(experiment: PlannedExperiment, treatment: Treatment) -> TreatmentResult:
    points = _primary(experiment, treatment.label)
    bad = (experiment.name, treatment.label) == (INVALID[0], INVALID[2])
    texts = [case_text(case) for case in experiment.cases]
    return TreatmentResult(
        label=treatment.label,
        subject=treatment.subject,
        title=PLAN.titles[treatment.subject],
        floor=treatment.floor,
        runs_valid=len(points),
        runs_invalid=int(bad),
        runs_failed=0,
        dropped=False,
        primary=estimate(points, alpha=0.05),
        points=tuple(points),
        cells=_cells(experiment, treatment.label),
        card=card_of(experiment, treatment),
        limits=tuple(_limit(treatment, case) for case in texts),
    )


def _limit(treatment: Treatment, case: str) -> Limit:
    cpus = float(len(treatment.cpus))
    if treatment.floor:
        return Limit(case, "driver", subject_cpus=0.4 * cpus, subject_cpus_allotted=cpus, driver_share=0.99)
    return Limit(case, "cpu", subject_cpus=0.99 * cpus, subject_cpus_allotted=cpus)


def _ratios(experiment: PlannedExperiment, case: str | None) -> list[float]:
    pair = experiment.comparisons[0]
    sides = [
        _primary(experiment, label) if case is None else _column(experiment, label, case)
        for label in (pair.other, pair.baseline)
    ]
    return [other / baseline for other, baseline in zip(*sides, strict=True)]


def _comparison(experiment: PlannedExperiment, verdict: Verdict, *, because: str, alpha: float) -> ComparisonResult:
    pair, blocks = experiment.comparisons[0], _ratios(experiment, None)
    ratio = estimate(blocks, alpha=alpha)
    texts = [case_text(case) for case in experiment.cases] if len(experiment.cases) > 1 else []
    told = {case: estimate(_ratios(experiment, case), alpha=0.05 / len(texts)) for case in texts}
    gain = ratio.interval
    assert gain is not None
    grown = Interval(gain.low - 1, gain.high - 1, gain.confidence)
    scaling = Scaling("cpus", 1, 2, ratio.value - 1, grown, 1.0, ratio.value / 2, 2 / ratio.value - 1)
    return ComparisonResult(
        factor=pair.factor,
        baseline=pair.baseline,
        other=pair.other,
        fixed={},
        verdict=verdict,
        because=because,
        ratio=ratio,
        blocks=tuple(blocks),
        look=BLOCKS[experiment.name],
        alpha=alpha,
        sign_flip_p=0.03125 if verdict == "better" else 0.44,
        at_least_margin=verdict == "better",
        negligible=False,
        detectable=1 + 3 * SPREAD[experiment.name],
        blocks_needed=24 if verdict == "inconclusive" else None,
        blocking_gain=4.1,
        scaling=scaling if experiment.name == "rsa" else None,
        exploratory=tuple(Exploratory(case, experiment.primary.of, each, 0.03125) for case, each in told.items()),
    )


def _experiment(
    experiment: PlannedExperiment, *, verdict: Verdict, because: str, findings: tuple[Finding, ...]
) -> ExperimentResult:
    done = BLOCKS[experiment.name]
    alpha = 0.0362 if done == 6 else 0.0272
    return ExperimentResult(
        name=experiment.name,
        question=experiment.question,
        workload=experiment.workload,
        workload_title=experiment.workload_title,
        primary=experiment.primary,
        metric=experiment.metrics[experiment.primary.of],
        metrics=experiment.metrics,
        matters=experiment.matters,
        looks=experiment.looks,
        blocks_done=done,
        finished=True,
        stopped="last-look" if verdict == "inconclusive" else "decided",
        same_test=experiment.same_test,
        comparisons=(_comparison(experiment, verdict, because=because, alpha=alpha),),
        treatments=tuple(_treatment(experiment, each) for each in experiment.treatments),
        findings=findings,
        notes=('cpus = "all" is 2 here',) if experiment.name == "rsa" else (),
    )


BUSY = Finding(
    "driver-busy",
    Severity.DOUBT,
    "the driver was 81 % busy in connections=10: a cheaper client might show more",
    "Give the driver more CPUs and see whether the numbers rise.",
    {"driver_share": 0.81, "limit_share": 0.8},
)
UNSTEADY = Finding(
    "not-steady",
    Severity.NOTE,
    "the second half of the measured time was 1.4 % faster than the first",
    "Raise warm_up_s.",
    {"half_ratio": 1.014, "blocks": 10},
)
VIRTUAL = Finding(
    "virtual-machine",
    Severity.NOTE,
    "this is a virtual machine: what its neighbors do cannot be seen",
    "Trust ratios within blocks more than absolute values.",
)

RECORDING = Recording("2026-11-20-first", PLAN, (FACTS,), runs())

ANALYSIS = Analysis(
    name="2026-11-20-first",
    title=PLAN.title,
    version=PLAN.version,
    study_sha256=PLAN.study_sha256,
    began="2026-11-20T10:02:11.250Z",
    complete=True,
    experiments=(
        _experiment(EXPERIMENTS[0], verdict="better", because="beyond the margin", findings=(BUSY,)),
        _experiment(EXPERIMENTS[1], verdict="better", because="beyond the margin", findings=()),
        _experiment(EXPERIMENTS[2], verdict="same", because="within the margin", findings=()),
        _experiment(EXPERIMENTS[3], verdict="inconclusive", because=LOW, findings=(UNSTEADY,)),
    ),
    left_out=PLAN.left_out,
    findings=(VIRTUAL,),
)

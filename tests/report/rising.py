"""A study of two experiments under a load that rises: the searches, and a ladder of fixed rates."""

from dataclasses import replace

from headtohead.model.analysis.curves import CurvePoint
from headtohead.model.analysis.estimates import Cell
from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.case import Case
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import Summary
from headtohead.model.record import Recording
from headtohead.model.study.workload import Load
from tests.report.by_hand import estimate
from tests.report.facts import FACTS
from tests.report.plans import METRICS, PLAN
from tests.report.searched import ARMS, EXPERIMENT, MS, RESULT


def ladder() -> tuple[PlannedExperiment, ExperimentResult]:
    """Return an open loop over a ladder of fixed rates, two servers far apart."""
    rates = (250, 500, 1000, 2000, 4000)
    load = Load("open", {"rate_per_s": rates}, {"arrivals": "uniform"}, warm_up_s=1, measure_s=3)
    cases = tuple(Case({"rate_per_s": rate}) for rate in rates)
    goodput, p99 = METRICS["goodput_per_s"], METRICS["response_time_p99_ns"]
    most = Summary("most", "goodput_per_s", "max", {})
    arms = tuple(
        replace(each, label=name, subject=name)
        for name, each in zip(("php-forum", "nginx"), ARMS.values(), strict=False)
    )
    planned = replace(
        EXPERIMENT,
        name="rates",
        question="How do two servers take a load that rises?",
        load=load,
        primary=most,
        summaries=(most,),
        metrics={goodput.name: goodput, p99.name: p99},
        cases=cases,
        treatments=arms,
        run_s={each.label: 22.0 for each in arms},
        comparisons=(),
    )
    shown = []
    for number, (each, limit) in enumerate(zip(arms, (900.0, 9000.0), strict=True)):
        points = tuple(
            CurvePoint(run, rate, min(rate, limit), min(rate, limit), 2 * MS, (8 + 2000 * (rate > limit)) * MS, 0.0)
            for run in (1, 2)
            for rate in map(float, rates)
        )
        cells = tuple(
            Cell(
                Case.parse(f"rate_per_s={rate}"),
                "goodput_per_s",
                estimate([min(rate, limit), 1.01 * min(rate, limit)], alpha=0.05),
            )
            for rate in rates
        )
        values = [min(4000.0, limit) * (1 + 0.01 * run) for run in (0, 1)]
        first = RESULT.treatments[number]
        shown.append(
            replace(
                first,
                label=each.label,
                title=each.label,
                primary=estimate(values, alpha=0.05),
                points=tuple(values),
                cells=cells,
                curve=points,
                searches=(),
                costs=(),
                limits=(),
            )
        )
    result = replace(
        RESULT,
        name="rates",
        question=planned.question,
        primary=most,
        metric=goodput,
        metrics=planned.metrics,
        comparisons=(),
        treatments=tuple(shown),
        findings=(),
        growth=(),
        stopped="nothing-to-compare",
    )
    return planned, result


LADDER, LADDER_RESULT = ladder()
STUDY: Plan = replace(PLAN, title="A board under a rising load", experiments=(EXPERIMENT, LADDER), left_out=())
RECORDING = Recording("2026-11-20-board", STUDY, (FACTS,), ())
ANALYSIS = Analysis(
    name="2026-11-20-board",
    title=STUDY.title,
    version="0.1.0",
    study_sha256=STUDY.study_sha256,
    began="2026-11-20T12:00:00.000Z",
    complete=True,
    experiments=(RESULT, LADDER_RESULT),
    left_out=(),
    findings=(),
)

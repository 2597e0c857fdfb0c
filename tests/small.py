"""The smallest plan and run that are whole: two arms of a batch program that takes no time."""

from collections.abc import Sequence

from headtohead.model.case import WHOLE_RUN
from headtohead.model.plan import Comparison, Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Metric, Summary
from headtohead.model.record import CpuUse, Phase, Recorded, Run, Status
from headtohead.model.study.workload import Load

RUN_S = 10.0


def experiment(name: str, *, looks: tuple[int, ...] = (2, 4), arms: Sequence[str] = ("A", "B")) -> PlannedExperiment:
    runs = [PlannedRun(b, p, arm, (WHOLE_RUN,)) for b in range(1, looks[-1] + 1) for p, arm in enumerate(arms, start=1)]
    summary = Summary("rate", "rate_per_s", "mean", {})
    return PlannedExperiment(
        name=name,
        question="Which?",
        workload="w",
        workload_version=1,
        workload_title="W",
        asks="batch/w",
        same_test="0",
        data=None,
        load=Load("batch", {}, {}),
        primary=summary,
        summaries=(summary,),
        metrics={"rate_per_s": Metric("rate_per_s", "r", "1/s", "higher", ("faster", "slower"), "batch", "x")},
        compare="subject",
        matters=1.03,
        looks=looks,
        within_min=None,
        share_driver=False,
        cases=(WHOLE_RUN,),
        treatments=tuple(Treatment(arm, arm, {"subject": arm}, {}, (0,), (), None, floor=False) for arm in arms),
        comparisons=(Comparison("subject", arms[0], arms[1], {}, tuple(0.05 for _ in looks)),),
        runs=tuple(runs),
        run_s=dict.fromkeys(arms, RUN_S),
    )


def plan(*experiments: PlannedExperiment, within_min: float | None = None) -> Plan:
    return Plan("T", 1, within_min, "0", "0", experiments, (), {})


def recorded(
    name: str, planned: PlannedRun, *, status: Status = "valid", attempt: int = 1, number: int = 1
) -> Recorded:
    run = Run(
        run=number,
        experiment=name,
        block=planned.block,
        place=planned.place,
        attempt=attempt,
        treatment={},
        label=planned.treatment,
        status=status,
        reasons=(),
        started_at="2026-11-20T10:00:00Z",
        phases=(Phase("measure", WHOLE_RUN, 0, int(RUN_S * 1e9)),),
        read_back={},
        versions={},
        data=None,
        hosts={},
        cpu_s=CpuUse(None, None, None, None, None),
        subject_memory_peak_bytes=None,
    )
    return Recorded(run, (), None)

"""Studies as values, without any file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from headtohead.model.machine.host import Machine
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import Metric, Scalar, Summary, scalar_text
from headtohead.model.study.study import Experiment, Factor, Level, Study
from headtohead.model.study.subject import Batch, Install, Range, Ready, Start, Stop, Subject, SubjectFactor
from headtohead.model.study.workload import Load, Workload
from headtohead.plan.expand import make_plan

RATE = Metric("goodput_per_s", "right answers per second", "1/s", "higher", ("faster", "slower"), "load")
OVERALL = Summary("overall", "goodput_per_s", "geometric-mean", {})
SERVED = Load("closed", {"connections": (10, 100)}, {}, warm_up_s=1, measure_s=3)
WORKED = Load("batch", {"bits": (2048, 4096), "operation": ("sign", "verify")}, {"seconds": 1})
THREADS = SubjectFactor("threads", Range(1, 1024), 256)


def subject(name: str, *, batch: bool = False, floor: bool = False, warm_up_s: float = 0) -> Subject:
    return Subject(
        name=name,
        title=name.title(),
        serves=("batch/rsa-v1" if batch else "http/static-v1",),
        folder=f"subjects/{name}",
        install=Install(),
        factors={"threads": THREADS},
        start=None if batch else Start(Ready(argv=(name,)), 5.0, (name,)),
        stop=Stop(),
        batch=Batch(("work", "@bits@"), None) if batch else None,
        floor=floor,
        warm_up_s=warm_up_s,
    )


def factor(name: str, *values: Scalar) -> Factor:
    return Factor(name, tuple(Level(value, scalar_text(value), {}) for value in values))


def experiment(
    *factors: Factor, subjects: Sequence[Subject], compare: str | None = "subject", load: Load = SERVED
) -> Experiment:
    asks = subjects[0].serves[0]
    workload = Workload("work", 1, "Work", asks, "workloads/work", None, {}, load, (), None, (OVERALL,))
    return Experiment(
        name="one",
        question="Which?",
        workload=workload,
        subjects={each.name: each for each in subjects},
        primary=OVERALL,
        summaries=(OVERALL,),
        metrics={RATE.name: RATE},
        compare=compare,
        matters=1.03,
        looks=(6, 10),
        within_min=None,
        optional=False,
        share_driver=False,
        factors=(factor("subject", *(each.name for each in subjects)), *factors),
        load=load,
    )


def study(*experiments: Experiment, seed: int = 7) -> Study:
    named = tuple(replace(each, name=f"{each.name}-{at}") for at, each in enumerate(experiments, start=1))
    return Study(title="A study", seed=seed, within_min=None, experiments=named, content=b"a study")


def plan(*experiments: Experiment, machine: Machine, seed: int = 7) -> Plan:
    asked = study(*experiments, seed=seed)
    same_test: Mapping[str, str] = {each.name: "same" for each in asked.experiments}
    return make_plan(asked, machine, version="0.1.0", same_test=same_test)


def planned(one: Experiment, *, machine: Machine, seed: int = 7) -> PlannedExperiment:
    return plan(one, machine=machine, seed=seed).experiments[0]

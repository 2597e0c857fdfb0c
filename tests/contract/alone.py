"""A subject on its own data, with what it needs, without a load: for what the contract asks of all servers alike."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from headtohead.cli.run import ground_here, judgment
from headtohead.describe.home import Home
from headtohead.execute.bench import Bench
from headtohead.execute.diary import Diary
from headtohead.execute.making import Making, Order
from headtohead.execute.prepare import prepare
from headtohead.execute.prepared import check_copies
from headtohead.execute.stand import NO_LIMITS
from headtohead.execute.system import System
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.study import Experiment, Study
from headtohead.model.subject import Subject
from headtohead.model.workload import DataSet, Load, Workload
from tests.small import experiment, plan

LABEL = "alone"


@dataclass
class Served:
    """A subject that serves: the system under test, its data set, and whether each part stopped in time at the end."""

    system: System
    dataset: Path
    stopped: Mapping[str, bool]


@contextmanager
def alone(
    subject: Subject, asks: str, *, home: Home, data: DataSet, needed: Mapping[str, Subject] | None = None
) -> Iterator[Served]:
    """Prepare and start a subject that serves an interface; stop it in the end, and check what it holds then.

    ``needed`` holds the subjects that it needs by the factor that names them.
    """
    planned = _planned(subject, asks, data=data, needed=needed or {})
    of_study = plan(planned)
    with Bench(ground_here(), _study(planned, subject, needed or {}), home.datasets, judgment()) as bench:
        prepare(bench, of_study)
        with bench.ground.stand() as stand:
            for group in ("subject", "driver"):
                stand.supervisor.group(group, NO_LIMITS)
            making = Making(bench, Order(planned, planned.runs[0], 1, 1), stand, Diary(stand))
            system = making.system()
            system.start()
            system.warm()
            served = Served(system, bench.data[planned.name][0], {})
            yield served
            served.stopped = system.stop()
            making.give_back(served.stopped)
        check_copies(bench, of_study)


def _planned(subject: Subject, asks: str, *, data: DataSet, needed: Mapping[str, Subject]) -> PlannedExperiment:
    chosen: dict[str, Scalar] = {factor: each.name for factor, each in needed.items()}
    treatment = Treatment(
        label=LABEL,
        subject=subject.name,
        levels={},
        settings=_defaults(subject) | chosen,
        cpus=(0,),
        driver_cpus=(),
        cpu_quota=None,
        floor=False,
        parts={each.name: _defaults(each) for each in needed.values()},
    )
    base = experiment("contract", looks=(1,), arms=(LABEL, LABEL))
    return replace(base, asks=asks, data=data, treatments=(treatment,), comparisons=())


def _defaults(subject: Subject) -> dict[str, Scalar]:
    return {name: factor.default for name, factor in subject.factors.items()}


def _study(planned: PlannedExperiment, subject: Subject, needed: Mapping[str, Subject]) -> Study:
    load = Load("closed", {}, {})
    workload = Workload("w", 1, "W", planned.asks, ".", planned.data, {}, load, (), None, ())
    asked = Experiment(
        name=planned.name,
        question=planned.question,
        workload=workload,
        subjects={subject.name: subject},
        primary=planned.primary,
        summaries=planned.summaries,
        metrics=planned.metrics,
        compare=None,
        matters=planned.matters,
        looks=planned.looks,
        within_min=None,
        optional=False,
        share_driver=False,
        factors=(),
        load=load,
        needed={each.name: each for each in needed.values()},
    )
    return Study("Alone", 1, None, (asked,), "0")


__all__ = ["Plan", "Served", "alone"]

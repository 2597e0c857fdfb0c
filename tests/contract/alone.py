"""A subject on its own data, with what it needs, without a load: for what the contract asks of all servers alike."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from headtohead.cli.commands.contract import rules_of_content
from headtohead.execute.context.run_context import RunContext
from headtohead.execute.context.run_log import RunLog
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.data.datasets import DataSets
from headtohead.execute.pages.request_page import Site
from headtohead.execute.prepare.prepare_study import prepare
from headtohead.execute.prepare.prepared_data import check_copies
from headtohead.execute.subject.servers_of_treatment import SystemUnderTest
from headtohead.execute.supervise_process_of_run import NO_LIMITS, new_run
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.study.study import Experiment, Study
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import DataSet, Expect, Load, Request, Workload
from tests.contract.bench import brief, environment
from tests.small import experiment, plan

LABEL = "alone"
FIRST_PAGE = Request("page", 1, Expect(200), "/article.html")
"""What a server of pages is ready by."""


@dataclass(frozen=True)
class Alone:
    """A subject that serves an interface on a data set, and the subjects that it needs by the factor that names them.

    ``levels`` are those of its factors that are not at their defaults.
    """

    subject: Subject
    asks: str
    data: DataSet
    needed: Mapping[str, Subject] = field(default_factory=dict)
    levels: Mapping[str, Scalar] = field(default_factory=dict)

    def planned(self) -> PlannedExperiment:
        """Return an experiment of this one treatment."""
        treatment = Treatment(
            label=LABEL,
            subject=self.subject.name,
            levels={},
            settings={**_defaults(self.subject), **self.levels},
            cpus=(0,),
            driver_cpus=(),
            cpu_quota=None,
            floor=False,
            parts={each.name: _defaults(each) for each in self.needed.values()},
        )
        base = experiment("contract", looks=(1,), arms=(LABEL, LABEL))
        return replace(base, asks=self.asks, data=self.data, treatments=(treatment,), comparisons=())

    def study(self, planned: PlannedExperiment) -> Study:
        """Return the study that the experiment would be of."""
        load = Load("closed", {}, {})
        asked = Experiment(
            name=planned.name,
            question=planned.question,
            workload=Workload("w", 1, "W", self.asks, ".", self.data, {}, load, (FIRST_PAGE,), None, ()),
            subjects={self.subject.name: brief(self.subject)},
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
            needed={each.name: each for each in self.needed.values()},
        )
        return Study("Alone", 1, None, (asked,), b"")


@dataclass
class Served:
    """A subject that serves: its parts, its data set, and, in the end, whether each part stopped in time by itself."""

    system: SystemUnderTest
    dataset: Path
    stopped: Mapping[str, bool] = field(default_factory=dict)

    @property
    def site(self) -> Site:
        """Where its pages are asked for."""
        return self.system.servers[-1].site()


@contextmanager
def served(alone: Alone, *, datasets: DataSets) -> Iterator[Served]:
    """Prepare and start a subject; stop it in the end, and check what its data hold then."""
    planned = alone.planned()
    of_study = plan(planned)
    with StudyContext(environment(), alone.study(planned), datasets, rules_of_content()) as study_context:
        prepare(study_context, of_study)
        with new_run(study_context.environment) as supervised:
            for group in ("subject", "driver"):
                supervised.supervisor.group(group, NO_LIMITS)
            context = RunContext(
                study_context, RunRequest(planned, planned.runs[0], 1, 1), supervised, RunLog(supervised)
            )
            system = context.system()
            system.start()
            system.warm()
            found = Served(system, study_context.data[planned.name][0])
            yield found
            found.stopped = system.stop()
            context.give_back(found.stopped)
        assert check_copies(study_context, of_study) == {}


def _defaults(subject: Subject) -> dict[str, Scalar]:
    return {name: factor.resolved(factor.default, cpus=1) for name, factor in subject.factors.items()}

"""What a section is given: the study as a whole, or one experiment of it with its plan, runs and load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from headtohead.model.analysis.curves import RefusedQuantile
from headtohead.model.analysis.estimates import Cell
from headtohead.model.analysis.results import Analysis, ExperimentResult, TreatmentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.machine.host import Fact
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Summary
from headtohead.model.record import Recorded, Recording
from headtohead.model.study.workload import Load
from headtohead.report.text.cpus_and_memory_in_words import placement_sentences
from headtohead.report.text.names import loop_of, metric_title
from headtohead.report.text.repeated_cases_and_their_effect import causes_of
from headtohead.report.text.setup_names import in_words, setup_names


@dataclass(frozen=True)
class StudyContext:
    """A study to report on; without ``pictures`` for formats that show none."""

    analysis: Analysis
    recording: Recording
    pictures: bool = True

    @cached_property
    def experiments(self) -> "tuple[ExperimentContext, ...]":
        """Every experiment, in the order of the analysis."""
        return tuple(
            ExperimentContext(self, result, number) for number, result in enumerate(self.analysis.experiments, start=1)
        )

    @cached_property
    def causes_of_repeats(self) -> tuple[str, ...]:
        """Why cases were measured again in the runs that count: of all of them, so found once."""
        return causes_of(self.recording)


@dataclass(frozen=True)
class ExperimentContext:
    """One experiment to report on; ``number`` counts from 1 and makes its anchor unique in the page."""

    study: StudyContext
    result: ExperimentResult
    number: int = 1

    @cached_property
    def planned(self) -> PlannedExperiment | None:
        """Its plan; None if the plan has no experiment of this name."""
        return next((each for each in self.study.recording.plan.experiments if each.name == self.result.name), None)

    @cached_property
    def runs(self) -> tuple[Recorded, ...]:
        """Its runs, in the order they were made."""
        return self.study.recording.runs_of(self.result.name)

    def in_words(self) -> "ExperimentContext":
        """Return the same with setups named in words, for page one: "OpenSSL on 2 CPUs" for ``openssl cpus=2``."""
        names = setup_names(self.planned, self.study.recording.plan.titles)
        return replace(self, result=in_words(self.result, names))

    @property
    def anchor(self) -> str:
        """Where links to its section lead."""
        return f"experiment-{self.number}"

    @property
    def prefix(self) -> str:
        """What makes the ids of its charts unique in the page."""
        return f"c{self.number}"

    @property
    def load(self) -> Load | None:
        """The planned load; None without a plan."""
        return self.planned.load if self.planned else None

    @property
    def loop(self) -> str:
        """The loop as names and sentences call it: see ``text.names.loop_of``."""
        return loop_of(self.load)

    @cached_property
    def summaries(self) -> Mapping[str, Summary]:
        """The planned summaries by name."""
        return {each.name: each for each in self.planned.summaries} if self.planned else {}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The CPUs and nodes of each placement and memory policy, one sentence each."""
        return placement_sentences(self.planned) if self.planned else ()

    @property
    def facts(self) -> Sequence[Fact]:
        """The facts of the first host, which the report compares figures with."""
        hosts = self.study.recording.hosts
        return hosts[0].facts if hosts else ()

    @property
    def virtual(self) -> bool:
        """Whether the first host is a virtual machine: what it shows of cores and caches is the hypervisor's word."""
        found = {each.value for each in self.facts if (each.group, each.name) == ("virtualization", "hypervisor")}
        return bool(found - {None, "none"})

    @property
    def objective(self) -> Mapping[str, float]:
        """The limits that a load must keep to count as carried, by metric; empty if no capacity was searched."""
        return self.load.objective if self.load else {}

    def titled(self, metric: str) -> str:
        """Return a metric's name as words, the loop and its arrivals next to a response time."""
        arrivals = str(self.load.settings.get("arrivals", "poisson")) if self.load else "poisson"
        return metric_title(metric, loop=self.loop, arrivals=arrivals)

    def cell(self, treatment: TreatmentResult, *, metric: str, case: Case = WHOLE_RUN) -> Cell | None:
        """Return the cell of a treatment, or None if there is none."""
        return next((each for each in treatment.cells if each.key == (case, metric)), None)

    def cases(self) -> list[Case]:
        """Return the cases shown next to the primary summary: none if its one case would say the same."""
        cases = self.cases_of(self.result.primary.of)
        return cases if len(cases) > 1 else []

    def cases_of(self, metric: str) -> list[Case]:
        """Return the cases in which a treatment has this metric or it was refused, in reading order."""
        found = {cell.case for each in self.result.treatments for cell in each.cells if cell.metric == metric}
        found |= {each.case for each in self.result.refused if each.metric == metric}
        return sorted(found - {WHOLE_RUN}, key=_natural)

    def other_summaries(self) -> list[Summary]:
        """Return the summaries below a sweep: all of the primary metric but the primary one."""
        result = self.result
        of_it = [each for each in self.summaries.values() if each.of == result.primary.of]
        return [each for each in of_it if each.name != result.primary.name] if result.sweep else []

    def refusal(self, metric: str, case: Case = WHOLE_RUN) -> str:
        """Return why a quantile is not shown in a case; empty if it is shown, or is no quantile."""
        found = [each for each in self.result.refused if each.key == (case, metric)]
        return _refusal_text(min(found, key=lambda each: each.had)) if found else ""

    def refusal_everywhere(self, metric: str) -> str:
        """Return why a quantile is not shown in any case; empty if it is shown in one, or is no quantile."""
        if any(cell.metric == metric for each in self.result.treatments for cell in each.cells):
            return ""
        found = [each for each in self.result.refused if each.metric == metric]
        return _refusal_text(min(found, key=lambda each: each.had)) if found else ""


def _refusal_text(refused: RefusedQuantile) -> str:
    """Return the reason for a refusal.

    >>> _refusal_text(RefusedQuantile(WHOLE_RUN, "response_time_p99_ns", "nginx", 10_000, 4_211))
    'not shown: needs 10,000 requests per run, the smallest run had 4,211'
    """
    return f"not shown: needs {refused.needed:,} requests per run, the smallest run had {refused.had:,}"


def _natural(case: Case) -> list[tuple[str, float, str]]:
    """Return a key that puts ``connections=10`` before ``connections=100``."""
    keys = []
    for name, level in case.levels.items():
        try:
            keys.append((name, float(level), ""))
        except ValueError:
            keys.append((name, 0.0, level))
    return keys

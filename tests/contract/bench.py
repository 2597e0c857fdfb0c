"""One real run of one subject under one workload, small, kept in a temporary results folder."""

import functools
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from headtohead.cli.commands.contract import rules_of_content
from headtohead.cli.this_machine import environment_here
from headtohead.cli.wiring import Question, read_question
from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.prepare.prepare_study import prepare
from headtohead.execute.prepare.prepared_data import check_copies
from headtohead.execute.run.carry_out_run import carry_out
from headtohead.hosts.local import LocalHost
from headtohead.hosts.machine.resources import read_machine
from headtohead.hosts.software import packages
from headtohead.model.plan import Plan
from headtohead.model.record import Recorded
from headtohead.model.rules import GATE, NO_RESPONSE
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Range, Subject
from headtohead.model.study.workload import DataSet, Workload
from headtohead.store import read, write
from headtohead.store.layout import Layout

FORUM = DataSet("forum", 0.01, 1, "kept")
"""The board whose index has as many messages as any other's, in a database of some MB."""

SMALL = {
    "building": DataSet("building", 0.02, 1, "kept"),
    "corpus": DataSet("corpus", 0.02, 1, "kept"),
    "forum": FORUM,
    "weblog": DataSet("weblog", 0.005, 1, "kept"),
}
"""Of each large data set as much as a test needs."""

SHORT = {
    "batch/bonnie-v1": "size_mib = 64\nfiles_1024 = 1\n",
    "batch/chess-v1": "depth = 7\npositions = 64\nhash_mib = 16\n",
    "batch/file-server-v1": "clients = [2]\nseconds = 2\n",
    "batch/file-stream-v1": "processes = [2]\nsize_mib = 16\n",
    "batch/kernels-v1": "seconds = 0.03\n",
    "batch/memory-bandwidth-v1": "seconds = 0.03\n",
    "batch/memory-core-to-core-v1": "seconds = 1.5\n",
    "batch/memory-latency-v1": 'level = ["L1", "L2", "L3", "DRAM"]\nseconds = 0.03\n',
    "batch/memory-loaded-v1": "seconds = 0.03\n",
    "batch/memory-nodes-v1": "seconds = 0.03\n",
    "batch/programs-v1": "seconds = 0.03\n",
    "batch/render-architecture-v1": "width = 100\nheight = 60\n",
    "batch/render-cinema-v1": "width = 100\nheight = 60\nsamples = 8\n",
    "batch/witness-v1": "seconds = 1\n",
    "net/nfs-v1": "processes = [2]\nsize_mib = 16\nblock_kib = 256\n",
    "net/smb-v1": "clients = [2]\nseconds = 2\n",
    "net/sockets-v1": "clients = [2]\nseconds = 2\n",
    "net/tcp-stream-v1": "streams = [2]\nseconds = 1\nomit_s = 0\n",
    "batch/rsa-v1": 'key = ["rsa2048", "ed25519"]\nprocesses = [1]\n',
}
"""Of batch interfaces with long work or many cases: as little as still shows that all of it is honored.

The witness and a line between two CPUs work for longer than by default: programs are read back after 0.2 s, or later
next to other tests. Images may be small: their references are held to whatever the size. Stairs lay memory for seconds:
tests of h2h-memory climb them.
"""

CPUS = {"memory-core-to-core": 2, "memory-loaded": 2}
"""Workloads that need more than one CPU, and how many."""


@dataclass(frozen=True)
class Pair:
    """A subject under a workload whose interface it serves; ``levels`` of the factors by which it needs others.

    ``needed`` holds the subjects among them, by the factor.
    """

    subject: Subject
    workload: Workload
    levels: Mapping[str, str]
    needed: Mapping[str, Subject]

    def __str__(self) -> str:
        """Return its name among the tests."""
        over = "".join(f" over {level}" for level in self.levels.values())
        return f"{self.subject.name}{over} under {self.workload.name}"

    @property
    def cpus(self) -> int:
        """How many CPUs it is given."""
        return CPUS.get(self.workload.name, 1)

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All that has to be installed."""
        return (self.subject, *self.needed.values())


@functools.cache
def pairs(home: Home) -> tuple[Pair, ...]:
    """Return every subject with every workload whose interface it serves, over each of what it may need."""
    return tuple(_pairs(home))


def _pairs(home: Home) -> Iterator[Pair]:
    asked = workloads.read_all(home, catalog.read_metrics(home))
    there = subjects.read_all(home)
    for subject in there.values():
        served = [each for each in asked.values() if each.asks in subject.serves]
        for workload, levels in itertools.product(served, choices(subject)):
            needed = {factor: there[level] for factor, level in levels.items() if level in there}
            yield Pair(subject, workload, levels, needed)


def choices(subject: Subject) -> Iterator[Mapping[str, str]]:
    """Yield each combination of the levels by which a subject needs others; one of none where it needs nothing."""
    levels = {factor: _levels(subject, factor) for factor in subject.needs}
    for chosen in itertools.product(*levels.values()):
        yield dict(zip(levels, chosen, strict=True))


def _levels(subject: Subject, factor: str) -> tuple[str, ...]:
    levels = subject.factors[factor].levels
    return () if isinstance(levels, Range) else tuple(map(str, levels))


def each_once(of: Sequence[Pair]) -> list[Pair]:
    """Return enough pairs that every subject is under each of its workloads, and over each choice of what it needs.

    The choices take turns: whether a database answers rightly under a server does not depend on the page requested.
    """
    found: list[Pair] = []
    for _, its in itertools.groupby(of, key=lambda each: each.subject.name):
        by_workload = [list(each) for _, each in itertools.groupby(its, key=lambda each: each.workload.name)]
        choices = len(by_workload[0])
        turns = range(max(len(by_workload), choices))
        found += [by_workload[turn % len(by_workload)][turn % choices] for turn in turns]
    return found


def need(*needed: Subject) -> None:
    """Skip a test whose subjects are not installed here."""
    missing = [name for each in needed for name in packages.missing(each, host=_Remembering())]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


def need_cpus(pair: Pair) -> None:
    """Skip a test that needs more CPUs than there are, or a link where none can be made."""
    linked = pair.subject.driver is not None
    if len(os.sched_getaffinity(0)) < pair.cpus + linked:
        pytest.skip(f"{pair} needs {pair.cpus + linked} CPUs")
    if linked:
        need_link()


def need_link() -> None:
    """Skip a test where no link can be made."""
    why = _why_no_link()
    if why is not None:
        pytest.skip(f"no link can be made: {why}")


@functools.cache
def _why_no_link() -> str | None:
    return read_machine(()).lacks.get("link")


class _Remembering(LocalHost):
    """This machine, as it was first: which packages are installed is not asked again for each test of a process."""

    def run(self, argv: Sequence[str], *, within_s: float) -> str:
        return _printed(tuple(argv), within_s)


@functools.cache
def _printed(argv: Sequence[str], within_s: float) -> str:
    return LocalHost().run(argv, within_s=within_s)


def study_text(pair: Pair, *, polls: bool = False) -> str:
    """Return a study of one run; the load of servers and of long batch work is short, another program's is its own.

    Unless its driver ``polls``, as in a study, it leaves the CPU to other tests while it waits.
    """
    short = "warm_up_s = 0.1\nmeasure_s = 0.3\n" if pair.workload.load.loop == "closed" else ""
    short += 'poll = "sleep"\n' if short and pair.subject.client is None and not polls else ""
    short += "connections = [2]\n" if pair.workload.queries and short else ""
    short += SHORT.get(pair.workload.asks, "")
    load = f"[experiment.load]\n{short}" if short else ""
    sets = "".join(f', {factor} = "{level}"' for factor, level in pair.levels.items())
    return f"""format = 1
title = "One run of {pair.subject.name}"
seed = 1

[[experiment]]
name = "contract"
question = "Does it honor its interface?"
workload = "{pair.workload.name}"
looks = [1]

[experiment.factors]
subject = [{{ name = "{pair.subject.name}"{sets} }}]
cpus = [{pair.cpus}]

{load}"""


def question(text: str, folder: Path, *, home: Home | None = None) -> Question:
    """Return a study written into a folder, read with its content."""
    path = folder / "contract.toml"
    path.write_text(text)
    return small(read_question(path, home=home))


def small(asked: Question) -> Question:
    """Return the same question of small data sets."""
    return replace(asked, study=replace(asked.study, experiments=tuple(map(_small, asked.study.experiments))))


def _small(experiment: Experiment) -> Experiment:
    """Return an experiment on a small data set: what holds for it holds for a large one."""
    its, needed = ({name: brief(each) for name, each in of.items()} for of in (experiment.subjects, experiment.needed))
    experiment, data = replace(experiment, subjects=its, needed=needed), experiment.workload.data
    if data is None or data.set not in SMALL:
        return experiment
    return replace(experiment, workload=replace(experiment.workload, data=SMALL[data.set]))


def brief(subject: Subject) -> Subject:
    """Return a subject that wants no warm-up, and no load before the load."""
    return replace(subject, warm_up_s=0.0, settle_s=0.0)


def environment(*, patient: bool = False) -> Environment:
    """Return the environment of a study on this machine; its gates let each case begin at once, also to the patient."""
    del patient
    here = _environment()
    return Environment(here.host, here.bin, here.cache, here.user, gate=replace(GATE, for_s=0.0, within_s=0.0))


@functools.cache
def _environment() -> Environment:
    """Return the environment of a study, whose programs are compared with those built once in a process."""
    return environment_here()


def one_run(asked: Question, folder: Path, *, plan: Plan | None = None) -> Recorded:
    """Carry out the first run of a study, of its plan if that is made; return it as its folder holds it."""
    context = StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content())
    return run_on(context, asked, folder, plan=plan)


LATE = "took over a second to begin"
"""What a file server's client reports on a machine that is busy with other tests."""
LONGER_S = 5.0
"""The measured time of a run that is carried out once more, if it has one: the first was less than a request took."""
REPEATED: list[str] = []
"""Why runs were carried out once more, since the last test; the end of the log of all tests has it (`conftest.py`)."""
LOG_LINES, LETTERS = 12, 200


def run_on(study_context: StudyContext, asked: Question, folder: Path, *, plan: Plan | None = None) -> Recorded:
    """Carry out the first run of a study in a study context, once more if other tests kept it; return the last.

    It is returned as its folder holds it.
    """
    plan = plan or asked.plan(asked.machine())
    layout = Layout(folder / "results")
    write.begin(layout, study=asked.study.content, plan=plan, hosts=())

    def attempted(attempt: int) -> Recorded:
        (experiment, *_) = plan.experiments
        if attempt > 1 and experiment.load.loop == "closed":
            experiment = replace(experiment, load=replace(experiment.load, measure_s=LONGER_S))
        ordered = RunRequest(experiment, experiment.runs[0], attempt, attempt)
        carry_out(study_context, layout, ordered)
        return read.recording(layout.root).runs[-1]

    with study_context:
        prepare(study_context, plan)
        affinity = os.sched_getaffinity(0)
        try:
            recorded = once_more_if_kept(attempted, layout.root / "runs")
            assert check_copies(study_context, plan) == {}
        finally:
            os.sched_setaffinity(0, affinity)
    return recorded


def once_more_if_kept(attempted: Callable[[int], Recorded], runs: Path) -> Recorded:
    """Carry out a run, once more if its clients began late or no request ended, and keep why; return the last.

    What its clients printed is kept too.
    """
    recorded = attempted(1)
    if any(LATE in reason or reason.startswith(NO_RESPONSE.id) for reason in recorded.run.reasons):
        logs = (f"{each.name}: {line}" for each in _logs(runs) for line in _last_lines(each))
        load = f"load {os.getloadavg()[0]:.1f}, CPUs {sorted(os.sched_getaffinity(0))}"
        REPEATED.append("\n".join([f"carried out once more ({load}):", *recorded.run.reasons, *logs]))
        recorded = attempted(2)
    return recorded


def _logs(runs: Path) -> list[Path]:
    return [each for each in sorted(runs.glob("*/logs/*")) if each.is_file()]


def _last_lines(log: Path) -> list[str]:
    return [each[:LETTERS] for each in log.read_text(errors="replace").splitlines()[-LOG_LINES:]]

"""A bench on a machine that is not there, with pages that every server gives, and a results folder."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import pytest

from headtohead.cli.commands.run import run_rules
from headtohead.describe.home import Home, find_home
from headtohead.describe.study.study import read_study
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import PartKey, StudyContext
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.pages.request_page import PLAIN_GET, Answer, Sent
from headtohead.execute.prepare.prepare_study import prepare
from headtohead.execute.run.carry_out_run import carry_out
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.fake.script import Clock, Launch, Outcome, Script, load_outcome, plain_program
from headtohead.model.machine.host import Cpu, Machine
from headtohead.model.plan import Plan
from headtohead.model.record import Recorded
from headtohead.plan.expand import make_plan
from headtohead.plan.servers import BenchMachines
from headtohead.store import read, write
from headtohead.store.layout import Layout

TWO_CPUS = Machine("local", (Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1)), root=True)
PAGE = b"x" * 19_251
Pages = Callable[[str], Answer]
"""Gives the answer to a path with its query."""


def one_experiment(workload: str, subject: str, *, factors: str = "", load: str = "") -> str:
    """Return a study of one subject on one CPU, with more factors and a load as TOML."""
    return f"""format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "tiny"
question = "Which?"
workload = "{workload}"
looks = [6]

[experiment.factors]
subject = ["{subject}"]
cpus = [1]
{factors}
[experiment.load]
{load}
"""


class Laboratory:
    """One study on a fake host. ``pages`` answers for every server, ``script`` says what programs do."""

    def __init__(
        self, text: str, folder: Path, *, home: Home, pages: Pages, machine: Machine | BenchMachines = TWO_CPUS
    ) -> None:
        self.folder = folder
        (folder / "study.toml").write_text(text)
        study = read_study(folder / "study.toml", home)
        same = {each.name: "0" for each in study.experiments}
        self.plan: Plan = make_plan(study, machine, version="0", same_test=same)
        self.script, self.clock, self.pages = Script(), Clock(), pages
        self.asked: list[str] = []
        self.responds_in_s = 0.0
        self.host = FakeHost(script=self.script, clock=self.clock)
        environment = Environment(self.host, folder / "bin", folder / "cache", None, self.clock.now_ns, self._get)
        environment.cache.mkdir()
        self.layout = Layout(folder / "results")
        write.begin(self.layout, study=text.encode(), plan=self.plan, hosts=())
        self.study_context = StudyContext(environment, study, home.known_datasets(), run_rules())

    def prepared(self) -> Self:
        """Generate, build and prepare what the study needs."""
        prepare(self.study_context, self.plan)
        return self

    def run(self, number: int = 1, *, earlier: tuple[Recorded, ...] = ()) -> Recorded:
        """Make the planned run of that number; return it as its folder holds it."""
        experiment = self.plan.experiments[0]
        carry_out(
            self.study_context, self.layout, RunRequest(experiment, experiment.runs[number - 1], 1, number, earlier)
        )
        return read.recorded(self.layout, number)

    def loads(self) -> list[Launch]:
        """Return every start of the load generator for a case or a trial in the last run, in order."""
        return [each for each in self.launches() if each.name.startswith(("walk-", "trial-"))]

    def checks(self) -> list[Launch]:
        """Return every start of the load generator for answers that must be right, in the last run, in order."""
        return [each for each in self.launches() if each.name.startswith("check.")]

    def launches(self) -> list[Launch]:
        """Return every program of the last run, in the order of their starts."""
        (*_, last) = (each for each in self.host.supervises if each.programs)
        return [each.launch for each in last.programs.values()]

    def _get(self, url: str, within_s: float, *, sent: Sent = PLAIN_GET, ca: Path | None = None) -> Answer:
        del sent, ca
        if within_s < self.responds_in_s:
            raise TimeoutError
        parts = urlsplit(url)
        self.asked.append(url)
        return self.pages(f"{parts.path}?{parts.query}" if parts.query else parts.path)


class Ready(Laboratory):
    """A laboratory in which everything is prepared."""

    page: Answer

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text, folder, home=find_home(), pages=lambda _: self.page)
        self.page = Answer(200, PAGE)
        (folder / "data").mkdir()
        (folder / "data" / "article.html").write_bytes(PAGE)
        self.study_context.data = {each.name: (folder / "data", "0") for each in self.plan.experiments if each.data}
        planned = [(each, treatment) for each in self.plan.experiments for treatment in each.treatments]
        self.study_context.builds = {
            PartKey(treatment.subject, each.name, treatment.label): folder for each, treatment in planned
        }
        self.study_context.versions = {key: f"{key.subject} 1" for key in self.study_context.builds}


def fake_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run ask for CPUs that this machine may not have."""
    monkeypatch.setattr(os, "sched_setaffinity", lambda *_: None)


def tiny_home(folder: Path) -> Home:
    """Return a home of its own: a board, a store that it may need, and a few pages."""
    root = folder / "home"
    root.mkdir()
    for each in (Path(__file__).parent / "home").iterdir():
        (root / each.name).symlink_to(each)
    (root / "schemas").symlink_to(find_home().schemas)
    return Home(root)


def tiny_page(path: str) -> Answer:
    """Give the right page of the data set "tiny": its own path."""
    return Answer(200, path.encode())


def tiny_program(launch: Launch) -> Outcome:
    """Do what the subjects of the tiny home do: a store writes its data, counts it, and serves."""
    match Path(launch.argv[0]).name:
        case "store-init":
            Path(launch.argv[1], "table").write_text(launch.argv[2])
            return Outcome(takes_s=0.1)
        case "store-check":
            return Outcome(takes_s=0.1, stdout="rows\t30\n")
        case "store-load" | "store-ask" | "store-warm" | "wc":
            return Outcome(takes_s=0.1)
        case "store-show":
            return Outcome(takes_s=0.1, stdout="cache_mib\t512\t128\nbatch\t1\t1\n")
        case "store-count":
            return Outcome(takes_s=0.1, stdout=f"buffer_requests\t{launch.at_ns // 10**6}\nbuffer_reads\t7\n")
        case "python3":
            return load_outcome(launch, rate_per_s=1_000.0)
        case "store" | "board":
            return Outcome(cpus_busy=0.0)
        case _:
            return plain_program(launch)

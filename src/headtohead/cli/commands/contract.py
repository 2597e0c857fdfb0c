"""`headtohead test-content`: the contract tests of subjects and workloads of one's own, a line each."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from headtohead.cli.commands.run import run_rules
from headtohead.cli.exit_status import WaitOption
from headtohead.cli.stopped_by_signals import stopped_by_signals
from headtohead.cli.terminal import wrapped
from headtohead.cli.this_machine import environment_here, measuring_here
from headtohead.cli.wiring import ContentOption, Question, content_here, home_with, read_question
from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import RunRules, StudyContext
from headtohead.execute.prepare.prepare_study import prepare
from headtohead.execute.run.carry_out_run import carry_out
from headtohead.hosts.local import LocalHost
from headtohead.hosts.own_folder import own_folder
from headtohead.hosts.paths import PREFIX, RUNS
from headtohead.hosts.software import packages
from headtohead.model.errors import HeadToHeadError, WordsError
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recorded
from headtohead.model.rules import GATE, NO_RESPONSE
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import BatchExpect, Expect, Workload
from headtohead.store import read, write
from headtohead.store.layout import Layout

OF_THE_MACHINE = ("foreign-cpu", "steal", "client-limited", "gate")
"""The rules about what the machine does to a run: they are not about content."""
WRONG = "wrong-server"
WRONG_SERVER = """format = 1
name   = "wrong-server"
title  = "A server that has no page"
serves = ["{asks}"]

[start]
argv     = ["h2h-load", "respond", "--port", "@port@", "--directory", "@run@"]
ready    = {{ http = "@url@@path@", any_status = true }}
within_s = 10

[reach]
url = "http://127.0.0.1:@port@"
"""
STUDY = """format = 1
title  = "A contract test"
seed   = 1

[[experiment]]
name     = "contract"
question = "Does it honor its interface?"
workload = "{workload}"
looks    = [1]

[experiment.factors]
subject = ["{subject}"]
"""
LOAD = "\n[experiment.load]\nwarm_up_s = 0.1\nsettle_s = 0\nmeasure_s = {measure_s}\n"
SHORT_S = 0.5
LONG_S = 10.0
"""How long a run is measured, and once more if no request ended in that time: a service may be slow, and right."""


def command(*, content: ContentOption = None, wait: WaitOption = False) -> None:
    """Test your own subjects and workloads.

    Each subject of your own runs shortly under each workload that it serves, and each workload of your own under each
    subject: it starts, is ready, gives correct responses, stops and leaves nothing. Then wrong content must be refused,
    and a wrong server too. Print a line for each; exit 1 if one fails. Content is found in the current folder, in
    --content, and in your own folder.
    """
    home = home_with([*content_here(), *(content or ())])
    pairs = tuple(_own_pairs(home))
    if not pairs:
        why = "Neither the current folder nor --content has a subject or a workload whose interface fits another's."
        raise WordsError("There is nothing to test", why=why, remedy="`headtohead new subject NAME` writes one.")
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    failed, done = 0, set[str]()
    with stopped_by_signals(), measuring_here("test-content", since=since, wait=wait):
        for subject, workload in pairs:
            for line, wrong in trials_of(subject, workload, home, wrong_server=workload.name not in done):
                failed += bool(wrong)
                text = f"{'failed' if wrong else 'ok':7} {line}{f': {wrong}' if wrong else ''}"
                print(wrapped(text, sys.stdout), flush=True)
            done.add(workload.name)
    sys.exit(1 if failed else 0)


def _own_pairs(home: Home) -> Iterator[tuple[Subject, Workload]]:
    """Yield each subject with each workload that it serves, where one of the two is one's own."""
    servers, asked = subjects.read_all(home), workloads.read_all(home, catalog.read_metrics(home))
    for subject in servers.values():
        for workload in (each for each in asked.values() if each.asks in subject.serves):
            if not all(Path(each.folder).is_relative_to(home.root.resolve()) for each in (subject, workload)):
                yield subject, workload


def trials_of(
    subject: Subject, workload: Workload, home: Home, *, wrong_server: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield each test of a pair, and what is wrong; empty if it passed."""
    name = f"{subject.name} under {workload.name}"
    missing = packages.missing(subject, host=LocalHost())
    if missing:
        yield name, f"not installed: {', '.join(missing)}"
        return
    with own_folder() as scratch:
        trial = Trial(home, scratch, subject.name, workload)
        wrong = trial.right()
        yield f"{name}: starts, gives correct responses, stops, leaves nothing", wrong
        if wrong:
            return
        if spoiled(workload) is not None:
            yield f"{name}: wrong content is refused", trial.refused(spoiled(workload))
        if wrong_server and workload.asks.startswith("http/") and "-tls-" not in workload.asks:
            (scratch / "subjects" / WRONG).mkdir(parents=True)
            text = WRONG_SERVER.format(asks=workload.asks)
            (scratch / "subjects" / WRONG / "subject.toml").write_text(text)
            other = replace(trial, home=home.with_own([scratch]), subject=WRONG)
            yield f"{workload.name}: a wrong server is refused", other.refused()


@dataclass(frozen=True)
class Trial:
    """Short runs of a subject under a workload, in a folder of their own."""

    home: Home
    scratch: Path
    subject: str
    workload: Workload

    def right(self) -> str:
        """Return what is wrong with a run; empty if nothing is."""
        try:
            recorded = self._run(self._question())
            if any(each.startswith(NO_RESPONSE.id) for each in recorded.run.reasons):
                recorded = self._run(self._question(LONG_S))
        except HeadToHeadError as error:
            return f"{error.what}: {error.why}"
        left = [str(each) for each in RUNS.glob(f"{PREFIX}{os.getpid()}-*") if each != self.scratch]
        late = recorded.run.usage.get("stopped_in_time", 1.0) != 1.0
        if recorded.run.status != "valid":
            return "; ".join(recorded.run.reasons)
        if not recorded.records:
            return "it recorded nothing"
        return "it did not stop in time" if late else f"it left {', '.join(left)}" if left else ""

    def refused(self, workload: Workload | None = None) -> str:
        """Return why a run that must be refused was not; empty if it was, and names the response or the answer."""
        asked = self._question()
        if workload is not None:
            (one,) = asked.study.experiments
            asked = replace(asked, study=replace(asked.study, experiments=(replace(one, workload=workload),)))
        reasons = " ".join(self._run(asked).run.reasons)
        refused = any(each in reasons for each in ("answers wrongly", "wrong-answer", "did not become ready"))
        return "" if refused else f"it counted as right ({reasons or 'valid'})"

    def _question(self, measure_s: float = SHORT_S) -> Question:
        text = STUDY.format(workload=self.workload.name, subject=self.subject)
        path = self.scratch / "contract.toml"
        path.write_text(text + (LOAD.format(measure_s=measure_s) if self.workload.load.loop == "closed" else ""))
        return read_question(path, home=self.home)

    def _run(self, asked: Question) -> Recorded:
        plan = asked.plan(asked.machine())
        number = len(list(self.scratch.glob("results-*"))) + 1
        layout = Layout(self.scratch / f"results-{number}")
        write.begin(layout, study=asked.study.content, plan=plan, hosts=())
        gate = replace(GATE, for_s=0.0, within_s=0.0)
        environment = replace(environment_here(), gate=gate, shown=asked.working_directories)
        affinity = os.sched_getaffinity(0)
        (experiment,) = plan.experiments
        try:
            with StudyContext(environment, asked.study, asked.home.known_datasets(), rules_of_content()) as context:
                prepare(context, plan)
                carry_out(context, layout, RunRequest(experiment, experiment.runs[0], 1, 1))
        finally:
            os.sched_setaffinity(0, affinity)
        return read.recording(layout.root).runs[0]


def spoiled(workload: Workload) -> Workload | None:
    """Return a workload that expects other responses than the right ones; None for one without such a check."""
    if workload.expect is not None:
        return replace(workload, expect=BatchExpect("not the answer", {}, 0.0))
    if not workload.requests or any(each.path is None for each in workload.requests):
        return None
    wrong = (replace(each, expect=_spoiled(each.expect)) for each in workload.requests)
    return replace(workload, requests=tuple(wrong))


def _spoiled(expect: Expect) -> Expect:
    return replace(expect, body=None, sha256="0" * 64, sample=1.0)


def rules_of_content() -> RunRules:
    """Return the rules of a study without those about the machine, so that it may run next to anything."""
    every = run_rules()

    def judge(recorded: Recorded, experiment: PlannedExperiment) -> Recorded:
        judged = every.judge(recorded, experiment)
        own = tuple(each for each in judged.run.reasons if not each.startswith(OF_THE_MACHINE))
        status = judged.run.status if own else "valid"
        return replace(judged, run=replace(judged.run, status=status, reasons=own))

    return replace(every, judge=judge)

"""`headtohead run STUDY`: carry it out with progress and time left; resume an interrupted study."""

import contextlib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from headtohead.analyze.capacity.next_trial import next_trial
from headtohead.analyze.findings import judge
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import dropped, permanent
from headtohead.analyze.study import analyze_experiment
from headtohead.analyze.verdicts.when_to_stop import decided
from headtohead.cli.bench import BenchOption
from headtohead.cli.commands.results.report import render, report_line
from headtohead.cli.durations import as_before_here, ask_time_for_search, keep_durations_here
from headtohead.cli.exit_status import (
    FailIf,
    FailIfOption,
    JunitOption,
    MarkdownOption,
    StudyInterrupted,
    TolerateNoiseOption,
    WaitOption,
    ask_verdicts,
    ask_writable,
    exit_code,
    reason,
    write_verdicts,
)
from headtohead.cli.folders.add_blocks import MoreOption, OnlyOption, ask_only, with_more_blocks
from headtohead.cli.folders.external_results import GivenOption, ask_given
from headtohead.cli.folders.facts_and_prices import PricesOption, StatedFiles, SystemsOption, chosen, read_stated_files
from headtohead.cli.folders.folder_of_study import ask_kept, folder_for
from headtohead.cli.machines import Environments, Machines, ThisMachine, lab
from headtohead.cli.progress import ProgressBar
from headtohead.cli.reference_machine import ReferenceOption, ask_comparable
from headtohead.cli.stopped_by_signals import stopped_by_signals
from headtohead.cli.terminal import look
from headtohead.cli.wiring import ContentOption, JsonOption, Question, StudyArgument, read_question, say
from headtohead.describe.bench import read_bench
from headtohead.describe.race.content import STUDY, write_files
from headtohead.execute.carry_out_plan import Session, StoppingRules, wall_s
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import RunRules, StudyContext
from headtohead.execute.data.datasets import changed_files
from headtohead.execute.prepare.find_changed_data_sets import changed_data_sets
from headtohead.execute.prepare.prepare_study import prepare
from headtohead.execute.prepare.prepared_data import check_copies
from headtohead.execute.run.carry_out_run import carry_out
from headtohead.hosts.paths import cache_dir
from headtohead.model.analysis.results import Analysis
from headtohead.model.errors import SubjectError, WordsError
from headtohead.model.plan import Plan, PlannedExperiment, PlannedRun
from headtohead.model.record import Recorded, Recording
from headtohead.model.rules import GATE
from headtohead.plan.forecast.duration import duration_s
from headtohead.report.terminal import summary
from headtohead.report.terminal.plan import duration_sentence
from headtohead.store import read, write
from headtohead.store.convert import to_json
from headtohead.store.given_facts import keep_stated
from headtohead.store.layout import Layout
from headtohead.store.machine_records import keep_floor, keep_spreads, read_floor, read_spreads
from headtohead.store.proof import seal
from headtohead.store.proof.inspection import emptied
from headtohead.store.write import mark_invalid

UNWAITED = replace(GATE, within_s=2 * GATE.for_s)
"""The gate where noise is tolerated: it notes what others use, and waits for nothing."""


def command(
    study: StudyArgument,
    *,
    results: Annotated[Path, typer.Option(help="The folder in which the results folder is made.")] = Path("results"),
    reference: ReferenceOption = None,
    given: GivenOption = None,
    systems: SystemsOption = None,
    prices: PricesOption = None,
    content: ContentOption = None,
    fail_if: FailIfOption = None,
    junit: JunitOption = None,
    markdown: MarkdownOption = None,
    wait: WaitOption = False,
    tolerate_noise: TolerateNoiseOption = False,
    more: MoreOption = None,
    only: OnlyOption = None,
    json: JsonOption = False,
    bench: BenchOption = None,
) -> None:
    """Carry out a study and write results and report.

    Show progress and the time left. Resume the study if it was interrupted. With --bench, programs are measured on its
    servers, and requests come from its driver.
    """
    ask_verdicts(fail_if, tolerate_noise=tolerate_noise)
    question = read_question(study, content=content or ())
    ask_given(given)
    if bench is not None and systems is not None:
        why = "One file of a machine's price and power would stand for all servers."
        raise WordsError("run", why=why, remedy="Leave out --systems, or --bench.")
    if bench is not None and wait:
        raise WordsError("run", why="--wait waits for this machine only.", remedy="Leave out --wait, or --bench.")
    ask_only(only, more)
    stated_files = read_stated_files(systems, prices, home=question.home, ours=bench is None)
    asked = (results, reference, given, stated_files, fail_if, junit, markdown)
    wanted = Wanted(*asked, json=json, wait=wait, more=more, only=tuple(only or ()), tolerate_noise=tolerate_noise)
    with stopped_by_signals():
        if bench is None:
            measure(question, wanted)
        with lab(read_bench(bench, question.home), question) as machines:
            measure(question, wanted, machines)


@dataclass(frozen=True)
class Wanted:
    """What a study's results are compared with, where they go, and how they are printed."""

    results: Path
    reference: Path | None
    given: Path | None
    stated_files: StatedFiles
    fail_if: FailIf | None = None
    junit: Path | None = None
    markdown: Path | None = None
    json: bool = False
    wait: bool = False
    more: int | None = None
    tolerate_noise: bool = False
    content: Mapping[str, bytes] = field(default_factory=dict)
    """The files that the study consists of if it was written for this race, by their path: kept with its results."""
    only: tuple[str, ...] = ()
    """The experiments that ``more`` is for; empty for all that are undecided."""


def measure(question: Question, wanted: Wanted, machines: Machines | None = None) -> NoReturn:
    """Carry out a study on these machines (default: this one), print its summary, and exit with its status."""
    ask_writable(wanted.junit, wanted.markdown)
    layout, recording, analysis = measured(question, wanted, machines)
    write_verdicts(analysis, as_junit=wanted.junit, as_markdown=wanted.markdown)
    print(to_json(analysis) if wanted.json else summary.render(analysis, recording, **look(sys.stdout)), end="")
    if not wanted.json:
        print(report_line(layout, recording))
    code = exit_code(analysis, fail_if=wanted.fail_if)
    if wanted.fail_if is not None:
        sys.stdout.flush()
        say(reason(code, wanted.fail_if))
    sys.exit(code)


def measured(
    question: Question, wanted: Wanted, machines: Machines | None = None
) -> tuple[Layout, Recording, Analysis]:
    """Carry out a study and write its report; return its results folder, and what is in it."""
    machines = machines or ThisMachine(question, wait=wanted.wait)
    plan = question.plan(machines.machine())
    plan = plan.tolerating_noise() if wanted.tolerate_noise else plan
    ask_comparable(wanted.reference, plan)
    if wanted.more is None:
        forecast_s = duration_s(_expected(plan, here=isinstance(machines, ThisMachine)))
        if wanted.content:
            ask_time_for_search(plan, forecast_s[0])
        say(duration_sentence(plan, *forecast_s))
    for left in plan.left_out:
        say(f"Left out: {left.experiment}{f', {left.treatment}' if left.treatment else ''}: {left.reason}")
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with stopped_by_signals(), machines.measuring(question, plan, since=since) as environments:
        layout = _begin(question, plan, wanted, machines)
        try:
            _carry_out(question, layout, environments)
        except KeyboardInterrupt:
            say(f"Interrupted. Completed runs are kept in {layout.root}; the same command resumes the study.")
            raise StudyInterrupted from None
        return layout, *render(layout.root, wanted.reference, wanted.given)


def _begin(question: Question, plan: Plan, wanted: Wanted, machines: Machines) -> Layout:
    """Return the results folder of the study, created if it is new; print its path."""
    day, study = datetime.now(UTC).strftime("%Y-%m-%d"), question.study.content
    if wanted.more is None:
        layout, going_on = folder_for(study, wanted.results, plan=plan, base=f"{day}-{question.path.stem}")
    else:
        layout, going_on = with_more_blocks(study, wanted.results, plan, blocks=wanted.more, only=wanted.only), True
    hosts = read.hosts(layout) if going_on else machines.facts()
    stated = chosen(wanted.stated_files, layout.root, hosts)
    if not going_on and isinstance(machines, ThisMachine):
        floor = read_floor(cache_dir())
        if floor is not None:
            keep_floor(layout.root, floor)
        spreads = read_spreads(cache_dir())
        if spreads is not None:
            keep_spreads(layout.root, spreads)
    if not going_on:
        write.begin(layout, study=question.study.content, plan=plan, hosts=hosts)
    for name, content in stated.items():
        keep_stated(layout.root, name, content)
    if wanted.content and not layout.content.exists():
        write_files(wanted.content, layout.content)
        say(f"Its content is kept: `headtohead run {layout.content / STUDY}` measures again.")
    say(f"{'Resuming in' if going_on else 'Results go to'} {layout.root}.")
    return layout


def _expected(plan: Plan, *, here: bool) -> Plan:
    """Return the plan with the durations of earlier runs, where the study is of this machine."""
    return as_before_here(plan).plan if here else plan


def _carry_out(question: Question, layout: Layout, environments: Environments) -> None:
    """Prepare, carry out the plan, and mark the study as finished."""
    write.tidy(layout)
    if emptied(layout):
        say(f"All {seal.restart(layout)} runs of {layout.root} were removed: the study begins again there.")
    kept = read.recording(layout.root).proof
    seal.reopen(layout, kept.after if kept else ())
    recording = read.recording(layout.root)
    plan = recording.plan
    contexts = {
        server: StudyContext(
            replace(each, gate=UNWAITED) if plan.tolerates_noise else each,
            question.study,
            question.home.known_datasets(),
            run_rules(),
        )
        for server, each in environments.items()
    }

    def verdicts(experiment: PlannedExperiment, runs: Sequence[Recorded], why: str) -> tuple[str, ...]:
        so_far = replace(recording, runs=tuple(runs), stopped={experiment.name: why})
        return summary.verdict_lines(analyze_experiment(so_far, experiment), experiment, plan.titles)

    here = None in environments
    with ProgressBar(_expected(plan, here=here), verdicts=verdicts) as bar, contextlib.ExitStack() as stack:
        for server, each in contexts.items():
            each.show, each.show_trial, each.show_wait = bar.tell, bar.trying, bar.waiting
            prepare(stack.enter_context(each), plan.going_on().on(server))

        def make(experiment: PlannedExperiment, planned: PlannedRun, attempt: int, number: int) -> Recorded:
            ask_kept(layout, session.runs)
            earlier = session.valid(experiment, planned.treatment)
            study_context = contexts[experiment.treatment(planned.treatment).server]
            return carry_out(study_context, layout, RunRequest(experiment, planned, attempt, number, earlier))

        spent_s = sum(wall_s(each) for each in recording.runs)
        session = Session(
            plan,
            make,
            StoppingRules(decided, dropped, permanent),
            bar,
            time.monotonic,
            runs=list(recording.runs),
            spent_s=spent_s,
        )
        try:
            stopped = session.walk()
        finally:
            if here and not plan.tolerates_noise:
                keep_durations_here(plan, session.runs, recording.hosts)
        ask_kept(layout, session.runs)
        for server, each in contexts.items():
            for number, reason in check_copies(each, plan.going_on().on(server)).items():
                mark_invalid(layout, number, reason=reason)
    changed = sorted({name for each in contexts.values() for name in changed_data_sets(each)})
    if changed:
        raise SubjectError(
            f"The data set of {', '.join(changed)} changed while it was measured",
            why="Its checksum differs from the one at the start of the study.",
            remedy="Run `headtohead clean --caches`, then run the study again into a new folder.",
        )
    for name in changed_files(question.study):
        say(f"{name} changed while it was measured. The results are those of the file as it was at the start.")
    layout.markdown.unlink(missing_ok=True)  # of an unfinished study; the last file written shows that all is done
    write.end(layout, stopped)


def run_rules() -> RunRules:
    """Return the rules that do not see the result, for ``execute``."""
    return RunRules(_judge, next_trial)


def _judge(recorded: Recorded, experiment: PlannedExperiment) -> Recorded:
    judgment = judge(recorded, experiment)
    run = replace(recorded.run, status=judgment.status, reasons=judgment.reasons, cpu_s=judgment.cpu_use)
    return replace(recorded, run=run)

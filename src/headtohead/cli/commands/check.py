"""`headtohead check STUDY`: validate a study and show its plan; change nothing."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from headtohead.analyze.statistics.verdict import MINIMUM
from headtohead.cli.bench import BenchOption
from headtohead.cli.durations import as_before_here
from headtohead.cli.terminal import look
from headtohead.cli.wiring import (
    ContentOption,
    JsonOption,
    Question,
    StudyArgument,
    find_study,
    machine_for,
    read_question,
)
from headtohead.describe.bench import read_bench
from headtohead.describe.study.lint import Checked, check_words
from headtohead.describe.toml.lines import line_of
from headtohead.describe.toml.position import Place, PlacedError
from headtohead.hosts.facts import read_facts
from headtohead.hosts.paths import cache_dir
from headtohead.hosts.software.packages import programs_lacking
from headtohead.model.errors import HeadToHeadError, LimitedError
from headtohead.model.machine.host import Machine
from headtohead.model.machine.noise import changed
from headtohead.model.plan import Plan
from headtohead.plan.expand import not_given
from headtohead.plan.forecast.duration import USUAL_SPREAD, duration_s, smallest_ratio
from headtohead.plan.forecast.earlier import as_before
from headtohead.plan.forecast.results import report_forecast
from headtohead.report.terminal.lists_and_errors import render_error
from headtohead.report.terminal.plan import USUAL, Forecast, ResultsSize, render_plan
from headtohead.store.convert import to_json
from headtohead.store.machine_records import read_floor


def command(
    study: StudyArgument, *, bench: BenchOption = None, content: ContentOption = None, json: JsonOption = False
) -> None:
    """Validate a study and print its plan.

    Also print its duration and the smallest difference that it can detect. Change nothing. Print all errors of the
    study and of what it names, each with its line, and the levels that this machine cannot give. Packages need not be
    installed; what is missing is listed. With --bench, plan for the machines of a bench, each with its own CPUs and
    packages.
    """
    machine = _checked_machine(study, content or (), elsewhere=bench is not None)
    question = read_question(study, content=content or ())
    missing: Mapping[str, tuple[str, ...]] = {}
    if bench is None:
        machine = machine or question.machine()
        missing = _missing(machine)
        plan = question.plan(replace(machine, missing={}, unobtainable={}))
        question.ask_room(plan)
    else:
        plan = question.plan(question.machines(read_bench(bench, question.home)))
    if json:
        print(to_json(plan), end="")
        return
    before = as_before_here(plan) if bench is None else as_before(plan, None)
    plan = before.plan
    first_s, last_s = duration_s(plan)
    spread, where = spread_here() if bench is None else (USUAL_SPREAD, USUAL)
    seen = {each.name: smallest_ratio(each, spread=spread) for each in plan.experiments}
    smallest = {name: ratio for name, ratio in seen.items() if ratio is not None}
    forecast = Forecast(
        first_s,
        last_s,
        smallest,
        where,
        _results(plan),
        verdict_needs_blocks=MINIMUM,
        missing=missing,
        programs=_programs(question, missing) if bench is None else {},
        made_before=(before.known, before.treatments),
    )
    print(render_plan(plan, forecast, **look(sys.stdout)), end="")


def _checked_machine(study: Path, content: Sequence[Path], *, elsewhere: bool) -> Machine | None:
    """Print all errors of a study and exit, if there are any; else return this machine, or None if it runs elsewhere.

    Errors are those of the study's words, and the levels that this machine cannot give.
    """
    path, home = find_study(study, content=content)
    checked = check_words(path, home) if path.exists() else Checked(())
    errors: list[tuple[HeadToHeadError, Place | None]] = [
        (each, each.place if isinstance(each, PlacedError) else None) for each in checked.errors
    ]
    machine = None if elsewhere else machine_for([each for _, each in checked.experiments])
    if machine is not None:
        complete = replace(machine, missing={}, unobtainable={})
        for place, experiment in checked.experiments:
            errors += [(_in_file(each, place), place) for each in not_given(experiment, complete)]
    for each, at in errors:
        line = None if at is None else line_of(at)
        print(render_error(each, line=line, **look(sys.stderr)), file=sys.stderr, end="")
    if errors:
        raise typer.Exit(errors[0][0].exit_code)
    return machine


def _in_file(error: LimitedError, place: Place) -> LimitedError:
    return LimitedError(f"{place.file}, {error.what}", why=error.why, remedy=error.remedy)


def _missing(machine: Machine) -> Mapping[str, tuple[str, ...]]:
    """Return what the study's subjects lack on the machine, and why some of it is not to be had."""
    names = {*machine.missing, *machine.unobtainable}
    return {
        name: (*machine.missing.get(name, ()), *((why,) if (why := machine.unobtainable.get(name)) else ()))
        for name in names
    }


def _programs(question: Question, missing: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the programs that are not on this machine, of subjects that lack no package."""
    return programs_lacking(each for name, each in question.subjects.items() if name not in missing)


def _results(plan: Plan) -> ResultsSize | None:
    """Return what the results will take, where that is much."""
    each = report_forecast(plan)
    return ResultsSize(each.runs, each.seconds, each.size_bytes) if each.is_large else None


def spread_here() -> tuple[float, str]:
    """Return the spread of ratios within blocks and its source: the machine's noise floor, if it still applies."""
    floor = read_floor(cache_dir())
    if floor is None or any(changed(floor.facts, (read_facts("local"),))):
        return USUAL_SPREAD, USUAL
    return floor.spread, f"by this machine's noise floor ({floor.subject})"

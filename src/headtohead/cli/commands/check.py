"""`headtohead check STUDY`: validate a study and show its plan; change nothing."""

import sys

from headtohead.cli.bench import BenchOption
from headtohead.cli.wiring import ContentOption, JsonOption, StudyArgument, read_question
from headtohead.describe.bench import read_bench
from headtohead.hosts.facts import read_facts
from headtohead.hosts.paths import cache_dir
from headtohead.model.machine.noise import changed
from headtohead.model.plan import Plan
from headtohead.plan.forecast.duration import USUAL_SPREAD, duration_s, smallest_ratio
from headtohead.plan.forecast.results import report_forecast
from headtohead.report.terminal import summary
from headtohead.report.terminal.command_output import USUAL, Forecast, ResultsSize
from headtohead.store.convert import to_json
from headtohead.store.noise import read_floor


def command(
    study: StudyArgument, *, bench: BenchOption = None, content: ContentOption = None, json: JsonOption = False
) -> None:
    """Validate a study and print its plan.

    Also print its duration and the smallest difference that it can detect. Change nothing. With --bench, plan for the
    machines of a bench, each with its own CPUs and packages.
    """
    question = read_question(study, content=content or ())
    if bench is None:
        plan = question.plan(question.machine())
        question.ask_room(plan)
    else:
        plan = question.plan(question.machines(read_bench(bench, question.home)))
    if json:
        print(to_json(plan), end="")
        return
    first_s, last_s = duration_s(plan)
    spread, where = spread_here() if bench is None else (USUAL_SPREAD, USUAL)
    seen = {each.name: smallest_ratio(each, spread=spread) for each in plan.experiments}
    told = {name: ratio for name, ratio in seen.items() if ratio is not None}
    forecast = Forecast(first_s, last_s, told, where, _results(plan))
    print(summary.render_plan(plan, forecast, color=sys.stdout.isatty()), end="")


def _results(plan: Plan) -> ResultsSize | None:
    """Return what the results will take, where that is much."""
    each = report_forecast(plan)
    return ResultsSize(each.runs, each.seconds, each.size_bytes) if each.is_large else None


def spread_here() -> tuple[float, str]:
    """Return the spread of ratios within blocks and its source: the machine's noise floor, if it still applies."""
    floor = read_floor(cache_dir())
    if floor is None or any(changed(floor, (read_facts("local"),))):
        return USUAL_SPREAD, USUAL
    return floor.spread, f"by this machine's noise floor ({floor.subject})"

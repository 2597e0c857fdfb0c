"""`headtohead check STUDY`: validate, and show the plan; changes nothing."""

import sys

from headtohead.cli.wiring import JsonOption, StudyArgument, read_question
from headtohead.plan.forecast import duration_s, smallest_ratios
from headtohead.report import terminal
from headtohead.report.notices import Forecast
from headtohead.store.convert import to_json

USUAL_SPREAD = 0.03
"""What a usual machine's ratios spread by within blocks (METHOD.md section 2.1)."""


def command(study: StudyArgument, *, json: JsonOption = False) -> None:
    """Validate a study; print the plan, its duration and the smallest difference it can see. Changes nothing."""
    question = read_question(study)
    plan = question.plan(question.machine())
    question.ask_room(plan)
    if json:
        print(to_json(plan), end="")
        return
    first_s, last_s = duration_s(plan)
    seen = {each.name: smallest_ratios(each).get(USUAL_SPREAD) for each in plan.experiments}
    forecast = Forecast(first_s, last_s, {name: ratio for name, ratio in seen.items() if ratio is not None})
    print(terminal.render_plan(plan, forecast, color=sys.stdout.isatty()), end="")

"""`headtohead check STUDY`: validate, and show the plan; changes nothing."""

from headtohead.cli.wiring import JsonOption, StudyArgument, read_question
from headtohead.report import terminal
from headtohead.store.convert import to_json


def command(study: StudyArgument, *, json: JsonOption = False) -> None:
    """Validate a study; print the plan, its duration and the smallest difference it can see. Changes nothing."""
    question = read_question(study)
    plan = question.plan(question.machine())
    print(to_json(plan) if json else terminal.render_plan(plan), end="")

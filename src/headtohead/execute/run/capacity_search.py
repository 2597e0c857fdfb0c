"""A run that searches for the capacity: trials on one started server, each chosen from the earlier ones."""

from headtohead.execute.context.run_context import RunContext
from headtohead.execute.run.drive_check_and_count import LoadClient
from headtohead.execute.run.walk_cases_repeat_excluded import walk_one
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import scalar_text
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import Trial

MOST_TRIALS = 60
"""Three times the length of a search (15 trials, a probe, four past the capacity): a longer search would not end."""

OVERLOAD = "overload_percent"
"""The field of a case that offers more than the capacity."""

AGAIN = 4
"""The number of times that an excluded trial is repeated. On a busy machine three trials in ten are excluded, and a
search has about ten: with two repeats, one search in four would be lost; with four, one in forty."""


def search(context: RunContext, client: LoadClient) -> None:
    """Walk the trials of a search until it is done; each starts once the server is idle.

    A trial that a rule excludes is repeated at once, because the next trial depends on it, except for wrong answers.
    The new records replace the earlier ones. A trial that stays excluded makes the run invalid. A trial past the
    capacity is left out instead, because the capacity does not depend on it.
    """
    aside: list[LoadRecord] = []
    request, names = context.request, (f"trial-{number}" for number in range(1, (1 + AGAIN) * MOST_TRIALS + 1))
    for _ in range(MOST_TRIALS):
        done = [each for each in context.log.records() if isinstance(each, LoadRecord)]
        trial = context.study_context.rules.next_trial(
            request.experiment, request.treatment, [*done, *aside], request.earlier
        )
        if trial is None:
            return
        context.study_context.show_trial(trial_text(trial))
        _make(context, client, trial, name=next(names))
        for _ in range(AGAIN):
            reasons = context.excluded_by(trial.case)
            if not reasons or not context.all_correct(trial.case):
                break
            context.log.repeat(trial.case, reasons)
            context.log.forget(trial.case)
            _make(context, client, trial, name=next(names))
        if OVERLOAD in trial.case and context.excluded_by(trial.case):
            aside += [each for each in context.log.set_aside(trial.case) if isinstance(each, LoadRecord)]
    raise SubjectError(
        "The search for the capacity did not end",
        why=f"After {MOST_TRIALS} trials it still needs another.",
        remedy="See records.jsonl in the run's folder: its trials contradict each other.",
    )


def trial_text(trial: Trial) -> str:
    """Return what a trial is, as progress shows it.

    >>> trial_text(Trial({"trial": 2, "rate_per_s": 812.5}, "open", 0.5, 2.0, drains=True))
    'trial 2: 812 requests/s'
    """
    case = trial.case
    if OVERLOAD in case:
        name = f"at {scalar_text(case[OVERLOAD])} % of the capacity"
    else:
        name = f"trial {scalar_text(case.get('trial', '?'))}"
    if "rate_per_s" not in case:
        return f"{name}: {scalar_text(case.get('connections', 'all'))} connections"
    counted = "sessions" if trial.loop == "sessions" else "requests"
    return f"{name}: {float(case['rate_per_s']):,.0f} {counted}/s"


def _make(context: RunContext, client: LoadClient, trial: Trial, *, name: str) -> None:
    walk_one(
        context,
        (trial.case, (trial.case,)),
        lambda _, __, name: [client.drive(trial, name=name)],
        gate=context.log.gate_idle,
        name=name,
    )

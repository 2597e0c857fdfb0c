"""The lines on values and levels: what the answer does not have, single searches, each load, crossovers, left out."""

from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.crossings import proven_crossings
from headtohead.report.experiment.scaling import other_gains
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.study.page_one.leader_by_level import at_each_level, by_level, left_out
from headtohead.report.text.cases_of_primary_value import over_unlike
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.values_with_units import scale_for
from headtohead.report.text.verdicts import as_sentence, estimate_text
from headtohead.report.text.wording import joined, listed


def measured(context: ExperimentContext) -> str:
    """Return the values that the answer does not have: of three and more setups, and without a winner.

    Empty over unlike work.
    """
    result = context.result
    shown = [(each, each.primary) for each in arms_of(result) if each.primary is not None]
    in_answer = len(shown) < 3 and all(each.verdict in ("better", "worse") for each in result.comparisons)
    if in_answer or not shown or not result.comparisons or over_unlike(result):
        return ""
    what = metric_title(result.primary.of)
    parts = [f"{each.label} {estimate_text(value, result.metric)}" for each, value in shown]
    return f"{joined(parts).removesuffix('.')} ({what})."


def capacities_of_runs(context: ExperimentContext) -> str:
    """Return the lowest and the highest capacity that the searches of each setup found; empty without searches."""
    found = {each.label: [one.capacity_per_s for one in each.searches] for each in context.result.treatments}
    several = {label: each for label, each in found.items() if len(each) > 1}
    if not several:
        return ""
    scale = scale_for("1/s", [each for of_one in several.values() for each in of_one])
    ends = [f"{label} {scale.bare(min(each))} to {scale.full(max(each))}" for label, each in several.items()]
    return as_sentence(f"one search a run, with a capacity of its own: {listed(ends)}")


def also_measured(context: ExperimentContext) -> str:
    """Return the ratio at each load of the answer, and the gain in other cases; gains have labels, not names."""
    levels = "" if by_level(context.result) else at_each_level(context.result)
    return " ".join(filter(None, (levels, other_gains(context.study.experiments[context.number - 1]))))


def crossings(context: ExperimentContext) -> str:
    """Return who is ahead at which levels, or the first place where setups cross over, if the intervals prove it."""
    if orders := by_level(context.result, estimates=True):
        return " ".join(each for each in (f"Ahead: {orders}.", left_out(context.result)) if each)
    found = proven_crossings(context.result)
    more = f" {len(found) - 1} more below." if len(found) > 1 else ""
    return f"{found[0]}{more}" if found else ""


def measured_levels_left_out(context: ExperimentContext) -> str:
    """Return which measured levels the average leaves out, if nothing above names them."""
    return "" if by_level(context.result) else left_out(context.result)

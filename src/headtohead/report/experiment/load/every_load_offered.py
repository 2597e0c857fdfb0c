"""Every load that was offered: how each setup fared as the load rose."""

from dataclasses import replace

from headtohead.model.analysis.estimates import Estimate
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, folded
from headtohead.report.experiment.load.capacities_found import capacity_of
from headtohead.report.experiment.load.merge_loads_into_steps import LoadStep, load_steps
from headtohead.report.experiment.values.cells import NOTHING
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import quantity

_ALL = 0.99
"""A response rate of this share of the offered load and more answers all of it."""


def curve_blocks(context: ExperimentContext) -> Blocks:
    """Yield every load offered, folded."""
    return folded("Every load offered", _curve_table(context))


def _curve_table(context: ExperimentContext) -> Table | None:
    groups = []
    for treatment in context.result.treatments:
        found = capacity_of(treatment)
        rows = tuple(_step_row(each, found) for each in load_steps(treatment))
        if rows:
            groups.append(RowGroup(treatment.label, rows))
    if not groups:
        return None
    columns = ("Response rate, /s", "Correct responses, /s", "Response time p50", "p99", "Errors", "Trials that held")
    searched = any(each.searches for each in context.result.treatments)
    over = "like loads, which each search chose for itself" if searched else "each load"
    note = (
        f"Medians over trials at {over}; so they decide nothing, and a p99 of a trial of 2,000 requests rests on its "
        "20 longest. The share is of the offered load. A timeout counts as an error and as the longest of times. A "
        "request without its response at the end of an overload is neither an error nor a response."
    )
    caption = f"How each setup fared as the load rose ({context.titled('response_time_ns')})"
    return Table(caption, "Offered load", columns, tuple(groups), note=note)


def _step_row(step: LoadStep, found: Estimate | None) -> Row:
    past = f"{step.overload_percent:g} % of the capacity" if step.overload_percent is not None else ""
    below = share(step.offered_load_per_s / found.value) if found and not past else ""
    held = "not judged" if step.held is None else f"{step.held} of {step.trials}"
    cells = (
        _answered(step),
        _rate(step.goodput_per_s),
        _time(step.response_time_p50_ns),
        _time(step.response_time_p99_ns),
        NOTHING if step.error_share is None else Entry(share(step.error_share), number=True),
        Entry(held, number=True),
    )
    return Row(quantity(step.offered_load_per_s, "1/s"), cells, small=past or below)


def _answered(step: LoadStep) -> Entry:
    """Return the response rate, with its share of the offered load where that is less."""
    value, offered = step.response_rate_per_s, step.offered_load_per_s
    if value is None or value >= _ALL * offered:
        return _rate(value)
    return replace(_rate(value), small=f"{share(value / offered)} of it")


def _rate(value: float | None) -> Entry:
    return NOTHING if value is None else Entry(quantity(value, "1/s").removesuffix(" /s"), number=True)


def _time(value: float | None) -> Entry:
    return NOTHING if value is None else Entry(quantity(value, "ns"), number=True)

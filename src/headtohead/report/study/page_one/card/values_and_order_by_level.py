"""The lines on values and levels: what the answer does not have, single searches, each load, crossovers, left out."""

from collections.abc import Iterable
from itertools import takewhile

from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import WHOLE_RUN
from headtohead.model.quantiles import quantile_of
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.rules import TYPICAL_ERROR
from headtohead.model.study import trials
from headtohead.model.study.workload import Load
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.crossings import proven_crossings
from headtohead.report.experiment.load.goodput_past_capacity import OVERLOAD
from headtohead.report.experiment.load.merge_loads_into_steps import load_steps
from headtohead.report.experiment.scaling import gains_by_setup, other_gains
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.study.page_one.card.outliers_trends_and_repeats import MOST_IN_ORDER
from headtohead.report.study.page_one.leader_by_level import along_levels, at_each_level, by_level, left_out
from headtohead.report.text.cases_of_primary_value import decides, over_unlike
from headtohead.report.text.names import case_phrase, case_title, metric_title, objective_text
from headtohead.report.text.numbers.dates_and_durations import duration
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import quantity, scale_for
from headtohead.report.text.setup_names import short
from headtohead.report.text.verdicts import as_sentence, estimate_text
from headtohead.report.text.wording import capital, joined, listed, plural

PERCENT = "overload_percent"
_NS = 1e9
MOST_CASES = 2
"""The values of more kinds of work are in the table below."""
MORE_THAN_OFFERED = 1.03
"""Arrivals vary, so that a setup that answers all of a load may have a little more correct responses than that."""
KEPT_UP = 0.95
"""A setup keeps up with an offered load if this share of its requests had correct responses."""


def measured(context: ExperimentContext) -> str:
    """Return the values that the answer does not have: of three and more setups, and without a winner.

    Empty over unlike work: ``each_case`` has them.
    """
    result = context.result
    shown = [(each, each.primary) for each in arms_of(result) if each.primary is not None]
    in_answer = len(shown) < 3 and all(each.verdict in ("better", "worse") for each in result.comparisons)
    if in_answer or not shown or not result.comparisons or over_unlike(result):
        return ""
    what, ranked = metric_title(result.primary.of), len(shown) > 2 and _ranks(result)
    lower = result.metric.better == "lower"
    if ranked:
        shown.sort(key=lambda each: each[1].value, reverse=not lower)
    parts = [f"{each.label} {estimate_text(value, result.metric)}" for each, value in shown]
    cases = context.planned.cases if context.planned else ()
    (only,) = cases if len(cases) == 1 else (WHOLE_RUN,)
    load = f", {case_phrase(only)}" if only else ""
    order = f"{'Lowest' if lower else 'Highest'} first: " if ranked else ""
    return f"{order}{joined(parts).removesuffix('.')} ({what}{load})."


def each_case(context: ExperimentContext) -> str:
    """Return of unlike work of few kinds the values of each: ``Operation read: 5 GB/s (plain), 120 MB/s (shaped)``."""
    result = context.result
    if not over_unlike(result):
        return ""
    primary, shown = result.primary, [each for each in arms_of(result) if each.primary is not None]
    values = [
        {
            each.case: each.estimate.value
            for each in one.cells
            if each.metric == primary.of and decides(each.case, primary)
        }
        for one in shown
    ]
    if len(values) != 2 or values[0].keys() != values[1].keys() or not 1 < len(values[0]) <= MOST_CASES:
        return ""
    alike = [name for name in next(iter(values[0])) if len({case.get(name) for case in values[0]}) == 1]
    parts = []
    for case in values[0]:
        pair = [
            f"{quantity(found[case], result.metric.unit)} ({short(each, result)})"
            for each, found in zip(shown, values, strict=True)
        ]
        parts.append(f"{case_title(case.without(*alike))}: {', '.join(pair)}")
    return f"{capital('; '.join(parts))} ({metric_title(primary.of)})."


def _ranks(result: ExperimentResult) -> bool:
    """Return whether programs alone were compared, each with the first one: their values then show their order."""
    one = {tuple(sorted(each.fixed.items())) for each in result.comparisons}
    return (
        result.metric.better != "neither"
        and len(one) == 1
        and {each.factor for each in result.comparisons} == {"subject"}
    )


def capacities_of_runs(context: ExperimentContext) -> str:
    """Return the lowest and the highest capacity that the searches of each setup found; empty without searches.

    Of setups whose runs vary too much, and have few, each block by block: it shows whether they changed.
    """
    result = context.result
    found = {short(each, result): [one.capacity_per_s for one in each.searches] for each in result.treatments}
    several = {label: each for label, each in found.items() if len(each) > 1}
    if not several:
        return ""
    scale = scale_for("1/s", [each for of_one in several.values() for each in of_one])
    varied = TYPICAL_ERROR.id in {each.id for each in result.findings}
    in_order = varied and max(map(len, several.values())) <= MOST_IN_ORDER
    ends = [
        f"{label} {listed([scale.bare(one) for one in each[:-1]] + [scale.full(each[-1])])}"
        if in_order
        else f"{label} {scale.bare(min(each))} to {scale.full(max(each))}"
        for label, each in several.items()
    ]
    limits = f", with {objective_text(context.objective)}" if context.objective else ""
    objective = f" A capacity is the highest rate that the setup keeps up with{limits}; trials near it fail too."
    load = context.load
    every = [each for of_one in several.values() for each in of_one]
    long = load is not None and load.measure_s >= 1
    length = f" Trials took {duration(load.measure_s)} or longer{_fails_one(load, every)}." if load and long else ""
    found_by = "block by block they found" if in_order else "single runs found"
    every_setup = "; ".join(ends) if in_order else listed(ends)
    return f"Each run searched for its own capacity; {found_by} {every_setup}.{objective}{length}"


def _fails_one(load: Load, capacities: Iterable[float]) -> str:
    """Return how long a stall makes any trial at a capacity fail: more requests are late than its quantile allows.

    Requests that arrive while a server does nothing wait for its end, and those behind them wait for the backlog.
    """
    longest_s = max(trials.measure_s(load, each) for each in capacities)
    limits = {name: quantile for name in load.objective if (quantile := quantile_of(name))}
    stalls_s = [load.objective[name] / _NS + (1 - quantile) * longest_s for name, quantile in limits.items()]
    if not stalls_s or min(stalls_s) > longest_s / 2:
        return ""
    return f" (a stall of {quantity(_NS * min(stalls_s), 'ns')} fails a trial)"


def overload(context: ExperimentContext) -> str:
    """Return what is left of each setup's capacity at the highest load past it that was measured; empty if none was.

    It is the highest that all have, if there is one: unlike overloads do not compare.
    """
    left: dict[Scalar, list[str]] = {}
    of_each = [
        (each, {cell.case[PERCENT]: cell for cell in each.cells if cell.metric == OVERLOAD and cell.case})
        for each in context.result.treatments
    ]
    known = [cells for _, cells in of_each if cells]
    shared = {percent for percent in known[0] if all(percent in each for each in known)} if known else set()
    for treatment, cells in of_each:
        if cells:
            worst = cells[max(shared or cells, key=float)]
            waited = worst.estimate.value > MORE_THAN_OFFERED * float(worst.case[PERCENT]) / 100
            late = " (more than is offered: some had waited)" if waited else ""
            name = short(treatment, context.result)
            of = f"{name}: {share(worst.estimate.value)}{_ends(worst.estimate.interval)}{late}"
            left.setdefault(worst.case[PERCENT], []).append(of)
    at = [
        f"offered {scalar_text(percent)} % of its capacity, each setup responded to this share of its capacity: "
        f"{', '.join(each)}"
        for percent, each in left.items()
    ]
    return as_sentence(f"{'; '.join(at)}; responses count here however late") if at else ""


def _ends(interval: Interval | None) -> str:
    return f" ({share(interval.low)} to {share(interval.high)})" if interval else ""


def kept_up(context: ExperimentContext) -> str:
    """Return up to which offered load each setup answered; one that answered every load has no known limit."""
    parts = []
    for treatment in () if context.result.comparisons else context.result.treatments:
        steps = [] if treatment.searches or treatment.floor else load_steps(treatment)
        if len(steps) < 2 or any(each.goodput_per_s is None for each in steps):
            continue
        kept = list(takewhile(lambda each: (each.goodput_per_s or 0.0) >= KEPT_UP * each.offered_load_per_s, steps))
        most = quantity(kept[-1].offered_load_per_s, "1/s") if kept else ""
        if len(kept) == len(steps):
            parts.append(f"{treatment.label} kept up with every load, to {most}: its limit was not found")
        else:
            least = quantity(steps[0].offered_load_per_s, "1/s")
            parts.append(f"{treatment.label} kept up to {most}" if kept else f"{treatment.label} not even with {least}")
    return f"{'; '.join(parts)}." if parts else ""


def also_measured(context: ExperimentContext) -> str:
    """Return the ratio at each load of the answer, and the gain in other cases; gains have labels, not names."""
    levels = "" if by_level(context.result) else at_each_level(context.result) or along_levels(context.result)
    return " ".join(filter(None, (levels, other_gains(context.study.experiments[context.number - 1]))))


def more_of_it(context: ExperimentContext) -> str:
    """Return what more CPUs, copies or threads brought each setup, where the answer compares something else."""
    return gains_by_setup(context.study.experiments[context.number - 1])


def crossings(context: ExperimentContext) -> str:
    """Return who is ahead at which levels, or the first place where setups cross over, if the intervals prove it."""
    if orders := by_level(context.result, estimates=True):
        return " ".join(each for each in (f"Ahead: {orders}.", left_out(context.result)) if each)
    found = proven_crossings(context.result)
    more = f" {plural(len(found) - 1, 'more crossover')} below." if len(found) > 1 else ""
    return f"{found[0]}{more}" if found else ""


def measured_levels_left_out(context: ExperimentContext) -> str:
    """Return which measured levels the average leaves out, if nothing above names them."""
    return "" if by_level(context.result) else left_out(context.result)
